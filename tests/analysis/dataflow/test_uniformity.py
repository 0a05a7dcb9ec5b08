"""How values differ between threads: by lane, by warp of 32, by wavefront, or not at all."""

from __future__ import annotations

import pytest

from hipify_py.analysis.dataflow.summaries import FunctionAnalysis, summaries_of
from hipify_py.analysis.dataflow.uniformity import (
    BLOCK,
    LANE,
    LANE_INDEX,
    NO_INDEX,
    THREAD_INDEX,
    UNSURE,
    WARP,
    WARP_INDEX,
    WAVEFRONT,
    Divergence,
)
from hipify_py.semantics.functions import functions_of
from tests.analysis.dataflow.units import unit_of


def value_of(expression: str, before: str = "", qualifier: str = "__global__", parameters: str = "int n") -> Divergence:
    """How the value of an expression differs within a function of one parameter `n`."""
    source = f"#define WARP 32\nconstexpr int BIG = 256;\n{qualifier} void f({parameters}) {{ {before} auto found = {expression}; }}"
    return return_divergence(source, b"found")


def return_divergence(source: str, name: bytes) -> Divergence:
    unit = unit_of(source)
    function = list(functions_of(unit))[-1]
    analysis = summaries_of(unit).analyze(function)
    assert isinstance(analysis, FunctionAnalysis)
    value = next(value for value, variable in analysis.lowered.variables.items() if variable.name == name)
    return analysis.uniformity.divergence(value)


@pytest.mark.parametrize(
    ("expression", "level", "identity"),
    [
        ("3", BLOCK, NO_INDEX),
        ("n * blockIdx.x + gridDim.x", BLOCK, NO_INDEX),
        ("threadIdx.x", LANE, THREAD_INDEX),
        ("blockIdx.x * blockDim.x + threadIdx.x", LANE, THREAD_INDEX),
        ("(unsigned)threadIdx.x", LANE, THREAD_INDEX),
        ("threadIdx.x % 32", LANE, LANE_INDEX),
        ("threadIdx.x & (WARP - 1)", LANE, LANE_INDEX),
        ("threadIdx.x & 63", LANE, THREAD_INDEX),
        ("threadIdx.x % 8", LANE, NO_INDEX),
        ("threadIdx.x / 32", WARP, WARP_INDEX),
        ("threadIdx.x >> 5", WARP, WARP_INDEX),
        ("threadIdx.x / WARP", WARP, WARP_INDEX),
        ("threadIdx.x / 64", WAVEFRONT, NO_INDEX),
        ("threadIdx.x / BIG", WAVEFRONT, NO_INDEX),
        ("threadIdx.x / 16", LANE, NO_INDEX),
        ("threadIdx.x & ~31", WARP, WARP_INDEX),
        ("threadIdx.x & 0xffffffe0", WARP, WARP_INDEX),
        ("threadIdx.x - threadIdx.x % 32", WARP, WARP_INDEX),
        ("threadIdx.x / 32 / 2", WAVEFRONT, NO_INDEX),
        ("threadIdx.x < 64", WAVEFRONT, NO_INDEX),
        ("threadIdx.x >= 32", WARP, NO_INDEX),
        ("96 > threadIdx.x", WARP, NO_INDEX),
        ("threadIdx.x < 40", LANE, NO_INDEX),
        ("threadIdx.x <= 63", WAVEFRONT, NO_INDEX),
        ("threadIdx.x < n", UNSURE, NO_INDEX),
        ("threadIdx.x == n", LANE, NO_INDEX),
        ("threadIdx.x / 32 < 4", WAVEFRONT, NO_INDEX),
        ("threadIdx.x / 32 < 3", WARP, NO_INDEX),
        ("__ballot_sync(~0u, threadIdx.x > 3)", WARP, NO_INDEX),
        ("__any_sync(~0u, threadIdx.x > 3)", WARP, NO_INDEX),
        ("__shfl_sync(~0u, threadIdx.x, 0)", WARP, NO_INDEX),
        ("__shfl_sync(~0u, threadIdx.x, 0, 8)", LANE, NO_INDEX),
        ("__shfl_sync(~0u, threadIdx.x, threadIdx.x + 1)", LANE, NO_INDEX),
        ("__shfl_xor_sync(~0u, n, 1)", LANE, NO_INDEX),
        ("__builtin_amdgcn_readfirstlane(threadIdx.x)", WARP, NO_INDEX),
        ("__syncthreads_or(threadIdx.x > 3)", BLOCK, NO_INDEX),
        ("atomicAdd(&total, 1)", LANE, NO_INDEX),
        ("unknown(n)", UNSURE, NO_INDEX),
        ("get_lane_id()", LANE, LANE_INDEX),
        ("n > 3 ? threadIdx.x : 0", LANE, NO_INDEX),
    ],
)
def test_expressions(expression: str, level: int, identity: int) -> None:
    found = value_of(expression)
    assert (found.level, found.identity) == (level, identity)


def test_a_variable_that_some_lanes_set() -> None:
    assert value_of("x", "int x = 0; if (threadIdx.x == 3) x = 1;").level == LANE
    assert value_of("x", "int x = 0; if (threadIdx.x / 32 == 1) x = 1;").level == WARP
    assert value_of("x", "int x = 0; if (n == 3) x = 1;").level == BLOCK
    assert value_of("x", "int x = 0; for (int i = 0; i < threadIdx.x % 7; ++i) x += 1;").level == LANE


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("if (threadIdx.x == 0) x = 1; x = __shfl_sync(~0u, x, 0);", WARP),
        ("if (threadIdx.x == 0) x = 1; if (n) return; x = n;", BLOCK),
        ("x = threadIdx.x; x = n;", BLOCK),
        ("n = threadIdx.x; n = 3; x = n;", BLOCK),
        ("x = threadIdx.x; if (n) x = 1;", LANE),
        ("x = 1; if (n) x = threadIdx.x;", LANE),
        ("for (int i = 0; i < n; ++i) { x = i; x = threadIdx.x; }", LANE),
        ("auto set = [&]() { x = threadIdx.x; }; x = n; set();", LANE),
        ("int &other = x; other = 1; x = threadIdx.x; x = n;", LANE),
        ("again: x = threadIdx.x; x = n; if (n) goto again;", LANE),
    ],
)
def test_a_variable_that_is_set_anew(code: str, level: int) -> None:
    assert value_of("x", f"int x = 0; {code}").level == level


@pytest.mark.parametrize(
    "expression",
    [
        "__shfl_sync(~0u, threadIdx.x / 32, 0)",
        "same(threadIdx.x / 32)",
        "same_in_ptx(threadIdx.x / 32)",
        "cutlass::canonical_warp_idx_sync()",
    ],
)
def test_the_number_of_a_warp_is_shuffled_for_itself(expression: str) -> None:
    head = "__device__ int same(int v) { return __shfl_sync(~0u, v, 0); }\n"
    head += "__device__ int same_in_ptx(int v) { int found; asm volatile("
    head += '"shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(found) : "r"(v)); return found; }\n'
    found = return_divergence(head + f"__global__ void f() {{ int found = {expression}; }}", b"found")
    assert (found.level, found.identity) == (WARP, WARP_INDEX)


def test_what_a_function_gives_back_is_its_argument() -> None:
    head = "__device__ int same(int v) { return v; }\n__device__ int first(int v) { return __shfl_sync(~0u, v, 0); }\n"
    assert (
        return_divergence(head + "__global__ void f() { int found = same(threadIdx.x); }", b"found").identity
        == THREAD_INDEX
    )
    assert return_divergence(head + "__global__ void f() { int found = first(threadIdx.x); }", b"found") == Divergence(
        WARP
    )


def test_the_members_of_a_returned_object_differ_each_in_its_way() -> None:
    """A scan returns the sum before the lane, and that of the warp: Bonsai's `warpIntExclusiveScan`."""
    scan = "int2 scan(int v) { return make_int2(v, __shfl_sync(~0u, v, 31)); }"
    source = f"__device__ {scan}\n__device__ int f() {{ int2 s = scan(threadIdx.x); int n = s.y; }}"
    assert return_divergence(source, b"n").level == UNSURE
    assert return_divergence(source, b"s").level == LANE


def test_a_member_that_one_thread_sets_may_be_that_of_all() -> None:
    body = "{ if (threadIdx.x == 0) count++; int n = count; }"
    assert return_divergence(f"struct S {{ int count; __device__ void f() {body} }};", b"n").level == UNSURE
    assert return_divergence(f"__device__ void f(int count) {body}", b"n").level == LANE


def test_blocks_of_two_dimensions() -> None:
    assert value_of("threadIdx.x", "int row = threadIdx.y;").identity == LANE_INDEX
    assert value_of("threadIdx.y").identity == WARP_INDEX
    assert value_of("threadIdx.y * blockDim.x + threadIdx.x").identity == THREAD_INDEX


@pytest.mark.parametrize(
    ("size", "expected"), [(32, Divergence(WARP, WARP_INDEX)), (16, Divergence(LANE, NO_INDEX))], ids=["32", "16"]
)
def test_the_first_thread_of_a_tile(size: int, expected: Divergence) -> None:
    tile = f"auto tile = cg::tiled_partition<{size}>(cg::this_thread_block());"
    assert value_of("threadIdx.x - tile.thread_rank()", tile) == expected
    tile = f"cg::thread_block_tile<{size}> tile"
    assert value_of("threadIdx.x - tile.thread_rank()", parameters=tile) == expected


def test_warp_size_is_32() -> None:
    assert value_of("threadIdx.x / warpSize").level == WARP
    assert value_of("threadIdx.x / 64").level == WAVEFRONT


def test_parameters_of_device_functions_are_known_by_their_names_only() -> None:
    assert value_of("n", qualifier="__device__").level == UNSURE
    assert value_of("lane_id", qualifier="__device__", parameters="int lane_id") == Divergence(
        LANE, LANE_INDEX, parameter=0
    )
    assert value_of("tid", qualifier="__device__", parameters="int tid") == Divergence(LANE, THREAD_INDEX, parameter=0)


def test_functions_of_the_unit_are_looked_into() -> None:
    head = "__device__ int lane_of(int t) { return t % 32; }\n__device__ int mine() { return threadIdx.x; }\n"
    head += "__device__ int again(int n) { return n ? again(n - 1) : 0; }\n"
    assert return_divergence(head + "__global__ void f() { int found = mine(); }", b"found") == Divergence(
        LANE, THREAD_INDEX
    )
    assert return_divergence(head + "__global__ void f() { int found = lane_of(threadIdx.x); }", b"found").level == LANE
    assert return_divergence(head + "__global__ void f(int n) { int found = again(n); }", b"found").level == UNSURE


@pytest.mark.parametrize("name", ["WARP_NUM", "warp_id", "tid", "lane", "N"])
def test_a_template_parameter_is_the_same_for_all_whatever_its_name(name: str) -> None:
    source = f"template <class T, int {name} = 4> __device__ void f(T *p) {{ auto found = {name} == 1; }}"
    assert return_divergence(source, b"found").level == BLOCK
    of_class = f"template <int {name}> struct S {{ __device__ void f() {{ auto found = {name} + 1; }} }};"
    assert return_divergence(of_class, b"found") == Divergence(BLOCK)
