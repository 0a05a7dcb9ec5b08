"""The list files of the project that one belongs to which is given by itself."""

from __future__ import annotations

import os

from hipify_py import witness
from hipify_py.build_systems.kinds import CMAKE, LIST_FILE, is_copy_of_cmakes, kind_of
from hipify_py.project.discovery import NEVER_WALKED
from hipify_py.project.neighbours import portable

_MOST_ABOVE = 16
_MOST_BETWEEN = 2
"""Folders above without a list file, after which there is none to be looked for."""
_MOST_FOLDERS = 5000
_MOST_FILES = 1000
_CACHE = "CMakeCache.txt"


def topmost_folder(path: str) -> str:
    """The topmost folder of a list file's project.

    The project begins at the topmost list file above, in the same repository; a folder or two may lie between.
    """
    return _top(os.path.dirname(os.path.abspath(path)))


def list_files_below(top: str) -> dict[str, str]:
    """The list files of the project in a folder: their paths by those within it."""
    found: dict[str, str] = {}
    pending, folders = [top], 0
    while pending and folders < _MOST_FOLDERS and len(found) < _MOST_FILES:
        folder = pending.pop()
        folders += 1
        names = _names(folder)
        if _CACHE in names:  # what CMake has built
            continue
        for name in names:
            place = os.path.join(folder, name)
            if name not in NEVER_WALKED and not name.startswith(".") and os.path.isdir(place):
                if not os.path.islink(place):
                    pending.append(place)
            elif kind_of(name) == CMAKE and not is_copy_of_cmakes(place):
                found[portable(os.path.relpath(place, top))] = place
    return found


def _top(folder: str) -> str:
    top, between = folder, 0
    for _ in range(_MOST_ABOVE):
        if witness.is_file(os.path.join(folder, LIST_FILE)):
            top, between = folder, 0
        elif (between := between + 1) > _MOST_BETWEEN:
            break
        if witness.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    return top


def _names(folder: str) -> list[str]:
    witness.saw_folder(folder)
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
