"""Atomic writes, on disks that fail in every way."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from hipify_py.project.temporary import clear, staging_name
from hipify_py.project.write import commit, keep_backup, stage, write_atomically


def test_a_write_keeps_the_mode_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.cu"]


def test_equal_bytes_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"same")
    inode = path.stat().st_ino
    write_atomically(str(path), b"same")
    assert path.stat().st_ino == inode


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_failures_leave_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str
) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"old")

    def fail(*arguments: Any, **more: Any) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(f"hipify_py.project.write.os.{call}", fail)
        with pytest.raises(OSError, match=os.strerror(code)):
            write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.cu"]


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr("hipify_py.project.write.os.write", lambda descriptor, data: real(descriptor, data[:3]))
    write_atomically(str(tmp_path / "a.cu"), b"0123456789")
    assert (tmp_path / "a.cu").read_bytes() == b"0123456789"


def test_an_interrupted_write_is_cleared_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hipify_py.project.write.os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(tmp_path / "a.cu"), b"new")
    assert os.listdir(tmp_path) == []


def test_a_backup_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"old")

    def refuse(*arguments: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("hipify_py.project.write.os.link", refuse)
    keep_backup(str(path))
    assert (tmp_path / "a.cu.prehip").read_bytes() == b"old"
    path.write_bytes(b"newer")
    (tmp_path / "a.cu.prehip").write_bytes(b"kept")
    monkeypatch.undo()
    keep_backup(str(path))
    assert (tmp_path / "a.cu.prehip").read_bytes() == b"kept"


def test_an_existing_backup_stays_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cu").write_bytes(b"newer")
    (tmp_path / "a.cu.prehip").write_bytes(b"kept")

    def refuse(*arguments: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("hipify_py.project.write.os.link", refuse)
    keep_backup(str(tmp_path / "a.cu"))
    assert (tmp_path / "a.cu.prehip").read_bytes() == b"kept"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT RUN: this system has no named pipes")
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(str(pipe), b"new")
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"old")
    path.chmod(0o400)
    with pytest.raises(PermissionError, match="read-only"):
        write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"


def test_names_as_long_as_they_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 125 + ".cu")
    write_atomically(str(path), b"new")
    assert path.read_bytes() == b"new"


def test_staging_is_not_seen_until_the_commit(tmp_path: Path) -> None:
    target = tmp_path / "a.cu"
    target.write_bytes(b"old")
    staged = staging_name(str(target), "t")
    assert stage(b"new", str(target), staged, like=str(target))
    assert target.read_bytes() == b"old"
    commit(staged, str(target), backup_of=str(target))
    assert target.read_bytes() == b"new"
    clear([staged])
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "a.cu.prehip"]
