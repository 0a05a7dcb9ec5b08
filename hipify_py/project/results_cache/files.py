"""The files of the results cache: complete, owned by the user, in a folder of limited size."""

from __future__ import annotations

import contextlib
import os
import re

from hipify_py.core.cache_files import append_piece, cache_dir, is_left_over, read_file, read_pieces, write_file

FOLDER = "results"
"""The folder within the cache folder."""

LARGEST = 256 << 20
"""Limit on the bytes of all files together; the most recently used ones stay."""

_ENDING = ".bin"
_OURS = re.compile(r"[a-z]+-[0-9a-f]{24}\.bin(?:\.\w+\.new)?")


def folder() -> str:
    """The folder of the results of earlier runs."""
    return os.path.join(cache_dir(), FOLDER)


def read(name: str) -> bytes | None:
    """The content stored under a name; None if there is none, or none that can be trusted."""
    return read_file(os.path.join(folder(), name + _ENDING))


def used(name: str) -> None:
    """Note that a file was used."""
    with contextlib.suppress(OSError):
        os.utime(os.path.join(folder(), name + _ENDING))


def write(name: str, body: bytes) -> None:
    """Write a file, completely or not at all; the least recently used files are removed if space runs out."""
    if len(body) > LARGEST // 2:
        return
    with contextlib.suppress(OSError):  # a read-only home: the next run does the work again
        write_file(os.path.join(folder(), name + _ENDING), body)
        _make_room()


def add(name: str, piece: bytes) -> None:
    """Add a piece to a file of pieces."""
    with contextlib.suppress(OSError):  # as above
        append_piece(os.path.join(folder(), name + _ENDING), piece)


def pieces(name: str) -> list[bytes]:
    """The pieces of a file that can be trusted."""
    return read_pieces(os.path.join(folder(), name + _ENDING))


def remove(name: str) -> None:
    """Remove a file, if it exists."""
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(folder(), name + _ENDING))


def size() -> tuple[int, int]:
    """The number of files and their total size in bytes."""
    try:
        with os.scandir(folder()) as entries:
            sizes = [entry.stat(follow_symlinks=False).st_size for entry in entries if entry.name.endswith(_ENDING)]
    except OSError:
        return 0, 0
    return len(sizes), sum(sizes)


def clear() -> int:
    """Remove the results of earlier runs; return the number of files.

    Raises:
        OSError: if one of them cannot be removed.
    """
    place = folder()
    try:
        with os.scandir(place) as entries:
            paths = [entry.path for entry in entries if _OURS.fullmatch(entry.name)]
    except FileNotFoundError:
        return 0
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # another run was faster
            os.unlink(path)
    return len(paths)


def _make_room() -> None:
    with os.scandir(folder()) as entries:
        ours = [entry for entry in entries if _OURS.fullmatch(entry.name)]
        statuses = [(entry.stat(follow_symlinks=False), entry.path) for entry in ours]
    left = LARGEST
    for status, path in sorted(statuses, key=lambda found: -found[0].st_mtime_ns):
        left -= status.st_size
        if left < 0 or is_left_over(path, status.st_mtime):
            with contextlib.suppress(OSError):  # another run was faster
                os.unlink(path)
