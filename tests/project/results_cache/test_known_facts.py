"""What the contents of files say by themselves is found once, and again where that cannot be trusted."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from hipify_py.project import include_graph, sibling_headers, warp_hints
from hipify_py.project.api import check
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.results_cache.store import Store
from hipify_py.project.source_store import SourceStore

FILES = {
    "a.cu": '#include "sizes.cuh"\n__global__ void k(int *p) { p[threadIdx.x % kWarpSize] = __ballot_sync(~0u, 1); }\n',
    "b.cu": '#include "sizes.cuh"\nvoid f(float *p) { cudaFree(p); }\n',
    "sizes.cuh": "#pragma once\nconstexpr int kWarpSize = 32;\n__device__ int x;\n",
    "plain.h": '#include "sizes.cuh"\n',
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
def searched(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The contents that are searched for includes."""
    found: list[bytes] = []
    search = include_graph.include_lines

    def noted(data: bytes) -> object:
        found.append(data)
        return search(data)

    noted.__module__, noted.__qualname__ = search.__module__, search.__qualname__
    monkeypatch.setattr(include_graph, "include_lines", noted)
    return found


def contents(*names: str) -> list[bytes]:
    return sorted(FILES[name].encode() for name in names)


def test_a_content_is_searched_once_in_a_run(project: Path, searched: list[bytes]) -> None:
    check([project], jobs=1)
    assert sorted(searched) == contents(*FILES)


def test_only_changed_contents_are_searched_again(project: Path, searched: list[bytes]) -> None:
    check([project], jobs=1, cache=True)
    searched.clear()
    check([project], jobs=1, cache=True)
    assert searched == []
    (project / "b.cu").write_text(FILES["b.cu"] + "// more\n")
    (project / "again.h").write_text(FILES["plain.h"])
    check([project], jobs=1, cache=True)
    assert searched == [FILES["b.cu"].encode() + b"// more\n"]
    searched.clear()
    check([project], jobs=1)
    assert len(searched) == 4  # of five files, two are the same


def test_another_installation_has_facts_of_its_own(project: Path) -> None:
    store = Store()
    facts = FileFacts(store, b"one")
    facts.find(len, b"abc", facts.about(b"abc"))
    facts.save()
    assert FileFacts(store, b"one").about(b"abc") != {}
    assert FileFacts(store, b"two").about(b"abc") == {}


@pytest.mark.parametrize(
    "search",
    [include_graph.include_lines, sibling_headers.named, warp_hints.warp_hints],
)
@pytest.mark.parametrize("name", FILES)
def test_facts_can_be_kept(name: str, search: object) -> None:
    assert callable(search)
    data = FILES[name].encode() + b'#include "\xff.h"\n#define H <\xfe.h>\n'
    found = search(data)
    assert marshal.loads(marshal.dumps(found, 4)) == found


def test_texts_ask_each_content_once() -> None:
    asked = []

    def search(data: bytes) -> int:
        asked.append(data)
        return len(data)

    facts = FileFacts()
    for _ in range(2):
        texts = SourceStore({"a": b"abc", "b": b"abc", "c": b"abcd"}, facts)
        assert [texts.fact(search, path) for path in "abca"] == [3, 3, 4, 3]
    assert asked == [b"abc", b"abcd"]
