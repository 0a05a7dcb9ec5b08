"""Gives passes their precompiled headers, and makes those that are worth it.

A `Pass` has the arguments that decide what headers contain (`common`), the lines that its source begins with
(`openings.opening`), and arguments that do not affect these headers (`own`), such as folders of the project's files.
`Beginnings.prepare` takes all the passes of a run at once, so that what they share is made once; a single pass may be
prepared as well. `Beginnings.arguments` returns the arguments to parse with, `Beginnings.header` the files that the
answer depends on, and `Beginnings.discard` is for headers that libclang finds stale (`precompiled.has_failed`).

All beginnings with the same `common` form a tree of lines. A header is precompiled where the tree forks, where the
beginning of a source ends, and behind the runtime's own header, if several passes go through there; each continues the
one before it. What only one pass begins with is precompiled if there are few such passes: that costs a third more than
parsing it, and the next run saves all of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from hipify_py.clang.precompiled import NOTHING, Precompiled, PrecompiledHeaders, including, without_first
from hipify_py.records import NamedTuple

Lines = tuple[bytes, ...]

_RUNTIMES = (b"#include <hip/hip_runtime.h>\n", b"#include <cuda_runtime.h>\n")
"""Headers that programs of all kinds begin with, so that what is precompiled up to them serves many."""

_FEW = 8
"""How many beginnings that only one pass has are made, for the next run. More would only push each other out."""


class Pass(NamedTuple):
    """One time that a source is parsed.

    Attributes:
        common: the arguments that a precompiled header is made with: the dialect's, macros, folders of others.
        opening: the lines that the source begins with (`hipify_py.clang.openings`).
        own: arguments that do not affect the headers in those lines.
    """

    common: tuple[str, ...]
    opening: Lines = ()
    own: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments."""
        return (*self.common, *self.own)


class Beginnings:
    """The precompiled headers of some passes.

    Use: `beginnings.prepare(passes)` once, then `beginnings.arguments(each)` for each of them. For a single pass,
    `prepare([one])` makes whatever is not there yet.
    """

    def __init__(self, headers: PrecompiledHeaders, jobs: int | None = None) -> None:
        self._headers = headers
        self._jobs = jobs or os.cpu_count() or 1
        self._found: dict[tuple[tuple[str, ...], Lines], Precompiled] = {}

    def prepare(self, passes: Sequence[Pass]) -> None:
        """Find the headers of passes; make those that several begin with, and a few that only one begins with."""
        with ThreadPoolExecutor(self._jobs) as pool:
            for generation in _generations(passes):
                for _ in pool.map(self._provide, generation):
                    pass
        for each in passes:
            key = (each.common, each.opening)
            if key not in self._found:
                self._found[key] = self._headers.find(*key)

    def header(self, one: Pass) -> Precompiled:
        """The precompiled header of a pass; `NOTHING` where it has none."""
        return self._found.get((one.common, one.opening), NOTHING)

    def arguments(self, one: Pass) -> tuple[str, ...]:
        """The arguments of a pass, with its precompiled header in place of what comes first, where there is one."""
        path = self.header(one).path
        return (*without_first(one.common), *including(path), *one.own) if path else one.arguments

    def discard(self, one: Pass) -> None:
        """The header of a pass is stale: from now on no pass gets that file."""
        path = self.header(one).path
        if path:
            self._headers.discard(path)
        self._found.update((key, NOTHING) for key, found in self._found.items() if found.path == path)

    def _provide(self, wanted: tuple[tuple[str, ...], Lines]) -> None:
        arguments, lines = wanted
        found = self._headers.find(arguments, lines)
        if not found.path or found.lines < len(lines):
            self._headers.make(arguments, lines, found)


class _Node:
    """A line in the tree of all beginnings with the same arguments."""

    def __init__(self) -> None:
        self.further: dict[bytes, _Node] = {}
        self.passes = 0
        self.ends = 0


def _generations(passes: Sequence[Pass]) -> list[list[tuple[tuple[str, ...], Lines]]]:
    """What is to be made, by arguments and lines: each generation goes on from those before."""
    roots: dict[tuple[str, ...], _Node] = {}
    for each in passes:
        node = roots.setdefault(each.common, _Node())
        for line in each.opening:
            node.passes += 1
            node = node.further.setdefault(line, _Node())
        node.passes += 1
        node.ends += 1
    single = sum(1 for root in roots.values() for node in _nodes(root) if node.ends and node.passes == 1)
    least = 1 if single <= _FEW else 2
    generations: list[list[tuple[tuple[str, ...], Lines]]] = []
    for arguments, root in roots.items():
        waiting: list[tuple[_Node, Lines, int]] = [(root, (), 0)]
        while waiting:
            node, lines, before = waiting.pop()
            is_wanted = node.passes >= least and (
                not lines or node.ends > 0 or len(node.further) > 1 or lines[-1] in _RUNTIMES
            )
            if is_wanted:
                generations += [[]] if len(generations) == before else []
                generations[before].append((arguments, lines))
            waiting += [(child, (*lines, line), before + is_wanted) for line, child in node.further.items()]
    return generations


def _nodes(root: _Node) -> Iterator[_Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.further.values()
