"""Which file of a project includes which: facts pass from file to file along includes, not along names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.ranges import Ranges
from hipify_py.project.compile_commands import NO_COMMANDS, CompileCommands, Folders
from hipify_py.project.source_store import SourceStore

# Which sources include a file, directly or through others: a header is compiled as part of them.


class Includers:
    """The files that include others, from an include graph (`IncludeGraph.included`)."""

    def __init__(self, included: Mapping[str, Sequence[str]]) -> None:
        self._includers: dict[str, list[str]] = {}
        for path, targets in included.items():
            for target in dict.fromkeys(targets):
                self._includers.setdefault(target, []).append(path)

    def of(self, path: str, is_source: Callable[[str], bool]) -> Iterator[str]:
        """The sources that include a file, sorted by the number of include steps and then by name."""
        seen, now = {path}, [path]
        while now:
            now = sorted({above for here in now for above in self._includers.get(here, ()) if above not in seen})
            seen.update(now)
            yield from filter(is_source, now)


_INCLUDE = lazy_pattern(
    rb'\#[ \t]*(?:(?:include|import)(?:_next)?[ \t]*(?:"([^"\r\n]{1,300})"|<([^<>\r\n]{1,300})>|([A-Za-z_]\w*))'
    rb'|define[ \t]+(\w+)[ \t]+(["<][^"<>\r\n]{1,300}[">]))'
)
_CONDITION = lazy_pattern(rb"\#[ \t]*(if|endif)")
GUARD = lazy_pattern(rb"\#[ \t]*ifndef[ \t]+(\w+)[ \t\r]*\n[ \t]*\#[ \t]*define[ \t]+\1\b")
_BEFORE_CODE = lazy_pattern(rb"\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*)*\Z")
_SKIPPED = lazy_pattern(rb"(?s)//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"")


class Include(NamedTuple):
    """One `#include`: the path as written, or the name of the macro in its place."""

    name: str
    is_quoted: bool = False
    is_macro: bool = False


class Includes(NamedTuple):
    """What a source includes, under any condition, and the macros it defines that an `#include` may name."""

    files: tuple[Include, ...] = ()
    macros: tuple[tuple[str, Include], ...] = ()


def includes_of(data: bytes) -> Includes:
    """The includes of a source, ignoring comments."""
    return includes_from(include_lines(data))


def includes_in(path: str, texts: SourceStore) -> Includes:
    """The includes of one of some files, computed once for all callers."""
    known = _includes.setdefault(texts, {})
    found = known.get(path)
    if found is None:
        found = known[path] = includes_from(texts.fact(include_lines, path))
    return found


_includes: WeakKeyDictionary[SourceStore, dict[str, Includes]] = WeakKeyDictionary()


_Written = tuple[str, bool, bool]
Lines = tuple[tuple[_Written, ...], tuple[tuple[str, _Written], ...]]
"""The fields of `Includes`, in the form stored with the facts of a file."""


def includes_from(lines: Lines) -> Includes:
    """The includes that `include_lines` has found."""
    files, macros = lines
    return Includes(
        tuple(Include(*written) for written in files), tuple((name, Include(*written)) for name, written in macros)
    )


def include_lines(data: bytes) -> Lines:
    """The fields of a source's `Includes`."""
    return _lines(data, _INCLUDE.finditer(data))


def sure_include_lines(data: bytes) -> Lines:
    """`include_lines` of what a source includes unconditionally, apart from its include guard."""
    guard = GUARD.search(data)
    opened, sections = list[int](), []
    for match in _CONDITION.finditer(data):
        if _is_directive(data, match.start()):
            if match[1] == b"if":
                opened.append(match.start())
            elif opened and (start := opened.pop()) != (guard.start() if guard is not None else -1):
                sections.append((start, match.end()))
    conditional = Ranges(sections)
    return _lines(data, (match for match in _INCLUDE.finditer(data) if match.start() not in conditional))


def _lines(data: bytes, found: Iterable[re.Match[bytes]]) -> Lines:
    files, macros = [], []
    for match in found:
        if not _is_directive(data, match.start()):
            continue
        quoted, angled, macro, defined, value = match.groups()
        if defined is not None:
            macros.append((os.fsdecode(defined), (_path(value[1:-1]), value.startswith(b'"'), False)))
        elif macro is not None:
            files.append((os.fsdecode(macro), False, True))
        else:
            files.append((_path(quoted or angled), quoted is not None, False))
    return tuple(files), tuple(macros)


def _path(name: bytes) -> str:
    return os.fsdecode(name).replace("\\", "/").strip()


def _is_directive(data: bytes, place: int) -> bool:
    """Whether only blanks and comments precede a `#` on its line, and it is not inside a comment."""
    line = data.rfind(b"\n", 0, place) + 1
    if not _BEFORE_CODE.fullmatch(data, line, place):
        return False
    if data.rfind(b"/*", 0, place) <= data.rfind(b"*/", 0, place):
        return True
    return not any(skip.start() < place < skip.end() for skip in _SKIPPED.finditer(data, 0, place + 1))


class IncludeGraph:
    """The files of a project with the files that they include.

    An include is the file that its path leads to: from the including file's folder, from the folders that a compilation
    database names for it, or from a folder above it or an `include` there, as build files name them. If there is no
    such file, the include may mean any file of the project whose path ends like it, unless it is written like a C++
    header (`<vector>`). Files outside the project, or generated by its build, are left out.
    """

    def __init__(self, includes: Mapping[str, Includes], commands: CompileCommands = NO_COMMANDS) -> None:
        self._commands = commands
        self._paths = {_absolute(path): path for path in includes}
        self._folders = {path: place.rpartition("/")[0] for place, path in self._paths.items()}
        self._by_name: dict[str, list[str]] = {}
        for place in self._paths:
            self._by_name.setdefault(place.rpartition("/")[2], []).append(place)
        self._above: dict[str, tuple[str, ...]] = {}
        self._known: dict[tuple[str, Folders], dict[Include, list[str]]] = {}
        self.links: dict[str, str | None] = {}
        """The real places of the paths that may lead to a file of the project by symbolic links; None for no file."""
        macros: dict[str, set[Include]] = {}
        for given in includes.values():
            for name, include in given.macros:
                macros.setdefault(name, set()).add(include)
        self.included = {path: list(self._resolved(path, given.files, macros)) for path, given in includes.items()}

    def _resolved(
        self, path: str, includes: Iterable[Include], macros: Mapping[str, Collection[Include]]
    ) -> Iterator[str]:
        place = self._folder(path), self._commands.folders(path)
        known = self._known.setdefault(place, {})
        for include in includes:
            if include.is_macro:
                yield from self._resolved(path, sorted(macros.get(include.name, ())), {})
                continue
            found = known.get(include)
            yield from self._meant(*place, include) if found is None else found

    def _meant(self, folder: str, lists: Folders, include: Include) -> list[str]:
        """The files that an include in a folder's files leads to."""
        known = self._known.setdefault((folder, lists), {})
        found = known.get(include)
        if found is None:
            places = self._candidates(folder, include, lists) if self._may_have(include) else []
            found = known[include] = [self._paths[place] for place in places]
        return found

    def _folder(self, path: str) -> str:
        return self._folders[path] if path in self._folders else _absolute(path).rpartition("/")[0]

    def _may_have(self, include: Include) -> bool:
        """False for an include that is written like a system header and named like no file of the project."""
        return include.is_quoted or include.name.rpartition("/")[2] in self._by_name

    def _candidates(self, folder: str, include: Include, lists: Folders) -> list[str]:
        if include.name.rpartition("/")[2] not in self._by_name:
            return self._linked(folder, include)
        if include.is_quoted and (beside := _joined(folder, include.name)) in self._paths:
            return [beside]
        named = [self._first(include.name, folders) for folders in lists]
        if any(named):
            return [*dict.fromkeys(place for place in named if place)]
        for above in self._folders_above(folder):
            if (place := _joined(above, include.name)) in self._paths:
                return [place]
        if not include.is_quoted and "/" not in include.name and "." not in include.name:
            return []
        parts = [part for part in include.name.split("/") if part not in ("", ".", "..")]
        same = self._by_name[parts[-1]] if parts else []
        ending = "/" + "/".join(parts)
        found = [place for place in same if place.endswith(ending)]
        return found or self._linked(folder, include) or [place for place in same if _leads_to(parts, place)]

    def _first(self, name: str, folders: tuple[str, ...]) -> str:
        """The project file that a path leads to from the first folder that has it; empty if none has it."""
        for folder in folders:
            if (place := _joined(folder, name)) in self._paths:
                return place
        return ""

    def _linked(self, folder: str, include: Include) -> list[str]:
        """The file that a quoted path leads to by symbolic links."""
        place = _joined(folder, include.name)
        if not include.is_quoted:
            return []
        if place not in self.links:
            self.links[place] = real_place(place)
        real = self.links[place]
        linked = None if real is None else self._real_places.get(real)
        return [] if linked is None else [linked]

    @cached_property
    def _real_places(self) -> dict[str, str]:
        folders: dict[str, str] = {}
        found = {}
        for place in self._paths:
            folder, _, name = place.rpartition("/")
            if folder not in folders:
                folders[folder] = os.path.realpath(folder)
            found[os.path.join(folders[folder], name)] = place
        return found

    def _folders_above(self, folder: str) -> tuple[str, ...]:
        """A folder, its parents, and the `include` folder in each; nearest first."""
        known = self._above.get(folder)
        if known is None:
            above = folder.rpartition("/")[0]
            further = self._folders_above(above) if above else ()
            known = self._above[folder] = (folder, folder + "/include", *further)
        return known

    def leads_to(self, path: str, include: Include) -> list[str]:
        """The files that an include of a file may mean."""
        return self._meant(self._folder(path), self._commands.folders(path), include)

    def has(self, path: str, name: str) -> bool:
        """Whether an include of this path, quoted in a file, leads to a file of the project."""
        return bool(self.leads_to(path, Include(name, is_quoted=True)))

    @property
    def targets(self) -> frozenset[str]:
        """The files that others include."""
        return frozenset(target for targets in self.included.values() for target in targets)

    def reach(self, marked: Collection[str], without: Mapping[str, Collection[str]] | None = None) -> Reach:
        """Which `marked` files each file sees; for the files in `without`, includes of certain others do not count."""
        included = dict(self.included)
        for path, left_out in (without or {}).items():
            included[path] = [target for target in included[path] if target not in left_out]
        return Reach(included, sorted(marked))


_made: WeakKeyDictionary[SourceStore, dict[tuple[str, ...], IncludeGraph]] = WeakKeyDictionary()
"""Graphs by the texts and the paths they are made of."""


def graph_of(paths: Iterable[str], texts: SourceStore) -> IncludeGraph:
    """The graph of some files, built once for all callers."""
    made, key = _made.setdefault(texts, {}), tuple(paths)
    known = made.get(key)
    if known is None:
        known = made[key] = IncludeGraph({path: includes_in(path, texts) for path in key}, texts.commands)
    return known


def links_seen(texts: SourceStore) -> dict[str, str | None]:
    """The `links` of all graphs that `graph_of` has made."""
    return {place: real for graph in _made.get(texts, {}).values() for place, real in graph.links.items()}


def real_place(path: str) -> str | None:
    """The path without symbolic links; None if nothing is there."""
    return os.path.realpath(path) if os.path.exists(path) else None


def _absolute(path: str) -> str:
    return os.path.abspath(path).replace(os.sep, "/")


def _joined(folder: str, name: str) -> str:
    return os.path.normpath(f"{folder}/{name}").replace(os.sep, "/") if "./" in name else f"{folder}/{name}"


def _leads_to(parts: list[str], place: str) -> bool:
    """Whether the parts of an include's path occur in a file's path in that order: `<app/x.cuh>` is `app/src/x.cuh`."""
    rest = iter(place.split("/"))
    return all(part in rest for part in parts)


class Sight:
    """The marked files that a file sees; each set is made on first use."""

    def __init__(self, marked: Sequence[str], own: int, every: int) -> None:
        self._marked = marked
        self._own = own
        self._every = every

    @cached_property
    def included(self) -> frozenset[str]:
        """Those that it includes, directly or through others, and itself."""
        return _those(self._marked, self._own)

    @cached_property
    def further(self) -> frozenset[str]:
        """Those that its includers see besides."""
        return _those(self._marked, self._every & ~self._own)

    @cached_property
    def all(self) -> frozenset[str]:
        """All that it sees."""
        return _those(self._marked, self._every)


class Reach:
    """Which of some marked files each file of a project sees.

    A file includes some of them, directly or through others. A header is compiled with everything its includers
    include, so it may use that too.
    """

    def __init__(self, included: Mapping[str, list[str]], marked: list[str]) -> None:
        self.marked = marked
        self._sights: dict[tuple[int, int], Sight] = {}
        number = {path: 1 << index for index, path in enumerate(marked)}
        order = circles(included)
        group = {path: index for index, paths in enumerate(order) for path in paths}
        below = [{group[to] for path in paths for to in included[path]} - {group[paths[0]]} for paths in order]
        own: list[int] = []
        for index, paths in enumerate(order):  # included files come first
            bits = 0
            for path in paths:
                bits |= number.get(path, 0)
            for other in below[index]:
                bits |= own[other]
            own.append(bits)
        every = own[:]
        for index in reversed(range(len(order))):
            for other in below[index]:
                every[other] |= every[index]
        self._bits = {path: (own[index], every[index]) for path, index in group.items()}

    def sight(self, path: str) -> Sight:
        """What a file sees; the same object for files that see the same."""
        bits = self._bits[path]
        known = self._sights.get(bits)
        if known is None:
            known = self._sights[bits] = Sight(self.marked, *bits)
        return known


_ONE = re.compile("1")


def _those(marked: Sequence[str], bits: int) -> frozenset[str]:
    """The marked files whose bits are set, the lowest for the first."""
    return frozenset(marked[found.start()] for found in _ONE.finditer(f"{bits:b}"[::-1]))


def circles(included: Mapping[str, list[str]]) -> list[list[str]]:
    """The files, with include cycles grouped; what a file includes comes before it (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[list[str]] = []
    for first in included:
        if first in number:
            continue
        number[first] = lowest[first] = len(number)
        stack.append(first)
        waiting.add(first)
        walk = [(first, iter(included[first]))]
        while walk:
            path, rest = walk[-1]
            for to in rest:
                if to not in number:
                    number[to] = lowest[to] = len(number)
                    stack.append(to)
                    waiting.add(to)
                    walk.append((to, iter(included[to])))
                    break
                if to in waiting:
                    lowest[path] = min(lowest[path], number[to])
            else:
                walk.pop()
                if walk:
                    above = walk[-1][0]
                    lowest[above] = min(lowest[above], lowest[path])
                if lowest[path] == number[path]:
                    at = stack.index(path) if stack[-1] != path else len(stack) - 1
                    found.append(stack[at:])
                    waiting.difference_update(stack[at:])
                    del stack[at:]
    return found
