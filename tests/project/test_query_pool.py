"""Files are asked in processes of their own where there is much to read; what they say is the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hipify_py.analysis.warp.file_summaries import WarpReader
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.frontend.unit import Unit
from hipify_py.project import query_cache, query_pool, worker_pool
from hipify_py.project.api import convert, convert_groups
from hipify_py.project.constructed_classes import ConstructedClasses
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.contexts import ContextMap
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.discovery import Selection
from hipify_py.project.faults import Faults, Killed
from hipify_py.project.groups import Group
from hipify_py.project.header_queries import header_query_cache
from hipify_py.project.header_scopes import OwnScopes
from hipify_py.project.processes import Processes
from hipify_py.project.query import Answer, Query
from hipify_py.project.query_pool import QueryPool
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_facts import with_warps

HEADER = """\
#pragma once
#ifdef USE_ROCM
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif
__device__ inline float sum@(float v) {
    for (int o = WARP_SIZE / 2; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__device__ inline unsigned votes@(int p) { return __ballot_sync(0xffffffff, p); }
__device__ inline int count@(unsigned mask) { return __popc(mask); }
"""
USER = """\
#include "a.cuh"
#include "b.cuh"
#include "c.cuh"
__device__ inline float both(float v) { return suma(v) + sumb(v) + sumc(v); }
__global__ void k(float *p, int *n) { p[0] = both(p[0]); n[0] = counta(__ballot_sync(0xffffffff, n[1])); }
"""


@pytest.fixture(autouse=True)
def anything_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files count as much to read."""
    monkeypatch.setattr(query_cache, "_LEAST", 0)


@pytest.fixture
def tree(tmp_path: Path) -> list[str]:
    """A project whose files ask each other."""
    for name in "abc":
        (tmp_path / f"{name}.cuh").write_text(HEADER.replace("@", name))
    (tmp_path / "helpers.cuh").write_text(USER)
    (tmp_path / "main.cu").write_text('#include "helpers.cuh"\n' + USER.replace("both", "all_of"))
    return [str(path) for path in sorted(tmp_path.iterdir())]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[QueryPool]]:
    """Which processes are started."""
    made: list[QueryPool] = []

    class Noting(QueryPool):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(query_pool, "QueryPool", Noting)
    yield made
    assert not any(worker._process.is_alive() for each in made for worker in each._workers._workers)


@pytest.mark.parametrize("fixes", [frozenset[str](), frozenset({"wavefront"})])
def test_what_files_are_told_is_the_same(tree: list[str], started: list[QueryPool], fixes: frozenset[str]) -> None:
    options = Options(fixes=fixes)
    facts = [FileFacts(), FileFacts()]
    alone = with_warps(ContextMap(), tree, [], options, SourceStore(facts=facts[0]), is_whole=True)
    assert not started
    together = with_warps(ContextMap(), tree, [], options, SourceStore(facts=facts[1], jobs=2), is_whole=True)
    assert len(started) == 1
    assert alone == together
    assert facts[0].answers == facts[1].answers
    with_warps(ContextMap(), tree, [], options, SourceStore(facts=facts[1], jobs=2), is_whole=True)
    assert len(started) == 1, "all of it was known"


def _told(facts_of: type[OwnScopes | ConstructedClasses], paths: list[str], facts: FileFacts, jobs: int) -> ContextMap:
    texts = SourceStore(facts=facts, jobs=jobs)
    with closing(header_query_cache(texts)) as answers:
        return facts_of(paths, [], texts, answers).with_facts(ContextMap())


def test_what_scopes_mean_is_the_same(tree: list[str], started: list[QueryPool]) -> None:
    folder = Path(tree[0]).parent
    for name in "xyz":
        (folder / f"{name}.hpp").write_text(f"namespace own{name} {{ struct S {{ void cudaFree(int); }}; }}\n")
    (folder / "below.hpp").write_text('#include "x.hpp"\nstruct Below : ownx::S {};\n')
    paths = [str(path) for path in sorted(folder.iterdir())]
    facts = [FileFacts(), FileFacts()]
    alone, together = (_told(OwnScopes, paths, known, jobs) for known, jobs in zip(facts, (1, 2), strict=True))
    assert len(started) == 1
    assert alone.by_path
    assert alone == together
    assert facts[0].answers == facts[1].answers


def test_which_classes_are_constructed_is_the_same(tmp_path: Path, started: list[QueryPool]) -> None:
    files = {f"{name}.cuh": f"#pragma once\nstruct Tile{name} {{ int x = 0; }};\n" for name in "abc"}
    files |= {"unseen.cuh": "struct Tilea { int x = 0; };\n", "named.cuh": "struct Own;  // Tilea {\n"}
    files["main.cu"] = "".join(f'#include "{path}"\n' for path in files if path != "unseen.cuh")
    files["main.cu"] += "__global__ void k() { __shared__ Tilea a; __shared__ Tileb b; __shared__ Tilec c; }\n"
    files["plain.cu"] = '#include "a.cuh"\n__global__ void k() { __shared__ Own own; }\n'
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    facts = [FileFacts(), FileFacts()]
    alone, together = (_told(ConstructedClasses, paths, known, jobs) for known, jobs in zip(facts, (1, 2), strict=True))
    assert len(started) == 1
    told = {os.path.basename(path): context.constructed for path, context in alone.by_path.items()}
    assert told == {"main.cu": {b"Tilea", b"Tileb", b"Tilec"}}
    assert alone == together
    assert facts[0].answers == facts[1].answers
    assert len(facts[0].answers) == 3, "what nobody sees that wants it is not asked"


def test_all_that_headers_are_asked_the_same_processes_answer(tmp_path: Path, started: list[QueryPool]) -> None:
    for name in "abc":
        text = f"namespace own{name} {{ struct S {{ void cudaFree(int); }}; }}\nstruct Tile{name} {{ int x = 0; }};\n"
        (tmp_path / f"{name}.hpp").write_text(text)
    includes = "".join(f'#include "{name}.hpp"\n' for name in "abc")
    (tmp_path / "main.cu").write_text(includes + "__global__ void k() { __shared__ Tilea a; __shared__ Tileb b; }\n")
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    told = build_contexts(ProjectContext(), paths, [], Options(), SourceStore(facts=FileFacts(), jobs=2)).of(paths[-1])
    assert told.constructed == {b"Tilea", b"Tileb"}
    assert len({name.scope for name in told.own_names}) == 3
    assert len(started) == 1


def test_a_run_is_the_same(tree: list[str], started: list[QueryPool]) -> None:
    folder = os.path.dirname(tree[0])
    one, two = (convert([folder], jobs=jobs, wanted="output") for jobs in (1, 2))
    assert started
    assert [(each.path, each.output, each.findings) for each in one.results] == [
        (each.path, each.output, each.findings) for each in two.results
    ]


def test_beside_a_cluster_no_processes_are_started(tree: list[str], started: list[QueryPool]) -> None:
    """Its client has threads, which do not get on with forking."""
    group = Group([os.path.dirname(tree[0])], Options(), Selection())
    for executor, is_started in ((Processes(1), False), (None, True)):
        convert_groups([group], jobs=2, executor=executor)
        assert bool(started) is is_started


def _asking(path: str) -> Query:
    return Query(len, path, ProjectContext())


def _answer(asking: Query) -> Answer:
    if asking.path == "dies" and os.getpid() != _PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    if asking.path == "fails" and os.getpid() != _PARENT:
        raise ValueError
    return (asking.path, os.getpid() != _PARENT), {}


_PARENT = os.getpid()


def test_what_a_process_fails_to_answer_is_answered_here() -> None:
    answering = QueryPool(1, _answer)
    try:
        answering.prefetch(b"1", _asking("fails"), 1)
        answering.prefetch(b"2", _asking("more"), 1)
        assert answering.get(b"1", _asking("fails"), 1) == (("fails", False), {})
        assert answering.get(b"2", _asking("more"), 1) == (("more", True), {})
    finally:
        answering.close()


def test_what_kills_a_process_is_not_asked_here() -> None:
    """Others that waited for the same process are asked in another one."""
    answering = QueryPool(1, _answer)
    try:
        for key, path in enumerate(["before", "dies", "more", "further"]):
            answering.prefetch(b"%d" % key, _asking(path), 1)
        assert answering.get(b"0", _asking("before"), 1) == (("before", True), {})
        assert answering.get(b"2", _asking("more"), 1) == (("more", True), {})
        for _ in range(2):
            with pytest.raises(Killed):
                answering.get(b"1", _asking("dies"), 1)
        assert answering.get(b"3", _asking("further"), 1) == (("further", True), {})
    finally:
        answering.close()


def test_a_question_that_cannot_be_sent_is_answered_here() -> None:
    answering = QueryPool(1, _answer)
    unsendable = Query(lambda unit: 0, "alone", ProjectContext())
    try:
        answering.prefetch(b"1", unsendable, 1)
        assert answering.get(b"1", unsendable, 1) == (("alone", False), {})
        assert answering.get(b"2", _asking("more"), 1) == (("more", False), {})
    finally:
        answering.close()


@pytest.mark.parametrize("is_shared", [False, True], ids=["large questions", "small ones sent ahead"])
def test_each_file_is_asked_in_one_process_and_answers_may_be_large(is_shared: bool) -> None:
    def reader(asking: Query) -> Answer:
        return (os.getpid(), b"x" * 300_000), {}

    answering = QueryPool(2, reader)
    try:
        paths = [f"{number}.cuh" for number in range(6)] * 2
        project = ProjectContext(local_headers=frozenset({"h" * 300_000}))
        for number, path in enumerate(paths):
            if not is_shared:
                project = ProjectContext(local_headers=frozenset({f"{number}" * 300_000}))
            answering.prefetch(b"%d" % number, Query(len, path, project), 1000)
        assert {len(process.under_way) for process in answering._workers._workers} == {6 if is_shared else 1}
        owners = [answering.get(b"%d" % number, _asking(path), 1000)[0][0] for number, path in enumerate(paths)]
        assert owners[:6] == owners[6:]
        assert len(set(owners)) == 2
        assert os.getpid() not in owners
    finally:
        answering.close()


def test_what_waits_behind_a_question_fits_into_a_pipe() -> None:
    def reader(asking: Query) -> Answer:
        return asking.path, {}

    answering = QueryPool(1, reader)
    try:
        paths = [f"{number:03}{'x' * 100}" for number in range(200)]
        for path in paths:
            answering.prefetch(path.encode(), _asking(path), 1)
        (process,) = answering._workers._workers
        assert 20 < len(process.under_way) < 40
        assert worker_pool._AHEAD - 200 < process.size_ahead() <= worker_pool._AHEAD
        assert [answering.get(path.encode(), _asking(path), 1)[0] for path in reversed(paths)] == paths[::-1]
        assert not process.under_way
    finally:
        answering.close()


def _faulty(unit: Unit) -> bool:
    if unit.source.data and unit.source.path != "a.cuh":
        raise ArithmeticError(unit.source.path)
    return bool(unit.source.data)


def test_what_cannot_be_examined_answers_as_an_empty_file(started: list[QueryPool]) -> None:
    shared = WarpReader(Options())
    texts = {"a.cuh": b"int x;", "b.cuh": b"int x, y;", "c.cuh": b"int x, y, z;"}
    faults = Faults()
    asked = query_cache.QueryCache(Options(), FileFacts(), texts.__getitem__, shared.unit, 2, faults=faults)
    try:
        asked.prefetch(Query(_faulty, path, ProjectContext()) for path in texts)
        assert started
        assert [asked.get(_faulty, path, ProjectContext()) for path in texts] == [True, False, False]
        assert faults == {"b.cuh": "ArithmeticError: b.cuh", "c.cuh": "ArithmeticError: c.cuh"}
    finally:
        asked.close()
