"""Patches over tables, and the canonical form."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hipify_py.catalog import TableError
from tools.tables.patches import apply_patch, merged

TABLE = """\
# A comment that stays.
library: mine
title: Mine

functions:
  a: {hip: b, rocm: {added: '7.0'}}
  old: gone

members:
  S:
    x: y
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.yaml").write_text(TABLE)
    return tmp_path


def test_rows_are_added_changed_and_taken_away(folder: Path) -> None:
    patch = {"mine": {"functions": {"a": {"rocm": None}, "old": None, "c": "d"}, "members": {"S.z": "w"}}}
    assert apply_patch(folder, patch) == [folder / "mine.yaml"]
    text = (folder / "mine.yaml").read_text()
    assert text.startswith("# A comment that stays.\nlibrary: mine\ntitle: Mine\n")
    document = yaml.safe_load(text)
    assert document["functions"] == {"a": "b", "c": "d"}
    assert document["members"] == {"S": {"x": "y", "z": "w"}}


def test_a_patch_that_changes_nothing_writes_nothing(folder: Path) -> None:
    before = (folder / "mine.yaml").stat().st_mtime_ns
    assert apply_patch(folder, {"mine": {"functions": {"old": "gone"}}}) == []
    assert (folder / "mine.yaml").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "patch", [{"other": {}}, {"mine": {"funktions": {}}}, {"mine": {"functions": {"a": {"hips": "x"}}}}]
)
def test_a_wrong_patch_is_refused(folder: Path, patch: dict[str, object]) -> None:
    with pytest.raises(TableError):
        apply_patch(folder, patch)
    assert (folder / "mine.yaml").read_text() == TABLE


@pytest.mark.parametrize(
    ("row", "over", "result"),
    [
        ("b", "c", {"hip": "c"}),
        ("b", {"note": "n"}, {"hip": "b", "note": "n"}),
        ({"hip": "b", "note": "n"}, {"note": None}, {"hip": "b"}),
        (
            {"hip": "b", "roc": "c", "args": {"0": "x"}},
            {"unsupported": True, "advice": "a"},
            {"unsupported": True, "advice": "a"},
        ),
        ({"unsupported": True, "advice": "a", "cuda": {"added": "12.0"}}, "b", {"hip": "b", "cuda": {"added": "12.0"}}),
    ],
)
def test_one_row_over_another(row: object, over: object, result: object) -> None:
    assert merged(row, over) == result  # type: ignore[arg-type]
