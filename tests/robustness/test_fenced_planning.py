"""A fault of ours in planning costs what one file says, and is reported there; everybody else is done."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hipify_py.catalog import TableError
from hipify_py.cli.exit_codes import INTERNAL, exit_code
from hipify_py.core.options import OFF, Options
from hipify_py.project import build_contexts, query_cache
from hipify_py.project.api import ConversionReport, convert
from hipify_py.project.faults import FAULT, Faults
from hipify_py.project.groups import Group
from hipify_py.project.query import Answer, Query
from hipify_py.project.result import CHANGED, FAILED
from hipify_py.project.source_store import SourceStore
from hipify_py.project.unsaved import translate_unsaved

FILES = {
    "lanes.cuh": """\
#ifdef __HIP_PLATFORM_AMD__
#include "amd_lanes.h"
#define LANES 64
#define AMD_BUILD 1
#else
#define LANES 32
#endif
__device__ inline int first(int v) { return __shfl_sync(0xffffffffu, v, 0, LANES); }
__device__ inline int total(int v) { return first(v) + __popc(__ballot_sync(0xffffffffu, v)); }
struct Lanes { int width; __device__ int first(int v) { return __shfl_sync(~0u, v, width); } };
""",
    "amd_lanes.h": "#define WAVE 64\n",
    "shapes.cuh": """\
#include <cooperative_groups.h>
struct Tile { int x = 1; };
struct Stream { void cudaFree(int); int cudaMalloc; };
namespace own { struct Block { void cudaFree(int); }; }
using Group = cooperative_groups::thread_block_tile<16>;
__device__ inline void wait(volatile int *flag) { while (atomicCAS((int *)flag, 0, 1)) {} __shfl_sync(~0u, 1, 0); }
""",
    "apart/native.cu": """\
__global__ void sums(float *v) {
    float s = v[threadIdx.x];
    for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_xor_sync(0xffffffffu, s, o, warpSize);
    v[0] = s;
}
int lanes_of_device() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); return p.warpSize; }
""",
    "far/reader.cpp": "int launch(void *); int width() { cudaDeviceProp p; return launch(&p) * p.warpSize; }\n",
    "main.cu": """\
#include "lanes.cuh"
#include "shapes.cuh"
#include "Inner"
#include <thrust/sort.h>
__global__ void k(int *p) { __shared__ Tile t; wait(p); p[0] = total(p[1]) + t.x + lanes(p[2]); }
int main() { own::Block b; b.cudaFree(1); k<<<1, 64>>>(nullptr); cudaFree(nullptr); }
int launch(void *p) { return p != nullptr; }
""",
    "Inner": "#pragma once\n__device__ inline int lanes(int v) { return __any_sync(~0u, v) + LANES; }\n",
    "other.cu": "void f(void *p) { cudaFree(p); }\nint size() { cudaDeviceProp p; return p.warpSize; }\n",
    "host.cpp": '#include <cuda_bf16.h>\n#include "lanes.cuh"\nvoid g(void *p) { cudaFree(p); }\n',
    "CMakeLists.txt": "project(a LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_STANDARD 14)\nadd_executable(a main.cu host.cpp)\n",
    "sub/CMakeLists.txt": "find_package(CUDAToolkit)\nadd_library(b ../other.cu)\n",
    "Makefile": "NVCC = nvcc\na: main.cu\n\t$(NVCC) -o a main.cu\n",
    "sub/Makefile": "b: other.cu\n\tnvcc -arch=sm_80 -c other.cu\n",
}
"""A project that asks its files about everything."""


class Injected(Exception):
    """A fault of a test."""


Asked = dict[str, list[str]]
"""By question, the files that were asked, in order."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "src"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def watched(monkeypatch: pytest.MonkeyPatch, meet: Callable[[str, str], object]) -> None:
    """Have `meet` called with the name of each question and the file, before the question is answered."""
    ask, fact = query_cache._Reader.__call__, SourceStore._fact

    def reader(self: query_cache._Reader, query: Query) -> Answer:
        meet(f"{query.question.__module__}.{query.question.__qualname__}", query.path)
        return ask(self, query)

    def of_content(self: SourceStore, search: Callable[[bytes], Any], path: str) -> Any:
        meet(f"{search.__module__}.{search.__qualname__}", path)
        return fact(self, search, path)

    monkeypatch.setattr(query_cache._Reader, "__call__", reader)
    monkeypatch.setattr(SourceStore, "_fact", of_content)


def questions(tree: Path) -> Asked:
    """All questions that planning the tree asks, with the files."""
    asked: Asked = {}
    with pytest.MonkeyPatch.context() as patch:
        watched(patch, lambda question, path: asked.setdefault(question, []).append(path))
        examined(tree)
        examined(tree / "main.cu")
    return asked


def examined(*paths: Path, jobs: int = 1) -> ConversionReport:
    return convert(paths, options=Options(semantics=OFF), jobs=jobs)


def failing(question: str, path: str, error: BaseException) -> Callable[[str, str], None]:
    def meet(asked: str, of: str) -> None:
        if asked == question and os.path.basename(of) == os.path.basename(path):
            raise error

    return meet


def faults_in(report: ConversionReport) -> Mapping[str, list[str]]:
    """By file, the messages of its internal errors."""
    found = {
        Path(result.path).name: [finding.message for finding in result.findings if finding.id == FAULT]
        for result in report.results
    }
    return {name: messages for name, messages in found.items() if messages}


def test_the_project_asks_all_kinds_of_questions(tree: Path) -> None:
    """Those of the whole planning; a new one is met here as soon as a project asks it."""
    kinds = {name.rpartition(".")[2] for name in questions(tree)}
    assert kinds >= {
        *("author_choices_in", "own_builds_in", "warp_functions_in", "size_readers_in", "methods_in", "functions_in"),
        *("is_kept_in", "own_obstacle", "function_summaries", "group_aliases", "_facts", "_constructed"),
        *("include_lines", "named", "types_in_shared_memory", "warp_hints", "may_have_scope_facts", "_classes"),
        *("host_include_lines", "includes_rocprim", "_tells", "may_have_amd_branches"),
    }


def test_an_exception_in_any_question_costs_one_file(tree: Path) -> None:
    expected = ["hipify-py failed on this file: Injected: of a test"]
    given = [tree, tree / "main.cu"]
    whole = [examined(path).with_status(CHANGED) for path in given]
    for question, paths in questions(tree).items():
        for path in dict.fromkeys(paths):
            name = Path(path).name
            with pytest.MonkeyPatch.context() as patch:
                watched(patch, failing(question, path, Injected("of a test")))
                reports = [examined(path) for path in given]
            assert [faults_in(report) for report in reports if faults_in(report)] in (
                [{name: expected}],
                [{name: expected}] * 2,
            ), question
            assert INTERNAL in [exit_code(report.results, "never") for report in reports]
            for before, report in zip(whole, reports, strict=True):
                done = {result.path for result in report.with_status(CHANGED)}
                assert {Path(result.path).name for result in before if result.path not in done} <= {name, "Inner"}
                assert {Path(result.path).name for result in report.failed} <= {name}


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (RecursionError("maximum recursion depth exceeded"), "RecursionError: maximum recursion depth exceeded"),
        (MemoryError(), "out of memory"),
    ],
)
def test_want_of_stack_or_memory_is_a_fault_too(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    question = next(name for name in questions(tree) if name.endswith("function_summaries"))
    watched(monkeypatch, failing(question, "shapes.cuh", error))
    report = examined(tree)
    assert faults_in(report) == {"shapes.cuh": [f"hipify-py failed on this file: {says}"]}


def test_an_interrupt_and_a_wrong_table_end_the_run(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (KeyboardInterrupt(), TableError("of a test")):
        with pytest.MonkeyPatch.context() as patch:
            watched(patch, failing(next(iter(questions(tree))), "main.cu", error))
            with pytest.raises(type(error)):
                examined(tree)


def test_workers_meet_the_same_faults(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_cache, "_LEAST", 0)
    question = next(name for name in questions(tree) if name.endswith("author_choices_in"))
    watched(monkeypatch, failing(question, "lanes.cuh", Injected("of a test")))
    one, two = (examined(tree, jobs=jobs) for jobs in (1, 2))
    assert faults_in(one) == faults_in(two) == {"lanes.cuh": ["hipify-py failed on this file: Injected: of a test"]}


def test_a_question_that_kills_its_process_is_a_fault(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_cache, "_LEAST", 0)
    question = next(name for name in questions(tree) if name.endswith("own_builds_in"))
    (tree / "more.cuh").write_text(FILES["lanes.cuh"].replace("first", "leading").replace("total", "whole"))
    parent = os.getpid()

    def meet(asked: str, path: str) -> None:
        if asked == question and path.endswith("lanes.cuh") and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    watched(monkeypatch, meet)
    report = examined(tree, jobs=2)
    assert set(faults_in(report)) <= {"lanes.cuh"}
    assert {Path(result.path).name for result in report.with_status(CHANGED)} >= {"main.cu", "other.cu", "more.cuh"}


def test_a_header_outside_the_run_gets_a_result_of_its_own(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    question = next(name for name in questions(tree) if name.endswith("_constructed"))
    watched(monkeypatch, failing(question, "shapes.cuh", Injected("of a test")))
    monkeypatch.chdir(tree)
    report = convert(["main.cu"], options=Options(semantics=OFF))
    assert [(result.path, result.status) for result in report.results] == [("main.cu", CHANGED), ("shapes.cuh", FAILED)]
    results = translate_unsaved(FILES["main.cu"].encode(), Group(["main.cu"], Options(semantics=OFF)))
    assert [(result.path, result.status) for result in results] == [("main.cu", CHANGED), ("shapes.cuh", FAILED)]


@pytest.mark.parametrize("name", ["CMakeLists.txt", "Makefile"])
def test_a_build_file_costs_itself(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (kind,) = [kind for kind in build_contexts._TELLING if build_contexts.kind_of(name) == kind]
    module = build_contexts.import_module(build_contexts._TELLING[kind])
    before = module.build_contexts

    def declared(files: Mapping[str, bytes], *more: Any) -> Any:
        if f"sub/{name}" in files:
            raise Injected("of a test")
        return before(files, *more)

    monkeypatch.setattr(module, "build_contexts", declared)
    report = convert([tree], output=tmp_path / "out", options=Options(semantics=OFF))
    told = {result.path for result in report.results if any(finding.id == FAULT for finding in result.findings)}
    assert told == {str(tree / "sub" / name)}
    assert (tmp_path / "out" / name).read_text() != FILES[name]


def test_what_fails_only_together_is_the_fault_of_the_first() -> None:
    def question(names: list[str]) -> list[str]:
        if len(names) > 1:
            raise Injected("of a test")
        return names

    faults = Faults()
    assert faults.ask_together({"a": "x/a", "b": "x/b"}, question, list) == []  # type: ignore[arg-type]
    assert faults == {"x/a": "Injected: of a test"}
