"""Functions of headers that return all lanes by their names: wide where they are, and no warning where they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.project.api import convert

FULL = "0xffffffffffffffffull"


@pytest.mark.parametrize(
    ("function", "wide", "call"),
    [
        (
            "constexpr unsigned WarpFullMask() { return 0xffffffffu; }",
            "unsigned long long WarpFullMask",
            "WarpFullMask()",
        ),
        ("__device__ inline unsigned full_mask() { return ~0u; }", "unsigned long long full_mask", "full_mask()"),
        ("constexpr auto allLanesMask() { return 0xffffffffu; }", "auto allLanesMask", "allLanesMask( )"),
        (
            "struct Warp { static constexpr uint32_t mask_all() { return 0xffffffff; } };",
            "unsigned long long mask_all",
            "Warp::mask_all()",
        ),
        (
            "namespace dh { __forceinline__ __device__ unsigned FullWarpMask() { return 0xffffffffu; } }",
            "unsigned long long FullWarpMask",
            "dh::FullWarpMask()",
        ),
    ],
)
def test_a_function_that_returns_all_lanes_is_wide_for_the_files_that_include_it(
    tmp_path: Path, function: str, wide: str, call: str
) -> None:
    (tmp_path / "masks.cuh").write_text(f"#pragma once\n{function}\n")
    # A whole wavefront comes here, counted in warpSize: the mask is one of 64 lanes.
    (tmp_path / "a.cu").write_text(
        '#include "masks.cuh"\n'
        f"__global__ void k(int *o) {{ o[threadIdx.x / warpSize] = __reduce_add_sync({call}, o[0]); }}\n"
    )
    report = convert([tmp_path], in_place=True, options=Options(fixes=frozenset()))
    header = (tmp_path / "masks.cuh").read_text()
    assert wide in header
    assert f"return {FULL};" in header
    found = [finding.id for result in report.results for finding in result.findings]
    assert "HIP301" not in found
    assert f"static_cast<unsigned long long>({call})" in (tmp_path / "a.cu").read_text()


def test_a_function_with_arguments_is_not_all_lanes_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        '#include "masks.cuh"\n'
        "__global__ void k(int *o) { o[threadIdx.x / warpSize] = __reduce_add_sync(full_mask(8), o[0]); }\n"
    )
    report = convert([tmp_path], in_place=True, options=Options(fixes=frozenset()))
    assert "HIP301" in [finding.id for result in report.results for finding in result.findings]
