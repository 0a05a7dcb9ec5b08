"""The folders in which a header that is added later changes which header is found."""

from __future__ import annotations

from pathlib import Path

from hipify_py.project.clang_session import searched_folders


def _found(tmp_path: Path, *below: str) -> list[str]:
    """What is searched for a source with one include folder, below the folder of the test."""
    (tmp_path / "include" / "deep").mkdir(parents=True)
    (tmp_path / "src").mkdir()
    folders = searched_folders([f"-I{tmp_path / 'include'}"], [str(tmp_path / "src")], below)
    return [Path(folder).relative_to(tmp_path).as_posix() for folder in folders]


def test_the_folder_beside_comes_before_those_of_the_options(tmp_path: Path) -> None:
    assert _found(tmp_path) == ["src", "include"]


def test_the_folders_that_includes_name_are_searched_where_they_are(tmp_path: Path) -> None:
    assert _found(tmp_path, "deep/deeper") == ["src", "include", "include/deep"]


def test_a_whole_path_is_searched_there_alone(tmp_path: Path) -> None:
    (tmp_path / "own" / "shims").mkdir(parents=True)
    assert _found(tmp_path, str(tmp_path / "own" / "shims")) == ["own/shims", "src", "include"]


def test_a_whole_path_that_is_missing_shows_in_the_folder_above(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    assert _found(tmp_path, str(tmp_path / "own" / "late" / "later")) == ["own", "src", "include"]
