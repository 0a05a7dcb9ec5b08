"""The parameters of headers' functions that other files of a project give masks, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from hipify_py.analysis.warp.callers import named_in
from hipify_py.analysis.warp.masks.handed_on import (
    Place,
    called_in,
    mask_parameters_in,
    masks_handed_on,
    masks_returned,
    takes_data_from,
)
from hipify_py.project.include_graph import Sight
from hipify_py.project_context import MaskParameter
from hipify_py.records import NamedTuple
from hipify_py.unit import Unit

Given = Mapping[str, frozenset[Place]]
"""By header, the parameters that other files give masks."""

_NOTHING: frozenset[Place] = frozenset()
_NONE: frozenset[bytes] = frozenset()
_Answer = TypeVar("_Answer")
_Details = ParamSpec("_Details")


class Ask(Protocol):
    """Asks a file something by a function, which is also given the details of the question."""

    def __call__(
        self,
        question: Callable[Concatenate[Unit, _Details], _Answer],
        path: str,
        *details: _Details.args,
        **more: _Details.kwargs,
    ) -> _Answer:
        """What the function finds in the file; `marshal` has to be able to write it."""


class MaskFiles(NamedTuple):
    """The files of a project as they are asked for masks.

    Attributes:
        paths: all of them.
        converted: those that are converted, not read alone.
        text: the bytes of one.
        words: the words in the texts of some.
        may_make_masks: False only for a file that makes no masks.
        sight: which files that may be asked something a file sees.
        ask: what a function finds in a file.
        expect: says that a function will be asked of files, each with the details that stand beside it.
        keeps_32: a file's warps are kept at 32 lanes, and its masks at 32 bits.
    """

    paths: list[str]
    converted: frozenset[str]
    text: Callable[[str], bytes]
    words: Callable[[Sequence[str]], Mapping[str, frozenset[bytes]]]
    may_make_masks: Callable[[str], bool]
    sight: Callable[[str], Sight]
    ask: Ask
    expect: Callable[[Callable[..., object], Iterable[tuple[str, tuple[object, ...]]]], None]
    keeps_32: Callable[[str], bool]


def mask_parameters(files: MaskFiles) -> dict[str, frozenset[MaskParameter]]:
    """By file, the parameters that are given masks: of a header's own functions, and of those that a file calls.

    A header hands on what its functions are given, so that rounds follow until nothing is added.
    """
    search = _Search(files)
    given: Given = {}
    while True:
        found = search.handed_on(given)
        if found == given:
            break
        given = found
    told: dict[str, set[MaskParameter]] = {}
    for header in given:
        returned = files.ask(masks_returned, header, given[header])
        for name, position in given[header]:
            parameters = [
                MaskParameter(*parameter, is_returned=name in returned)
                for parameter in files.ask(mask_parameters_in, header, name, position)
            ]
            callers = [path for path in search.callers(header, name) if not files.keeps_32(path)]
            for path in (*callers, header):
                told.setdefault(path, set()).update(parameters)
    return {path: frozenset(parameters) for path, parameters in told.items() if parameters}


class _Search:
    """Looks for what is handed on, once for each file and what it is given itself."""

    def __init__(self, files: MaskFiles) -> None:
        self._files = files
        self._handed: dict[tuple[str, frozenset[Place]], list[tuple[str, Place]]] = {}
        self._data: dict[tuple[str, Place, frozenset[Place]], bool] = {}
        self._words = _Words(files)
        self._headers_of: dict[str, _Having] = {}
        self._called: dict[str, frozenset[bytes]] = {}

    def handed_on(self, given: Given) -> Given:
        """By header, the parameters that files give masks, where those of other headers are given masks."""
        found: dict[str, set[Place]] = {}
        giving = [path for path in self._files.paths if path in given or self._files.may_make_masks(path)]
        self._expect(giving, given)
        for path in giving:
            for header, place in self._of(path, given.get(path, _NOTHING)):
                if not any(self._takes_data(other, place, given) for other in self.callers(header, place[0])):
                    found.setdefault(header, set()).add(place)
        return {header: frozenset(places) for header, places in found.items()}

    def _expect(self, giving: Iterable[str], given: Given) -> None:
        """Say what is going to be asked of files that give masks."""
        fresh = [path for path in giving if (path, given.get(path, _NOTHING)) not in self._handed]
        self._words.look_at(header for path in fresh for header in self._headers(path))
        self._files.expect(called_in, ((path, ()) for path in fresh if self._having(path)))
        asked = ((path, self._elsewhere(path), given.get(path, _NOTHING)) for path in fresh)
        self._files.expect(masks_handed_on, ((path, (names, own)) for path, names, own in asked if names))

    def _of(self, path: str, given: frozenset[Place]) -> list[tuple[str, Place]]:
        """The functions that a file gives masks, with each header that may have them."""
        known = self._handed.get((path, given))
        if known is None:
            known = self._handed[path, given] = list(self._found(path, given))
        return known

    def _found(self, path: str, given: frozenset[Place]) -> Iterator[tuple[str, Place]]:
        files, elsewhere = self._files, self._elsewhere(path)
        places = files.ask(masks_handed_on, path, elsewhere, given) if elsewhere else None
        if places and not files.keeps_32(path):
            having = self._having(path)
            yield from ((header, place) for place in sorted(places) for header in having.those(place[0]))

    def _elsewhere(self, path: str) -> frozenset[bytes]:
        """The functions that a file calls and that its headers may have."""
        known = self._called.get(path)
        if known is None:
            having = self._having(path)
            known = self._called[path] = having.those_of(self._files.ask(called_in, path)) if having else _NONE
        return known

    def _having(self, path: str) -> _Having:
        """The headers of a file."""
        known = self._headers_of.get(path)
        if known is None:
            known = self._headers_of[path] = _Having(self._headers(path), self._words, self._files.text)
        return known

    def _headers(self, path: str) -> frozenset[str]:
        """The files that a file may hand something to."""
        return (self._files.sight(path).all - {path}) & self._files.converted

    def callers(self, header: str, name: bytes) -> Iterator[str]:
        """The files that may call a function of a header."""
        seeing = [path for path in self._files.paths if path != header and header in self._files.sight(path).all]
        self._words.look_at(seeing)
        yield from (path for path in seeing if name in self._words.of(path))

    def _takes_data(self, path: str, place: Place, given: Given) -> bool:
        own = given.get(path, _NOTHING)
        known = self._data.get((path, place, own))
        if known is None:
            known = self._data[path, place, own] = self._files.ask(takes_data_from, path, *place, own)
        return known


class _Words:
    """The words of files, looked for once, and in those files alone that somebody asks about."""

    def __init__(self, files: MaskFiles) -> None:
        self._files = files
        self._known: dict[str, frozenset[bytes]] = {}

    def look_at(self, paths: Iterable[str]) -> None:
        """The words of some files are going to be asked for."""
        unknown = [path for path in dict.fromkeys(paths) if path not in self._known]
        if unknown:
            self._known.update(self._files.words(unknown))

    def of(self, path: str) -> frozenset[bytes]:
        self.look_at([path])
        return self._known[path]


class _Having:
    """Which of some files may call which functions."""

    def __init__(self, paths: frozenset[str], words: _Words, text: Callable[[str], bytes]) -> None:
        self._paths = sorted(paths)
        self._words = words
        self._text = text
        self._known: dict[bytes, list[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._paths)

    def those(self, name: bytes) -> list[str]:
        known = self._known.get(name)
        if known is None:
            paths = (path for path in self._paths if name in self._words.of(path))
            known = self._known[name] = [path for path in paths if named_in(self._text(path), {name})]
        return known

    def those_of(self, names: Set[bytes]) -> frozenset[bytes]:
        """The names of functions that some of the files may call."""
        words = _NONE.union(*(names & self._words.of(path) for path in self._paths))
        return frozenset(name for name in words if self.those(name))
