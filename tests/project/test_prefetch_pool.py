"""Facts of many files are found by several processes; they are those that one would find."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hipify_py.project import prefetch_pool as looking_ahead
from hipify_py.project import worker_pool
from hipify_py.project.api import check, convert
from hipify_py.project.content_facts import FileFacts, name_of
from hipify_py.project.prefetch_pool import Undone, find_facts_in_processes
from hipify_py.project.source_store import SourceStore

_PARENT = os.getpid()


def _where(data: bytes) -> tuple[int, bool]:
    return len(data), os.getpid() != _PARENT


def _first(data: bytes) -> bytes:
    return data[:1]


def _dies(data: bytes) -> int:
    if os.getpid() != _PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(data)


def _fails(data: bytes) -> int:
    if data == b"ccc":
        raise ArithmeticError(data)
    return len(data)


def _unsendable(data: bytes) -> object:
    return _where if os.getpid() != _PARENT else len(data)


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Which processes are started, for however little."""
    monkeypatch.setattr(looking_ahead, "_LEAST", 0)
    monkeypatch.setattr(looking_ahead, "_SHARE", 1)
    made: list[Any] = []

    class Noting(worker_pool.WorkerPool[Any, Any]):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.extend(self._workers)

    monkeypatch.setattr(looking_ahead, "WorkerPool", Noting)
    yield made
    assert not any(worker._process.is_alive() for worker in made)


UNDONE: list[Undone] = [(b"a", [_where, _first]), (b"bb", [_first]), (b"ccc", [_where]), (b"", [_where])]


@pytest.mark.parametrize("jobs", [1, 2, 3, 50])
def test_facts_come_with_their_contents(jobs: int, started: list[object]) -> None:
    assert find_facts_in_processes(UNDONE, jobs) == [
        {name_of(_where): (1, True), name_of(_first): b"a"},
        {name_of(_first): b"b"},
        {name_of(_where): (3, True)},
        {name_of(_where): (0, True)},
    ]
    assert len(started) == min(jobs, 4)


@pytest.mark.parametrize("bad", [_dies, _fails, _unsendable])
def test_what_a_process_does_not_find_is_found_here(bad: Callable[[bytes], object], started: list[object]) -> None:
    facts = FileFacts()
    texts = SourceStore({"a": b"a", "b": b"bb", "c": b"ccc", "d": b"dddd"}, facts, jobs=2)
    texts.expect([("a", [_where, bad]), ("b", [_where, _first]), ("c", [bad]), ("d", [_where])])
    assert len(started) == 2
    assert [texts.fact(_where, path)[0] for path in "abd"] == [1, 2, 4]
    assert texts.fact(_first, "b") == b"b"
    assert any(texts.fact(_where, path)[1] for path in "abd") or bad is not _fails
    if bad is _fails:
        assert texts.fact(bad, "c") == 0, "what it finds in an empty file"
        assert [*texts.faults] == ["c"]
    else:
        assert texts.fact(bad, "c") == 3


def test_an_interrupted_look_ends_its_processes(monkeypatch: pytest.MonkeyPatch, started: list[object]) -> None:
    def interrupted(pool: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(worker_pool.WorkerPool, "replies", interrupted)
    with pytest.raises(KeyboardInterrupt):
        find_facts_in_processes(UNDONE, 2)
    assert len(started) == 2


def test_what_is_known_is_not_looked_for(started: list[object]) -> None:
    facts = FileFacts()
    for number in range(2):
        texts = SourceStore({"a": b"a", "b": b"bb", "same": b"a"}, facts, jobs=2)
        texts.expect([("a", [_where]), ("b", [_where]), ("same", [_where])])
        assert len(started) == 2
        assert [texts.fact(_where, path) for path in ("a", "b", "same")] == [(1, True), (2, True), (1, True)], number
    SourceStore({"a": b"x"}, facts).expect([("a", [_where])])
    SourceStore({"a": b"x"}, jobs=2).expect([("a", [_where])])
    assert len(started) == 2, "one job, and nowhere to keep what is found"


def test_little_is_looked_through_here(monkeypatch: pytest.MonkeyPatch, started: list[object]) -> None:
    monkeypatch.setattr(looking_ahead, "_LEAST", 7)
    assert find_facts_in_processes(UNDONE, 2) == [{}, {}, {}, {}]
    assert not started


def test_a_run_is_the_same(tmp_path: Path, started: list[object]) -> None:
    files = {
        "sizes.cuh": "#pragma once\nconstexpr int kWarpSize = 32;\n__device__ int x;\n",
        "votes.cuh": '#include "sizes.cuh"\n__device__ int votes(int p) { return __ballot_sync(~0u, p); }\n',
        "plain.hpp": "#include <cuda.h>\nnamespace own { struct S { void cuInit(int); }; }\n",
        "main.cu": '#include "votes.cuh"\n#include "plain.hpp"\n__global__ void k(int *p) { p[0] = votes(p[1]); }\n',
        "host.cpp": '#include "plain.hpp"\nvoid f() { own::S().cuInit(0); cuInit(0); cudaFoo(); }\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    one, two = (
        [(r.path, r.output, r.findings, r.left) for r in convert([tmp_path], jobs=jobs, wanted="output").results]
        for jobs in (1, 2)
    )
    assert started
    assert one == two


def test_a_large_project_is_read_through_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[object]
) -> None:
    """What is not kept of its contents is searched with the others."""
    monkeypatch.setattr("hipify_py.project.source_store._MOST_KEPT", 30)
    for number in range(4):
        (tmp_path / f"{number}.cuh").write_text(f"const int kWarpSize = {number};\n")
    results = check([tmp_path], jobs=2).results
    assert [result.status for result in results] == ["unchanged"] * 4
    assert len(started) == 2


def test_contents_are_searched_in_rounds(monkeypatch: pytest.MonkeyPatch, started: list[object]) -> None:
    """A large project's contents are not in memory together."""
    monkeypatch.setattr("hipify_py.project.source_store._MOST_SEARCHED", 2)
    contents = {name: name.encode() * 2 for name in "abcde"}
    texts = SourceStore(contents, FileFacts(), jobs=2)
    texts.expect((path, [_where]) for path in contents)
    assert [texts.fact(_where, path) for path in contents] == [(2, True)] * 5
    assert len(started) > 2
