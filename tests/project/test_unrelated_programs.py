"""Programs in one tree are told of the headers that they are compiled with, not of each other's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.project.api import check, convert
from hipify_py.project.result import FileResult

OVER_32 = """#pragma once
__device__ inline float warp_sum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
"""
OVER_ALL = OVER_32.replace("int o = 16", "int o = warpSize / 2")
HEARS_ALL = """#pragma once
__device__ inline float warp_sum(float v) { return v + __shfl_sync(0xffffffff, v, 0); }
"""
VOTES = """#pragma once
__device__ inline unsigned warp_sum(int p) { return __ballot_sync(0xffffffff, p); }
"""
KERNEL = """#include {0}
__global__ void sum(float *o) {{
  int lane = threadIdx.x % {1};
  float v = warp_sum(o[threadIdx.x]);
  if (lane == 0) o[threadIdx.x / {1}] = v;
}}
"""
MASKS = """#include {0}
__global__ void masks(int *o) {{ unsigned m = warp_sum(o[threadIdx.x]); o[0] = __popc(m); }}
"""
FIX = Options(fixes=frozenset({"wavefront"}))
UNFIXED = Options(fixes=frozenset())


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def told(*paths: Path, options: Options = UNFIXED) -> dict[str, list[str]]:
    """The warnings and errors about warps, by the file's path below the first one."""
    found: dict[str, list[str]] = {}
    for result in check([str(path) for path in paths], options=options).results:
        for finding in result.findings:
            if finding.id.startswith("HIP3") and finding.severity != "note":
                found.setdefault(Path(finding.path).relative_to(paths[0]).as_posix(), []).append(finding.id)
    return found


def converted(folder: Path, files: Mapping[str, str], options: Options = UNFIXED) -> dict[str, str]:
    """The files of a converted tree."""
    write(folder / "in", files)
    convert([str(folder / "in")], output=str(folder / "out"), options=options)
    return {name: (folder / "out" / name).read_text() for name in files}


def test_helpers_of_the_same_name_in_two_folders(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "p/tools.cuh": OVER_32,
            "p/sum.cu": KERNEL.format('"tools.cuh"', "32"),
            "q/tools.cuh": OVER_ALL,
            "q/sum.cu": KERNEL.format('"tools.cuh"', "warpSize"),
        },
    )
    assert told(tmp_path) == {}
    write(tmp_path, {"q/sum.cu": KERNEL.format('"../p/tools.cuh"', "warpSize")})
    assert told(tmp_path) == {"q/sum.cu": ["HIP306"]}


def test_headers_in_the_include_folders_of_two_programs(tmp_path: Path) -> None:
    files = {
        "p/include/lib/tools.cuh": OVER_32,
        "p/src/cuda/sum.cu": KERNEL.format("<lib/tools.cuh>", "warpSize"),
        "q/include/lib/tools.cuh": OVER_ALL,
        "q/src/cuda/sum.cu": KERNEL.format("<lib/tools.cuh>", "warpSize"),
    }
    write(tmp_path, files)
    assert told(tmp_path) == {"p/src/cuda/sum.cu": ["HIP306"]}


def test_a_header_that_could_be_either_of_two_says_what_both_say(tmp_path: Path) -> None:
    """A build file names the folder, which nobody here reads."""
    files = {
        "p/core/tools.cuh": OVER_32,
        "q/core/tools.cuh": OVER_ALL,
        "apps/sum.cu": KERNEL.format('"tools.cuh"', "warpSize"),
        "apps/other.cu": KERNEL.format("<other.cuh>", "warpSize"),
    }
    write(tmp_path, files)
    assert told(tmp_path) == {"apps/sum.cu": ["HIP306"]}


def test_macros_of_the_same_name(tmp_path: Path) -> None:
    macro = "#define FIRST(v) __shfl_sync(0xffffffff, v, 0)\n"
    kernel = '#include "{0}"\n__global__ void k(int *o) {{ int l = threadIdx.x % 32; o[l] = FIRST(l); }}\n'
    write(
        tmp_path,
        {
            "p/a.cuh": macro,
            "p/k.cu": kernel.format("a.cuh"),
            "q/b.cuh": "#define FIRST(v) __shfl_sync(0xffffffff, v, 0, 32)\n",
            "q/k.cu": kernel.format("b.cuh"),
        },
    )
    assert told(tmp_path) == {"p/k.cu": ["HIP305"]}


def test_a_chain_of_includes_and_a_circle(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "p/tools.cuh": HEARS_ALL + '#include "all.cuh"\n',
            "p/detail.h": '#include "tools.cuh"\n',
            "p/all.cuh": '#include "detail.h"\n',
            "p/sum.cu": KERNEL.format('"all.cuh"', "32"),
            "q/tools.cuh": OVER_32,
            "q/sum.cu": KERNEL.format('"tools.cuh"', "32"),
        },
    )
    assert told(tmp_path) == {"p/sum.cu": ["HIP305"]}


def test_a_header_named_by_a_macro(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "p/config.h": '#define TOOLS "tools.cuh"\n',
            "p/tools.cuh": HEARS_ALL,
            "p/sum.cu": '#include "config.h"\n' + KERNEL.format("TOOLS", "32"),
            "q/sum.cu": KERNEL.format("OTHER_TOOLS", "32"),
        },
    )
    assert told(tmp_path) == {"p/sum.cu": ["HIP305"]}


def test_a_source_that_another_source_includes(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "p/tools.cu": HEARS_ALL,
            "p/sum.cu": KERNEL.format('"tools.cu"', "32"),
            "q/tools.cu": HEARS_ALL,
            "q/sum.cu": KERNEL.format('"generated.cuh"', "32"),
        },
    )
    assert told(tmp_path) == {"p/sum.cu": ["HIP305"]}


def test_a_header_that_is_included_behind_what_it_needs(tmp_path: Path) -> None:
    """It includes nothing itself: the file that includes it has included the helpers before."""
    body = KERNEL.format('"tools.cuh"', "32").partition("\n")[2]
    both = '#include "tools.cuh"\n#include "kernel.inl"\n'
    write(tmp_path, {"p/tools.cuh": HEARS_ALL, "p/kernel.inl": body, "p/main.cu": both})
    write(tmp_path, {"q/tools.cuh": OVER_32, "q/kernel.inl": body, "q/main.cu": both})
    assert told(tmp_path) == {"p/kernel.inl": ["HIP305"]}


def test_masks_widen_along_includes(tmp_path: Path) -> None:
    output = converted(
        tmp_path,
        {
            "p/tools.cuh": VOTES,
            "p/masks.cu": MASKS.format('"tools.cuh"'),
            "q/tools.cuh": "__device__ inline unsigned warp_sum(unsigned v) { return v; }\n",
            "q/masks.cu": MASKS.format('"tools.cuh"'),
        },
        UNFIXED,
    )
    assert "unsigned long long m = warp_sum(" in output["p/masks.cu"]
    assert "unsigned m = warp_sum(" in output["q/masks.cu"]
    assert "__popc(m)" in output["q/masks.cu"]


def test_sizes_of_warps_go_along_includes(tmp_path: Path) -> None:
    kernel = """#include "sizes.cuh"
__global__ void k(int *o) {
  int lane = threadIdx.x % kWarpSize, v = lane == 0 ? atomicAdd(o, 1) : 0;
  o[threadIdx.x] = __shfl_sync(0xffffffff, v, 0) + __lane_id();
}
"""
    write(
        tmp_path,
        {
            "p/sizes.cuh": "constexpr int kWarpSize = 32;\n",
            "p/k.cu": kernel,
            "q/sizes.cuh": "constexpr int kWarpSize = 64;\n",
            "q/k.cu": kernel,
        },
    )
    assert told(tmp_path) == {"p/k.cu": ["HIP305", "HIP316"], "p/sizes.cuh": ["HIP317"]}
    (message,) = [
        f.message for r in check([str(tmp_path)], options=UNFIXED).results for f in r.findings if f.id == "HIP317"
    ]
    assert "what 1 file counts its warps by, but k.cu goes by" in message


@pytest.mark.parametrize("apart", [True, False])
def test_a_program_of_wavefronts_does_not_keep_another_from_its_fixes(tmp_path: Path, apart: bool) -> None:
    include = '"tools.cuh"' if apart else '"../p/tools.cuh"'
    output = converted(
        tmp_path,
        {
            "p/tools.cuh": HEARS_ALL,
            "p/sum.cu": KERNEL.format('"tools.cuh"', "32"),
            "q/tools.cuh": HEARS_ALL,
            "q/sum.cu": KERNEL.format(include, "warpSize"),
        },
        FIX,
    )
    assert ("__shfl(v, 0, 32)" in output["p/tools.cuh"]) is apart
    assert told(tmp_path / "in", options=FIX) == ({} if apart else {"p/sum.cu": ["HIP305"]})


def test_files_that_include_the_same_and_ask_for_nothing_of_it_stand_alone(tmp_path: Path) -> None:
    """One counts in warpSize and asks for no helper of the header: the others are kept at 32 lanes with it."""
    wide = '#include "tools.cuh"\n__global__ void k(int *o) { o[0] = __shfl(o[1], threadIdx.x % warpSize); }\n'
    output = converted(
        tmp_path, {"tools.cuh": HEARS_ALL, "sum.cu": KERNEL.format('"tools.cuh"', "32"), "wide.cu": wide}, FIX
    )
    assert "__shfl(v, 0, 32)" in output["tools.cuh"]
    assert output["wide.cu"].endswith("__shfl(o[1], threadIdx.x % warpSize); }\n")


def test_one_file_by_itself_finds_its_own_headers(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".git/HEAD": "",
            "p/include/tools.cuh": HEARS_ALL,
            "p/src/sum.cu": KERNEL.format('"tools.cuh"', "32"),
            "q/src/sum.cu": KERNEL.format('"tools.cuh"', "32"),
        },
    )
    for folder, found in (("p", {"src/sum.cu": ["HIP305"]}), ("q", {})):
        results = check([str(tmp_path / folder / "src" / "sum.cu")], options=UNFIXED).results
        ids = [f.id for f in results[0].findings if f.id.startswith("HIP3") and f.severity != "note"]
        assert ids == found.get("src/sum.cu", [])


@pytest.mark.parametrize("rename", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_files_that_are_replaced_are_told_what_they_are_told_otherwise(tmp_path: Path, rename: bool, jobs: int) -> None:
    """What files include goes by what they were, under the names that they had."""
    files = {
        "arch.cuh": "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n#define HAVE_TMA 1\n#endif\n",
        "fences.cu": '#include "arch.cuh"\n#ifdef HAVE_TMA\n'
        '__global__ void k() { asm("wgmma.fence.sync.aligned;"); }\n#endif\n',
    }
    write(tmp_path, files)

    def said(results: Sequence[FileResult]) -> list[object]:
        return [(result.path, result.findings, result.left) for result in results]

    expected = said(check([tmp_path], jobs=jobs).results)
    assert said(convert([tmp_path], in_place=True, rename=rename, jobs=jobs).results) == expected
