"""Code stays native at any wavefront size only where everything in it is proved to count in `warpSize`."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.project_context import ProjectContext

OPTIONS = Options(implicit_runtime=False)
SUM = "for (int d = warpSize / 2; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);"
LANE = "const int lane = threadIdx.x % warpSize;"


def kernel(body: str, head: str = "", launch: str = "k<<<n, 256>>>(o, v);", size: str = "p.warpSize") -> str:
    return (
        f"{head}__global__ void k(int *o, int v) {{ {LANE} {body} if (lane == 0) o[blockIdx.x] = v; }}\n"
        f"int run(int *o, int v, int n, cudaDeviceProp p) {{ {launch} return {size}; }}\n"
    )


def outcomes(source: str, path: str = "a.cu", **project: object) -> set[str]:
    found = translate(source, path=path, options=OPTIONS, project=ProjectContext(**project))  # type: ignore[arg-type]
    return {name for name in found.warps._fields if getattr(found.warps, name)}


@pytest.mark.parametrize(
    "body",
    [
        SUM,
        "for (int d = warpSize >> 1; d >= 1; d /= 2) v ^= __shfl_xor_sync(~0u, v, d, warpSize);",
        "for (int d = 1; d < warpSize; d *= 2) v += __shfl_up_sync(-1, v, d);",
        "v = __shfl_sync(0xffffffffu, v, 0);",
        "v += __shfl_xor_sync(~0, v, 1);",
        "if (__any_sync(0xffffffff, v)) v = 1;",
        "v = threadIdx.x / warpSize; __syncwarp();",
    ],
)
def test_code_in_warp_size_throughout_is_native(body: str) -> None:
    assert outcomes(kernel(body)) == {"native"}


@pytest.mark.parametrize(
    ("body", "head", "launch"),
    [
        ("for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);", "", ""),
        (SUM + " if (lane == 31) o[1] = v;", "", ""),
        (SUM + " o[threadIdx.x >> 5] = v;", "", ""),
        (SUM + " __shared__ int s[32]; s[lane] = v;", "", ""),
        (SUM, "#define ROWS 32\n", ""),
        (SUM, "template <int W> __device__ int f(int v) { return v / W; }\n", ""),
        (SUM, '#include "mine.cuh"\n', ""),
        (SUM, "", "k<<<n, 32>>>(o, v);"),
        (SUM, "", "k<<<n, 96>>>(o, v);"),
        (SUM, "", "k<<<n, v>>>(o, v);"),
        (SUM, "", "launch(k);"),
        (SUM + " o[0] = __ballot_sync(0xffffffff, v);", "", ""),
        (SUM + " o[0] = __popc(__activemask());", "", ""),
        ("v = __shfl_sync(0x0000ffff, v, 0);", "", ""),
        ("v = __shfl_sync(0xffffffff, v, lane ^ 1);", "", ""),
        ("v = __shfl_down_sync(0xffffffff, v, 8);", "", ""),
        ("v = __shfl_sync(0xffffffff, v, 0, 8);", "", ""),
        ("for (int d = warpSize / 4; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);", "", ""),
        ('unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); v = l;' + SUM, "", ""),
        (SUM, "#define LANES warpSize\n", ""),
        (SUM + " __shared__ int s[1024 / warpSize];", "", ""),
    ],
)  # fmt: skip
def test_whatever_is_not_resolved_means_32(body: str, head: str, launch: str) -> None:
    found = outcomes(kernel(body, head, launch or "k<<<n, 256>>>(o, v);"))
    assert "kept" in found
    assert "native" not in found


def test_results_of_warps_that_the_host_counts_itself_are_of_32_lanes() -> None:
    assert outcomes(kernel(SUM, size="n")) == {"kept"}


def test_a_header_is_native_with_the_files_that_include_it() -> None:
    source = f"__device__ int sum(int v) {{ {SUM} return v; }}\n"
    assert outcomes(source, "sum.cuh") == {"kept"}
    assert outcomes(source, "sum.cuh", native_warps=True) == {"native"}


@pytest.mark.parametrize("body", ['printf("%d", warpSize);', "v = std::min(v, warpSize);", "auto w = warpSize;"])
def test_hips_warp_size_is_an_object_that_is_not_handed_on(body: str) -> None:
    assert outcomes(kernel(SUM + body)) == {"kept"}
