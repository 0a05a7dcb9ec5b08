"""Finds what API names mean in the classes and namespaces of the headers that a project's files include."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hipify_py.analysis.preprocessor.compiled import inactive_ranges, required_macros
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.core.project_context import NO_PROJECT, NamespaceName, OwnMacro, OwnName
from hipify_py.core.source import is_header_name, is_readable
from hipify_py.frontend.unit import Unit
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import IncludeGraph, Reach, graph_of, includes_from, sure_include_lines
from hipify_py.project.query import Query
from hipify_py.project.query_cache import QueryCache
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.scope_facts import (
    NOTHING,
    ScopeFacts,
    may_define_macros,
    may_have_facts,
    may_inherit_facts,
    scope_facts,
)

_WORD = re.compile(rb"[A-Za-z_]\w*")


class OwnScopes:
    """The meaning of API names in the scopes of a run's headers.

    The headers are queried on creation, by other processes if there are any, while the run is being planned.
    """

    def __init__(self, sources: Sequence[str], around: Sequence[str], texts: SourceStore, answers: QueryCache) -> None:
        """Examine the files of a run, and the headers `around` that they include and that are not files of the run.

        `texts` has their bytes; `answers` holds the headers' answers (`header_query_cache`).
        """
        headers = dict.fromkeys([*(path for path in sources if is_header_name(path)), *around])
        self._headers = [path for path in headers if is_readable(texts.read(path))]
        self._paths = list(dict.fromkeys([*sources, *around]))
        self._texts = texts
        self._answers = answers
        self._asked = [path for path in self._headers if texts.fact(may_have_scope_facts, path)]
        self._asked += [
            path
            for path in sources
            if path not in headers and texts.fact(may_have_own_macros, path) and is_readable(texts.read(path))
        ]
        answers.prefetch(Query(_facts, path, NO_PROJECT) for path in self._asked)

    def with_facts(self, contexts: ContextMap) -> ContextMap:
        """The contexts, with the meaning of API names in the headers' scopes for the files that see them."""
        found = {path: self.facts(path) for path in self._asked}
        for path in found.keys() - set(
            self._headers
        ):  # nobody includes it, but headers that it includes see its macros
            found[path] = ScopeFacts(macros=found[path].macros)
        marked = {path: facts for path, facts in found.items() if facts != NOTHING}
        if not marked:
            return contexts
        graph = graph_of(self._paths, self._texts)
        _pass_on(graph, self._headers, marked, self)
        reach = graph.reach(marked.keys())
        macros, renamed = self._macros(marked, reach)
        by_path = dict(contexts.by_path)
        for path in self._paths:
            seen = _seen(reach, path, marked)._replace(macros=macros.get(path, frozenset()))
            names = {macro.name for header in reach.sight(path).all for macro in marked[header].macros} & renamed
            if seen != NOTHING or names:
                by_path[path] = contexts.of(path)._replace(**seen._asdict(), renamed_macros=frozenset(names))
        return contexts._replace(by_path=by_path)

    def _macros(
        self, marked: Mapping[str, ScopeFacts], reach: Reach
    ) -> tuple[dict[str, frozenset[OwnMacro]], frozenset[bytes]]:
        """The macros of headers, by the files that include these headers unconditionally; and those to be renamed.

        To be renamed are those that other files compiled with them name: there, the name may mean CUDA's symbol in one
        program, and the macro in another one. What HIP lacks cannot be renamed, and means the macro in both.
        """
        having = [path for path, facts in marked.items() if facts.macros]
        if not having:
            return {}, frozenset()
        texts, catalog = self._texts, load_catalog()
        includes = {path: includes_from(texts.fact(sure_include_lines, path)) for path in self._paths}
        sure = IncludeGraph(includes, texts.commands).reach(having)
        found, renamed = dict[str, frozenset[OwnMacro]](), set[bytes]()
        for path in self._paths:
            seen = {macro for header in sure.sight(path).included - {path} for macro in marked[header].macros}
            together = {macro for header in reach.sight(path).all - {path} for macro in marked[header].macros}
            words = frozenset(_WORD.findall(texts.read(path))) if together - seen else frozenset[bytes]()
            named = {macro for macro in together - seen if macro.name in words}
            renamed.update(macro.name for macro in named)
            beside = {macro for header in sure.sight(path).further for macro in marked[header].macros}
            seen.update(macro for macro in named & beside if _has_no_counterpart(catalog, macro))
            if seen:
                found[path] = frozenset(seen)
        return found, frozenset(renamed)

    def facts(self, path: str, seen: ScopeFacts = NOTHING) -> ScopeFacts:
        """The facts of a header, given the facts that it sees from others."""
        project = NO_PROJECT if seen == NOTHING else NO_PROJECT._replace(**seen._asdict())
        own_names, reexports, namespace_names, macros = self._answers.get(_facts, path, project)
        return ScopeFacts(
            frozenset(OwnName(*name) for name in own_names),
            frozenset(reexports),
            frozenset(NamespaceName(*name) for name in namespace_names),
            frozenset(OwnMacro(*macro) for macro in macros),
        )

    def may_inherit_facts(self, path: str, seen: ScopeFacts) -> bool:
        """Whether the facts of a header may grow with those that it sees."""
        return may_inherit_facts(self._texts.read(path), seen)


def _pass_on(graph: IncludeGraph, headers: Sequence[str], marked: dict[str, ScopeFacts], scopes: OwnScopes) -> None:
    """Add what headers make of each other's facts: classes derived from one, and names declared again by `using`."""
    known: dict[str, ScopeFacts] = {}
    grows = True
    while grows:
        grows = False
        reach = graph.reach(marked.keys())
        for path in headers:
            seen = _seen(reach, path, marked)
            if seen == known.get(path, NOTHING) or not scopes.may_inherit_facts(path, seen):
                continue
            known[path] = seen
            before = marked.get(path, NOTHING)
            facts = _together([before, scopes.facts(path, seen)])
            if facts != before:
                marked[path] = facts
                grows = True


def _seen(reach: Reach, path: str, marked: dict[str, ScopeFacts]) -> ScopeFacts:
    """The facts that a file gets from others compiled with it, except macros, which follow unconditional includes."""
    facts = _together(marked[header] for header in reach.sight(path).all if header != path)
    return facts._replace(macros=frozenset())


def _together(facts: Iterable[ScopeFacts]) -> ScopeFacts:
    every = [*facts]
    return ScopeFacts(*(frozenset().union(*fields) for fields in zip(*every, strict=True))) if every else NOTHING


def _has_no_counterpart(catalog: Catalog, macro: OwnMacro) -> bool:
    row = catalog.row(macro.name)
    return row is not None and row.is_unsupported


def may_have_scope_facts(data: bytes) -> bool:
    """Whether, by its bytes, a class, namespace or macro may have an API name, or name a namespace of the tables."""
    return may_have_facts(load_catalog(), data)


def may_have_own_macros(data: bytes) -> bool:
    """Whether, by its bytes, a source may define a macro with an API name."""
    return may_define_macros(load_catalog(), data)


def _facts(unit: Unit) -> Any:
    """The fields of a header's facts."""
    facts = scope_facts(unit, lambda place: place not in inactive_ranges(unit) and not required_macros(unit, place))
    named = [tuple(name) for name in facts.own_names], [tuple(name) for name in facts.namespace_names]
    return named[0], list(facts.reexports), named[1], [tuple(macro) for macro in facts.macros]
