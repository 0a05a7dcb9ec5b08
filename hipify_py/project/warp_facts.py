"""Passes facts about warps between the files of a project.

Three facts cross files: what an author's AMD branches decide, whether everything compiled together counts in
`warpSize`, and whether a host file belongs to a program whose warps are kept at 32 lanes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain, islice
from typing import Any, TypeVar

from hipify_py import nvcc_compat
from hipify_py.analysis.dataflow.plain import merge_summaries
from hipify_py.analysis.dataflow.summaries import function_summaries
from hipify_py.analysis.warp.file_summaries import (
    WarpReader,
    author_choices_in,
    functions_in,
    is_kept_in,
    methods_in,
    own_builds_in,
    size_readers_in,
    warp_functions_in,
)
from hipify_py.analysis.warp.native_proof import own_obstacle
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import is_header_name
from hipify_py.frontend.conditions import may_have_amd_branches
from hipify_py.frontend.unit import Unit
from hipify_py.frontend.words import words
from hipify_py.project.connected_components import components
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import Include, IncludeGraph, Reach, graph_of
from hipify_py.project.query import Query
from hipify_py.project.query_cache import QueryCache
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import (
    AMD_BRANCHES,
    GROUP_ALIASES,
    HOST_READS,
    MAY_BE_NATIVE,
    OPERATIONS,
    VOTES,
    WAITS,
    warp_hints,
)
from hipify_py.semantics.group_types import group_aliases
from hipify_py.support_header import MARK

_Answer = TypeVar("_Answer")
_NONE: frozenset[bytes] = frozenset()
_NO_FILES: frozenset[str] = frozenset()


def with_warps(
    contexts: ContextMap,
    sources: Sequence[str],
    around: Sequence[str],
    options: Options,
    texts: SourceStore,
    *,
    is_whole: bool,
) -> ContextMap:
    """The `contexts` of `sources`, with facts about warps from the files that each is compiled with.

    The headers `around` are included by the run's files and are not sources; they are read as well. If the sources are
    the `whole` of a folder, they are assumed to be everything that is linked together.
    """
    hints = {path: texts.fact(warp_hints, path) for path in [*sources, *around]}
    ours = (MARK, nvcc_compat.MARK)
    concerned = {path for path, hint in hints.items() if hint and not texts.read(path).startswith(ours)}
    if not concerned:
        return contexts
    graph = graph_of(hints, texts)
    facts = _WarpFacts({path: hints[path] * (path in concerned) for path in hints}, graph, contexts, options, texts)
    try:
        return contexts._replace(by_path={**contexts.by_path, **facts.contexts(is_whole=is_whole)})
    finally:
        facts.close()


class _Seen(dict[str, frozenset[str]]):
    """By file, the marked files that it sees besides itself; found on first use, as a large project has many."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def __missing__(self, path: str) -> frozenset[str]:
        found = self[path] = self._reach.sight(path).all - {path}
        return found


class _Mentions:
    """Which of some names files mention.

    Files are read once for all names that are expected together. All of their words would take up much memory.
    """

    def __init__(self, texts: SourceStore) -> None:
        self._texts = texts
        self._expected: dict[bytes, None] = {}
        self._found: dict[str, tuple[frozenset[bytes], int]] = {}
        """By file, the expected names that it mentions, and how many were expected then."""

    def expect(self, names: Iterable[bytes]) -> None:
        """Announce names that will be asked for."""
        self._expected.update(dict.fromkeys(names))

    def of(self, path: str, names: AbstractSet[bytes]) -> frozenset[bytes]:
        """Those of some names that a file mentions."""
        if not names:
            return _NONE
        self.expect(names)
        found, count = self._found.get(path, (_NONE, 0))
        if count < len(self._expected):
            fresh = islice(self._expected, count, None)
            found |= frozenset(words(self._texts.read(path))).intersection(fresh)
            self._found[path] = found, len(self._expected)
        return found & names


class _WarpFacts:
    """The facts of one run. `hints` has what each file may have to do with warps, 0 for nothing."""

    def __init__(
        self, hints: Mapping[str, int], graph: IncludeGraph, known: ContextMap, options: Options, texts: SourceStore
    ) -> None:
        self._hints = hints
        self._graph = graph
        self._texts = texts
        self._known = known
        reader = WarpReader(options)
        self._answers = QueryCache(
            options, texts.facts or FileFacts(), texts.read, reader.unit, texts.jobs, faults=texts.faults
        )
        self._own: dict[str, frozenset[bytes]] = {}
        self._sizes: dict[str, frozenset[bytes]] = {}
        self._types = set[str]()  # the files in which AMD branches choose warp sizes or mask types
        self._answered: dict[tuple[Callable[..., object], str, frozenset[bytes] | None], Any] = {}
        self._mentions = _Mentions(texts)
        self._by_hint: dict[int, list[str]] = {}
        self._projects: dict[str, ProjectContext] = {}
        self._place = {path: index for index, path in enumerate(hints)}

    @cached_property
    def _seen(self) -> _Seen:
        """By file, the files about warps that it is compiled with."""
        return self._sights({path for path, hint in self._hints.items() if hint})

    @cached_property
    def _all_seen(self) -> _Seen:
        """By file, all files that it is compiled with."""
        return self._sights(set(self._hints))

    @cached_property
    def _included(self) -> dict[str, frozenset[str]]:
        """By file, the files about warps that it includes, directly or through others."""
        reach = self._graph.reach({path for path, hint in self._hints.items() if hint})
        return {path: reach.sight(path).included - {path} for path in self._hints}

    @cached_property
    def _always_seen(self) -> _Seen:
        """By file, all files that it is compiled with in every build."""
        own = {
            path: [target for targets in includes.values() for target in targets]
            for path, includes in self._own_includes.items()
        }
        return self._sights(set(self._hints), own) if own else self._all_seen

    def _sights(self, marked: set[str], without: Mapping[str, Collection[str]] | None = None) -> _Seen:
        return _Seen(self._graph.reach(marked, without))

    def close(self) -> None:
        """End the processes that read files."""
        self._answers.close()

    def contexts(self, *, is_whole: bool) -> dict[str, ProjectContext]:
        """The contexts of the files that get any facts; the files may be a whole program, or a few of it."""
        self._spread_choices()
        aliases = self._group_aliases()
        waiting = self._waiting_functions()
        native = self._native_files()
        sizes = self._author_sizes()
        includes = self._deciding_includes()
        implied = self._implied_macros()
        by_device = self._readers_without_kept_warps(native) if is_whole else _NO_FILES
        found = {}
        for path in self._hints:
            known = self._known.of(path)
            project = known._replace(
                author_names=self._own.get(path, _NONE),
                author_sizes=sizes.get(path, _NONE),
                chooses_warps=path in self._types,
                deciding_includes=includes.get(path, frozenset()),
                implied_macros=implied if path in self._own_builds else _NONE,
                group_aliases=self._aliases_for(path, aliases),
                group_votes=any(self._hints[other] & VOTES for other in self._seen[path]),
                native_warps=path in native,
                waiting_functions=self._told_of(path, waiting),
                has_device_warps=path in by_device,
            )
            if project != known:
                found[path] = project
        return found

    def _with(self, hint: int) -> list[str]:
        """The files with a hint, in their order."""
        if hint not in self._by_hint:
            self._by_hint[hint] = [path for path, hints in self._hints.items() if hints & hint]
        return self._by_hint[hint]

    def _ask(self, question: Callable[[Unit], _Answer], path: str) -> _Answer:
        """The answer of a file with what is known so far; many files ask the same of it."""
        key = question, path, self._own.get(path)
        if key not in self._answered:
            self._answered[key] = self._answers.get(question, path, self._project(path))
        found: _Answer = self._answered[key]
        return found

    def _expect(self, question: Callable[..., object], paths: Iterable[str]) -> None:
        self._answers.prefetch(Query(question, path, self._project(path)) for path in paths)

    def _project(self, path: str) -> ProjectContext:
        known = self._projects.get(path)
        if known is None:
            own = self._own.get(path)
            known = self._known.of(path)
            known = self._projects[path] = known._replace(author_names=own) if own else known
        return known

    def _spread_choices(self) -> None:
        """Give each file the author's own names that matter to it: those it mentions, and those its callers call.

        A file that gets a new name is asked again, until there are no new names.
        """
        exported: dict[str, frozenset[bytes]] = {}
        pending = self._with(AMD_BRANCHES)
        while pending:
            self._expect(author_choices_in, pending)
            answers = {path: self._ask(author_choices_in, path) for path in pending}
            self._mentions.expect(chain.from_iterable(names | called for names, called, *_ in answers.values()))
            exported |= {path: names for path, (names, *_) in answers.items()}
            self._sizes |= {path: sizes for path, (_, _, sizes, _) in answers.items() if sizes}
            self._types |= {path for path, (*_, has_types) in answers.items() if has_types}
            fresh = dict[str, frozenset[bytes]]()
            for path, (names, called, *_) in answers.items():
                for other, more in [*self._users_of(path, names), *self._called_by(path, called)]:
                    more -= exported.get(other, _NONE) | self._own.get(other, _NONE)
                    if more:
                        fresh[other] = fresh.get(other, _NONE) | more
            for path, more in fresh.items():
                self._own[path] = self._own.get(path, _NONE) | more
                self._projects.pop(path, None)
            pending = list(fresh)

    def _users_of(self, path: str, names: frozenset[bytes]) -> Iterator[tuple[str, frozenset[bytes]]]:
        """The files that are compiled with a file, with those of its `names` that they mention.

        A header that only the author's build includes, to replace functions there, changes nothing for them. A method
        of the same name in one of their classes is another function.
        """
        if not names:
            return
        seen = self._all_seen if path in self._types else self._always_seen
        # Two files are compiled together, so each sees the other.
        for user in sorted(seen[path], key=self._place.__getitem__):
            mentioned = self._mentions.of(user, names)
            if mentioned and self._hints[user] & OPERATIONS:
                mentioned -= self._answers.get(methods_in, user, self._project(user), mentioned)
            if mentioned:
                yield user, mentioned

    def _called_by(self, path: str, called: frozenset[bytes]) -> Iterator[tuple[str, frozenset[bytes]]]:
        """The files that a file is compiled with, with those of their warp functions that it calls."""
        for other in self._all_seen[path] if called else ():
            if self._hints[other] & OPERATIONS and self._mentions.of(other, called):
                yield other, called & self._ask(warp_functions_in, other)
        for other in self._with(HOST_READS) if called else ():
            if self._mentions.of(other, called):
                yield other, called & self._ask(size_readers_in, other)

    def _author_sizes(self) -> dict[str, frozenset[bytes]]:
        """By file that reads the device's warp size, the sizes that AMD branches of its program choose."""
        readers = set(self._with(HOST_READS)) if self._sizes else set[str]()
        found: dict[str, frozenset[bytes]] = {}
        for group in components(self._graph.included) if readers else ():
            sizes = _NONE.union(*(self._sizes.get(path, _NONE) for path in group))
            found |= {path: sizes for path in group if sizes and path in readers}
        return found

    @cached_property
    def _own_builds(self) -> dict[str, tuple[frozenset[tuple[str, bool]], frozenset[bytes]]]:
        """By file with AMD branches: includes only in the author's build, and macros it defines in all builds."""
        branching = [path for path in self._hints if self._texts.fact(may_have_amd_branches, path)]
        self._answers.prefetch(Query(own_builds_in, path, self._known.of(path)) for path in branching)
        return {path: self._answers.get(own_builds_in, path, self._known.of(path)) for path in branching}

    @cached_property
    def _own_includes(self) -> dict[str, dict[str, list[str]]]:
        """By file, its includes only in the author's own AMD build: the paths as written, and the files they mean."""
        found: dict[str, dict[str, list[str]]] = {}
        for path, (includes, _) in self._own_builds.items():
            for name, is_quoted in includes:
                found.setdefault(path, {})[name] = self._graph.leads_to(path, Include(name, is_quoted))
        return found

    def _implied_macros(self) -> frozenset[bytes]:
        """The macros that some file defines in any build for AMD GPUs."""
        return _NONE.union(*(macros for _, macros in self._own_builds.values()))

    def _deciding_includes(self) -> dict[str, frozenset[str]]:
        """By file, the includes from `_own_includes` that lead to a warp size or a mask type."""
        found: dict[str, frozenset[str]] = {}
        for path, includes in self._own_includes.items() if self._types else ():
            found[path] = frozenset(
                name
                for name, targets in includes.items()
                if any(target in self._types or self._types & self._included[target] for target in targets)
            )
        return found

    def _group_aliases(self) -> dict[str, frozenset[bytes]]:
        """By file, the names that it gives to group types."""
        naming = self._with(GROUP_ALIASES)
        self._expect(group_aliases, naming)
        return {path: self._ask(group_aliases, path) for path in naming}

    def _aliases_for(self, path: str, aliases: Mapping[str, frozenset[bytes]]) -> frozenset[bytes]:
        return _NONE.union(*(aliases[other] for other in self._seen[path] & aliases.keys())) if aliases else _NONE

    def _waiting_functions(self) -> dict[str, dict[bytes, tuple[Any, ...]]]:
        """By header, what its functions wait for, read and write.

        Each header is asked once, after the headers that it includes, whose functions it may call.
        """
        found: dict[str, dict[bytes, tuple[Any, ...]]] = {}
        left = {path: self._included[path] for path in self._with(WAITS) if is_header_name(path)}
        while left:
            ready = [path for path, included in left.items() if included.isdisjoint(left.keys() - {path})] or list(left)
            asked = [
                (path, self._known.of(path)._replace(waiting_functions=self._told_of(path, found))) for path in ready
            ]
            self._answers.prefetch(Query(function_summaries, path, project) for path, project in asked)
            for path, project in asked:
                found[path] = self._answers.get(function_summaries, path, project)
                del left[path]
            self._mentions.expect(chain.from_iterable(found[path] for path in ready))
        return found

    def _told_of(
        self, path: str, waiting: Mapping[str, Mapping[bytes, tuple[Any, ...]]]
    ) -> Mapping[bytes, tuple[Any, ...]]:
        """The waiting functions that a file names, from the files that it is compiled with."""
        seen = [waiting[other] for other in sorted(self._seen[path] & waiting.keys()) if waiting[other]]
        named = self._mentions.of(path, {name for each in seen for name in each}) if seen else _NONE
        return merge_summaries({name: summary for name, summary in each.items() if name in named} for each in seen)

    def _native_files(self) -> frozenset[str]:
        """The files of groups that are compiled together and provably count in `warpSize`, on the host as well."""
        counting = set(self._with(OPERATIONS))
        groups = [
            group
            for group in components({path: self._seen[path] & counting for path in counting})
            if all(self._hints[path] & MAY_BE_NATIVE and path not in self._own for path in group)
            and any(self._hints[path] & HOST_READS for path in group)
        ]
        self._expect(own_obstacle, (path for group in groups for path in group))
        proved = [group for group in groups if not any(self._ask(own_obstacle, path) for path in group)]
        found = frozenset(path for group in proved for path in group if not self._has_other_users(group))
        return found if not self._texts.faults else _NO_FILES  # what proves it may be in what could not be examined

    def _has_other_users(self, group: Sequence[str]) -> bool:
        """Whether a file outside a group, compiled with files of it, names one of its warp functions."""
        names = _NONE.union(*(self._ask(warp_functions_in, path) for path in group))
        others = (path for path in self._hints if path not in group and not self._seen[path].isdisjoint(group))
        return any(self._mentions.of(path, names) for path in others)

    def _readers_without_kept_warps(self, native: frozenset[str]) -> frozenset[str]:
        """The files that read the device's warp size and are not linked with warps that are kept at 32 lanes.

        Files in the same folder, files that a file includes, and files whose functions it names count as linked.
        """
        readers = self._with(HOST_READS)
        if not readers:
            return _NO_FILES
        counting = [path for path in self._with(OPERATIONS) if path not in native]
        self._expect(is_kept_in, counting)
        kept = {path for path in counting if self._ask(is_kept_in, path)}
        folders = {os.path.dirname(path) for path in kept}
        found = set()
        for path in readers:
            is_near = os.path.dirname(path) in folders or not kept.isdisjoint(self._seen[path])
            if not (is_near or self._calls_into(path, kept)):
                found.add(path)
        return frozenset(found) if not self._texts.faults else _NO_FILES

    def _calls_into(self, path: str, kept: Iterable[str]) -> bool:
        named = frozenset(words(self._texts.read(path))) - {b"main"}
        return any(not named.isdisjoint(self._ask(functions_in, other)) for other in sorted(kept))
