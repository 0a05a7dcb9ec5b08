"""What a conversion changes in each file, for the formats that show it."""

from __future__ import annotations

from pathlib import Path

from hipify_py.core.diff import CONTEXT
from hipify_py.core.edits import Edit
from hipify_py.project.api import convert_groups
from hipify_py.project.groups import Group
from hipify_py.project.result import LARGEST, FileResult, changes_of
from hipify_py.project.unsaved import translate_unsaved

SOURCE = b"int a;\nint b;\nint c;\nint d;\nvoid f() { cudaFree(0); }\nint e;"


def results(root: Path, *, changes: bool = True, cache: bool = False, in_place: bool = False) -> dict[str, FileResult]:
    group = Group([str(root)])
    (report,) = convert_groups([group], jobs=1, changes=changes, cache=cache, in_place=in_place, force=True)
    return {Path(result.path).name: result for result in report.results}


def test_the_changed_lines_with_those_around_them() -> None:
    changes = changes_of(SOURCE, [Edit(39, 47, b"hipFree")])
    assert changes is not None
    (hunk,) = changes.hunks
    assert (hunk.start, hunk.new_start, hunk.behind) == (1, 1, [b"int e;"])
    assert hunk.parts == [
        ([b"int b;\n", b"int c;\n", b"int d;\n"], [b"void f() { cudaFree(0); }\n"], [b"void f() { hipFree(0); }\n"])
    ]
    assert len(hunk.parts[0][0]) == CONTEXT


def test_edits_that_change_nothing() -> None:
    assert changes_of(SOURCE, []) is None
    assert changes_of(SOURCE, [Edit(0, 3, b"int")]) is None


def test_changes_that_are_too_large_are_left_out() -> None:
    data = b"cudaFree(0);\n" * 20_000
    changes = changes_of(data, [Edit(at, at + 4, b"hip") for at in range(0, len(data), 13)])
    assert changes is not None
    assert changes.hunks == ()
    assert changes.size > LARGEST


def test_they_are_told_where_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(SOURCE)
    (tmp_path / "plain.cu").write_bytes(b"int a;\n")
    assert results(tmp_path, changes=False)["a.cu"].changes is None
    found = results(tmp_path)
    assert found["plain.cu"].changes is None
    assert found["a.cu"].changes is not None


def test_results_of_the_cache_have_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(SOURCE)
    assert results(tmp_path, changes=False, cache=True)["a.cu"].changes is None
    assert results(tmp_path, cache=True) == results(tmp_path)
    assert results(tmp_path, changes=False, cache=True)["a.cu"].changes is None


def test_what_is_converted_in_place_has_its_old_lines(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(SOURCE)
    changes = results(tmp_path)["a.cu"].changes
    assert results(tmp_path, in_place=True)["a.cu"].changes == changes
    assert b"hipFree" in (tmp_path / "a.cu").read_bytes()


def test_a_source_that_is_not_saved(tmp_path: Path) -> None:
    group = Group([str(tmp_path / "a.cu")])
    (plain,), (told,) = translate_unsaved(SOURCE, group), translate_unsaved(SOURCE, group, changes=True)
    assert plain.changes is None
    assert told.changes is not None
