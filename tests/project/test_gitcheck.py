"""What git would not give back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.project.git_checkout import UnreadableCheckout
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


def test_git_itself_is_not_started(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert uncommitted([str(repository / "changed.cu")]) == [str(repository / "changed.cu")]


@pytest.mark.parametrize("setting", ["core.fsmonitor", "core.sshCommand", "filter.f.clean", "filter.f.process"])
def test_programs_that_the_configuration_names_are_not_run(repository: Path, setting: str) -> None:
    (repository / "program").write_bytes(b"#!/bin/sh\ntouch ran\n")
    (repository / "program").chmod(0o755)
    (repository / ".git/info").mkdir(exist_ok=True)
    (repository / ".git/info/attributes").write_bytes(b"*.cu filter=f\n")
    git(repository, "config", setting, str(repository / "program"))
    assert uncommitted([str(repository / "changed.cu"), str(repository / "clean.cu")]) == [
        str(repository / "changed.cu")
    ]
    assert not list(repository.rglob("ran"))


def test_a_file_written_again_with_the_same_content_is_committed(repository: Path) -> None:
    for name in ("clean.cu", "changed.cu"):
        (repository / name).write_bytes(b"old\n" * 20)
    assert uncommitted(str(repository / name) for name in ("clean.cu", "changed.cu")) == []


def test_other_line_endings_are_committed_too(repository: Path) -> None:
    (repository / "clean.cu").write_bytes(b"old\r\n" * 20)
    assert uncommitted([str(repository / "clean.cu")]) == []


def test_a_change_of_the_same_size_at_the_same_time_is_seen(repository: Path) -> None:
    path = repository / "clean.cu"
    status = path.stat()
    index = repository / ".git/index"
    path.write_bytes(b"new\n" * 20)
    for touched in (path, index):  # as when file and index are written within one tick of the clock
        os.utime(touched, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert uncommitted([str(path)]) == [str(path)]


def test_before_the_first_commit_nothing_is_committed(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"x")
    git(tmp_path, "init", "-q")
    assert uncommitted([str(tmp_path / "a.cu")]) == [str(tmp_path / "a.cu")]
    git(tmp_path, "add", "a.cu")
    assert uncommitted([str(tmp_path / "a.cu")]) == [str(tmp_path / "a.cu")]


def test_another_worktree_and_packed_objects_are_read(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(repository, "gc", "-q")
    other = tmp_path_factory.mktemp("other") / "tree"
    git(repository, "worktree", "add", "-q", str(other))
    (other / "sub" / "new.cu").write_bytes(b"new")
    assert uncommitted(str(other / name) for name in ("clean.cu", "sub/ä b.cu", "sub/new.cu")) == [
        str(other / "sub" / "new.cu")
    ]


def damage_index(top: Path) -> None:
    (top / ".git/index").write_bytes(b"DIRC\0\0\0\2" + b"\xff" * 100)


def damage_head(top: Path) -> None:
    (top / ".git/HEAD").write_bytes(b"no ref\n")


def damage_objects(top: Path) -> None:
    for path in (top / ".git/objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(b"x")


def make_pipe(top: Path) -> None:
    (top / ".git/index").unlink()
    os.mkfifo(top / ".git/index")


def empty_git(top: Path) -> None:
    (top / ".git").rename(top / "was")
    (top / ".git").mkdir()


def point_nowhere(top: Path) -> None:
    (top / ".git").rename(top / "was")
    (top / ".git").write_bytes(b"gitdir: nowhere\n")


@pytest.mark.parametrize("damage", [damage_index, damage_head, damage_objects, make_pipe, empty_git, point_nowhere])
def test_a_checkout_that_cannot_be_read_is_refused(repository: Path, damage: Callable[[Path], None]) -> None:
    damage(repository)
    with pytest.raises(UnreadableCheckout, match=r"cannot check for uncommitted changes in the git checkout .*: its"):
        uncommitted([str(repository / "clean.cu")])


def test_paths_through_links_are_recognised(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    alias = tmp_path_factory.mktemp("alias") / "repo"
    alias.symlink_to(repository)
    assert uncommitted([str(alias / "changed.cu")]) == [str(alias / "changed.cu")]
