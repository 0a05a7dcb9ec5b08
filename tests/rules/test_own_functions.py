"""Functions of the source's own that HIP has as well, in front of whatever they are called."""

from __future__ import annotations

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    "definition",
    [
        "__device__ float atomicMax(float *a, float v) { return v; }",
        "__device__ auto atomicMax(float *a, float v) -> float { return v; }",
        "__device__ static inline float\natomicMax(float *a, float v) { return v; }",
        "__device__ float /* the largest */ atomicMax(float *a, float v) { return v; }",
        "float __device__ atomicMax(float *a, float v) { return v; }",
    ],
)
def test_a_definition_is_guarded_however_it_begins(definition: str) -> None:
    calls = "__device__ void f(float *a) { if (a[0] > 1) atomicMax(a, 1.f); float b = -atomicMax(a, 2.f); }"
    found = translate(definition + "\n" + calls, path="a.cu")
    assert "HIP120" in {finding.id for finding in found.findings}
    assert b"#ifndef __HIP__" in found.output


def test_calls_are_no_definitions() -> None:
    calls = (
        "__device__ float f(float *a) { atomicMax(a, 1.f); if (a[0] > 1) atomicMax(a, 1.f); return atomicMax(a, 2.f); }"
    )
    assert "HIP120" not in {finding.id for finding in translate(calls, path="a.cu").findings}
