"""What counts on lanes running in step, on barriers for one warp, and on lanes that wait for each other."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate


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
        ("__device__ void f(float *s, int tid) { s[tid] += s[tid - 1]; s[tid] += s[tid - 2]; }", True),
        ("__device__ void f(volatile float *s, int tid) { s[tid] += s[tid - 1]; s[tid] += s[tid - 2]; }", False),
        (
            "__device__ void f(float *s) { int i = threadIdx.x; if (i > 0) s[i] += s[i - 1];"
            " if (i > 1) s[i] += s[i - 2]; }",
            True,
        ),
        (
            "__device__ void f(float *s, int n) { for (int i = 2; i < n; ++i) { s[i] += s[i - 1]; s[i] += s[i - 2]; } }",
            False,
        ),
        (
            "__device__ void f(float *s, int t) { float m = s[t]; if (B > 63) { s[t] = m = m + s[t + 32]; }"
            " if (B > 31) { s[t] = m = m + s[t + 16]; } }",
            True,
        ),
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
        ("int w = threadIdx.x / 32; if (w == 3) { o[3] = 1; __syncthreads(); }", True),
        ("int w = threadIdx.x / warpSize; o[w] = 0; __syncthreads();", False),
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
        ("if (threadIdx.x % 32 == 0) { while (atomicCAS(m, 0, 1) != 0); }", True),
        ("if (threadIdx.x % warpSize == 0) { while (atomicCAS(m, 0, 1) != 0); }", False),
        ("int cacheIndex = threadIdx.x; if (cacheIndex == 0) { while (atomicCAS(m, 0, 1) != 0); }", False),
        ("if (threadIdx.x != 0) return; while (atomicCAS(m, 0, 1) != 0);", False),
        ("int tid = threadIdx.x; if (tid) return; while (atomicCAS(m, 0, 1) != 0);", False),
        ("if (i >= b) return; while (atomicCAS(m, 0, 1) != 0);", True),
        ("while (atomicCAS(m, -1, a) != -1);", True),
        ("while (atomicCAS(m, FREE, TAKEN) == TAKEN) {}", True),
        ("while (true) { if (atomicCAS(m, 0, 1) == 0) break; }", True),
        ("for (;;) { if (!atomicExch(m, 1)) { break; } }", True),
        # It leaves the loop with the lock, and waits behind it for the lanes that want it.
        ("while (true) { if (atomicCAS(m, 0, 1) == 0) { a = m[1]; break; } }", True),
        ("while (true) { if (atomicCAS(m, 0, 1) == 0) { a = m[1]; atomicExch(m, 0); break; } }", False),
        ("int old; do { old = atomicCAS(m, 0, 1); } while (old != 0);", True),
        ("do { } while (atomicCAS(m, 0, 1) != 0);", True),
        ("int t = threadIdx.x; if (t) while (m[t - 1] == 0); m[t] = 1;", True),
        ("int t = threadIdx.x; while (((volatile int *)m)[t ^ 1] == 0); atomicExch(&m[t], 1);", True),
        ("int t = threadIdx.x; while (atomicAdd(&m[t - 1], 0) == 0) {} m[t] = 1;", True),
        ("int t = threadIdx.x, v; do { v = m[t - 1]; } while (v == 0); m[t] = v;", True),
        ("int t = threadIdx.x; while (m[t - 1] == 0);", False),
        ("while (m[blockIdx.x - 1] == 0); m[blockIdx.x] = 1;", False),
        ("if (threadIdx.x == 0) while (*m != 3);", False),
        ("int t = threadIdx.x; while (m[++t] < a); m[t] = 1;", False),
        ("int t = threadIdx.x, v; do { v = next(&m[t]); } while (v > a); m[t] = v;", False),
        ("__shared__ volatile int flag; if (threadIdx.x == 9) flag = 1; while (flag == 0);", False),
        ("__shared__ volatile int flag; if (a) { flag = 1; } else { while (flag == 0); }", True),
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
    assert found(f"__device__ void f(volatile int *m, int i, int a, int b) {{ {body} }}", "HIP311") == is_found


LOCK = "struct Lock { int *m; __device__ void lock() { while (atomicCAS(m, 0, 1) != 0); } };\n"


@pytest.mark.parametrize(
    ("asks", "is_found"),
    [
        ("if (threadIdx.x == 0) { l.lock(); }", False),
        ("if (threadIdx.x == 0) l.lock(); if (threadIdx.x == 1) { l.lock(); }", False),
        ("l.lock();", True),
        ("if (threadIdx.x < 4) l.lock();", True),
        ("if ((threadIdx.x & 31) == 0) l.lock();", True),
        ("", True),
    ],
)
def test_a_lock_is_safe_where_one_lane_asks_for_it(asks: str, is_found: bool) -> None:
    assert found(LOCK + f"__global__ void k(Lock l) {{ {asks} }}", "HIP311") == is_found


def test_a_block_of_one_warp_has_one_first_lane() -> None:
    body = "{ int lane = threadIdx.x & 31; if (lane == 0) while (atomicCAS(m, 0, 1) != 0); }"
    assert found(f"__global__ void k(int *m) {body}", "HIP311")
    assert not found(f"__global__ void __launch_bounds__(32) k(int *m) {body}", "HIP311")


@pytest.mark.parametrize(
    "part", ["while (", "do { ", "while (true) { if (", "while (m[i] == 0) {", "for (;;) { if (x) "]
)
def test_half_written_loops(part: str) -> None:
    translate("__global__ void k(volatile int *m) { atomicCAS(m, 0, 1);" + part * 2000, path="a.cu")


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
    fixed = translate(source, path="a.hip", options=Options(fixes=frozenset({"warp-size"})))
    assert use.replace("warpSize", "hipify::warp_size") in fixed.output.decode()


@pytest.mark.parametrize("use", ["int n = i < warpSize;", "if (a < b && warpSize > c) o[0] = 1;", "int t = warpSize;"])
def test_warp_size_as_a_value(use: str) -> None:
    source = f"#include <hip/hip_runtime.h>\n__global__ void k(int *o, int i) {{ {use} }}"
    assert not found(source, "HIP303")
