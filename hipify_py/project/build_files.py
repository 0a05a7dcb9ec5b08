"""The build files of a tree that name CUDA's tools or libraries: what remains to change besides the sources.

They are recognised by name, found by the walk that finds the sources, and read as their translation reads them: what it
would change or report concerns CUDA.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from hipify_py.build_systems.kinds import (
    AUTOCONF,
    BAZEL,
    CMAKE,
    DOCKER,
    MAKE,
    MESON,
    PYPROJECT,
    PYTHON,
    SCONS,
    VISUAL_STUDIO,
    XMAKE,
    kind_of,
)
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import UnreadableSource
from hipify_py.project.discovery import OTHER, SOURCE, Discovery, Entry
from hipify_py.project.faults import Faults

_LARGEST = 1 << 20
"""Size limit, in bytes, for build files that are examined."""

_REPORTED = frozenset({BAZEL, AUTOCONF, CMAKE, DOCKER, MAKE, MESON, PYPROJECT, PYTHON, SCONS, VISUAL_STUDIO, XMAKE})
"""Kinds of build files that the next steps of a port mention."""

_KNOWS_HIP = "HIP607"


class BuildFile(NamedTuple):
    """A build file that names CUDA.

    Attributes:
        kind: the tool that reads it (`CMAKE`, `MAKE` ...).
        line: the first line that names CUDA.
    """

    path: str
    kind: str
    line: int


def build_files(found: Iterable[Discovery], faults: Faults) -> list[BuildFile]:
    """The build files of a run's trees that name CUDA and have no HIP build of their own, in walk order."""
    named = []
    for discovery in found:
        for entry in discovery.entries:
            kind = kind_of(entry.relative) if entry.kind in (OTHER, SOURCE) else ""
            if kind in _REPORTED and discovery.roots[entry.root].is_tree and entry.size <= _LARGEST:
                line = faults.ask(entry.path, partial(_line_with_cuda, entry), int)
                if line:
                    named.append(BuildFile(entry.path, kind, line))
    return named


def line_with_cuda(data: bytes, path: str) -> int:
    """The first line that names CUDA; 0 for a file that does not, or that already supports HIP."""
    from hipify_py.build_systems.translate import translate_build_file
    from hipify_py.translator.translate import translate_program

    try:
        translation = translate_build_file(data, path, DEFAULT_OPTIONS, translate_source=translate_program)
    except UnreadableSource:  # the run does not translate it
        return 0
    if any(finding.id == _KNOWS_HIP for finding in translation.findings):
        return 0
    places = [reference.offset for reference in translation.references]
    places = places or [finding.offset for finding in translation.findings]
    return data.count(b"\n", 0, min(places)) + 1 if places else 0


def _line_with_cuda(entry: Entry) -> int:
    try:
        with open(entry.path, "rb") as file:
            data = file.read(_LARGEST)
    except OSError:  # the run does not translate it, and must not fail because of it
        return 0
    return line_with_cuda(data, entry.path)
