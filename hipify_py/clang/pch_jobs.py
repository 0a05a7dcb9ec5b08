"""Assigns precompiled headers to passes, and creates those that are worth it.

A `Pass` has the arguments that determine the content of headers (`common`), the first lines of its source
(`include_prefix.opening`), and arguments that do not affect these headers (`own`), such as folders of the project.
`Beginnings.prepare` takes all passes of a run at once, so that shared headers are created once; a single pass may be
prepared as well. `Beginnings.arguments` returns the arguments to parse with, `Beginnings.header` the files that the
answer depends on, and `Beginnings.discard` is for headers that libclang finds stale (`precompiled.has_failed`).

Headers that a source includes after code of its own (`Pass.behind`) continue from there, if that is safe
(`hipify_py.clang.pch_jobs`).

All beginnings with the same `common` form a tree of lines. A header is precompiled where the tree forks, where the
beginning of a source ends, and after the runtime's own header, if several passes go through there; each continues the
previous one. A beginning of only one pass is precompiled if there are few such passes. Otherwise it is precompiled when
it is requested a second time, as are headers after a source's own code: that costs a third more than parsing it, and
the next run saves all of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from hipify_py.clang.late_includes import Item
from hipify_py.clang.precompiled import (
    NOTHING,
    Precompiled,
    PrecompiledHeaders,
    Wrong,
    including,
    started,
    without_first,
)
from hipify_py.core.cache_files import read_file

# Decides which headers after a source's own code may be precompiled as if they came first: its front.

_PATIENT = 3
"""Rounds in which only headers with known problems are left out; after that, all headers after them are, too."""

_RUNTIME = frozenset((b"hip/hip_runtime.h", b"hip/hip_runtime_api.h"))


class Front:
    """The headers of one source that should come first.

    Attributes:
        is_settled: whether the remaining headers have no known problem.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._chosen = [at for at, item in enumerate(items) if not item.macro]
        self._macros: dict[bytes, list[int]] = {}
        for at, item in enumerate(items):
            if item.macro:
                self._macros.setdefault(item.macro, []).append(at)
        self._rounds = 0
        self.is_settled = not self._chosen

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The lines: headers, and definitions that they need."""
        return tuple(self._items[at].line for at in self._chosen)

    def learn(self, made: Precompiled, wrong: Wrong | None) -> None:
        """Process the result of precompiling the lines.

        Args:
            made: the precompiled header of the first lines.
            wrong: the problem with one of them.
        """
        self._rounds += 1
        if wrong is not None:
            self._leave_out([self._chosen[wrong.line]], wrong.is_missing)
            return
        del self._chosen[made.lines :]
        words_of_lines = _words_of(made)
        if words_of_lines is None:
            self._leave_out(self._chosen[:1], True)
            return
        left_out: list[int] = []
        brought: set[int] = set()
        for at, words in zip(self._chosen, words_of_lines, strict=True):
            item = self._items[at]
            if item.tells_of_runtime and not _RUNTIME.isdisjoint(words):
                self._leave_out([at], True)
                return
            definitions = [*self._definitions(words & self._macros.keys(), at)]
            if None in definitions:
                left_out.append(at)
            brought.update(place for place in definitions if place is not None and place not in self._chosen)
        if left_out:
            self._leave_out(left_out, False)
        elif brought:
            self._chosen = sorted({*self._chosen, *brought})
        else:
            self.is_settled = True

    def _definitions(self, names: Iterable[bytes], at: int) -> Iterator[int | None]:
        """Where macros from `names` are defined, as far as the project's code has changed them before a line.

        None for a macro without a single definition there, or whose definition cannot move along.
        """
        for name in names:
            places = [place for place in self._macros[name] if place < at]
            if places:
                yield places[0] if len(places) == 1 and self._items[places[0]].line else None

    def _leave_out(self, places: Sequence[int], with_all_behind: bool) -> None:
        first = min(places, default=0)
        is_over = with_all_behind or self._rounds >= _PATIENT
        self._chosen = [at for at in self._chosen if (at < first if is_over else at not in places)]
        if all(self._items[at].macro for at in self._chosen):
            self._chosen = []
            self.is_settled = True


def _words_of(made: Precompiled) -> list[frozenset[bytes]] | None:
    """The words that each line adds: identifiers, and ends of paths; None if unknown."""
    words: list[frozenset[bytes]] = []
    for path, lines in made.words:
        kept = (read_file(path) or b"").split(b"\n")
        if len(kept) != lines:
            return None
        words += [frozenset(line.split(b" ")) for line in kept]
    return words


Lines = tuple[bytes, ...]

_RUNTIMES = (b"#include <hip/hip_runtime.h>\n", b"#include <cuda_runtime.h>\n")
"""Headers that programs of all kinds begin with; a precompiled header up to them serves many programs."""

_FEW = 8
"""Limit up to which beginnings of only one pass are created at once, for the next run."""

_MOST = 64
"""Limit on beginnings requested by earlier runs that are created. More would only displace each other."""

_Root = TypeVar("_Root")


class Pass(NamedTuple):
    """One parse of a source.

    Attributes:
        common: the arguments that a precompiled header is created with: the dialect's, macros, folders of other
            projects.
        opening: the first lines of the source (`hipify_py.clang.include_prefix`).
        own: arguments that do not affect the headers in those lines.
        behind: what the source includes after code of its own (`hipify_py.clang.late_includes`).
    """

    common: tuple[str, ...]
    opening: Lines = ()
    own: tuple[str, ...] = ()
    behind: tuple[Item, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments."""
        return (*self.common, *self.own)


class Beginnings:
    """The precompiled headers of some passes.

    Use: `beginnings.prepare(passes)` once, then `beginnings.arguments(each)` for each of them. For a single pass,
    `prepare([one])` creates whatever is missing.
    """

    def __init__(self, headers: PrecompiledHeaders, jobs: int | None = None) -> None:
        self._headers = headers
        self._jobs = jobs or os.cpu_count() or 1
        self._found: dict[tuple[tuple[str, ...], Lines, tuple[Item, ...]], Precompiled] = {}

    def prepare(self, passes: Sequence[Pass]) -> None:
        """Find the headers of passes; create those of several passes, and a few of only one pass."""
        openings = [(each.common, each.opening) for each in passes]
        known = {opening: self._headers.was_wanted(*opening) for opening in dict.fromkeys(openings)}
        with ThreadPoolExecutor(self._jobs) as pool:
            _make(pool, _generations(openings, [known[opening] for opening in openings], _FEW), self._provide)
            for each in passes:
                if _key(each) not in self._found:
                    self._found[_key(each)] = self._headers.find(each.common, each.opening)
            self._prepare_fronts(pool, [each for each in passes if each.behind])

    def _prepare_fronts(self, pool: Executor, passes: Sequence[Pass]) -> None:
        """Continue with headers after a source's own code."""
        begun = [(each, self._found[_key(each)], Front(each.behind)) for each in passes]
        left = [(each, before, front) for each, before, front in begun if before.lines == len(each.opening)]
        known: dict[tuple[tuple[str, ...], Lines, tuple[Item, ...]], bool] = {}
        for each, before, front in left:
            if _key(each) not in known:
                known[_key(each)] = self._headers.was_wanted(each.common, front.lines, before)
        while left := [entry for entry in left if not entry[2].is_settled]:
            wanted = [((each.common, before), front.lines) for each, before, front in left]
            _make(pool, _generations(wanted, [known[_key(each)] for each, _, _ in left]), self._provide_front)
            for each, before, front in left:
                made = self._headers.find(each.common, front.lines, before)
                front.learn(made, self._wrong(each.common, front.lines, before, made))
                if front.is_settled and made.lines:
                    self._found[_key(each)] = made._replace(lines=before.lines + made.lines)

    def _provide_front(self, root: tuple[tuple[str, ...], Precompiled], lines: Lines) -> None:
        arguments, before = root
        found = self._headers.find(arguments, lines, before)
        if found.lines < len(lines) and self._wrong(arguments, lines, before, found) is None:
            self._headers.make(arguments, lines, found, has_words=True)

    def _wrong(self, arguments: tuple[str, ...], lines: Lines, before: Precompiled, found: Precompiled) -> Wrong | None:
        """Why the precompiled header found does not cover all lines, if known."""
        ends = range(found.lines + 1, len(lines) + 1)
        tried = [(start, end) for start in (found, started(before)) for end in ends]
        known = (self._headers.wrong(arguments, lines[:end], start) for start, end in tried)
        return next((wrong for wrong in known if wrong is not None), None)

    def header(self, one: Pass) -> Precompiled:
        """The precompiled header of a pass; `NOTHING` if it has none."""
        return self._found.get(_key(one), NOTHING)

    def arguments(self, one: Pass) -> tuple[str, ...]:
        """The arguments of a pass, with its precompiled header, if any, replacing the first lines."""
        path = self.header(one).path
        return (*without_first(one.common), *including(path), *one.own) if path else one.arguments

    def discard(self, one: Pass) -> None:
        """Drop the stale header of a pass: from now on no pass gets that file."""
        path = self.header(one).path
        if path:
            self._headers.discard(path)
        self._found.update((key, NOTHING) for key, found in self._found.items() if found.path == path)

    def _provide(self, arguments: tuple[str, ...], lines: Lines) -> None:
        found = self._headers.find(arguments, lines)
        if not found.path or found.lines < len(lines):
            self._headers.make(arguments, lines, found)


class _Node:
    """A line in the tree of all beginnings with the same arguments."""

    def __init__(self) -> None:
        self.further: dict[bytes, _Node] = {}
        self.passes = 0
        self.ends = 0


def _key(one: Pass) -> tuple[tuple[str, ...], Lines, tuple[Item, ...]]:
    """The values that determine a pass's precompiled header."""
    return one.common, one.opening, one.behind


def _make(
    pool: Executor, generations: Sequence[Sequence[tuple[_Root, Lines]]], provide: Callable[[_Root, Lines], None]
) -> None:
    for generation in generations:
        for _ in pool.map(lambda wanted: provide(*wanted), generation):
            pass


def _generations(
    beginnings: Sequence[tuple[_Root, Lines]], again: Sequence[bool], few: int = 0
) -> list[list[tuple[_Root, Lines]]]:
    """The headers to create, as pairs of a root and lines: each generation continues earlier ones.

    Args:
        again: which of the beginnings were requested before.
        few: up to so many beginnings of only one pass are created at once; if there are more, they wait for a second
            request.
    """
    counts_twice = sum(again) <= _MOST
    roots: dict[_Root, _Node] = {}
    for (begun, own), is_again in zip(beginnings, again, strict=True):
        node = roots.setdefault(begun, _Node())
        weight = 2 if is_again and counts_twice else 1
        for line in own:
            node.passes += weight
            node = node.further.setdefault(line, _Node())
        node.passes += weight
        node.ends += 1
    single = sum(1 for root in roots.values() for node in _nodes(root) if node.ends and node.passes == 1)
    least = 1 if single <= few else 2
    generations: list[list[tuple[_Root, Lines]]] = []
    for begun, root in roots.items():
        waiting: list[tuple[_Node, Lines, int]] = [(root, (), 0)]
        while waiting:
            node, lines, before = waiting.pop()
            is_wanted = node.passes >= least and (
                not lines or node.ends > 0 or len(node.further) > 1 or lines[-1] in _RUNTIMES
            )
            if is_wanted:
                generations += [[]] if len(generations) == before else []
                generations[before].append((begun, lines))
            waiting += [(child, (*lines, line), before + is_wanted) for line, child in node.further.items()]
    return generations


def _nodes(root: _Node) -> Iterator[_Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.further.values()
