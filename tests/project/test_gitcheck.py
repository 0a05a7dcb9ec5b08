"""What git would not give back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify_py.project.gitcheck import uncommitted


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("clean.cu", "changed.cu", "staged.cu", "moved.cu", "sub/ä b.cu"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"old\n" * 20)
    (tmp_path / ".gitignore").write_bytes(b"ignored.cu\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "start")
    for name in ("changed.cu", "staged.cu", "untracked.cu", "ignored.cu", "sub/ä b.cu", "sub/new.cu"):
        (tmp_path / name).write_bytes(b"new\n")
    git(tmp_path, "add", "staged.cu")
    git(tmp_path, "mv", "moved.cu", "target.cu")
    return tmp_path


def test_everything_that_is_not_committed(repository: Path) -> None:
    names = [
        "clean.cu",
        "changed.cu",
        "staged.cu",
        "untracked.cu",
        "ignored.cu",
        "sub/ä b.cu",
        "sub/new.cu",
        "target.cu",
    ]
    found = uncommitted(str(repository / name) for name in names)
    assert [str(Path(path).relative_to(repository)) for path in found] == [
        "changed.cu", "staged.cu", "sub/new.cu", "sub/ä b.cu", "target.cu", "untracked.cu",
    ]  # fmt: skip


def test_outside_a_repository_nothing_is_objected(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"")
    assert uncommitted([str(tmp_path / "a.cu")]) == []


def test_without_git_nothing_is_objected(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    assert uncommitted([str(repository / "changed.cu")]) == []


def test_paths_through_links_are_recognised(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    alias = tmp_path_factory.mktemp("alias") / "repo"
    alias.symlink_to(repository)
    assert uncommitted([str(alias / "changed.cu")]) == [str(alias / "changed.cu")]
