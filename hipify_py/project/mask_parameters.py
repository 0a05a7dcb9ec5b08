"""The parameters of headers' functions that other files of a project give masks, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from hipify_py.analysis.warp.callers import named_in
from hipify_py.analysis.warp.masks.handed_on import mask_parameters_in, masks_handed_on, takes_data_from
from hipify_py.project.include_graph import Sight
from hipify_py.project_context import MaskParameter
from hipify_py.unit import Unit

_GIVES_MASKS = (b"__ballot", b"__activemask", b"__match_", b"lanemask", b".ballot", b".match_a")
"""One of these stands in every file that makes a mask."""


class MaskFiles(NamedTuple):
    """The files of a project as they are asked for masks.

    Attributes:
        paths: all of them.
        converted: those that are converted, not read alone.
        text: the bytes of one.
        sight: which files that may be asked something a file sees.
        unit: a file's unit, made when first asked for.
        keeps_32: a file's warps are kept at 32 lanes, and its masks at 32 bits.
    """

    paths: list[str]
    converted: frozenset[str]
    text: Callable[[str], bytes]
    sight: Callable[[str], Sight]
    unit: Callable[[str], Unit]
    keeps_32: Callable[[str], bool]


def mask_parameters(files: MaskFiles) -> dict[str, frozenset[MaskParameter]]:
    """By file, the parameters that are given masks: of a header's own functions, and of those that a file calls."""
    found: dict[str, set[MaskParameter]] = {}
    for path, header, name, position in _given(files):
        if any(takes_data_from(files.unit(other), name, position) for other in _callers(files, header, name)):
            continue
        parameters = set(mask_parameters_in(files.unit(header), name, position))
        for told in (path, header):
            found.setdefault(told, set()).update(parameters)
    return {path: frozenset(parameters) for path, parameters in found.items() if parameters}


def _given(files: MaskFiles) -> Iterator[tuple[str, str, bytes, int]]:
    """The files that give a mask to a function, with the header that may have it."""
    for path in files.paths:
        data = files.text(path)
        seen = files.sight(path).all - {path} if any(word in data for word in _GIVES_MASKS) else frozenset[str]()
        headers = sorted(seen & files.converted)
        if not headers:
            continue
        having = _Having(headers, files.text)
        given = {(handed.name, handed.position) for handed in masks_handed_on(files.unit(path), having.any)}
        if not given or files.keeps_32(path):
            continue
        for name, position in sorted(given):
            for header in having.those(name):
                yield path, header, name, position


class _Having:
    """Which of some files have which names in their text."""

    def __init__(self, paths: list[str], text: Callable[[str], bytes]) -> None:
        self._paths = paths
        self._text = text
        self._known: dict[bytes, list[str]] = {}

    def those(self, name: bytes) -> list[str]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = [path for path in self._paths if named_in(self._text(path), (name,))]
        return known

    def any(self, name: bytes) -> bool:
        return bool(self.those(name))


def _callers(files: MaskFiles, header: str, name: bytes) -> Iterator[str]:
    for path in files.paths:
        if path != header and header in files.sight(path).all and name in files.text(path):
            yield path
