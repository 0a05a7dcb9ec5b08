"""Tells the files of a project what the classes and namespaces of the headers that they include mean by API names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.neighbours import included
from hipify_py.project.texts import Texts
from hipify_py.source import HEADER_SUFFIXES, Source, UnreadableSource, reject_unreadable, suffix_of

if TYPE_CHECKING:
    from hipify_py.semantics.scope_facts import ScopeFacts


def with_scopes(
    contexts: ProjectContexts, sources: Sequence[str], given: Sequence[str], texts: Texts
) -> ProjectContexts:
    """The contexts, with what the headers' scopes mean by API names where files see them.

    Args:
        contexts: what is known so far.
        sources: the files of the run.
        given: files of the run; the headers beside it that they include are looked at as well.
        texts: their bytes.
    """
    around = included(given, texts)
    headers = [path for path in sources if suffix_of(path) in HEADER_SUFFIXES]
    if not headers and not around:
        return contexts
    from hipify_py.catalog import load_catalog
    from hipify_py.semantics.scope_facts import ScopeFacts, may_have_facts, scope_facts

    catalog = load_catalog()
    marked: dict[str, ScopeFacts] = {}
    for path in dict.fromkeys([*headers, *around]):
        data = texts.of(path)
        if may_have_facts(catalog, data) and _is_readable(data):
            from hipify_py.options import DEFAULT_OPTIONS
            from hipify_py.translator import lexer
            from hipify_py.unit import Unit

            facts = scope_facts(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS))
            if facts != ScopeFacts():
                marked[path] = facts
    return _told(contexts, [*sources, *around], marked, texts) if marked else contexts


def _told(
    contexts: ProjectContexts, paths: Sequence[str], marked: dict[str, ScopeFacts], texts: Texts
) -> ProjectContexts:
    from hipify_py.project.include_graph import IncludeGraph, includes_of

    reach = IncludeGraph({path: includes_of(texts.of(path)) for path in dict.fromkeys(paths)}).reach(marked.keys())
    by_path = dict(contexts.by_path)
    for path in paths:
        seen = [marked[header] for header in reach.sight(path).all if header != path]
        if seen:
            by_path[path] = contexts.of(path)._replace(
                own_names=frozenset().union(*(facts.own_names for facts in seen)),
                reexports=frozenset().union(*(facts.reexports for facts in seen)),
            )
    return contexts._replace(by_path=by_path)


def _is_readable(data: bytes) -> bool:
    try:
        reject_unreadable(data)
    except UnreadableSource:
        return False  # its own task reports it
    return True
