"""Groups of the active lanes, which two warps of 32 share in a wavefront of 64."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

GROUP = "auto g = cg::coalesced_threads(); "
PUSH = "int b = 0; if (g.thread_rank() == 0) b = atomicAdd(o, g.size()); o[g.shfl(b, 0) + g.thread_rank()] = v;"
LANE = "int lane = threadIdx.x & 31; "
LEADER = "if (g.thread_rank() == 0) o[threadIdx.x / 32] = g.size();"


def found(body: str, before: str = "") -> list[str]:
    source = (
        f"namespace cg = cooperative_groups;\n{before}\n"
        f"__global__ void k(int *o) {{ int v = o[threadIdx.x]; if (v) {{ {body} }} }}\n"
    )
    findings = translate(source, path="a.cu", options=Options(fixes=frozenset({"wavefront"}))).findings
    return [source[f.offset :].split("(", maxsplit=1)[0] for f in findings if f.id == "HIP305"]


@pytest.mark.parametrize(
    "body",
    [
        GROUP + LEADER,
        LANE + GROUP + "o[lane] = g.num_threads();",
        LANE + "cg::coalesced_group g = cg::coalesced_threads(); o[lane] = __popc(g.ballot(v > 1));",
        LANE + "const cg::coalesced_group g{cg::coalesced_threads()}; if (g.any(v > 1)) o[lane] = 1;",
        LANE + "o[lane] = cg::coalesced_threads().size();",
        LANE + "cg::coalesced_group g; g = cg::coalesced_threads(); o[lane] = g.size();",
        LANE + GROUP + "int n = g.size(); atomicAdd(o, n); o[lane] = n;",
        LANE + GROUP + "const auto &r = g; o[lane] = r.size();",
        LANE + GROUP + "auto copy = g; int n = copy.size(); o[lane] = n;",
        LANE + GROUP + "int n; n = g.size(); o[lane] = n;",
        LANE + GROUP + "o[lane] = cg::reduce(g, v, cg::plus<int>());",
        LANE + "auto p = cg::labeled_partition(cg::coalesced_threads(), v); o[lane] = p.thread_rank();",
        "auto w = cg::tiled_partition<32>(cg::this_thread_block()); " + GROUP + "o[w.meta_group_rank()] = g.size();",
        "if (threadIdx.x < 64) { " + LANE + GROUP + "o[lane] = g.size(); }",
    ],
)
def test_a_group_s_size_matters_where_lanes_are_counted_in_32(body: str) -> None:
    assert found(body) == ["coalesced_threads"]


@pytest.mark.parametrize(
    "body",
    [
        GROUP + PUSH,
        LANE + GROUP + PUSH,
        LANE + GROUP + "int n = g.size(); if (lane == 0) atomicAdd(o, n);",
        LANE + GROUP + "const unsigned n = g.num_threads(); atomicAdd(o, n); atomicMax(o + 1, n);",
        LANE + "cg::coalesced_group g; g = cg::coalesced_threads(); if (lane) atomicAdd(o, g.size());",
        GROUP + "o[threadIdx.x] = g.size();",
        "int lane = threadIdx.x % warpSize; " + GROUP + "o[lane] = g.size();",
        "if (threadIdx.x < 32) { " + LANE + GROUP + "o[lane] = g.size(); }",
        "auto w = cg::tiled_partition<16>(cg::this_thread_block()); " + GROUP + "o[w.meta_group_rank()] = g.size();",
        "auto w = cg::tiled_partition<32>(cg::this_thread_block()); " + GROUP + PUSH,
    ],
)
def test_groups_of_any_size_do_otherwise(body: str) -> None:
    assert found(body) == []


def test_a_group_that_a_function_returns_matters_where_that_is_called() -> None:
    made = "__device__ cg::coalesced_group made() { return cg::coalesced_threads(); }"
    assert found(LANE + "auto a = made(); o[lane] = a.size();", made) == ["coalesced_threads"]
    assert found(LANE + "o[lane] = made().size();", made) == ["coalesced_threads"]
    assert found("auto a = made(); o[threadIdx.x] = a.size();", made) == []
    assert found(LANE + "auto a = made(); if (lane) atomicAdd(o, a.size());", made) == []


def test_sources_for_amd_and_functions_of_that_name_are_left_alone() -> None:
    assert found(GROUP + LEADER, "#ifdef USE_ROCM\n#endif") == []
    assert found("auto g = coalesced_threads(); " + LEADER, "__device__ Mine coalesced_threads();") == []


def test_the_result_is_reported_in_the_same_way() -> None:
    source = f"namespace cg = cooperative_groups;\n__global__ void k(int *o) {{ {GROUP}{LEADER} }}\n"
    first = translate(source, path="a.cu", options=Options())
    second = translate(first.output.decode(), path="a.cu", options=Options())
    assert second.output == first.output
    assert [f.id for f in second.findings] == [f.id for f in first.findings] == ["HIP305"]
