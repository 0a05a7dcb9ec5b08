"""Warps of which one header has the size, another the helpers, and further files the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, ProjectContext
from hipify_py.project.api import check, convert
from hipify_py.project.texts import Texts
from hipify_py.project.warp_facts import with_warps

UNFIXED = Options(fixes=frozenset())

SIZES = "#pragma once\nnamespace app {\nconstexpr int kWarpSize = 32;\n}\n"

HELPERS = """#pragma once
#include <app/sizes.cuh>
namespace app {
__device__ inline int lane_of_thread() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__device__ inline unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
template <typename T>
__device__ T swap(T value, int other, int width = kWarpSize) {
  return __shfl_xor_sync(0xffffffff, value, other, width);
}
__device__ inline int first(int value) { return __shfl_sync(0xffffffff, value, 0); }
__device__ inline int half_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
}
"""

REDUCE = """#pragma once
#include "helpers.cuh"
namespace app {
template <typename T> __device__ T warp_sum(T v) {
  for (int d = kWarpSize / 2; d > 0; d /= 2) v += swap<T>(v, d);
  return v;
}
__device__ inline int block_sum(int v, int *partial) {
  int lane = LANE, warp = threadIdx.x / kWarpSize;
  v = warp_sum<int>(v);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  return partial[0];
}
}
"""

ROWS = """#include "reduce.cuh"
__global__ void rows(const int *in, int *out) {
  int row = threadIdx.x / app::kWarpSize, lane = threadIdx.x % app::kWarpSize;
  int v = app::warp_sum(in[row * 64 + lane]);
  if (lane == 0) out[row] = v;
}
"""


def _project(folder: Path, *, lane: str, **more: str) -> list[tuple[str, str, int]]:
    """The warnings and errors about warps in a project, with their files and lines."""
    files = {"sizes.cuh": SIZES, "helpers.cuh": HELPERS, "reduce.cuh": REDUCE.replace("LANE", lane), "rows.cu": ROWS}
    files.update((name.replace("_", ".", 1), text) for name, text in more.items())
    (folder / "app").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "app" / name).write_text(text)
    return _told([str(folder)])


def _told(paths: list[str]) -> list[tuple[str, str, int]]:
    return [
        (finding.id, Path(finding.path).name, finding.line)
        for result in check(paths, options=UNFIXED).results
        for finding in result.findings
        if finding.id.startswith("HIP3") and finding.severity != "note"
    ]


def test_a_project_that_counts_in_32_throughout_has_no_warning(tmp_path: Path) -> None:
    assert _project(tmp_path, lane="threadIdx.x % kWarpSize") == []


def test_a_lane_of_the_hardware_cut_to_32_is_no_warning(tmp_path: Path) -> None:
    assert _project(tmp_path, lane="lane_of_thread() & 31") == []
    assert _project(tmp_path, lane="lane_of_thread() % kWarpSize") == []


def test_a_lane_of_the_hardware_beside_warps_of_32(tmp_path: Path) -> None:
    assert _project(tmp_path, lane="lane_of_thread()") == [("HIP316", "reduce.cuh", 9), ("HIP317", "sizes.cuh", 3)]
    (message,) = [
        f.message for r in check([str(tmp_path)], options=UNFIXED).results for f in r.findings if f.id == "HIP317"
    ]
    assert "kWarpSize = 32 is what 3 files count their warps by, but reduce.cuh goes by" in message


def test_a_helper_that_hears_of_the_whole_wavefront(tmp_path: Path) -> None:
    source = (
        '#include "helpers.cuh"\n'
        "__global__ void k(int *o) {\n"
        "  int lane = threadIdx.x % app::kWarpSize, v = lane == 0 ? atomicAdd(o, 32) : 0;\n"
        "  o[threadIdx.x] = app::first(v) + lane;\n"
        "}\n"
    )
    told = _project(tmp_path, lane="threadIdx.x % kWarpSize", k_cu=source)
    assert told == [("HIP305", "k.cu", 4), ("HIP317", "sizes.cuh", 3)]


def test_a_reduction_over_32_lanes_where_they_are_counted_in_the_wavefront(tmp_path: Path) -> None:
    source = (
        '#include "helpers.cuh"\n'
        "__global__ void k(int *o) {\n"
        "  int v = app::half_sum(o[threadIdx.x]);\n"
        "  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);\n"
        "}\n"
    )
    assert ("HIP306", "k.cu", 3) in _project(tmp_path, lane="threadIdx.x % kWarpSize", k_cu=source)


def test_what_helpers_say(tmp_path: Path) -> None:
    _project(tmp_path, lane="lane_of_thread()")
    paths = sorted(str(path) for path in (tmp_path / "app").iterdir())
    contexts = with_warps(ProjectContext(), paths, [], UNFIXED, Texts())
    helpers = contexts.of(str(tmp_path / "app" / "rows.cu")).warp_helpers
    assert helpers.using == {
        *(b"lane_of_thread", b"lanes_below", b"swap", b"first", b"half_sum"),
        *(b"warp_sum", b"block_sum"),
    }
    assert helpers.lanes == {b"lane_of_thread"}
    assert helpers.masks == {b"lanes_below"}
    assert helpers.full_wave_collectives == {b"first"}
    assert helpers.over_32 == {b"half_sum"}
    assert contexts.of(str(tmp_path / "app" / "sizes.cuh")).warp_counts[b"kWarpSize"].files == 3


@pytest.mark.parametrize("text", ["", "{{{{", "__device__ int f( { __shfl_sync(", "#define A __ballot_sync(", "}" * 99])
def test_headers_that_are_cut_off(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.cuh").write_text(text + " constexpr int kWarpSize = 32; ")
    (tmp_path / "b.cuh").write_text('#include "a.cuh"\n__device__ int g(){ return f(' + text)
    with_warps(ProjectContext(), [str(tmp_path / "a.cuh"), str(tmp_path / "b.cuh")], [], UNFIXED, Texts())


def _fixed(folder: Path, **files: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """What `--fix wavefront` makes of a project, and the warnings and errors that are left."""
    (folder / "app").mkdir()
    for name, text in files.items():
        (folder / "app" / name.replace("_", ".", 1)).write_text(text)
    result = convert([str(folder)], output=str(folder / "out"), options=Options(fixes=frozenset({"wavefront"})))
    left = [
        (finding.id, Path(finding.path).name)
        for file in result.results
        for finding in file.findings
        if finding.id.startswith("HIP3") and finding.severity != "note"
    ]
    return {path.name: path.read_text() for path in (folder / "out" / "app").iterdir()}, left


def _notes(folder: Path, id: str) -> str:
    results = check([str(folder)], options=Options(fixes=frozenset({"wavefront"}))).results
    return "\n".join(finding.message for file in results for finding in file.findings if finding.id == id)


def test_a_fix_keeps_all_files_at_32_lanes(tmp_path: Path) -> None:
    reduce = REDUCE.replace("LANE", "lane_of_thread()")
    output, left = _fixed(tmp_path, sizes_cuh=SIZES, helpers_cuh=HELPERS, reduce_cuh=reduce, rows_cu=ROWS)
    assert left == []
    assert "lane = __lane_id() & 31;" in output["helpers.cuh"]
    assert "__shfl(value, 0, 32)" in output["helpers.cuh"]
    assert output["reduce.cuh"].endswith(reduce.removeprefix("#pragma once\n"))
    again = convert([str(tmp_path / "out")], options=Options(fixes=frozenset({"wavefront"})))
    assert {file.status for file in again.results} == {"unchanged"}
    assert [finding for file in again.results for finding in file.findings if finding.severity != "note"] == []


def test_a_fix_that_one_file_prevents_leaves_findings(tmp_path: Path) -> None:
    """One that counts in warpSize asks the same helpers: they stay as they are, and those that count in 32 are told."""
    reduce = REDUCE.replace("LANE", "lane_of_thread()")
    other = (
        '#include "helpers.cuh"\n'
        "__global__ void k(int *o) { if (threadIdx.x % warpSize == 0) o[0] = app::first(o[1]); }\n"
    )
    helpers = HELPERS[: HELPERS.index("__device__ inline int half_sum")] + "}\n"
    output, left = _fixed(
        tmp_path, sizes_cuh=SIZES, helpers_cuh=helpers, reduce_cuh=reduce, rows_cu=ROWS, other_cu=other
    )
    assert "lane = __lane_id();" in output["helpers.cuh"]
    assert "it shares helpers with other.cu, which cannot be kept at 32 lanes" in _notes(tmp_path, "HIP319")
    assert left == [("HIP316", "reduce.cuh"), ("HIP317", "sizes.cuh")]


VOTES = """#pragma once
#include "helpers.cuh"
#define VOTES(p) __ballot_sync(0xffffffff, p)
__device__ inline unsigned votes(int p) { return __ballot_sync(0xffffffff, p); }
__device__ inline bool everybody(int p) { return __ballot_sync(0xffffffff, p) == 0xffffffff; }
"""
COMPACT = """#include "votes.cuh"
__global__ void compact(const int *in, int *out, int *n) {
  unsigned set = votes(in[threadIdx.x]), below = app::lanes_below();
  unsigned all = VOTES(in[0]);
  bool every = everybody(1);
  if (in[threadIdx.x]) out[__popc(set & below)] = in[threadIdx.x];
  if (every) *n = __popc(all);
}
"""


def test_masks_that_helpers_return_are_followed_into_other_files(tmp_path: Path) -> None:
    for name, text in {"sizes.cuh": SIZES, "helpers.cuh": HELPERS, "votes.cuh": VOTES, "compact.cu": COMPACT}.items():
        (tmp_path / name).write_text(text)
    header = str(tmp_path / "votes.cuh")
    assert with_warps(ProjectContext(), [header], [], UNFIXED, Texts()).of(header).warp_helpers.masks == {
        b"votes",
        b"VOTES",
    }
    convert([str(tmp_path)], output=str(tmp_path / "out"), options=UNFIXED)
    output = (tmp_path / "out" / "compact.cu").read_text()
    assert "unsigned long long set = votes(in[threadIdx.x]), below = app::lanes_below();" in output
    assert "unsigned long long all = VOTES(in[0]);" in output
    assert "out[__popcll(set & below)]" in output
    assert "*n = __popcll(all);" in output
    assert "bool every = everybody(1);" in output
    assert "inline unsigned long long votes(int p)" in (tmp_path / "out" / "votes.cuh").read_text()


def test_a_file_by_itself_is_read_with_the_headers_that_it_includes(tmp_path: Path) -> None:
    """By their paths from its own folder, from one above it, or from an `include` there."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "include" / "app").mkdir(parents=True)
    (tmp_path / "src" / "app").mkdir(parents=True)
    (tmp_path / "include" / "app" / "sizes.cuh").write_text(SIZES)
    (tmp_path / "src" / "app" / "helpers.cuh").write_text(HELPERS)
    source = tmp_path / "src" / "app" / "rows.cu"
    source.write_text(
        "#include <app/helpers.cuh>\n"
        "__global__ void k(int *o) { if (app::lane_of_thread() == 0) o[threadIdx.x / app::kWarpSize] = 1; }\n"
    )
    assert _told([str(source)]) == [("HIP316", "rows.cu", 2)]
    (tmp_path / "src" / ".git").mkdir()  # what stands outside of the repository is none of its headers
    assert _told([str(source)]) == []
