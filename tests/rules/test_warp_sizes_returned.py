"""Functions that return a warp's size, and `<cuda/ptx>`'s name for the lane register.

On 64 lanes `__shfl(best, 0)` hears of lane 0 of the whole wavefront: a program that counts its warps in 32 has to name
that width, wherever the 32 comes from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, convert, translate

REPORT_ONLY = Options(fixes=frozenset())


def kernel(size: str, lane: str = "") -> str:
    """A kernel whose warps are counted in `size`, and whose first lanes tell the others what they know."""
    return (
        "__global__ void k(int *out) {\n"
        f"    int warp = threadIdx.x / {size}, lane = {lane or 'threadIdx.x % ' + size};\n"
        "    int best = __shfl_sync(0xffffffffu, out[threadIdx.x], 0);\n"
        f"    out[warp * {size} + lane] = best;\n}}\n"
    )


def findings(source: str) -> list[str]:
    return [found.id for found in translate(source.encode(), path="a.cu", options=REPORT_ONLY).findings]


@pytest.mark.parametrize(
    ("definition", "size"),
    [
        ("constexpr int WarpThreads() { return 32; }", "WarpThreads()"),
        ("namespace dh { constexpr unsigned WarpThreads(void) noexcept { return 0x20u; } }", "dh::WarpThreads()"),
        ("#define LANES 32\n__host__ __device__ constexpr int warp_size() { return LANES; }", "warp_size()"),
        ("constexpr int kN = 32;\n__device__ inline int width() { /* lanes */ return kN; }", "width()"),
        ("constexpr int half() { return 16; }\nconstexpr int row() { return 2 * half(); }", "row()"),
        ("struct W { static constexpr int warp_size() { return int(32); } };", "W::warp_size()"),
        ("template <typename T> constexpr T WarpThreads() { return 32; }", "WarpThreads<int>()"),
    ],
)
def test_a_function_that_returns_32_counts_as_32(definition: str, size: str) -> None:
    source = definition + "\n" + kernel(size)
    assert findings(source) == ["HIP305"]
    assert "__shfl(out[threadIdx.x], 0, 32)" in translate(source.encode(), path="a.cu").output.decode()


@pytest.mark.parametrize(
    "definition",
    [
        "__device__ int width() { return warpSize; }",
        "__device__ int width(int n = 32) { return n; }",
        "__device__ int width() { if (threadIdx.y) return 64; return 32; }",
        "__device__ int width();",
        "__device__ int width() { return width(); }",
        "__device__ int g();\n__device__ int width() { g(); return 32; }",
    ],
)
def test_a_function_that_may_return_something_else_is_no_constant(definition: str) -> None:
    assert "HIP305" not in findings(definition + "\n" + kernel("width()"))


def test_a_function_of_a_header_counts_where_it_is_included(tmp_path: Path) -> None:
    project = tmp_path / "in"
    project.mkdir()
    (project / "warps.cuh").write_text(
        "#pragma once\nnamespace dh {\nconstexpr int WarpThreads() { return 32; }\n"
        "constexpr unsigned AllLanes() { return 0xffffffffu; }\n}\n"
    )
    body = kernel("dh::WarpThreads()").replace("0xffffffffu", "dh::AllLanes()")
    (project / "k.cu").write_text('#include "warps.cuh"\n' + body)
    convert([project], output=tmp_path / "out", jobs=1)
    assert "__shfl(out[threadIdx.x], 0, 32)" in (tmp_path / "out" / "k.cu").read_text()


def test_a_header_that_has_another_size_for_amd_is_believed(tmp_path: Path) -> None:
    project = tmp_path / "in"
    project.mkdir()
    (project / "warps.cuh").write_text(
        "#pragma once\n#ifdef USE_ROCM\nconstexpr int WarpThreads() { return 64; }\n#else\n"
        "constexpr int WarpThreads() { return 32; }\n#endif\n"
    )
    (project / "k.cu").write_text('#include "warps.cuh"\n' + kernel("WarpThreads()"))
    convert([project], output=tmp_path / "out", jobs=1)
    assert ", 0, 32)" not in (tmp_path / "out" / "k.cu").read_text()


@pytest.mark.parametrize(
    ("lane", "becomes"),
    [
        ("cuda::ptx::get_sreg_laneid()", "lane = __lane_id() & 31;"),
        ("static_cast<int>(cuda::ptx::get_sreg_laneid())", "lane = static_cast<int>(__lane_id() & 31);"),
        ("(int)cuda::ptx::get_sreg_laneid()", "lane = (int)(__lane_id() & 31);"),
        ("cuda::ptx::get_sreg_laneid() * 1", "lane = (__lane_id() & 31) * 1;"),
        ("cuda::ptx::get_sreg_laneid() & 31", "lane = __lane_id() & 31;"),
        ("cuda::ptx::get_sreg_laneid() % 32", "lane = __lane_id() % 32;"),
    ],
)
def test_the_lane_register_is_kept_within_32(lane: str, becomes: str) -> None:
    source = "#include <cuda/ptx>\n" + kernel("32", lane)
    result = translate(source.encode(), path="a.cu")
    assert becomes in result.output.decode()
    assert translate(result.output, path="a.cu").output == result.output


def test_the_lane_register_beside_32_is_reported_where_it_stays() -> None:
    assert sorted(findings(kernel("32", "cuda::ptx::get_sreg_laneid()"))) == ["HIP305", "HIP316"]


def test_the_lane_register_of_a_program_that_goes_by_wavefronts_stays() -> None:
    result = translate(kernel("warpSize", "cuda::ptx::get_sreg_laneid()").encode(), path="a.cu")
    assert "& 31" not in result.output.decode()
