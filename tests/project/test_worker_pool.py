"""Workers answer what they can, wherever and however they are started, and leave the rest to their parent."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hipify_py.core.options import Options
from hipify_py.core.rows import TableError
from hipify_py.project import prefetch_pool, processes, query_cache, worker_pool
from hipify_py.project.api import convert
from hipify_py.project.contexts import ContextMap
from hipify_py.project.executor import Job
from hipify_py.project.result import FileResult
from hipify_py.project.work import NO_OUTPUT, Task
from hipify_py.project.worker_pool import WorkerPool

SOURCES = {
    "sizes.cuh": "#pragma once\nconstexpr int kWarpSize = 32;\n__device__ int x;\nstruct Tile { int n = 0; };\n",
    "votes.cuh": '#include "sizes.cuh"\n__device__ int votes(int p) { return __ballot_sync(~0u, p) & kWarpSize; }\n',
    "plain.hpp": "#include <cuda.h>\nnamespace own { struct S { void cuInit(int); }; }\n",
    "main.cu": '#include "votes.cuh"\n#include "plain.hpp"\n'
    "__global__ void k(int *p) { __shared__ Tile t; p[0] = votes(p[1]) + t.n; }\n",
    **{f"{name}.cuh": f"#pragma once\nstruct Tile{name} {{ int x = 0; }};\n" for name in "abc"},
    "tiles.cu": '#include "a.cuh"\n#include "b.cuh"\n#include "c.cuh"\n'
    "__global__ void k() { __shared__ Tilea a; __shared__ Tileb b; __shared__ Tilec c; }\n",
    "host.cpp": '#include "plain.hpp"\nvoid f() { own::S().cuInit(0); cuInit(0); cudaFoo(); }\n',
}


@pytest.fixture(params=["copies", "new interpreters"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start as on Linux, and as on Windows and macOS."""
    if request.param == "copies":
        if not worker_pool.can_fork():
            pytest.skip("NOT TESTED: processes cannot be copied here")
    else:
        monkeypatch.setattr(worker_pool, "can_fork", lambda: False)


def _length(data: bytes) -> tuple[int, int]:
    return len(data), os.getpid()


def _dies_of_two(data: bytes) -> int:
    if len(data) == 2:
        os.kill(os.getpid(), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    if len(data) == 3:
        raise ValueError
    return len(data)


@pytest.mark.usefixtures("start")
def test_each_request_is_answered_once() -> None:
    with WorkerPool(2, _length) as pool:
        for number in range(50):
            pool.submit(number, b"x" * number * 1000)
        answers = dict(pool)
    assert {number: answer[0] for number, answer in answers.items() if answer} == {n: n * 1000 for n in range(50)}
    assert len({answer[1] for answer in answers.values() if answer}) == 2
    assert os.getpid() not in {answer[1] for answer in answers.values() if answer}


@pytest.mark.usefixtures("start")
def test_what_a_dead_worker_had_is_left_unanswered_and_others_go_on() -> None:
    with WorkerPool(2, _dies_of_two) as pool:
        for number in range(1, 9):
            pool.submit(number, b"x" * number)
        assert dict(pool) == {1: 1, 2: None, 3: None, **{number: number for number in range(4, 9)}}


def test_without_any_worker_left_all_is_unanswered() -> None:
    with WorkerPool(1, _dies_of_two) as pool:
        for number in range(5):
            pool.submit(number, b"xx")
        assert dict(pool) == dict.fromkeys(range(5))
        pool.submit(5, b"x")
        pool.submit(6, b"x", 0)
        assert dict(pool) == {5: None, 6: None}


@pytest.mark.skipif(not worker_pool.can_fork(), reason="NOT TESTED: workers are no copies with the patched function")
@pytest.mark.parametrize("is_alone", [False, True], ids=["several workers", "one after another was killed"])
def test_an_error_that_is_no_files_fault_ends_the_run(is_alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()

    def refuse(tasks: Sequence[Task], job: Job) -> list[FileResult]:
        assert os.getpid() != parent
        raise TableError("own.yaml: wrong")

    monkeypatch.setattr(processes, "do", refuse)
    tasks, job = [Task("a.cu", size=1), Task("b.cu", size=1)], Job(Options(), ContextMap(), NO_OUTPUT)
    results = processes._one_by_one(tasks, [0, 1], job) if is_alone else processes._parallel(tasks, job, 2)
    with pytest.raises(TableError, match=r"own\.yaml: wrong"):
        list(results)


@pytest.mark.usefixtures("start")
def test_a_run_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts, questions and tasks are done by workers."""
    monkeypatch.setattr(prefetch_pool, "_LEAST", 0)
    monkeypatch.setattr(prefetch_pool, "_SHARE", 1)
    monkeypatch.setattr(query_cache, "_LEAST", 0)
    monkeypatch.setattr("hipify_py.project.processes.PARALLEL_BYTES", 0)
    started = []
    start = worker_pool._Worker.__init__

    def noted(worker: worker_pool._Worker, server: object, *more: object) -> None:
        started.append(type(server).__name__)
        start(worker, server, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(worker_pool._Worker, "__init__", noted)
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    one, two = (
        [(r.path, r.output, r.findings, r.left) for r in convert([tmp_path], jobs=jobs, wanted="output").results]
        for jobs in (1, 2)
    )
    assert one == two
    assert {"function", "_Reader", "_TaskServer"} <= set(started)
