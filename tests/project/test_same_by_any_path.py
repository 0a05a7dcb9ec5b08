"""Outputs and findings are the same however a tree is named, in whatever order, by however many processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import pytest

from hipify_py.core.findings import Finding
from hipify_py.project.api import check, convert

SUM = """#pragma once
#ifdef USE_ROCM
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif
__device__ inline float warp_sum(float v, unsigned m) {
  for (int o = WARP_SIZE / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  return m ? v : 0;
}
"""
WIDE = """#include "sum.cuh"
__global__ void {0}(float *o) {{
  unsigned m = __ballot_sync(0xffffffff, o[threadIdx.x] > 0);
  o[threadIdx.x] = warp_sum(o[threadIdx.x], m);
}}
"""
MASK = """#include "masks.cuh"
__global__ void votes(int *o) { o[0] = leader(__ballot_sync(0xffffffff, o[threadIdx.x])); }
"""
TREE = {
    "src/sum.cuh": SUM,
    "src/c.cu": WIDE.format("c"),
    "src/a.cu": WIDE.format("a"),
    "src/b.cu": WIDE.format("b"),
    "src/masks.cuh": "__device__ inline int leader(unsigned m) { return __ffs(m) - 1; }\n",
    "src/votes.cu": MASK,
    "src/own.h": "struct Stream { void cudaFree(void *p); };\n",
    "src/use.cu": '#include <cuda_runtime.h>\n#include "own.h"\nvoid Stream::cudaFree(void *p) { ::cudaFree(p); }\n',
    "src/flags.h": "#if __CUDA_ARCH__ >= 1000\n#define WIDE_PTX\n#endif\n",
    "src/ptx.cu": '#include "flags.h"\n#ifdef WIDE_PTX\n__device__ void f() { asm("mma.sync ;"); }\n#endif\n',
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def without_paths(findings: list[Finding], root: str) -> list[Finding]:
    return [finding._replace(path=os.path.relpath(finding.path, root)) for finding in findings]


def found(root: str, jobs: int = 1) -> tuple[list[Finding], dict[str, bytes]]:
    """The findings of a tree, and its converted files."""
    done = convert([root], jobs=jobs, wanted="output")
    findings = [finding for result in done.results for finding in result.findings]
    return without_paths(findings, root), {os.path.relpath(r.path, root): r.output for r in done.results}


WAYS = {
    "a trailing slash": "{tree}/",
    "dots in the path": "{tree}/../tree/./",
    "a relative path": "tree",
    "a relative path with dots": "./tree/src/..",
    "a symbolic link": "{link}",
    "a path through a symbolic link": "{up}/tree",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_tree_by_another_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    write(tmp_path / "tree", TREE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("tree")
    (tmp_path / "up").symlink_to(".")
    given = WAYS[way].format(tree=tmp_path / "tree", link=tmp_path / "link", up=tmp_path / "up")
    expected = found(str(tmp_path / "tree"))
    assert found(given) == expected
    assert any(finding.id.startswith("HIP3") for finding in expected[0])


def test_a_tree_given_from_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "tree", TREE)
    expected = found(str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree/src")
    assert found("..") == expected


def test_worker_processes_are_told_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hipify_py.project.processes.PARALLEL_BYTES", 0)
    write(tmp_path / "tree", TREE)
    assert found(str(tmp_path / "tree"), jobs=2) == found(str(tmp_path / "tree"))


def test_files_in_any_order(tmp_path: Path) -> None:
    write(tmp_path, TREE)
    names = ["src/a.cu", "src/b.cu", "src/c.cu", "src/sum.cuh"]
    every = set()
    for order in permutations(names):
        results = check([tmp_path / name for name in order]).results
        every.add(frozenset(finding for result in results for finding in result.findings))
    assert len(every) == 1


@pytest.mark.parametrize("way", ["src/a.cu", "./src/a.cu", "src/../src/a.cu"])
def test_a_file_by_another_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    write(tmp_path, TREE)
    monkeypatch.chdir(tmp_path)
    (result,) = check([way]).results
    (whole,) = check([tmp_path / "src/a.cu"]).results
    assert without_paths(list(result.findings), "src") == without_paths(list(whole.findings), str(tmp_path / "src"))


def test_a_header_that_is_included_by_a_link_to_it_or_to_its_folder(tmp_path: Path) -> None:
    by_name = found_with_include(tmp_path / "one", "sum.cuh")
    assert by_name
    assert found_with_include(tmp_path / "two", "alias.cuh") == by_name
    assert found_with_include(tmp_path / "three", "linked/sum.cuh") == by_name


def found_with_include(folder: Path, include: str) -> list[tuple[str, int]]:
    write(folder, {"common/sum.cuh": SUM, "src/a.cu": WIDE.format("a").replace("sum.cuh", include)})
    (folder / "src/alias.cuh").symlink_to("../common/sum.cuh")
    (folder / "src/linked").symlink_to("../common")
    findings, _ = found(str(folder))
    return [(finding.id, finding.line) for finding in findings if finding.path == "src/a.cu"]
