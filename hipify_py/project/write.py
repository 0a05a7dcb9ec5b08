"""Atomic writes: a file is either as it was, or new and complete, whatever happens in between.

A write has two halves. `stage` puts the bytes into a temporary file beside the target (workers do that), `commit`
renames it over the target (the parent does that, once it has the report on the file too).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.project.temporary import clear, make_folder_of, run_token, staging_name

BACKUP_SUFFIX = ".prehip"


def stage(data: bytes, target: str, staged: str, *, like: str, durable: bool = True) -> bool:
    """Write `data` to the file `staged`, with the permissions of `like`.

    `durable` flushes it to the disk, so that not even a power failure after the commit can lose the original. Runs call
    `sync_files` for many files instead; a file that can be made again from its input need not wait for either.

    Returns:
        False, with nothing written, when `target` already holds exactly these bytes.

    Raises:
        OSError: if it cannot be written; the temporary file has been removed.
    """
    _refuse_irreplaceable(target)
    if _holds(target, data):
        return False
    with _temporary(target, staged) as descriptor:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        _finish(descriptor, like, durable)
    return True


def stage_copy(source: str, target: str, staged: str, *, durable: bool = False) -> None:
    """Copy a file's bytes and permissions to the file `staged`, whatever its size.

    Raises:
        OSError: if it cannot be read or written; the temporary file has been removed.
    """
    _refuse_irreplaceable(target)
    with open(source, "rb") as file, _temporary(target, staged) as descriptor:
        while block := file.read(1 << 20):
            view = memoryview(block)
            while view:
                view = view[os.write(descriptor, view) :]
        _finish(descriptor, source, durable)


def commit(staged: str, target: str, *, backup_of: str | None = None) -> None:
    """Rename a staged file over its target, after keeping `backup_of` as `NAME.prehip` if requested.

    Raises:
        OSError: if it cannot be done; the target is as it was, and the temporary file has been removed.
    """
    try:
        if backup_of is not None:
            keep_backup(backup_of)
        os.replace(staged, target)
    except OSError:
        discard(staged)
        raise


def keep_backup(path: str) -> None:
    """Keep a file under its name with `.prehip` added; a backup that is already there stays.

    Raises:
        OSError: if the backup cannot be made.
    """
    backup = path + BACKUP_SUFFIX
    if os.path.lexists(backup):
        return
    try:
        os.link(path, backup)  # costs nothing: after the coming rename, only this name refers to the old bytes
    except OSError:
        copy_atomically(path, backup)  # hard links are not available


def copy_atomically(source: str, target: str) -> None:
    """Copy a file's bytes and permissions; a full disk leaves no part of a copy.

    Raises:
        OSError: if it cannot be done; the target is as it was.
    """
    staged = staging_name(target, run_token())
    try:
        stage_copy(source, target, staged, durable=True)
        commit(staged, target)
    finally:
        clear([staged])


def discard(staged: str) -> None:
    """Remove a temporary file, if it exists."""
    with contextlib.suppress(OSError):
        os.unlink(staged)


def write_atomically(path: str, data: bytes) -> None:
    """Stage and commit in one go.

    Raises:
        OSError: if it cannot be written; the file is as it was.
    """
    staged = staging_name(path, run_token())
    try:
        if stage(data, path, staged, like=path):
            commit(staged, path)
            sync_folders([os.path.dirname(path)])
    finally:
        clear([staged])


def sync_files(paths: Sequence[str]) -> dict[str, OSError]:
    """Flush staged files to the disk; return those for which that failed.

    Several threads do it, because file systems flush files that are waiting at the same time together: an order of
    magnitude faster than one after the other.
    """
    if len(paths) < 2:
        failures = [_sync(path) for path in paths]
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(min(len(paths), 16)) as pool:
            failures = list(pool.map(_sync, paths))
    return {path: failure for path, failure in zip(paths, failures, strict=True) if failure is not None}


def _sync(path: str) -> OSError | None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        return error
    return None


def sync_folders(folders: Iterable[str]) -> None:
    """Flush renames in these folders to the disk, as far as the file system allows."""
    sync_files([folder or "." for folder in sorted(set(folders))])


@contextlib.contextmanager
def _temporary(target: str, staged: str) -> Iterator[int]:
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    make_folder_of(staged)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(staged, flags, 0o600)
    try:
        yield descriptor
    except BaseException:
        os.close(descriptor)
        discard(staged)
        raise
    os.close(descriptor)


def _finish(descriptor: int, like: str, durable: bool) -> None:
    mode = 0o644
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(os.stat(like).st_mode)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode | stat.S_IWUSR)  # so that the output of a read-only tree can be made again, too
    if durable:
        os.fsync(descriptor)


def _refuse_irreplaceable(target: str) -> None:
    """A rename would silently replace a read-only file, although its mode forbids writing, and pipes and devices."""
    try:
        status = os.lstat(target)  # for a link, the link itself is replaced
    except OSError:
        return
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(21, "Is a directory", target)
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
        raise OSError(errno.EINVAL, "not a regular file", target)
    if not status.st_mode & 0o222:
        raise PermissionError(13, "the file is read-only", target)


def _holds(target: str, data: bytes) -> bool:
    try:
        status = os.lstat(target)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(data):
            return False  # a link is replaced, whatever it leads to
        with open(target, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def make_link(path: str, target: str) -> None:
    """Make a symbolic link, unless it exists.

    Raises:
        OSError: if it cannot be made.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if os.path.islink(path):
        if os.readlink(path) == target:
            return
        os.unlink(path)
    os.symlink(target, path)


@contextlib.contextmanager
def folder_lock(folder: str) -> Iterator[None]:
    """Wait until no other process holds the lock of a folder, and hold it: a parallel make starts several.

    Raises:
        OSError: if the folder does not exist.
    """
    try:
        import fcntl
    except ImportError:  # Windows: files are written whole, but what two processes add at a time may be lost
        yield
        return
    descriptor = os.open(folder or os.curdir, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks: as on Windows
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
