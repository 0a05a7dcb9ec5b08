"""Outputs that are not files: standard output by its path, pipes, devices. What is renamed over them would end them."""

from __future__ import annotations

import os
import stat
import sys

from hipify_py.project.write import write_atomically

_DESCRIPTORS = "/proc/"
"""Links in here lead to what a process has open, whatever that is (`/dev/stdout`, `/dev/fd/3` on Linux)."""


def is_stream(path: str) -> bool:
    """Whether a path names something open, a pipe or a device, and not a place where a file is or can be."""
    if not os.path.exists(path):
        return False
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # writing to a folder is refused further on
        return True
    place = path
    while os.path.islink(place):
        folder = os.path.realpath(os.path.dirname(place))
        if folder.startswith(_DESCRIPTORS):
            return True
        place = os.path.join(folder, os.readlink(place))
    return False


def write_to_stream(path: str, data: bytes) -> None:
    """Write to a stream what comes next in it.

    Standard output is not opened again, which would begin at the start of a file that it is redirected to.

    Raises:
        OSError: if it cannot be written to.
    """
    if os.path.samestat(os.stat(path), os.fstat(1)):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with open(path, "ab") as file:
        file.write(data)


def write_anywhere(path: str, data: bytes) -> None:
    """Write a file atomically, following a link to it, or write to a stream.

    Raises:
        OSError: if it cannot be written; a file is as it was.
    """
    if is_stream(path):
        write_to_stream(path, data)
    else:
        write_atomically(os.path.realpath(path), data)
