"""Tells the files of a project what the classes and namespaces of the headers that they include mean by API names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.texts import Texts
from hipify_py.project_context import ProjectContext
from hipify_py.semantics.scope_facts import NOTHING, ScopeFacts, may_pass_on
from hipify_py.source import HEADER_SUFFIXES, Source, UnreadableSource, reject_unreadable, suffix_of

if TYPE_CHECKING:
    from hipify_py.project.include_graph import IncludeGraph, Reach


def with_scopes(
    contexts: ProjectContexts, sources: Sequence[str], around: Sequence[str], texts: Texts
) -> ProjectContexts:
    """The contexts, with what the headers' scopes mean by API names where files see them.

    Args:
        contexts: what is known so far.
        sources: the files of the run.
        around: headers that its files include and that are no files of it; they are looked at as well.
        texts: their bytes.
    """
    headers = [path for path in sources if suffix_of(path) in HEADER_SUFFIXES]
    if not headers and not around:
        return contexts
    headers = [path for path in dict.fromkeys([*headers, *around]) if _is_readable(texts.of(path))]
    marked = _own_facts(headers, texts)
    if not marked:
        return contexts
    from hipify_py.project.include_graph import IncludeGraph, includes_in

    paths = list(dict.fromkeys([*sources, *around]))
    graph = IncludeGraph({path: includes_in(path, texts) for path in paths}, texts.commands)
    _pass_on(graph, headers, marked, texts)
    reach = graph.reach(marked.keys())
    by_path = dict(contexts.by_path)
    for path in paths:
        seen = _seen(reach, path, marked)
        if seen != NOTHING:
            by_path[path] = contexts.of(path)._replace(own_names=seen.own_names, reexports=seen.reexports)
    return contexts._replace(by_path=by_path)


def _own_facts(headers: Sequence[str], texts: Texts) -> dict[str, ScopeFacts]:
    """What headers say by themselves; those that say nothing left out."""
    from hipify_py.catalog import load_catalog
    from hipify_py.semantics.scope_facts import may_have_facts

    catalog = load_catalog()
    found = {path: _facts(path, texts) for path in headers if may_have_facts(catalog, texts.of(path))}
    return {path: facts for path, facts in found.items() if facts != NOTHING}


def _pass_on(graph: IncludeGraph, headers: Sequence[str], marked: dict[str, ScopeFacts], texts: Texts) -> None:
    """Add what headers make of each other's facts: classes that derive from one, names that are taken up again."""
    known: dict[str, ScopeFacts] = {}
    grows = True
    while grows:
        grows = False
        reach = graph.reach(marked.keys())
        for path in headers:
            seen = _seen(reach, path, marked)
            if seen == known.get(path, NOTHING) or not may_pass_on(texts.of(path), seen):
                continue
            known[path] = seen
            before = marked.get(path, NOTHING)
            facts = _together([before, _facts(path, texts, seen)])
            if facts != before:
                marked[path] = facts
                grows = True


def _seen(reach: Reach, path: str, marked: dict[str, ScopeFacts]) -> ScopeFacts:
    """What a file is told by the others that it is compiled with."""
    return _together(marked[header] for header in reach.sight(path).all if header != path)


def _together(facts: Iterable[ScopeFacts]) -> ScopeFacts:
    every = list(facts)
    return ScopeFacts(
        frozenset().union(*(each.own_names for each in every)), frozenset().union(*(each.reexports for each in every))
    )


def _facts(path: str, texts: Texts, seen: ScopeFacts = NOTHING) -> ScopeFacts:
    from hipify_py.catalog import load_catalog
    from hipify_py.options import DEFAULT_OPTIONS
    from hipify_py.semantics.scope_facts import scope_facts
    from hipify_py.translator import lexer
    from hipify_py.unit import Unit

    catalog, data = load_catalog(), texts.of(path)
    project = ProjectContext(own_names=seen.own_names, reexports=seen.reexports)
    return scope_facts(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project))


def _is_readable(data: bytes) -> bool:
    try:
        reject_unreadable(data)
    except UnreadableSource:
        return False  # its own task reports it
    return True
