"""Headers are found in the folders above a file, in a small run and in one that looks for very many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.project import sibling_headers
from hipify_py.project.sibling_headers import included
from hipify_py.project.source_store import SourceStore

MANY = "".join(
    f'#include "missing_{number}.h"\n#include <missing/{number}.h>\n#include <../missing_{number}.h>\n'
    for number in range(200)
)


def _write(path: Path, text: str = "") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def _found(root: Path, paths: list[str]) -> list[str]:
    return sorted(os.path.relpath(path, root) for path in included(paths, SourceStore()))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    _write(tmp_path / "include" / "project" / "a.h", '#include "detail/b.h"\n#include <project/c.h>\n')
    _write(tmp_path / "include" / "project" / "detail" / "b.h")
    _write(tmp_path / "include" / "project" / "c.h", '#include "../d.h"\n')
    _write(tmp_path / "include" / "d.h")
    _write(tmp_path / "src" / "include" / "project" / "e.h")
    _write(tmp_path / "src" / "f.h")
    _write(tmp_path / "src" / "ü" / "g.h")
    return tmp_path


INCLUDES = (
    '#include <project/a.h>\n#include "project/e.h"\n#include "f.h"\n#include "../include/d.h"\n'
    '#include "ü/g.h"\n#include "./f.h"\n'
)
EXPECTED = [
    "include/d.h",
    "include/project/a.h",
    "include/project/c.h",
    "include/project/detail/b.h",
    "src/f.h",
    "src/include/project/e.h",
    "src/ü/g.h",
]


@pytest.mark.parametrize("missing", ["", MANY])
def test_headers_are_found_from_a_file(tree: Path, missing: str) -> None:
    source = _write(tree / "src" / "kernels" / "one.cu", missing + INCLUDES)
    assert _found(tree, [source]) == EXPECTED


def test_the_nearest_header_of_a_name_is_found(tree: Path) -> None:
    _write(tree / "src" / "include" / "d.h")
    source = _write(tree / "src" / "kernels" / "one.cu", MANY + "#include <project/e.h>\n" + '#include "d.h"\n')
    assert _found(tree, [source]) == ["src/include/d.h", "src/include/project/e.h"]


@pytest.mark.parametrize("missing", ["", MANY])
def test_paths_that_lead_up_begin_at_each_folder(tree: Path, missing: str) -> None:
    _write(tree / "lib" / "deep" / "h.h")
    _write(tree.parent / "beside.h")
    (tree / "src" / "up").symlink_to(tree / "lib" / "deep")
    includes = "#include <../lib/deep/h.h>\n#include <../beside.h>\n#include <../../lib/./deep/../none.h>\n"
    source = _write(tree / "src" / "kernels" / "one.cu", missing + includes)
    assert _found(tree, [source]) == ["../beside.h", "lib/deep/h.h"]


def test_a_folder_is_no_header(tree: Path) -> None:
    (tree / "src" / "folder.h").mkdir()
    source = _write(tree / "src" / "one.cu", MANY + '#include "folder.h"\n#include "d.h"\n')
    assert _found(tree, [source]) == ["include/d.h"]


def test_few_folders_are_asked_for_headers_that_are_nowhere(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [_write(tree / f"part_{number}" / "one.cu", MANY) for number in range(40)]
    asked: list[str] = []
    is_file = os.path.isfile
    monkeypatch.setattr(sibling_headers.os.path, "isfile", lambda path: asked.append(path) or is_file(path))
    assert _found(tree, paths) == []
    beside_each, folders, beyond_the_top = 200, 2 * 41, 200
    assert len(asked) <= 40 * beside_each + sibling_headers._PATIENCE + folders + beyond_the_top


def test_only_what_begins_a_line_is_an_include(tree: Path) -> None:
    text = (
        '\t# include "f.h"\nint x; #include "../include/d.h"\n##include <project/a.h>\n'
        '// #include "project/e.h"\n  #include <project/c.h> // #include "ü/g.h"\n'
    )
    source = _write(tree / "src" / "one.cu", text)
    assert _found(tree, [source]) == ["include/d.h", "include/project/c.h", "src/f.h"]
