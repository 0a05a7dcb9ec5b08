"""Files in the user's cache folder: trusted only if they belong to the user and are complete.

A file that cannot be read, is damaged or belongs to another user counts as missing: that costs the time to make it
again, but never gives a wrong result. The next run that may write replaces it.
"""

from __future__ import annotations

import os
import stat
import sys
import time
import zlib

UNFINISHED = ".new"
"""The end of the name of a file that is being written."""

_LEFT_OVER = 3600.0
"""Seconds after which a temporary file belongs to a run that was killed."""

_MAGIC = b"HIPIFYPY"
_HEAD = len(_MAGIC) + 4

_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def cache_dir() -> str:
    """The folder for hipify-py's files: `HIPIFY_PY_CACHE_DIR`, else the user's cache folder.

    platformdirs would give the same answer, but importing it takes longer than a commit hook's whole check.
    """
    named = os.environ.get("HIPIFY_PY_CACHE_DIR")
    if named:
        return named
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "hipify-py")


def short_name(key: bytes) -> str:
    """The part of a file name for a key: two checksums over different texts. It must differ, not be hard to guess."""
    return f"{zlib.crc32(key):08x}{zlib.adler32(key[::-1]):08x}"


def is_left_over(name: str, changed: float) -> bool:
    """Whether a file with that name and modification time was being written by a killed run."""
    return name.endswith(UNFINISHED) and changed < time.time() - _LEFT_OVER


def read_file(path: str) -> bytes | None:
    """The content stored in a file; None if there is none, or none that can be trusted."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
        with open(descriptor, "rb", buffering=0) as file:
            if not _is_ours(os.fstat(descriptor)):
                return None
            head = file.read(_HEAD)
            body = file.readall()
    except (OSError, MemoryError):
        return None
    return body if head == _MAGIC + _checksum(body) else None


def write_file(path: str, body: bytes) -> None:
    """Write a file, completely or not at all.

    Raises:
        OSError: if it cannot be written; the previous content stays.
    """
    import tempfile

    folder, name = os.path.split(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(UNFINISHED, f"{name}.", folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(_MAGIC + _checksum(body) + body)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def is_own(path: str) -> bool:
    """Whether a file exists that belongs to this user and that nobody else may write; a link does not count."""
    try:
        return _is_ours(os.lstat(path))
    except OSError:
        return False


def _is_ours(status: os.stat_result) -> bool:
    """Whether it is a regular file that belongs to this user and that nobody else may write."""
    if not stat.S_ISREG(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS


def _checksum(body: bytes) -> bytes:
    """Guards against damage, not malice: whoever can write the user's files needs no cache to do harm."""
    return zlib.crc32(body).to_bytes(4, "big")
