"""Code that takes a warp to be 32 lanes: arrays with a place for each warp, last lanes, rows of threads, steps that are
written out. What is right on 64 lanes as it stands gets no more than a note, what is not has a finding and a fix."""

from __future__ import annotations

import pytest

from hipify_py.catalog import Targeting
from tests.unfixed import Options, translate

FIX = Options(implicit_runtime=False, launch="chevron", fixes=frozenset({"wavefront"}))
HALVES = "for (int i = {0}; i > 0; i /= 2) v += __shfl_down_sync(~0u, v, i); "


def kernel(body: str, lane: str = "int lane = threadIdx.x % 32, wid = threadIdx.x / 32; ") -> str:
    return f"__global__ void k(float *o, int n) {{ {lane}float v = o[threadIdx.x]; {body} o[threadIdx.x] = v; }}\n"


FOLLOWING = "int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize; "


def findings(source: str) -> list[str]:
    found = translate(source, path="a.cu").findings
    return [f"{f.id} {f.severity}" for f in found if f.id.startswith("HIP3")]


def fixed(source: str) -> str:
    result = translate(source, path="a.cu", options=FIX)
    assert not [f for f in result.findings if f.id.startswith("HIP3") and f.severity != "note"]
    assert translate(result.output, path="a.cu", options=FIX).output == result.output
    return result.output.decode()


ARRAY = "__shared__ float s[{0}]; " + HALVES.format(16) + "if (lane == 0) s[wid] = v; __syncthreads(); {1}"


@pytest.mark.parametrize(
    ("size", "rest"),
    [
        ("32", "if (wid == 0) { v = s[lane]; " + HALVES.format(16) + "}"),
        ("1024 / 32", "for (int w = 0; w < blockDim.x / 32; ++w) v += s[w];"),
        ("33", "if (lane == 31) v = s[wid];"),
        ("WARPS", "v = s[31 - wid];"),
    ],
)
def test_an_array_with_a_place_for_each_warp_of_32_is_right_where_all_counts_in_32(size: str, rest: str) -> None:
    assert findings(kernel(ARRAY.format(size, rest))) == []


def test_an_array_of_wavefronts_is_not_read_in_32s() -> None:
    array = "__shared__ float s[32]; if (lane == 0) s[wid] = v; __syncthreads(); "
    read = "for (int w = 0; w < blockDim.x / 32; ++w) v += s[w]; v = __shfl_xor_sync(~0u, v, 1);"
    source = kernel(array + read, FOLLOWING)
    assert findings(source) == ["HIP306 error"]
    assert "blockDim.x / warpSize" in fixed(source)


def test_shared_memory_by_the_devices_warp_size_is_too_little_for_warps_of_32() -> None:
    launch = "void run(float *o, int n) {{ cudaDeviceProp p; int w = p.warpSize; {} }}\n"
    source = kernel("extern __shared__ float s[]; " + HALVES.format(16) + "s[wid] = v;")
    for call in (
        "k<<<1, n, n / p.warpSize * sizeof(float)>>>(o, n);",
        "size_t b = n / p.warpSize * sizeof(float); k<<<1, n, b>>>(o, n);",
        "int warps = n / p.warpSize; size_t b = warps * 4; k<<<1, n, b>>>(o, n);",
    ):
        assert "HIP315 error" in findings(source + launch.format(call))
    for call in ("k<<<1, n, n / 32 * sizeof(float)>>>(o, n);", "k<<<n / p.warpSize, n>>>(o, n);"):
        assert "HIP315 error" not in findings(source + launch.format(call))
    following = kernel("extern __shared__ float s[]; " + HALVES.format("warpSize / 2") + "s[wid] = v;", FOLLOWING)
    assert findings(following + launch.format("k<<<1, n, n / p.warpSize * sizeof(float)>>>(o, n);")) == []


@pytest.mark.parametrize(
    ("last", "written"),
    [
        ("lane == 31", "lane == warpSize - 1"),
        ("31 == lane", "warpSize - 1 == lane"),
        ("lane != 31u", "lane != warpSize - 1"),
        ("lane == (32 - 1)", "lane == (warpSize - 1)"),
        ("lane == 0x1f", "lane == warpSize - 1"),
        ("(threadIdx.x % warpSize) == 31", "(threadIdx.x % warpSize) == warpSize - 1"),
    ],
)
def test_the_last_lane_follows_the_lanes_around_it(last: str, written: str) -> None:
    body = HALVES.format("warpSize / 2") + "if ({}) v = 0;"
    source = kernel(body.format(last), FOLLOWING)
    assert findings(source) == ["HIP313 error"]
    assert written in fixed(source)
    assert findings(kernel(body.replace("warpSize / 2", "16").format(last))) != ["HIP313 error"]


def test_the_last_lane_by_a_constant_and_as_a_shuffles_source() -> None:
    source = "#define WARP_SIZE 32\n" + kernel("if (lane == WARP_SIZE - 1) v = __shfl_xor(v, 1);", FOLLOWING)
    assert "HIP313 error" in findings(source)
    assert findings(kernel("v = __shfl_sync(~0u, v, 31);", FOLLOWING)) == ["HIP313 error"]
    assert "__shfl_sync(0xffffffffffffffffull, v, warpSize - 1)" in fixed(
        kernel("v = __shfl_sync(~0u, v, 31);", FOLLOWING)
    )


@pytest.mark.parametrize("body", ["if (n == 31) v = __shfl_xor(v, 1);", "if (lane < 31) v = __shfl_xor(v, 1);"])
def test_other_numbers_are_let_be(body: str) -> None:
    assert findings(kernel(body, FOLLOWING)) == []


LAUNCH = "void run(float *o, int n) { k<<<n, dim3(32, 8)>>>(o, n); }\n"


def test_rows_of_32_threads() -> None:
    step = (
        "for (int i = threadIdx.x; i < n; i += {0}) v += o[i]; " + HALVES + "if (threadIdx.x == 0) o[threadIdx.y] = v;"
    )
    right = kernel(step.format("32").replace("{0}", "16").replace("i = 32;", "i = 16;"), "") + LAUNCH
    assert [f for f in findings(right) if "error" in f] == []
    wrong = kernel(step.format("warpSize"), "") + LAUNCH
    assert "HIP314 error" in findings(wrong)
    assert "warpSize" not in fixed(wrong)
    assert "__shfl_down(v, i, 32)" in fixed(wrong)
    assert findings(wrong.replace("dim3(32, 8)", "256")) == []


def test_a_width_of_32_and_tiles_of_32_are_right() -> None:
    assert findings(kernel("v += __shfl_down_sync(~0u, v, 16, 32); v = __shfl_sync(~0u, v, 0, 32);", "")) == []
    tile = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(float *o) { auto t = cg::tiled_partition<32>(cg::this_thread_block());"
        " float v = o[threadIdx.x]; for (int i = 16; i; i /= 2) v += t.shfl_down(v, i);"
        " if (t.thread_rank() == 31) o[t.meta_group_rank()] = v; }\n"
    )
    assert findings(tile) == []


def steps(write: str, distances: tuple[int, ...] = (16, 8, 4, 2, 1)) -> str:
    return " ".join(write.format(distance) for distance in distances)


DOWN = "v += __shfl_down_sync(0xffffffff, v, {0});"


@pytest.mark.parametrize(
    ("write", "before", "wider"),
    [
        (DOWN, "", "if (warpSize > 32) v += __shfl_down(v, 32); v += __shfl_down(v, 16);"),
        ("v = v + __shfl_xor(v, {0});", "", "if (warpSize > 32) v = v + __shfl_xor(v, 32);"),
        (
            "v = fmaxf(v, __shfl_xor_sync(~0u, v, {0}));",
            "",
            "if (warpSize > 32) v = fmaxf(v, __shfl_xor(v, 32)); v = fmaxf(v, __shfl_xor(v, 16));",
        ),
        (
            "STEP(v, {0});",
            "#define STEP(x, d) x += __shfl_down_sync(0xffffffff, x, d)\n",
            "if (warpSize > 32) STEP(v, 32); STEP(v, 16);",
        ),
    ],
)
def test_steps_that_are_written_out_follow(write: str, before: str, wider: str) -> None:
    source = before + kernel(steps(write), FOLLOWING)
    assert findings(source) == ["HIP306 error"]
    assert wider in fixed(source)
    assert "HIP306 error" not in findings(before + kernel(steps(write)))
    assert "warpSize" not in fixed(before + kernel(steps(write)))
    assert findings(before + kernel(steps(write, (32, 16, 8, 4, 2, 1)), FOLLOWING)) == []
    assert findings(before + kernel(steps(write, (16, 8)), FOLLOWING)) == []


def test_steps_in_a_macro_and_in_a_helper_follow_those_who_ask() -> None:
    macro = "#define SUM(v) do { " + steps(DOWN) + " } while (0)\n"
    assert findings(macro + kernel("SUM(v);", FOLLOWING)) == ["HIP306 error"]
    assert "do { if (warpSize > 32) v += __shfl_down(v, 32); v += " in fixed(macro + kernel("SUM(v);", FOLLOWING))
    assert "v, 16, 32)" in fixed(macro + kernel("SUM(v);"))
    helper = "__device__ float sum(float v) {\n  " + steps(DOWN).replace("; ", ";\n  ") + "\n  return v;\n}\n"
    assert findings(helper + kernel("v = sum(v);", FOLLOWING)) == ["HIP306 error"]
    assert "{\n  if (warpSize > 32) v += __shfl_down(v, 32);\n  v += " in fixed(
        helper + kernel("v = sum(v);", FOLLOWING)
    )


def test_a_list_of_distances_is_reported() -> None:
    body = "for (int d : {16, 8, 4, 2, 1}) v += __shfl_xor_sync(~0u, v, d);"
    assert findings(kernel(body, FOLLOWING)) == ["HIP306 error"]
    assert findings(kernel(body)) == []


def test_a_loop_in_a_macro() -> None:
    macro = "#define SUM(v) for (int i = 16; i > 0; i >>= 1) v += __shfl_down_sync(~0u, v, i)\n"
    assert findings(macro + kernel("SUM(v);", FOLLOWING)) == ["HIP306 error"]
    assert "i = warpSize / 2;" in fixed(macro + kernel("SUM(v);", FOLLOWING))


@pytest.mark.parametrize(
    ("lane", "wid", "expected"),
    [
        ("threadIdx.x & 31", "threadIdx.x / warpSize", ["HIP306 error"]),
        ("threadIdx.x % warpSize", "threadIdx.x >> 5", ["HIP306 error"]),
        ("__lane_id()", "threadIdx.x / 32", ["HIP316 warning"]),
        ("__lane_id()", "threadIdx.x / warpSize", []),
        ("threadIdx.x & 31", "threadIdx.x / 32", []),
    ],
)
def test_lanes_and_warps_of_a_function_are_counted_alike(lane: str, wid: str, expected: list[str]) -> None:
    source = kernel("v = __shfl_xor_sync(~0u, v, 1); if (lane == 0) o[wid] = v;", f"int lane = {lane}, wid = {wid}; ")
    assert findings(source) == expected


def test_a_lane_of_the_hardware_from_inline_ptx() -> None:
    lane_id = '__device__ int lane_id() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }\n'
    body = "v = __shfl_xor_sync(~0u, v, 1); if (lane_id() == 0) o[threadIdx.x / 32] = v;"
    assert findings(lane_id + kernel(body, "")) == ["HIP316 warning"]
    assert "__lane_id() & 31" in fixed(lane_id + kernel(body, ""))


@pytest.mark.parametrize(
    ("statement", "before", "says"),
    [
        ("o[i] = lane_id();", "", "it is stored in o[i], where CUDA puts 0 to 31"),
        ("int lane = lane_id(); o[i] = lane;", "", "it is stored in o[i], where CUDA puts 0 to 31"),
        ("*(o + i) = (int)lane_id();", "", "it is stored in *(o + i), where CUDA puts 0 to 31"),
        ("o[i - lane_id()] = 1;", "#define WARP_THREADS 32\n", "WARP_THREADS is 32 in this file"),
        ("o[i - lane_id()] = 1;", "constexpr int kWarpSize = 32;\n", "kWarpSize is 32 in this file"),
        ("o[i - lane_id()] = 1;", "", ""),
        ("if (lane_id() == 0) o[i] = 1;", "", ""),
        ("o[i] = lane_id() % 32;", "", ""),
        ("o[i] = lane_id() + i / warpSize;", "constexpr int kWarpSize = 32;\n", ""),
    ],
)
def test_a_lane_of_the_hardware_that_is_seen_outside(statement: str, before: str, says: str) -> None:
    """Nothing counts lanes in the kernel; who reads what it writes, or the host, may count 32 of them."""
    lane_id = '__device__ int lane_id() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }\n'
    source = f"{before}{lane_id}__global__ void k(int *o) {{ int i = threadIdx.x + blockIdx.x * 128; {statement} }}\n"
    said = [found.message for found in translate(source, path="a.cu").findings if found.id == "HIP316"]
    assert [message.rpartition(", but ")[2] for message in said] == ([says] if says else [])


ROW = "int row = (blockIdx.x * blockDim.x + threadIdx.x) / {0}; if (row < n) v = __shfl_sync(~0u, v, 0);"


@pytest.mark.parametrize(
    ("grid", "is_found"),
    [
        ("(n * 32 + 255) / 256", True),
        ("(n + 256 / 32 - 1) / 8", True),
        ("(n + 3) / 4", False),  # 64 threads for each
        ("blocks", True),
        ("(n + per - 1) / per", True),
        ("n / 256", False),
    ],
)
def test_a_grid_for_warps_of_32_has_too_few_wavefronts(grid: str, is_found: bool) -> None:
    run = "void run(float *o, int n) {{ int threads = 256, blocks = (n * 32 + 255) / 256; const int per = threads / 32;"
    run = (
        (run + " k<<<{}, 256>>>(o, n); }}\n").format(grid).replace("threads = 256, blocks", "threads = 256; int blocks")
    )
    assert findings(kernel(ROW.format("warpSize"), "") + run) == (["HIP318 warning"] if is_found else [])
    assert "HIP318 warning" not in findings(kernel(ROW.format("32"), "") + run)
    strided = kernel("for (" + ROW.format("warpSize").replace("; if", "; row < n; row += gridDim.x * 8) if"), "")
    assert "HIP318 warning" not in findings(strided + run)


@pytest.mark.parametrize(
    ("settings", "is_found"),
    [
        ("const int rows = 4; k<<<(n + rows - 1) / rows, rows * 32>>>(o, n);", True),
        ("dim3 block(32 * rows); dim3 grid(ceil_div(n, rows)); k<<<grid, block>>>(o, n);", True),
        ("dim3 block{128, 1}; k<<<n / 4, block>>>(o, n);", True),
        ("int warps = 256 / p.warpSize; k<<<(n + warps - 1) / warps, 256>>>(o, n);", False),
        ("k<<<(n + rows - 1) / rows, rows * 64>>>(o, n);", False),
        ("k<<<(n + 127) / 128, 128>>>(o, n);", False),
        ("k<<<n / blocks, rows * 32>>>(o, n);", False),
    ],
)
def test_a_grid_of_blocks_with_32_threads_for_each_item(settings: str, is_found: bool) -> None:
    run = f"void run(float *o, int n, int rows, int blocks, cudaDeviceProp p) {{ {settings} }}\n"
    assert findings(kernel(ROW.format("warpSize"), "") + run) == (["HIP318 warning"] if is_found else [])
    assert findings(kernel(ROW.format("32"), "") + run) == findings(kernel(ROW.format("32"), ""))


@pytest.mark.parametrize("source", ["k<<<1, dim3(32, 8)>>>(o); warpSize", "#define S(a, b) __shfl_down(a, b\nS(1, 16"])
def test_half_written_code(source: str) -> None:
    translate(kernel("v = __shfl(v, 31)", FOLLOWING) + source, path="a.cu", options=FIX)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("static /* of NVIDIA */ const int warpSize = 32;", "kWarpSize"),
        ("[[maybe_unused]] constexpr unsigned warpSize{32};", "kWarpSize"),
        ("int const\n    warpSize = 32;", "kWarpSize"),
        ('extern "C" {\nconst int warpSize = 32;\n}', "kWarpSize"),
        ("#define OPEN {\nconst int warpSize = 32;", "kWarpSize"),
        ("enum { warpSize = 32 };", "kWarpSize"),
        ("# define warpSize\t32", "kWarpSize"),
        ("namespace n\n{ // {\nconst int warpSize = 32;\n}", "warpSize"),
        ("namespace n { template <int N> struct S { static const int warpSize = 32; }; }", "warpSize"),
        ("int f() { const int warpSize = 32; return warpSize; }", "warpSize"),
    ],
)
def test_a_warp_size_of_the_sources_own_at_file_level_gets_another_name(source: str, name: str) -> None:
    output = translate(source + "\n__global__ void k(int *o) { o[0] = ::warpSize; }\n", path="a.cu").output.decode()
    assert output.endswith(f"o[0] = ::{name}; }}\n")
    assert ("warpSize" not in output) == (name == "kWarpSize")


def test_members_called_like_the_constant_keep_their_name() -> None:
    source = (
        "const int warpSize = 32;\nint f(cudaDeviceProp p, P *q) { return p . warpSize + q->warpSize + N::warpSize; }\n"
    )
    assert "p . warpSize + q->warpSize + N::warpSize" in translate(source, path="a.cu").output.decode()


@pytest.mark.parametrize("operation", ["add", "and", "max", "min", "or", "xor"])
@pytest.mark.parametrize(
    "source",
    [
        "__device__ int g(int x) { auto f = __reduce_OP_sync; return f(~0u, x) + __shfl_sync(~0u, x, 0); }",
        "__device__ int g(int x) { return pick(&__reduce_OP_sync) + __shfl_xor_sync(~0u, x, 1); }",
        "#define OF_ALL __reduce_OP_sync\n__device__ int g(int x) { return OF_ALL(~0u, __shfl_sync(~0u, x, 0)); }",
        "#define OF_ALL(m, x) __reduce_OP_sync(m, x)\n__device__ int g(int x) { return OF_ALL(~0u, __shfl_sync(~0u, x, 0)); }",
        "template <typename F> struct S {};\nS<decltype(__reduce_OP_sync)> s;\n"
        "__device__ int g(int x) { return __shfl_up_sync(~0u, x, 4); }",
    ],
)
def test_reductions_that_were_left_to_the_wavefront_keep_the_shuffles_there(operation: str, source: str) -> None:
    """An unknown name keeps the output from being taken for HIP: it is read as CUDA once more."""
    options = FIX._replace(targeting=Targeting(rocm="6.2"))
    source = source.replace("OP", operation) + "\nvoid stays() { cudaNotYetKnown(); }\n"
    once = translate(source, path="a.cu", options=options).output.decode()
    assert f"hipify::reduce_{operation}_sync" in once
    assert translate(once, path="a.cu", options=options).output.decode() == once


VOTE = "v += __popc(__ballot_sync(0xffffffffu, v > 1) & ((1u << lane) - 1u)); "


@pytest.mark.parametrize(
    ("own", "body"),
    [
        ("struct LaneMask { unsigned bits; };\n", "LaneMask m{__ballot_sync(0xffffffffu, v > 0)}; v += m.bits == 1u;"),
        ("using LaneMaskType = unsigned;\n", "LaneMaskType m = __activemask(); v += m == 1u;"),
        ("struct Where { int LaneId; };\n", "Where at{lane}; v += at.LaneId;"),
        ("", "const int LaneId = lane; v += LaneId;"),
        ("__device__ int LaneId() { return threadIdx.x % 32; }\n", "v += LaneId();"),
        ("#define LaneMaskLt(l) ((1u << (l)) - 1u)\n", "v += __popc(__activemask() & LaneMaskLt(lane));"),
    ],
)
def test_names_like_cub_s_do_not_keep_warps_from_staying_at_32_lanes(own: str, body: str) -> None:
    assert "hipify::warp32::ballot_sync(0xffffffffu, v > 1)" in fixed(own + kernel(VOTE + body))


@pytest.mark.parametrize(
    "body", ["v += cub::LaneId();", "v += cub::LaneMaskLt();", "using cub::LaneId; v += LaneId();", "v += __lane_id();"]
)
def test_lanes_of_the_wavefront_keep_warps_from_staying_at_32_lanes(body: str) -> None:
    result = translate(kernel(VOTE + body), path="a.cu", options=FIX)
    assert "warp32" not in result.output.decode()
    assert "HIP319" in [f.id for f in result.findings]
