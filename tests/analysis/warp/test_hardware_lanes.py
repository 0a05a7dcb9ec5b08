"""The functions that return the lane which the hardware counts."""

from __future__ import annotations

import pytest

from hipify_py.analysis.warp.hardware_lanes import hardware_lanes
from hipify_py.catalog import load_catalog
from hipify_py.options import DEFAULT_OPTIONS
from hipify_py.source import Source
from hipify_py.translator import lexer
from hipify_py.unit import Unit


def getters(source: str) -> frozenset[bytes]:
    """The functions of a source that return a lane."""
    catalog = load_catalog(DEFAULT_OPTIONS.targeting)
    data = source.encode()
    return hardware_lanes(Unit(Source(data, "a.cu"), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS)).getters


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("__device__ int f() { return __lane_id(); }", {b"f"}),
        ("__device__ int f() { int v = f(); v = __lane_id(); return v; }", {b"f"}),
        ("__device__ int f() { int v = other(3); v = __lane_id(); return v; }", {b"f"}),
        (
            "__device__ int f() { int v = g(); v = __lane_id(); return v; }\n"
            "__device__ int g() { int v = f(); v = __lane_id(); return v; }",
            {b"f", b"g"},
        ),
        (
            "__device__ int f() { __lane_id(); int v = g(); return v; }\n__device__ int g() { return __lane_id(); }",
            {b"f", b"g"},
        ),
        ("__device__ int f() { __lane_id(); int v = f(); return v; }", set()),
        ("__device__ int f() { int v = f(); v = __lane_id() % 32; return v; }", set()),
    ],
)
def test_functions_that_call_one_another_are_looked_at_once(source: str, names: set[bytes]) -> None:
    assert getters(source) == names
