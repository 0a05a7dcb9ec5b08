"""Where fetched headers are stored: in the user's data folder, so that nothing evicts them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

VARIABLE = "HIPIFY_PY_HEADERS_DIR"
"""The folder for fetched headers, instead of the user's default."""

STAMP = ".complete"
"""The file in a fetched set that lists what was fetched; a set without it does not count."""


class FetchedSet(NamedTuple):
    """A set that was fetched: `clang-18.1.8`, `cuda-12.9`, `hip-7.1`."""

    side: str
    version: str
    path: str


def headers_dir(environment: Mapping[str, str] | None = None) -> str:
    """The folder of the fetched sets, each in a folder of its name; it need not exist."""
    environment = os.environ if environment is None else environment
    named = environment.get(VARIABLE)
    if named:
        return os.path.abspath(named)
    home = environment.get("HOME") or os.path.expanduser("~")
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = environment.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(base, "hipify-py", "headers")


def fetched_sets(environment: Mapping[str, str] | None = None) -> Iterator[FetchedSet]:
    """The complete sets in that folder, the newest of a side first."""
    folder = headers_dir(environment)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    sets = []
    for name in names:
        side, dash, version = name.partition("-")
        path = os.path.join(folder, name)
        if dash and numbers(version) and os.path.isfile(os.path.join(path, STAMP)):
            sets.append(FetchedSet(side, version, path))
    yield from sorted(sets, key=lambda found: numbers(found.version), reverse=True)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of `18.1.8`; none if the text is not a version."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() and len(part) < 9 for part in parts) else ()


def folder_size(folder: str) -> tuple[int, int]:
    """How many files are below a folder, and their bytes; zero if it does not exist."""
    count = size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
            count += 1
    return count, size
