"""The folder of the CUDA toolkit in makefiles: well-known names, paths, and what lies below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.references import Reference
from hipify_py.records import NamedTuple

ROOT = "ROCM_PATH"
"""The variable that holds ROCm's folder, as ROCm's own tools name it."""

FOLDER = "/opt/rocm"
"""Where ROCm is where nobody says otherwise."""

_PATH = re.compile(
    rb"/(?:usr/local|opt|usr/lib|opt/nvidia)/(?:cuda|CUDA)(?:-toolkit)?(?:-?\d[\w.]*|-(?=\$))?(?![\w.-])"
)
_TAIL = re.compile(rb"[^\s:,;'\"`(){}|&<>\\$*%#]*")
_BEFORE = b" \t\r\n=:,;\"'`({|&<>[!"


class Root(NamedTuple):
    """A place where a path begins with the toolkit's folder.

    Attributes:
        start: where it begins.
        end: where the folder's own path or reference ends.
        reference: the variable that holds it; None where it is written as a path.
    """

    start: int
    end: int
    reference: Reference | None = None


def roots(file: MakeFile) -> Iterator[Root]:
    """All places of a makefile's statements where a path begins with the toolkit's folder, in order."""
    names = file.told.roots | file.told.toolkits
    data = file.source.data
    for item in file.read.statements:
        found = [
            Root(one.start, one.end, one)
            for one in file.references_in(item.start, item.end)
            if one.name in names and not one.is_function
        ]
        found += [
            Root(match.start(), _behind(file, match.end(), item.end))
            for match in _PATH.finditer(data, item.start, item.end)
            if _begins(data, match.start(), item.start)
        ]
        yield from sorted(found, key=lambda root: root[:2])


def root_at(file: MakeFile, place: int) -> Root | None:
    """The toolkit's folder, where a path with it begins at a place."""
    names = file.told.roots | file.told.toolkits
    for one in file.references_in(place, place + 1):
        return Root(one.start, one.end, one) if one.name in names and not one.is_function else None
    match = _PATH.match(file.source.data, place)
    return None if match is None else Root(place, _behind(file, match.end(), len(file.source.data)))


def tail_of(data: bytes, root: Root, end: int) -> str:
    """What stands behind the toolkit's folder in a path."""
    match = _TAIL.match(data, root.end, end)
    return "" if match is None else match[0].decode("utf-8", "surrogateescape")


def _behind(file: MakeFile, place: int, end: int) -> int:
    """`/usr/local/cuda-$(VERSION)` ends behind the reference."""
    if file.source.data[place - 1 : place] == b"-":
        for one in file.references_in(place, min(place + 1, end)):
            return one.end
    return place


def _begins(data: bytes, place: int, start: int) -> bool:
    """No longer path has it in its middle."""
    before = data[place - 1 : place]
    if place == start or before in _BEFORE:
        return True
    return before in b"ILBF" and data[place - 2 : place - 1] == b"-"
