"""Checks whether a file is still the one that was read."""

from __future__ import annotations

import os


def file_stamp(status: os.stat_result) -> tuple[int, ...]:
    """Values that change when another program writes the file or puts another one in its place."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_as_read(path: str, mark: tuple[int, ...]) -> bool:
    """Whether the file has not been written, replaced or removed since it was read."""
    try:
        return file_stamp(os.stat(path)) == mark
    except OSError:
        return False
