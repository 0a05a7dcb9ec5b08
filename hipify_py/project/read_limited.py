"""Reads files that a user names, which may be a device, a pipe or a huge file."""

from __future__ import annotations

import errno
import os
import stat


def read_bounded(path: str, largest: int) -> bytes:
    """The content of a regular file of at most `largest` bytes.

    Raises:
        OSError: if it cannot be read, is something else, or is larger; `reason` describes it in words.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    with open(path, "rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise OSError(errno.EFBIG, f"larger than {largest} bytes")
    return data
