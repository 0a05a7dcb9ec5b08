"""Relations between paths."""

from __future__ import annotations

import os


def is_within(path: str, folder: str) -> bool:
    """Whether the path is the folder itself or inside it; both are absolute, without links and `..`."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
