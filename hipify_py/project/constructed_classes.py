"""Tells the files of a project which classes of the headers that they include have a constructor that does something.

Asked are the headers that define a class by the name of a type of `__shared__` memory alone, where a file that has one
of that name there sees them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.source import is_header_name, is_readable
from hipify_py.core.unit import Unit
from hipify_py.project.answering import Asking
from hipify_py.project.answers import Answers
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.include_graph import graph_of
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.texts import Texts
from hipify_py.semantics.constructors import constructors_of

_KEY = re.compile(rb"\b(?:class|struct|union)\b")
_BASES = re.compile(rb"(?<!:):(?!:)")
_WORD = re.compile(rb"\w+")
# A word that only ends like this is taken along: a search that begins with letters is three times as fast.
_ALIAS = re.compile(rb"using\s+(\w+)\s*=")
_TYPEDEF = re.compile(rb"\btypedef\b")


class ConstructedClasses:
    """The classes of headers that are constructed, by the files that have them in shared memory.

    The headers are asked as soon as it is made, by other processes where there are any: the run is laid out meanwhile.
    """

    def __init__(self, sources: Sequence[str], around: Sequence[str], texts: Texts, answers: Answers) -> None:
        """Look through the files of a run, and the headers `around` that they include and that are no files of it.

        `texts` has their bytes; `answers` are those of the headers (`header_answers`).
        """
        self._answers = answers
        self._names = {
            path: frozenset(found) for path in sources if (found := texts.find(types_in_shared_memory, path))
        }
        self._seen: dict[str, list[str]] = {}
        paths = list(dict.fromkeys([*sources, *around]))
        headers = [path for path in paths if is_header_name(path)]
        wanted: dict[str, set[bytes]] = {}
        if self._names and headers:
            reach = graph_of(paths, texts).reach(headers)
            for path, names in self._names.items():
                self._seen[path] = [header for header in reach.sight(path).all if header != path]
                for header in self._seen[path]:
                    wanted.setdefault(header, set()).update(names)
        self._asked = [
            path for path in sorted(wanted) if _may_have(path, wanted[path], texts) and is_readable(texts.of(path))
        ]
        answers.expect(Asking(_constructed, path, NO_PROJECT) for path in self._asked)

    def told(self, contexts: ProjectContexts) -> ProjectContexts:
        """The contexts, with the classes that are constructed where files have them in shared memory."""
        constructed = {path: self._answers.ask(_constructed, path, NO_PROJECT) for path in self._asked}
        by_path = dict(contexts.by_path)
        for path, headers in self._seen.items():
            own = self._names[path].intersection(name for header in headers for name in constructed.get(header, ()))
            if own:
                by_path[path] = contexts.of(path)._replace(constructed=own)
        return contexts._replace(by_path=by_path)


def _may_have(header: str, names: Set[bytes], texts: Texts) -> bool:
    """A header may define one of some classes or aliases."""
    data = texts.of(header)
    return any(name in data for name in names) and not names.isdisjoint(texts.find(_classes, header))


def _classes(data: bytes) -> list[bytes]:
    """The names of classes and aliases that a content may define, and further words beside them.

    Each piece of the content is looked at once, so that one without an end costs no more than any other.
    """
    found = set(_ALIAS.findall(data))
    for piece in data.split(b"{")[:-1]:
        head = piece[_last(piece, b";}") + 1 :]  # parentheses may be those of `alignas(16)`
        key = _KEY.search(head)
        if key is not None:
            bases = _BASES.search(head, key.end())
            found.update(_WORD.findall(head, key.end(), bases.start() if bases is not None else len(head)))
    for piece in data.split(b";")[:-1]:
        statement = piece[_last(piece, b"{}()") + 1 :]
        if _TYPEDEF.search(statement) is not None:
            found.add(_WORD.findall(statement)[-1])
    return sorted(found)


def _last(data: bytes, marks: bytes) -> int:
    """Where the last of some marks stands; -1 where there is none."""
    return max(data.rfind(marks[at : at + 1]) for at in range(len(marks)))


def _constructed(unit: Unit) -> list[bytes]:
    return sorted(set(constructors_of(unit).types()))
