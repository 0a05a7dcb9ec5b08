"""A block's number of warps that a kernel takes from elsewhere is counted as its lanes are, or reported."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

KERNEL = """
__global__ void k(int *o) {{
  __shared__ int b[{bound}];
  int v = o[threadIdx.x];
  for (int s = {lanes} / 2; s; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  if (threadIdx.x % {lanes} == 0) b[threadIdx.x / {lanes}] = v;
  __syncthreads();
  if (threadIdx.x < {warps} && {warps} > 1) v = b[threadIdx.x];
  o[threadIdx.x] = v;
}}
"""
DEFINITIONS = {
    "a macro": ("#define WARPS (blockDim.x / {})\n", "WARPS"),
    "a macro of a size": ("#define WARPS(n) ((n) / {})\n", "WARPS(blockDim.x)"),
    "a function": ("__device__ int warps() {{ return blockDim.x / {}; }}\n", "warps()"),
}


def ids(source: str) -> list[str]:
    findings = translate(source, path="a.cu", options=Options()).findings
    return [finding.id for finding in findings if finding.id == "HIP306"]


@pytest.mark.parametrize(("definition", "warps"), DEFINITIONS.values(), ids=DEFINITIONS)
@pytest.mark.parametrize(("counted", "lanes"), [("warpSize", "32"), ("32", "warpSize")])
def test_one_that_is_counted_otherwise(definition: str, warps: str, counted: str, lanes: str) -> None:
    source = definition.format(counted) + KERNEL.format(bound=32, lanes=lanes, warps=warps)
    assert ids(source) == ["HIP306"]


@pytest.mark.parametrize(("definition", "warps"), DEFINITIONS.values(), ids=DEFINITIONS)
@pytest.mark.parametrize("counted", ["warpSize", "32"])
def test_one_that_is_counted_as_the_lanes_are(definition: str, warps: str, counted: str) -> None:
    assert ids(definition.format(counted) + KERNEL.format(bound=32, lanes=counted, warps=warps)) == []


def test_more_elements_than_warps_do_no_harm() -> None:
    sizes = "constexpr int num_threads = 1024, kWarps = num_threads / 32;\n"
    source = sizes + KERNEL.format(bound="kWarps", lanes="warpSize", warps="2")
    assert ids(source) == []
