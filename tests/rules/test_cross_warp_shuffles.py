"""Built-ins that reach beyond 32 lanes: what is reported, what is right as it stands, and what `--fix` makes of it."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

KERNEL = "__global__ void k(int *o, int n) {{ int v = o[threadIdx.x]; {} o[threadIdx.x] = v; }}\n"
LANE = "int lane = threadIdx.x & 31; "
LANE_AND_WARP = "const int lane = threadIdx.x % 32, wid = threadIdx.x / 32; "
FIX = Options(implicit_runtime=False, fixes=frozenset({"wavefront"}))


def findings(source: str) -> list[str]:
    result = translate(source, path="a.cu")
    return [f.id for f in result.findings if f.id in ("HIP304", "HIP305")]


def fixed(source: str) -> str:
    result = translate(source, path="a.cu", options=FIX)
    assert not [f for f in result.findings if f.id in ("HIP301", "HIP304", "HIP305")]
    again = translate(result.output, path="a.cu", options=FIX)
    assert again.output == result.output
    return "".join(line for line in result.output.decode().splitlines(True) if "hipify_support" not in line)


@pytest.mark.parametrize(
    "body",
    [
        "int w = __shfl_sync(~0u, threadIdx.x / 32, 0); v += w;",
        LANE + "if (lane == 0) v = atomicAdd(o, 1); v = __shfl_sync(~0u, v, 0);",
        LANE + "v = __shfl_sync(~0u, v, (lane + 1) & 31);",
        LANE + "v = __shfl_sync(~0u, v, 31 - lane);",
        LANE + "v = __popc(__ballot_sync(~0u, v) & ((1u << lane) - 1));",
        LANE + "unsigned m = __ballot_sync(~0u, v > 3); if (lane == 0) v = __popc(m);",
        LANE + "unsigned m = __match_any_sync(~0u, v); if (lane == __ffs(m) - 1) atomicAdd(o, __popc(m));",
        LANE + "v = __reduce_add_sync(~0u, v); if (lane == 0) atomicAdd(o, v);",
        "int tid = blockIdx.x * blockDim.x + threadIdx.x; int lane = tid % 32; v = __shfl_sync(~0u, v, lane ^ 3);",
    ],
)
def test_what_another_warps_lanes_certainly_spoil_is_an_error(body: str) -> None:
    assert "HIP304" in findings(KERNEL.format(body))


@pytest.mark.parametrize(
    "body",
    [
        LANE + "v = __shfl_sync(~0u, v, 0);",
        LANE + "v = __shfl_up_sync(~0u, v, 1);",
        LANE + "v = __shfl_down_sync(~0u, v, n);",
        LANE + "v = __any_sync(~0u, v);",
        LANE + "v = __reduce_max_sync(~0u, v);",
    ],
)
def test_what_depends_on_the_data_is_a_warning(body: str) -> None:
    assert findings(KERNEL.format(body)) == ["HIP305"]


@pytest.mark.parametrize(
    "body",
    [
        LANE + "for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);",
        LANE + "for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);",
        LANE + "for (int d = 1; d < 32; d <<= 1) { int u = __shfl_up_sync(~0u, v, d); if (lane >= d) v += u; }",
        LANE + "v = __shfl_sync(~0u, v, 0, 32);",
        LANE + "v += __shfl_down_sync(~0u, v, 16); v += __shfl_down_sync(~0u, v, 8);",
        LANE_AND_WARP + "if (wid == 0) { v = __shfl_sync(~0u, v, lane ^ 1); }",
        LANE_AND_WARP + "if (wid != 0) return; v = __shfl_sync(~0u, v, lane ^ 1);",
        LANE + "if (threadIdx.x < 32) v = __shfl_sync(~0u, v, lane ^ 1);",
        "int lane = threadIdx.x % warpSize; v = __shfl_sync(~0u, v, lane ^ 1);",
        "int lane = threadIdx.x & (warpSize - 1); v = __popc(__ballot_sync(~0u, v) & ((1u << lane) - 1));",
        "v = __shfl_sync(~0u, v, 0);",
        "int i = n % 32, j = n / 32; v = i + j;",
    ],
)
def test_what_stays_within_32_lanes_is_right(body: str) -> None:
    assert findings(KERNEL.format(body)) == []


def test_blocks_of_32_threads_have_no_second_warp() -> None:
    body = KERNEL.format(LANE + "v = __shfl_sync(~0u, v, lane ^ 1);")
    assert findings(body) == ["HIP304"]
    assert findings(body + "void run(int *o) { k<<<4, 32>>>(o, 1); }") == []
    assert findings(body + "void run(int *o) { dim3 block(32); k<<<4, block>>>(o, 1); }") == []
    assert findings(body.replace("__global__ void", "__global__ void __launch_bounds__(32)")) == []


def test_rows_of_32_threads_share_a_wavefront() -> None:
    body = KERNEL.format("v = __shfl_sync(~0u, v, 0);")
    assert findings(body + "void run(int *o) { dim3 block(32, 8); k<<<4, block>>>(o, 1); }") == ["HIP305"]


def test_a_lane_may_come_from_a_function() -> None:
    source = "__device__ int lane_id() { return threadIdx.x & 31; }\n"
    assert findings(source + KERNEL.format("v = __shfl_sync(~0u, v, lane_id() ^ 1);")) == ["HIP304"]


def test_a_helper_counts_as_those_who_ask_for_it() -> None:
    helper = "__device__ int first(int v) { return __shfl_sync(~0u, v, 0); }\n"
    assert findings(helper + KERNEL.format(LANE + "v = first(v) + lane;")) == ["HIP305"]
    assert findings(helper + KERNEL.format("v = first(v);")) == []
    assert findings(helper + KERNEL.format(LANE_AND_WARP + "if (wid == 0) v = first(v) + lane;")) == []
    assert "first(v, 0, 32)" not in fixed(helper + KERNEL.format(LANE + "v = first(v) + lane;"))


@pytest.mark.parametrize(
    "named",
    [
        "#define WARP_SZ 32\n#define LANE(t) (t % WARP_SZ)\n",
        "constexpr unsigned kLanes = 32;\n",
        "const int TILE = 0x20;\n",
        "#define LOG 5\n#define WARP (1 << LOG)\n#define SIZE 32\n",
    ],
)
def test_a_constant_of_32_counts_whatever_its_name(named: str) -> None:
    name = next(name for name in ("WARP_SZ", "kLanes", "TILE", "SIZE") if name in named)
    body = f"int lane = threadIdx.x % {name}; v = __shfl_sync(~0u, v, lane ^ 1);"
    assert findings(named + KERNEL.format(body)) == ["HIP304"]


@pytest.mark.parametrize(
    ("named", "lane"),
    [
        ("#define LANE_MASK 31\n", "threadIdx.x & LANE_MASK"),
        ("#define WARP 32\n#define LANE_MASK (WARP - 1)\n", "threadIdx.x & LANE_MASK"),
        ("const int WARP = 32, N = 3; constexpr int kMask = 0x1f;\n", "threadIdx.x & kMask"),
    ],
)
def test_a_mask_of_31_makes_a_lane_whatever_its_name(named: str, lane: str) -> None:
    assert findings(named + KERNEL.format(f"int lane = {lane}; v = __shfl_sync(~0u, v, lane ^ 1);")) == ["HIP304"]


def test_a_name_with_two_values_is_no_constant() -> None:
    named = "#ifdef A\n#define TILE 32\n#else\n#define TILE 16\n#endif\n"
    assert findings(named + KERNEL.format("int lane = threadIdx.x % TILE; v = __shfl_sync(~0u, v, lane ^ 1);")) == []


def test_a_warp_size_of_another_file_says_nothing() -> None:
    assert findings(KERNEL.format("int lane = threadIdx.x % WARP_SIZE; v = __shfl_sync(~0u, v, lane ^ 1);")) == []


def test_a_source_with_branches_for_amd_has_thought_of_it() -> None:
    source = "#ifdef USE_ROCM\n#endif\n" + KERNEL.format(LANE + "v = __shfl_sync(~0u, v, lane ^ 1);")
    assert findings(source) == ["HIP305"]


@pytest.mark.parametrize(
    ("body", "wide"),
    [
        (
            LANE + "v = __shfl_sync(0xffffffff, v, 0);",
            LANE + "v = __shfl(v, 0, 32);",
        ),
        (
            LANE + "v += __shfl_down_sync(m, v, 4, 8); v += __shfl_xor(v, 1);",
            LANE + "v += __shfl_down(v, 4, 8); v += __shfl_xor(v, 1, 32);",
        ),
        (
            LANE + "unsigned m = __ballot_sync(0xffffffff, v); v = __popc(m & ~(1u << lane)); __syncwarp(m);",
            LANE
            + "unsigned m = hipify::warp32::ballot_sync(0xffffffff, v); v = __popc(m & ~(1u << lane)); __syncwarp();",
        ),
        (
            LANE + "if (__activemask() == 0xffffffff) v = __any_sync(__activemask(), v);",
            LANE
            + "if (hipify::warp32::activemask() == 0xffffffff) v = hipify::warp32::any_sync(hipify::warp32::activemask(), v);",
        ),
        (
            LANE + "unsigned m = __ballot_sync(~0u, v); for (int i = 0; i < 32; ++i) if (m & (1u << i)) v += lane;",
            LANE
            + "unsigned m = hipify::warp32::ballot_sync(~0u, v);"
            + " for (int i = 0; i < 32; ++i) if (m & (1u << i)) v += lane;",
        ),
        (
            LANE + "v = __shfl_sync(__ballot_sync(~0u, v) & thrust::one(), v, 0);",
            LANE + "v = __shfl(v, 0, 32);",
        ),
        ("v = __any_sync(~0u, v);", "v = hipify::warp32::any_sync(~0u, v);"),
        (
            "for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0, v, o);",
            "for (int o = 16; o; o >>= 1) v += __shfl_down(v, o, 32);",
        ),
    ],
)
def test_the_fix_keeps_warps_of_32_lanes(body: str, wide: str) -> None:
    assert fixed(KERNEL.format(body)) == KERNEL.format(wide)


@pytest.mark.parametrize(
    "body",
    [
        "int lane = threadIdx.x % warpSize; v = __shfl_sync(0xffffffffffffffffull, v, 0);",
        LANE + "v = __shfl_sync(0xffffffffffffffffull, v, 0) + __shfl_xor(v, warpSize / 2);",
        LANE + "v = __shfl_sync(0xffffffffffffffffull, v, LaneId());",
        "int lane = threadIdx.x % WARP_SIZE; v = __shfl_sync(0xffffffffffffffffull, v, 0);",
    ],
)
def test_the_fix_leaves_what_is_not_all_counted_in_32(body: str) -> None:
    source = KERNEL.format(body)
    assert translate(source, path="a.cu", options=FIX).output.decode() == source


def test_without_the_support_header_nothing_is_half_fixed() -> None:
    source = KERNEL.format(LANE + "v = __shfl_sync(~0ull, v, __ffs(__ballot_sync(~0ull, v)) - 1);")
    result = translate(source, path="a.cu", options=FIX._replace(support=False))
    assert b"warp32" not in result.output
    assert b", 32)" not in result.output
    assert [f.id for f in result.findings if f.severity == "warning"] == ["HIP305", "HIP305"]


@pytest.mark.parametrize(
    "source", ["__global__ void k() { int l = threadIdx.x & 31; __shfl_sync(", "{" * 50, "}{)(" * 99]
)
def test_half_written_code(source: str) -> None:
    translate(source + "__shfl_sync(0, 1, threadIdx.x & 31", path="a.cu", options=FIX)


@pytest.mark.parametrize(
    ("loop", "ids"),
    [
        ("for (int i = 4; i >= 0; i--) v += __shfl_down_sync(~0u, v, 1 << i);", []),
        ("for (int i = 0; i < 5; i++) v += __shfl_down_sync(~0u, v, (1u << i));", []),
        ("for (int i = 5; i >= 0; i--) v += __shfl_down_sync(~0u, v, 1 << i);", ["HIP305"]),
        ("for (int i = n; i >= 0; i--) v += __shfl_down_sync(~0u, v, 1 << i);", ["HIP305"]),
    ],
)
def test_a_reduction_over_powers_stays_within_32_lanes(loop: str, ids: list[str]) -> None:
    source = f"__global__ void k(int *o, int n) {{ int lane = threadIdx.x & 31, v = o[threadIdx.x]; {loop} if (lane == 0) o[0] = v; }}\n"
    found = translate(source, path="a.cu").findings
    assert [finding.id for finding in found if finding.severity != "note"] == ids


GIVEN = "__global__ void k(int *o, const int *src, int from, P p) {{ int v = o[threadIdx.x] * 2; {} o[0] = v; }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "v = __shfl_sync(~0u, v, from);",
        "v = __shfl_sync(~0u, v, src[blockIdx.x]);",
        "v = __shfl_sync(~0u, v, __ldg(src + 3));",
        "v = __shfl_sync(~0u, v, *src);",
        "int at = src[1]; v = __shfl_sync(~0u, v, at + 1);",
        "v = __shfl_sync(~0u, v, from % 32);",
        "v = __shfl_sync(~0u, v, p.lane);",
        "v = __shfl(v, (int)min(from, 31));",
        "v = pick(v, from);",
    ],
)
def test_a_lane_that_memory_or_the_host_names_is_one_of_32(body: str) -> None:
    """CUDA's lanes end with 31: the number is below 32, and the upper half of a wavefront reads from the lower."""
    source = "struct P { int lane; };\n" + GIVEN.format(body)
    if "pick" in body:
        source = "__device__ int pick(int v, int at) { return __shfl_sync(~0u, v, at); }\n" + source
    assert findings(source) == ["HIP305"]
    assert ", 32)" in fixed(source)


@pytest.mark.parametrize(
    "body",
    [
        "v = __shfl_sync(~0u, v, 0);",
        "v = __shfl_sync(~0u, v, from, 32);",
        "v = __shfl_sync(~0u, v, __ffs(__ballot_sync(~0u, v)) - 1);",
        "for (int i = 0; i < warpSize; ++i) v += __shfl_sync(~0u, v, i);",
        "__shared__ int lanes[4]; v = __shfl_sync(~0u, v, lanes[0]);",
        "v = __shfl_sync(~0u, v, (threadIdx.x + from) % warpSize);",
        "if (threadIdx.x < 32) v = __shfl_sync(~0u, v, from);",
    ],
)
def test_a_lane_that_the_wavefront_works_out_itself_is_its_own(body: str) -> None:
    assert findings("struct P { int lane; };\n" + GIVEN.format(body)) == []


@pytest.mark.parametrize(
    "loop", ["int d = N / 2; d > 0; d /= 2", "int d = N >> 1; d; d >>= 1", "int d = (N / 2); d; d /= 2"]
)
def test_halves_of_a_templates_number_of_lanes_stay_within_32(loop: str) -> None:
    """CUDA has no more lanes than 32 to take half of: the first lane hears of its own warp alone, as after any such
    reduction."""
    sum = f"template <int N> __device__ int sum(int v) {{ for ({loop}) v += __shfl_down_sync(~0u, v, d); return v; }}\n"
    body = KERNEL.format(LANE + "v = sum<8>(v); if (lane == 0) atomicAdd(o, v);")
    assert findings(sum + body) == []


def test_distances_of_unknown_reach_are_still_named() -> None:
    sum = "__device__ int sum(int v, int n) { for (int d = n / 2; d; d /= 2) v += __shfl_down_sync(~0u, v, d); return v; }\n"
    body = KERNEL.format(LANE + "v = sum(v, n); if (lane == 0) atomicAdd(o, v);")
    assert findings(sum + body) == ["HIP305"]


@pytest.mark.parametrize(
    "guard",
    ["tid < 8", "tid <= 7", "8 > tid", "tid < kParts", "!(tid >= 16)", "tid < 4 && o[0] > 0"],
)
def test_the_first_threads_of_a_block_hear_of_their_own_half(guard: str) -> None:
    source = (
        "constexpr int kParts = 8;\n"
        "__global__ void k(int *o) { int tid = threadIdx.x; __shared__ int s[8]; if (tid % 32 == 0) s[tid / 32] = o[tid];"
        f" __syncthreads(); if ({guard}) {{ int v = s[tid]; for (int j = 4; j >= 1; j /= 2)"
        " v += __shfl_down_sync(0xff, v, j); if (tid == 0) o[0] = v; } }"
    )
    assert "HIP305" not in findings(source)


@pytest.mark.parametrize("guard", ["tid < 64", "tid < n", "tid > 8", "tid != 8", "tid <= 32", "n < 8"])
def test_threads_of_both_halves_may_hear_of_each_other(guard: str) -> None:
    source = (
        "__global__ void k(int *o, int n) { int tid = threadIdx.x; __shared__ int s[64]; s[tid / 32] = o[tid];"
        f" __syncthreads(); if ({guard}) {{ int v = s[tid];"
        " v = __shfl_sync(0xffffffff, v, 0); if (tid == 0) o[0] = v; } }"
    )
    assert "HIP305" in findings(source)
