"""Where paths lie."""

from __future__ import annotations

import os


def is_within(path: str, folder: str) -> bool:
    """The path is the folder itself or lies in it; both are absolute, without links and `..`."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
