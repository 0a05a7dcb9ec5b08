"""Macros of headers that stand for `__host__` and `__device__`: most projects have one header with theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import is_header_name
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import graph_of
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.function_heads import SIDES, SPECIFIERS

_DEFINE = lazy_pattern(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:((?:[ \t]+\w+)*)[ \t]*(?:/\*[^\n]*\*/[ \t]*|//[^\n]*)?\r?$)?", re.M
)
_Definition = tuple[bytes, tuple[bytes, ...] | None]
"""A macro's name and the words that it stands for; None for anything else than words."""


def with_attribute_macros(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with the macros for attributes of the headers that each file sees."""
    paths = list(dict.fromkeys([*sources, *around]))
    defined = {path: found for path in paths if is_header_name(path) and (found := texts.fact(_defined, path))}
    if not defined:
        return contexts
    reach = graph_of(paths, texts).reach(defined)
    sights = {path: frozenset(reach.sight(path).all & defined.keys()) - {path} for path in sources}
    by_sight = {
        sight: _sides(definition for path in sorted(sight) for definition in defined[path])
        for sight in set(sights.values())
    }
    by_path = {
        path: contexts.of(path)._replace(attributes=by_sight[sight])
        for path, sight in sights.items()
        if by_sight[sight]
    }
    return contexts._replace(by_path={**contexts.by_path, **by_path})


def _defined(data: bytes) -> list[_Definition]:
    """The macros of a content that has attributes in one of them."""
    if not any(side in data for side in SIDES):
        return []
    found = [(match[1], None if match[2] is None else tuple(match[2].split())) for match in _DEFINE.finditer(data)]
    return found if any(words and not SIDES.isdisjoint(words) for _, words in found) else []


def _sides(definitions: Iterable[_Definition]) -> Mapping[bytes, frozenset[bytes]]:
    """The sides that macros name in all of their definitions together; without macros that have anything else."""
    words: dict[bytes, frozenset[bytes] | None] = {}
    for name, body in definitions:
        others = words.get(name, frozenset())
        words[name] = None if body is None or others is None else others.union(body)
    return {name: sides for name in words if (sides := frozenset(_named(name, words, ()))) and sides <= SIDES}


def _named(name: bytes, words: Mapping[bytes, frozenset[bytes] | None], around: tuple[bytes, ...]) -> Iterator[bytes]:
    """The sides that a macro names, by way of others too, and itself if it has anything else."""
    body = words.get(name)
    if body is None or name in around:
        yield name
        return
    for word in body - SPECIFIERS:
        if word in SIDES:
            yield word
        else:
            yield from _named(word, words, (*around, name))
