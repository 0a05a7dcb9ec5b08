"""Files of compiled tables in the user's cache folder: trusted only when they are the user's own and whole.

What cannot be read, is damaged or is somebody else's counts as not there: it costs the time of making it anew, never
a wrong result. The next run that may write replaces it.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import stat
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from hipify_py.catalog.places import cache_dir

_MAGIC = b"HIPIFYPY"
_HEAD = len(_MAGIC) + 4
_KEPT = 24
"""Files of compiled tables that a folder keeps, the newest: several versions and sets of tables work side by side."""

_LEFT_OVER = 3600.0
"""Seconds after which a temporary file belongs to a run that was killed."""

_ENDING, _UNFINISHED = ".bin", ".new"
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def cache_name(kind: str, parts: Sequence[object]) -> str:
    """The file for a kind of tables and for what they are made from: the version, the folder, further tables."""
    import hipify_py

    key = repr((hipify_py.__version__, sys.implementation.cache_tag, *parts)).encode("utf-8", "surrogateescape")
    # Two checksums over different texts: names need to differ, not to be hard to guess.
    return f"{kind}-{zlib.crc32(key):08x}{zlib.adler32(key[::-1]):08x}{_ENDING}"


def read_cache(name: str, below: str = "") -> bytes | None:
    """What was stored under a name, in a folder `below`; None where nothing is, or nothing that can be trusted."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(os.path.join(cache_dir(), below, name), flags)
        with open(descriptor, "rb") as file:
            if not _is_ours(os.fstat(descriptor)):
                return None
            data = file.read()
    except (OSError, MemoryError):
        return None
    body = data[_HEAD:]
    if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : _HEAD] != _checksum(body):
        return None
    return body


def write_cache(name: str, body: bytes, below: str = "", *, most: int = _KEPT) -> None:
    """Store under a name, whole or not at all; a folder that cannot be written leaves things as they are.

    At `most` so many files stay in the folder.
    """
    import tempfile

    folder = os.path.join(cache_dir(), below)
    with contextlib.suppress(OSError):  # a read-only home: the next run compiles again
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(_UNFINISHED, f"{name}.", folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(_MAGIC + _checksum(body) + body)
            os.replace(temporary, os.path.join(folder, name))
        except OSError:
            os.unlink(temporary)
            raise
        _sweep(folder, most)


def cached_image(
    kind: str, parts: Sequence[object], stamp: object, make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Tables as one image: from the cache where it holds them as they are now, else made, and stored for the next run.

    Args:
        kind: what the tables are of.
        parts: what they are made from (see `cache_name`).
        stamp: what changes when they do.
        make: makes the image; `marshal` has to be able to write it.
    """
    name = cache_name(kind, parts)
    cached = read_cache(name)
    if cached is not None:
        image: dict[str, Any] = marshal.loads(cached)  # the user's own, and whole  # nosec B302
        if image["stamp"] == stamp:
            return image
    image = make()
    write_cache(name, marshal.dumps({**image, "stamp": stamp}, 4))
    return image


def stamps_of(folder: str, *further: tuple[str, os.stat_result]) -> list[object]:
    """What changes when a table of a folder, or one of `further` files, does."""
    with os.scandir(folder) as entries:
        files = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".yaml"))
    # The time of change alone may stay the same: packages carry their own.
    return [(name, status.st_size, status.st_mtime_ns, status.st_ctime_ns) for name, status in (*files, *further)]


def _is_ours(status: os.stat_result) -> bool:
    """A regular file that belongs to this user, and that nobody else may write."""
    if not stat.S_ISREG(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS


def _checksum(body: bytes) -> bytes:
    """Against damage, not malice: whoever can write the user's files needs no cache to do harm."""
    return zlib.crc32(body).to_bytes(4, "big")


def _sweep(folder: str, most: int) -> None:
    """Remove what killed runs left, and the oldest files beyond those that are kept."""
    with os.scandir(folder) as entries:
        ours = [(entry.stat(follow_symlinks=False).st_mtime, entry.name) for entry in entries]
    finished = sorted((changed, name) for changed, name in ours if name.endswith(_ENDING))
    left = [name for changed, name in ours if name.endswith(_UNFINISHED) and changed < time.time() - _LEFT_OVER]
    for name in [*left, *(name for _, name in finished[:-most])]:
        with contextlib.suppress(OSError):  # another run was faster
            os.unlink(os.path.join(folder, name))
