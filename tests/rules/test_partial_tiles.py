"""Votes of tiles that some of their threads do not come to; HIP's header names all threads of a tile in their masks."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

KERNEL = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *o, int n) {{
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = o[i];
  {}
}}
"""


def conditions(body: str, source: str = KERNEL, fixes: frozenset[str] = frozenset()) -> list[str]:
    result = translate(source.format(body), path="a.cu", options=Options(fixes=fixes))
    said = [found.message for found in result.findings if found.id == "HIP329"]
    return [message.partition("but ")[2].partition(" keeps")[0] for message in said]


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        ("if (tile.thread_rank() == 0) o[i] = tile.any(v);", "tile.thread_rank() == 0"),
        ("if (tile.thread_rank() == 0 && v) o[i] = tile.ballot(v);", "tile.thread_rank() == 0 && v"),
        ("if (!tile.thread_rank()) o[i] = tile.all(v);", "!tile.thread_rank()"),
        ("int rank = tile.thread_rank(); if (rank < 4) o[i] = tile.match_any(v);", "rank < 4"),
        ("if (cg::thread_rank(tile)) return; o[i] = tile.any(v);", "cg::thread_rank(tile)"),
        ("if (threadIdx.x == 0) { o[i] = tile.any(v); }", "threadIdx.x == 0"),
        ("int lane = threadIdx.x % 32; if (lane == 0) o[i] = tile.any(v);", "lane == 0"),
        ("if (i >= n) return; o[i] = tile.any(v);", "i >= n"),
        ("o[i] = tile.thread_rank() == 0 ? tile.any(v) : 0;", "tile.thread_rank() == 0"),
        ("o[i] = tile.thread_rank() == 0 && tile.any(v);", "tile.thread_rank() == 0"),
    ],
)
def test_a_vote_under_a_rank_or_behind_a_bound(body: str, condition: str) -> None:
    assert conditions(body) == [condition]
    assert conditions(body, fixes=frozenset({"wavefront"})) == [condition]


@pytest.mark.parametrize(
    "body",
    [
        "bool a = tile.any(v); if (tile.thread_rank() == 0) o[i] = a;",
        "if (tile.meta_group_rank() == 0) o[i] = tile.any(v);",
        "int row = i / 16; if (row >= n) return; o[i] = tile.any(v);",
        "if (threadIdx.x < 64) o[i] = tile.any(v);",
        "if (blockIdx.x == 0) o[i] = tile.any(v);",
        "if (n > 3) o[i] = tile.ballot(v);",
        "if (tile.thread_rank() == 0) o[i] = tile.shfl(v, 0);",
        "if (tile.thread_rank() == 0) o[i] = std::any_of(o, o + 1, v) + s.any(v);",
    ],
)
def test_a_vote_that_whole_tiles_come_to_and_what_names_no_mask(body: str) -> None:
    assert conditions(body) == []


def test_tiles_as_parameters_and_members() -> None:
    helper = (
        "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n"
        "template <int N> __device__ int f(const thread_block_tile<N> &t, int v) {{ {} }}\n"
    )
    assert conditions("if (t.thread_rank() == 0) return t.any(v); return 0;", helper) == ["t.thread_rank() == 0"]
    assert conditions("int a = t.any(v); return t.thread_rank() == 0 ? a : 0;", helper) == []


def test_what_is_hip_already_is_its_authors() -> None:
    source = KERNEL.replace("<cooperative_groups.h>", "<hip/hip_cooperative_groups.h>").replace(
        "#include", "#include <hip/hip_runtime.h>\n#include"
    )
    assert conditions("if (tile.thread_rank() == 0) o[i] = tile.any(v);", source) == []
