"""Lanes that come from somewhere else: helpers, structures, out-parameters, macros; blocks that end within a wavefront."""

from __future__ import annotations

import re

import pytest

from hipify_py import Options, translate

KERNEL = "__global__ void k(int *o, int n) { int v = o[0]; "
SHUFFLED = "v = __shfl_sync(0xffffffff, v, 0); o[threadIdx.x] = v; }"
TAKES = "if ({0} == 0) v = atomicAdd(o, 32); " + SHUFFLED.replace("}", "}}")

COUNTED_IN_32 = {
    "a helper returns the lane": "__device__ int lane_of() { return threadIdx.x & 31; }\n"
    + KERNEL
    + "int lane = lane_of(); "
    + TAKES.format("lane"),
    "a helper returns the lane of its argument": "__device__ int lane_of(int tid) { return tid % 32; }\n"
    + KERNEL
    + TAKES.format("lane_of(threadIdx.x)"),
    "a constructor sets a member": "struct T { int lane; __device__ T() : lane(threadIdx.x & 31) {} };\n"
    + KERNEL
    + "T t; "
    + TAKES.format("t.lane"),
    "a member is assigned": "struct T { int lane; };\n"
    + KERNEL
    + "T t; t.lane = threadIdx.x - threadIdx.x / 32 * 32; t.lane = threadIdx.x % 32; "
    + TAKES.format("t.lane"),
    "a pointer takes the lane": "__device__ void where(int *lane) { *lane = threadIdx.x & 31; }\n"
    + KERNEL
    + "int lane; where(&lane); "
    + TAKES.format("lane"),
    "a reference takes the lane": "__device__ void where(int &lane) { lane = threadIdx.x & 31; }\n"
    + KERNEL
    + "int lane; where(lane); "
    + TAKES.format("lane"),
    "a macro is the lane": "#define LANE (threadIdx.x & 31)\n" + KERNEL + TAKES.format("LANE"),
    "a macro makes a lane of its argument": "#define LANE_OF(t) ((t) & 31)\n"
    + KERNEL
    + TAKES.format("LANE_OF(threadIdx.x)"),
    "the lane is an argument": "__device__ int take(int *o, int lane) { int v = 0; if (lane == 0) v = atomicAdd(o, 32);"
    " return __shfl_sync(0xffffffff, v, 0); }\n" + KERNEL + "v = take(o, threadIdx.x & 31); o[threadIdx.x] = v; }",
    "the shuffle is in a macro, the lane in another": "#define LANE (threadIdx.x & 31)\n"
    "#define SHARE(v) __shfl_sync(0xffffffff, v, 0)\n"
    + KERNEL
    + "if (LANE == 0) v = atomicAdd(o, 32); v = SHARE(v); o[threadIdx.x] = v; }",
    "the vote is in a helper": "__device__ int count(bool p) { return __popc(__ballot_sync(0xffffffff, p)); }\n"
    + KERNEL
    + "int lane = threadIdx.x & 31; v = count(o[threadIdx.x] > n); if (lane == 0) o[threadIdx.x / 32] = v; }",
    "a comment with brackets stands before the kernel": "// sums (up)\n"
    + KERNEL
    + "int lane = threadIdx.x & 31; "
    + TAKES.format("lane"),
    "the index is cut in place": KERNEL + "int lane = threadIdx.x; lane &= 31; " + TAKES.format("lane"),
    "the warp's index has two dimensions": "constexpr int warp_size = 32;\n"
    + KERNEL
    + "int w = (threadIdx.y * 8) / warp_size; if (!__any_sync(0xffffffff, o[threadIdx.x] > 0)) o[w] = v; }",
}


def severe(source: str) -> list[str]:
    options = Options(fixes=frozenset())
    found = translate(source, path="a.cu", options=options).findings
    return [finding.id for finding in found if finding.id.startswith("HIP3") and finding.severity != "note"]


@pytest.mark.parametrize("source", COUNTED_IN_32.values(), ids=COUNTED_IN_32.keys())
def test_what_counts_in_32_and_hears_64_lanes_is_reported_once(source: str) -> None:
    """Two warps of 32 share a wavefront of 64 lanes: lane 0 of the first hands its value to both."""
    assert severe(source) in (["HIP304"], ["HIP305"])


@pytest.mark.parametrize("source", COUNTED_IN_32.values(), ids=COUNTED_IN_32.keys())
def test_the_fix_keeps_them_at_32_lanes(source: str) -> None:
    result = translate(source, path="a.cu", options=Options(fixes=frozenset({"wavefront"})))
    output = result.output.decode()
    assert re.search(r"__shfl\(v, 0, 32\)|hipify::warp32::(?:ballot|any)_sync\(", output)
    assert not [finding for finding in result.findings if finding.id in ("HIP304", "HIP305", "HIP306")]
    assert translate(output, path="a.cu", options=Options(fixes=frozenset({"wavefront"}))).output == result.output


def test_a_warp_by_32_beside_a_lane_by_the_wavefront() -> None:
    source = KERNEL + "int w = threadIdx.x / 32, lane = threadIdx.x % warpSize; if (lane == 0) o[w] = v; " + SHUFFLED
    assert "HIP306" in severe(source)


XOR = "v += __shfl_xor_sync(0xffffffff, v, 1); "
LAUNCH = " o[threadIdx.x] = v; }}\nvoid run(int *o) {{ {0} }}"


@pytest.mark.parametrize(
    ("body", "launch"),
    [
        (XOR, "k<<<1, 8>>>(o, 1);"),
        (XOR, "k<<<1, 16>>>(o, 1);"),
        (XOR, "k<<<1, 33>>>(o, 1);"),
        (XOR, "dim3 b(48); k<<<1, b>>>(o, 1);"),
        (XOR, "constexpr int threads = 96; k<<<1, threads>>>(o, 1);"),
        (XOR, "k<<<1, dim3(16, 3)>>>(o, 1);"),
        ("for (int i = 0; i < n; ++i) { " + XOR + "}", "k<<<1, 8>>>(o, 1);"),
    ],
)
def test_a_block_that_ends_within_a_wavefront_gets_no_full_mask(body: str, launch: str) -> None:
    """HIP's `_sync` forms compare the mask with the lanes that are there, and trap where it names more."""
    options = Options(fixes=frozenset())
    output = translate(KERNEL + body + LAUNCH.format(launch), path="a.cu", options=options).output
    assert b"__shfl_xor(v, 1)" in output
    assert b"_sync" not in output


@pytest.mark.parametrize("launch", ["k<<<1, 64>>>(o, 1);", "k<<<1, dim3(32, 4)>>>(o, 1);", "k<<<1, n>>>(o, 1);"])
def test_a_block_of_whole_wavefronts_keeps_its_mask(launch: str) -> None:
    options = Options(fixes=frozenset())
    output = translate(KERNEL + XOR + LAUNCH.format(launch), path="a.cu", options=options).output
    assert b"__shfl_xor_sync(0xffffffffffffffffull, v, 1)" in output


@pytest.mark.parametrize(
    "macro",
    [
        "#define S(op, v, d) __shfl_##op##_sync(0xffffffff, v, d)",
        "#define S(op, v) __reduce_ ## op ## _sync(0xffffffff, v)",
        "#define S(op, v) __##op##_sync(0xffffffff, v)",
    ],
)
def test_a_built_in_whose_name_is_pasted_is_reported(macro: str) -> None:
    found = translate(macro + "\n" + KERNEL + "o[0] = v; }", path="a.cu").findings
    assert [finding.id for finding in found if finding.severity != "note"] == ["HIP110"]
