"""What counts on lanes running in step, on barriers for one warp, and on lanes that wait for each other."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate


def found(source: str, id: str) -> bool:
    return id in [f.id for f in translate(source, path="a.cu").findings]


STEPS = " ".join(f"s[t] += s[t + {n}];" for n in (32, 16, 8, 4, 2, 1))


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        (f"__device__ void tail(float *s, int t) {{ {STEPS} }}", True),
        (f"__device__ void tail(volatile float *s, int t) {{ {STEPS} }}", False),
        (f"__device__ void tail(float volatile *s, int t) {{ {STEPS} }}", False),
        (f"__global__ void k(int t) {{ extern __shared__ volatile float s[]; {STEPS} }}", False),
        (f"__device__ void tail(float *s, int t) {{ {STEPS.replace(';', '; __syncwarp();')} }}", False),
        (f"__device__ void tail(float *s, int t) {{ {STEPS.replace(';', '; __syncthreads();')} }}", False),
        ("__device__ void f(float *s, int t) { s[t] += s[t + 1]; }", False),
        ("__device__ void f(float *s, int t) { s[t] += s[t + 1]; s[t] += s[t + 2]; }", False),
        ("__device__ void f(float *s, int t) { for (int o = 32; o > 0; o >>= 1) s[t] += s[t + o]; }", True),
        (
            "__device__ void f(float *s, int t) { for (int o = 32; o > 0; o >>= 1) { if (t < o) s[t] += s[t + o]; } }",
            True,
        ),
        (
            "__device__ void f(float *s, int t) { for (int o = 32; o; o /= 2) { s[t] += s[t + o]; __syncwarp(); } }",
            False,
        ),
        ("__device__ void f(float *s, int t) { for (int o = n; o; o /= 2) s[t] += s[t + o]; }", False),
        ("__device__ void f(float *s, int t) { for (int o = 1; o < 32; o++) s[t] += s[t + o]; }", False),
    ],
)
def test_lanes_in_step(source: str, is_found: bool) -> None:
    assert found(source, "HIP309") == is_found


def test_the_fix_puts_a_barrier_between_the_steps() -> None:
    source = "__device__ void tail(float *s, int t) { if (n > 64) s[t] += s[t + 2]; if (n > 32) s[t] += s[t + 1]; }"
    options = Options(implicit_runtime=False, fixes=frozenset({"wavefront"}))
    result = translate(source, path="a.cu", options=options)
    assert result.output.decode() == source.replace("s[t + 2];", "s[t + 2]; __syncwarp();")
    assert translate(result.output, path="a.cu", options=options).output == result.output


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("if (threadIdx.x < 32) { o[0] = 1; __syncthreads(); }", True),
        ("int w = threadIdx.x / 32; if (w == 0) { __syncthreads(); }", True),
        ("int w = threadIdx.x / 32; if (w != 0) return; __syncthreads();", False),
        ("if (blockDim.x < 32) { __syncthreads(); }", False),
        ("if (threadIdx.x < 32) o[0] = 1; __syncthreads();", False),
        ("if (threadIdx.x < 32) { /* __syncthreads() */ }", False),
    ],
)
def test_barriers_of_one_warp(body: str, is_found: bool) -> None:
    assert found(f"__global__ void k(int *o) {{ {body} }}", "HIP310") == is_found


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("while (atomicCAS(m, 0, 1) != 0);", True),
        ("while (atomicCAS(&m[i], 0, 1)) { }", True),
        ("while (atomicExch(m, 1) == 1) { __nanosleep(100); }", True),
        ("while (0 != atomicCAS(m, 0, 1)) {}", True),
        ("if (threadIdx.x == 0) while (atomicCAS(m, 0, 1) != 0);", False),
        ("if (lane == 0) { while (atomicCAS(m, 0, 1) != 0); }", False),
        ("if (threadIdx.x == 0 && threadIdx.y == 0) { while (atomicCAS(m, 0, 1)); }", False),
        ("if (threadIdx.x % 32 == 0) { while (atomicCAS(m, 0, 1) != 0); }", False),
        ("if (is_leader) { while (atomicCAS(m, 0, 1) != 0); }", False),
        ("do { old = atomicCAS(m, a, b); } while (old != a);", False),
        ("while (atomicCAS(m, a, b) != a);", False),
        ("while (!done) { if (atomicCAS(m, 0, 1) == 0) { done = true; atomicExch(m, 0); } }", False),
        ("__shared__ volatile int flag[4]; while (flag[i] == 0);", True),
        ("__shared__ volatile int flag[4]; if (threadIdx.x == 0) while (flag[i] == 0);", False),
        ("while (m[i] == 0);", False),
    ],
)
def test_lanes_that_wait_for_each_other(body: str, is_found: bool) -> None:
    assert found(f"__device__ void f(int *m, int i, int a, int b) {{ {body} }}", "HIP311") == is_found


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("#define warpSize 32\nint f() { return warpSize; }", "#define kWarpSize 32\nint f() { return kWarpSize; }"),
        (
            "static constexpr int warpSize = 32;  // warpSize\nint f(P &p) { return p.warpSize + warpSize; }",
            "static constexpr int kWarpSize = 32;  // warpSize\nint f(P &p) { return p.warpSize + kWarpSize; }",
        ),
        (
            "const int warpSize = 32; int kWarpSize;",
            "const int kWarpSize32 = 32; int kWarpSize;",
        ),
        ("namespace n { const int warpSize = 32; }", "namespace n { const int warpSize = 32; }"),
        ("void f() { const int warpSize = 32; }", "void f() { const int warpSize = 32; }"),
    ],
)
def test_a_warp_size_of_the_sources_own(source: str, output: str) -> None:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    assert result.output.decode() == output
    assert not [f for f in result.findings if f.id in ("HIP303", "HIP312")]


def test_a_headers_own_warp_size_is_for_its_author_to_rename() -> None:
    result = translate("#pragma once\nconst int warpSize = 32;\n__device__ int f() { return warpSize; }", path="a.cuh")
    assert "HIP303" in [f.id for f in result.findings]


@pytest.mark.parametrize(
    "use",
    ["__shared__ int s[2 * warpSize];", "f<warpSize>(o);", "g<int, warpSize>(o);", "constexpr int n = warpSize / 2;"],
)
def test_warp_size_as_a_constant_of_hip_code(use: str) -> None:
    source = f"#include <hip/hip_runtime.h>\n__global__ void k(int *o) {{ {use} }}"
    assert found(source, "HIP303")
    fixed = translate(source, path="a.hip", options=Options(fixes=frozenset({"wavefront"})))
    assert use.replace("warpSize", "hipify::warp_size") in fixed.output.decode()


@pytest.mark.parametrize("use", ["int n = i < warpSize;", "if (a < b && warpSize > c) o[0] = 1;", "int t = warpSize;"])
def test_warp_size_as_a_value(use: str) -> None:
    source = f"#include <hip/hip_runtime.h>\n__global__ void k(int *o, int i) {{ {use} }}"
    assert not found(source, "HIP303")
