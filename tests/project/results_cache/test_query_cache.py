"""What files are asked about their warps and scopes is remembered, and asked again of what has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.catalog import load_catalog
from hipify_py.core.project_context import ProjectContext, has_file
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.project.api import ConversionReport, check
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.query_cache import QueryCache, Read
from hipify_py.translator.translate import lexer

FILES = {
    "a.cu": '#include "sum.cuh"\n__global__ void k(int *p) { p[0] = sum(p[threadIdx.x % kWarpSize]); }\n',
    "c.cu": "void f(float *p) { cudaFree(p); }\n",
    "size.cuh": "#ifdef USE_ROCM\nconstexpr int kWarpSize = 64;\n#else\nconstexpr int kWarpSize = 32;\n#endif\n",
    "sum.cuh": '#include "size.cuh"\n__device__ inline int sum(int v) {\n'
    "  for (int d = kWarpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);\n  return v;\n}\n",
    "own.h": "namespace own { struct Stream { void cudaStreamQuery(); }; }\n",
    "d.h": '#include "own.h"\nstruct Derived : own::Stream {};\n',
    "d.cu": '#include "d.h"\nvoid g(Derived& d) { d.cudaStreamQuery(); cudaStreamQuery(0); }\n',
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the files that are read for what the others are told of them."""
    names: set[str] = set()
    init = QueryCache.__init__

    def noting(
        self: QueryCache,
        options: Options,
        facts: FileFacts,
        text: Callable[[str], bytes],
        read: Read,
        jobs: int = 1,
        **more: bool,
    ) -> None:
        def noted(data: bytes, path: str, project: ProjectContext, known: Unit | None) -> Unit:
            names.add(Path(path).name)
            return read(data, path, project, known)

        init(self, options, facts, text, noted, jobs, **more)

    monkeypatch.setattr(QueryCache, "__init__", noting)
    return names


def said(report: ConversionReport) -> list[object]:
    return [result._replace(read_as=None) for result in report.results]


def run(project: Path, read: set[str]) -> set[str]:
    """The files that a run with what is kept reads for their warps; it says what one without says."""
    read.clear()
    cached = check([project], jobs=1, cache=True)
    found = set(read)
    assert said(cached) == said(check([project], jobs=1))
    return found


def test_nothing_is_asked_again(project: Path, read: set[str]) -> None:
    assert run(project, read) >= {"size.cuh", "sum.cuh", "a.cu", "own.h", "d.h"}
    assert run(project, read) == set()


@pytest.mark.parametrize(
    ("name", "text", "asked"),
    [
        ("c.cu", FILES["c.cu"] + "// more\n", set()),
        ("a.cu", FILES["a.cu"] + "// more\n", {"a.cu"}),
        ("sum.cuh", FILES["sum.cuh"].replace("_xor", "_down"), {"sum.cuh"}),
        ("size.cuh", FILES["size.cuh"].replace("kWarpSize", "kWarpSize, kWarpWidth"), {"size.cuh"}),
        ("size.cuh", FILES["size.cuh"].replace("kWarpSize", "kWarpWidth"), {"size.cuh"}),
        ("own.h", FILES["own.h"] + "// more\n", {"own.h"}),
        ("own.h", FILES["own.h"].replace("Query", "Destroy"), {"own.h", "d.h"}),
        ("e.cu", "void g(float *p) { cudaFree(p); }\n", set()),
        ("e.cu", '#include "sum.cuh"\n__global__ void k(int *p) { p[0] = sum(p[0]); }\n', set()),
    ],
)
def test_what_has_changed_is_asked_again(project: Path, read: set[str], name: str, text: str, asked: set[str]) -> None:
    run(project, read)
    (project / name).write_text(text)
    assert run(project, read) - {name} == asked - {name}
    assert run(project, read) == set()


def test_other_options_have_answers_of_their_own(project: Path, read: set[str]) -> None:
    run(project, read)
    read.clear()
    check([project], jobs=1, cache=True, options=Options(fixes=frozenset()))
    assert "sum.cuh" in read


def read_plainly(data: bytes, path: str, project: ProjectContext, known: Unit | None) -> Unit:
    catalog = load_catalog()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, Options(), project)


def has_header(unit: Unit, name: str) -> bool:
    return has_file(unit.project, name)


def test_an_answer_holds_as_long_as_the_project_has_the_files_that_were_asked_for() -> None:
    facts = FileFacts()
    first, more, further = (
        ProjectContext(local_headers=frozenset(names)) for names in ([], ["other.h"], ["other.h", "a.h"])
    )

    def answers() -> QueryCache:
        return QueryCache(Options(), facts, lambda path: b"__device__ int lane;\n", read_plainly)

    assert answers().get(has_header, "x.cuh", first, "a.h") is False
    (kept,) = facts.answers.values()
    assert answers().get(has_header, "x.cuh", more, "a.h") is False
    assert list(facts.answers.values()) == [kept]
    assert answers().get(has_header, "x.cuh", further, "a.h") is True


def test_only_the_last_files_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large project has more trees than fit."""
    texts = {name: b"int " + name.encode() + b";" for name in "abc"}
    monkeypatch.setattr("hipify_py.project.query_cache._MOST_READ", sum(map(len, texts.values())) - 1)
    parsed = list[str]()

    def unit(data: bytes, path: str, project: ProjectContext, _: Unit | None) -> Unit:
        parsed.append(path)
        catalog = load_catalog()
        return Unit(Source(data, path), lexer(catalog).scan(data), catalog, Options(), project)

    cache = QueryCache(Options(), FileFacts(), texts.__getitem__, unit)
    for question in (_name, _size):
        for path, data in texts.items():
            expected = question(unit(data, path, ProjectContext(), None))
            assert cache.get(question, path, ProjectContext()) == expected
    assert len(cache._reader.units) == 2
    assert parsed.count("a") == 4, "twice for the test, and again after the others"


def _name(unit: Unit) -> str:
    return unit.source.path


def _size(unit: Unit) -> int:
    return len(unit.source.data)
