"""The folder of the CUDA toolkit in makefiles: well-known names, paths, and what lies below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.references import Reference
from hipify_py.build_systems.toolkit_folder import PLACES, WITHIN

ROOT = "ROCM_PATH"
"""The variable that holds ROCm's folder, by the name that ROCm's own tools use."""

FOLDER = "/opt/rocm"
"""Where ROCm is by default."""

HEADERS = frozenset({"/include", "/targets/x86_64-linux/include"})
"""Where the toolkit's headers are below its folder."""

_PATH = re.compile(PLACES + rb"(?:(?:-?\d[\w.]*)?" + WITHIN + rb"|-(?=\$))(?![\w.-])")
_TAIL = re.compile(rb"[^\s:,;'\"`(){}|&<>\\$*%#]*")
_BEFORE = b" \t\r\n=:,;\"'`({|&<>[!"


class Root(NamedTuple):
    """A place where a path begins with the toolkit's folder.

    Attributes:
        start: where it begins.
        end: where the folder's own path or reference ends.
        reference: the variable that holds it; None if it is written as a path.
    """

    start: int
    end: int
    reference: Reference | None = None


def roots(file: MakeFile) -> Iterator[Root]:
    """All places of a makefile's statements where a path begins with the toolkit's folder, in order."""
    for item in file.read.statements:
        yield from roots_in(file, item.start, item.end)


def roots_in(file: MakeFile, start: int, end: int) -> list[Root]:
    """The places of a range where a path begins with the toolkit's folder, in order."""
    names = file.context.roots | file.context.toolkits
    found = [
        Root(one.start, one.end, one)
        for one in file.references_in(start, end)
        if one.name in names and not one.is_function
    ]
    return sorted([*found, *paths(file, start, end)], key=lambda root: root[:2])


def paths(file: MakeFile, start: int, end: int) -> Iterator[Root]:
    """The places of a range where the toolkit's folder is written as a path."""
    data = file.source.data
    for match in _PATH.finditer(data, start, end):
        if _begins(data, match.start(), start):
            yield Root(match.start(), _behind(file, match.end(), end))


def root_at(file: MakeFile, place: int) -> Root | None:
    """The toolkit's folder, if a path with it begins at a place."""
    names = file.context.roots | file.context.toolkits
    for one in file.references_in(place, place + 1):
        return Root(one.start, one.end, one) if one.name in names and not one.is_function else None
    match = _PATH.match(file.source.data, place)
    return None if match is None else Root(place, _behind(file, match.end(), len(file.source.data)))


def tail_of(data: bytes, root: Root, end: int) -> str:
    """What follows the toolkit's folder in a path."""
    match = _TAIL.match(data, root.end, end)
    return "" if match is None else match[0].decode("utf-8", "surrogateescape")


def _behind(file: MakeFile, place: int, end: int) -> int:
    """The end of the folder's path: `/usr/local/cuda-$(VERSION)` ends after the reference."""
    if file.source.data[place - 1 : place] == b"-":
        for one in file.references_in(place, min(place + 1, end)):
            return one.end
    return place


def _begins(data: bytes, place: int, start: int) -> bool:
    """Whether the folder begins a path, and is not in the middle of a longer one."""
    before = data[place - 1 : place]
    if place == start or before in _BEFORE:
        return True
    return before in b"ILBF" and data[place - 2 : place - 1] == b"-"
