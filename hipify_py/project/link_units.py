"""Which files of a run are compiled together, and the libraries whose headers they include."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property, partial

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import CUDA_SUFFIXES, Source, UnreadableSource, reject_unreadable, suffix_of
from hipify_py.frontend.unit import Unit
from hipify_py.project.connected_components import components
from hipify_py.project.include_graph import IncludeGraph, Includes, Reach, include_lines, includes_in
from hipify_py.project.sibling_headers import included, named
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.own_namespaces import BUILT_IN_LIBRARIES
from hipify_py.semantics.references import resolve

# Finds names in a header that look like CUDA's and that the header declares.


def declared_in(path: str, data: bytes) -> frozenset[str]:
    """The names that a header outside the run's files declares."""
    from hipify_py.translator.translate import lexer

    try:
        reject_unreadable(data)
    except UnreadableSource:
        return frozenset()  # a run with this header would report it
    catalog = load_catalog()
    return resolve(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS))


def look_before(paths: Iterable[str], texts: SourceStore) -> None:
    """Look up the facts of files that `Programs` uses, before the files are replaced."""
    for path in paths:
        texts.fact(include_lines, path)
        texts.fact(named, path)


class Programs:
    """The files of a run, and the headers outside it that they include; read on first use."""

    def __init__(self, paths: Iterable[str], texts: SourceStore | None = None) -> None:
        self._paths = list(paths)
        self._texts = texts or SourceStore()
        self._reaches: dict[frozenset[str], Reach] = {}

    @cached_property
    def _further(self) -> list[str]:
        """The headers that the files include and that are not files of the run."""
        return included(self._paths, self._texts)

    @cached_property
    def declared_beside(self) -> dict[str, frozenset[str]]:
        """The names that look like CUDA's and that those headers declare, by header."""
        ask, texts = self._texts.faults.ask, self._texts
        found = {path: ask(path, partial(texts.ask, declared_in, path), frozenset[str]) for path in self._further}
        return {path: names for path, names in found.items() if names}

    @cached_property
    def _includes(self) -> dict[str, Includes]:
        return {path: includes_in(path, self._texts) for path in (*self._paths, *self._further)}

    @cached_property
    def _graph(self) -> IncludeGraph:
        return IncludeGraph(self._includes, self._texts.commands)

    def compiled_with(self, path: str, marked: frozenset[str]) -> frozenset[str]:
        """The `marked` files that a file is compiled with, including itself. The same set again costs little."""
        return self._reach_of(marked).sight(path).all

    def _reach_of(self, marked: frozenset[str]) -> Reach:
        known = self._reaches.get(marked)
        if known is None:
            known = self._reaches[marked] = self._graph.reach(marked)
        return known

    @cached_property
    def _programs(self) -> dict[str, int]:
        groups = components(self._graph.included)
        return {path: number for number, group in enumerate(groups) for path in group}

    def share(self, path: str, other: str) -> bool:
        """Whether includes lead from one of the files to the other, or from both to a third."""
        return self._programs[path] == self._programs[other]

    def libraries(self, path: str) -> frozenset[str]:
        """The libraries whose headers are included by a file, or by one that it is compiled with."""
        own = self._libraries
        return frozenset[str]().union(*(own[other] for other in self.compiled_with(path, self._with_libraries)))

    @cached_property
    def _with_libraries(self) -> frozenset[str]:
        return frozenset(self._libraries)

    @cached_property
    def _libraries(self) -> dict[str, frozenset[str]]:
        """By file, the libraries whose headers it includes itself, or nvcc does; files without any are left out."""
        of_header = cache(load_catalog().libraries_of_header)
        found: dict[str, set[str]] = {}
        for path, includes in self._includes.items():
            for include in includes.files:
                libraries = of_header(include.name)
                if libraries and not (include.is_quoted and self._graph.has(path, include.name)):
                    found.setdefault(path, set()).update(libraries)
        sources = (path for path in self._includes if suffix_of(path) in CUDA_SUFFIXES)
        return {path: BUILT_IN_LIBRARIES.union(found.get(path, ())) for path in (*found, *sources)}
