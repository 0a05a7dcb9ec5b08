"""A program of several files counts its lanes in one way, or is told where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.project.api import convert

FIX = Options(fixes=frozenset({"wavefront"}))
UNFIXED = Options(fixes=frozenset())
COMMON = """#pragma once
#define WARP_SIZE 32
__device__ inline float warp_sum(float v) {
  for (int o = WARP_SIZE / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
__device__ inline float first(float v) { return __shfl_sync(0xffffffff, v, 0); }
"""
VOTES = """#pragma once
__device__ inline int votes(int v) { return __popc(__ballot_sync(0xffffffff, v)); }
"""
SUM = """#include "common.cuh"
__global__ void sum(float *o) {{
  int lane = threadIdx.x % {0};
  float v = warp_sum(o[threadIdx.x]);
  if (lane == 0) o[threadIdx.x / {0}] = v;
}}
"""
ASK = """#include "{0}"
__global__ void ask(float *o) {{ int lane = threadIdx.x % {1}; o[threadIdx.x] = {2}(o[threadIdx.x]) + lane; }}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/common.cuh").write_text(COMMON)
    return tmp_path


def found(tree: Path, options: Options = UNFIXED, *given: str) -> dict[str, set[str]]:
    """The findings about warps by file; what is converted lies in `out` then."""
    paths = [tree / "in" / name for name in given] or [tree / "in"]
    results = convert(paths, output=tree / "out", options=options).results
    return {
        Path(result.path).name: {f.id for f in result.findings if f.id in ("HIP304", "HIP305", "HIP306")}
        for result in results
    }


def output(tree: Path, name: str) -> str:
    return (tree / "out" / name).read_text()


def test_all_files_of_a_program_that_counts_in_32_are_kept_there(tree: Path) -> None:
    (tree / "in/sum.cu").write_text(SUM.format("WARP_SIZE"))
    (tree / "in/ask.cu").write_text(ASK.format("common.cuh", "32", "first"))
    assert found(tree) == {"common.cuh": set(), "sum.cu": set(), "ask.cu": {"HIP305"}}
    assert found(tree, FIX) == {"common.cuh": set(), "sum.cu": set(), "ask.cu": set()}
    assert "__shfl_down(v, o, 32)" in output(tree, "common.cuh")
    assert "__shfl(v, 0, 32)" in output(tree, "common.cuh")


def test_a_file_that_counts_in_warp_size_is_told_of_a_header_that_goes_over_32(tree: Path) -> None:
    (tree / "in/sum.cu").write_text(SUM.format("warpSize"))
    (tree / "in/other.cu").write_text(SUM.format("WARP_SIZE"))
    for options in (UNFIXED, FIX):
        assert found(tree, options) == {"common.cuh": set(), "sum.cu": {"HIP306"}, "other.cu": set()}


def test_a_file_that_counts_in_32_is_told_of_a_header_that_goes_over_warp_size(tree: Path) -> None:
    (tree / "in/common.cuh").write_text(COMMON.replace("WARP_SIZE / 2", "warpSize / 2"))
    (tree / "in/sum.cu").write_text(SUM.format("WARP_SIZE"))
    for options in (UNFIXED, FIX):
        assert found(tree, options) == {"common.cuh": set(), "sum.cu": {"HIP306"}}
    (tree / "in/sum.cu").write_text(SUM.format("warpSize"))
    assert found(tree, FIX) == {"common.cuh": set(), "sum.cu": set()}


def test_a_header_that_counts_nothing_is_kept_only_where_all_counts_in_32(tree: Path) -> None:
    (tree / "in/votes.cuh").write_text(VOTES)
    (tree / "in/ask.cu").write_text(ASK.format("votes.cuh", "32", "votes"))
    assert found(tree)["ask.cu"] == {"HIP305"}
    assert found(tree, FIX)["ask.cu"] == set()
    assert "warp32::ballot" in output(tree, "votes.cuh")
    (tree / "in/wide.cu").write_text(ASK.format("votes.cuh", "warpSize", "votes"))
    assert found(tree, FIX) == {"common.cuh": set(), "votes.cuh": set(), "ask.cu": {"HIP305"}, "wide.cu": set()}
    assert "warp32" not in output(tree, "votes.cuh")


def test_a_file_that_is_given_by_itself_is_read_with_the_headers_it_includes(tree: Path) -> None:
    (tree / "in/sum.cu").write_text(SUM.format("warpSize"))
    (tree / "in/common.cuh").write_text('#include "sizes.h"\n' + COMMON.replace("#define WARP_SIZE 32\n", ""))
    (tree / "in/sizes.h").write_text('#define WARP_SIZE 32\n#include "common.cuh"\n')
    assert found(tree, UNFIXED, "sum.cu") == {"sum.cu": {"HIP306"}}
    (tree / "in/ask.cu").write_text(ASK.format("common.cuh", "WARP_SIZE", "__any"))
    assert found(tree, FIX, "ask.cu") == {"ask.cu": set()}
    assert "warp32::any(o[threadIdx.x])" in output(tree, "ask.cu")


def test_a_header_with_branches_for_amd_knows_what_it_does(tree: Path) -> None:
    (tree / "in/common.cuh").write_text("#ifdef USE_ROCM\n#endif\n" + COMMON)
    (tree / "in/sum.cu").write_text(SUM.format("warpSize"))
    assert found(tree)["sum.cu"] == set()


def test_what_cannot_be_read_says_nothing(tree: Path) -> None:
    (tree / "in/common.cuh").write_bytes(b"\xff\xfe" + COMMON.encode("utf-16-le"))
    (tree / "in/broken.cuh").write_text(COMMON[: len(COMMON) // 2] + "}}{(")
    (tree / "in/sum.cu").write_text(SUM.format("warpSize") + '#include "missing.h"\n#include "."\n')
    assert found(tree)["broken.cuh"] == set()
