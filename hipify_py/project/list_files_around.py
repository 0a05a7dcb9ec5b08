"""The list files of the project that one belongs to which is given by itself."""

from __future__ import annotations

import os
from itertools import islice

from hipify_py.build_systems.kinds import CMAKE, LIST_FILE, is_copy_of_cmakes, kind_of
from hipify_py.project.folders import Walk
from hipify_py.project.sibling_headers import portable

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
    walk = Walk(top)
    for folder in islice(walk, _MOST_FOLDERS):
        if len(found) >= _MOST_FILES:
            break
        if folder.is_output or _CACHE in folder.names:  # what hipify-py or CMake has made
            continue
        for child in folder.children:
            place = os.path.join(top, folder.name_of(child))
            if child.is_dir(follow_symlinks=False):
                if not child.name.startswith("."):
                    walk.enter(folder.name_of(child))
            elif kind_of(child.name) == CMAKE and not os.path.isdir(place) and not is_copy_of_cmakes(place):
                found[portable(folder.name_of(child))] = place
    return found


def _top(folder: str) -> str:
    top, between = folder, 0
    for _ in range(_MOST_ABOVE):
        if os.path.isfile(os.path.join(folder, LIST_FILE)):
            top, between = folder, 0
        elif (between := between + 1) > _MOST_BETWEEN:
            break
        if os.path.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    return top
