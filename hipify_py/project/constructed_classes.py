"""Finds the classes of included headers whose constructors do something."""

from __future__ import annotations

from collections.abc import Sequence, Set

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.source import is_header_name, is_readable
from hipify_py.frontend.unit import Unit
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import graph_of
from hipify_py.project.query import Query
from hipify_py.project.query_cache import QueryCache
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.constructors import constructors_of

_KEY = lazy_pattern(rb"\b(?:class|struct|union)\b")
_BASES = lazy_pattern(rb"(?<!:):(?!:)")
_WORD = lazy_pattern(rb"\w+")
# This also matches words that merely end in `using`: a search that begins with letters is three times as fast.
_ALIAS = lazy_pattern(rb"using\s+(\w+)\s*=")
_TYPEDEF = lazy_pattern(rb"\btypedef\b")


class ConstructedClasses:
    """The headers' classes that are constructed, by the files that have them in shared memory.

    The headers are queried on creation, by other processes if there are any, while the run is being planned.
    """

    def __init__(self, sources: Sequence[str], around: Sequence[str], texts: SourceStore, answers: QueryCache) -> None:
        """Examine the files of a run, and the headers `around` that they include and that are not files of the run.

        `texts` has their bytes; `answers` holds the headers' answers (`header_query_cache`).
        """
        self._answers = answers
        self._names = {
            path: frozenset(found) for path in sources if (found := texts.fact(types_in_shared_memory, path))
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
            path for path in sorted(wanted) if _may_have(path, wanted[path], texts) and is_readable(texts.read(path))
        ]
        answers.prefetch(Query(_constructed, path, NO_PROJECT) for path in self._asked)

    def with_facts(self, contexts: ContextMap) -> ContextMap:
        """The contexts, with the constructed classes that files have in shared memory."""
        constructed = {path: self._answers.get(_constructed, path, NO_PROJECT) for path in self._asked}
        by_path = dict(contexts.by_path)
        for path, headers in self._seen.items():
            own = self._names[path].intersection(name for header in headers for name in constructed.get(header, ()))
            if own:
                by_path[path] = contexts.of(path)._replace(constructed=own)
        return contexts._replace(by_path=by_path)


def _may_have(header: str, names: Set[bytes], texts: SourceStore) -> bool:
    """Whether a header may define one of some classes or aliases."""
    data = texts.read(header)
    return any(name in data for name in names) and not names.isdisjoint(texts.fact(_classes, header))


def _classes(data: bytes) -> list[bytes]:
    """The names of classes and aliases that a content may define, and some other words with them.

    Each piece of the content is examined once, so that an unterminated one costs no more than any other.
    """
    found = set(_ALIAS.findall(data))
    for piece in data.split(b"{")[:-1]:
        head = piece[_last(piece, b";}") + 1 :]  # the parentheses may be those of `alignas(16)`
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
    """The position of the last of some marks; -1 if there is none."""
    return max(data.rfind(marks[at : at + 1]) for at in range(len(marks)))


def _constructed(unit: Unit) -> list[bytes]:
    return sorted(set(constructors_of(unit).types()))
