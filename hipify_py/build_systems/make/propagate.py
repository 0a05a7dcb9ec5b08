"""Turns what each makefile declares into what each needs to know about the makefiles that are read with it.

A makefile that no other one includes is read with everything that it includes: a view. In a view, the variables decide
the words of each command. A fragment gets the facts of all views that contain it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from operator import attrgetter
from posixpath import basename, dirname
from typing import NamedTuple

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.make.includes import Tree
from hipify_py.build_systems.make.survey import NVCC, OTHER_COMPILER, Call, Definition, Survey
from hipify_py.build_systems.make.toolkit import HEADERS
from hipify_py.core.project_context import NOBODY, SET, TESTED, MakeContext

_IMPLICIT = {
    "CC": ("CFLAGS", "CPPFLAGS", "TARGET_ARCH", "LDFLAGS", "LOADLIBES", "LDLIBS"),
    "CXX": ("CXXFLAGS", "CPPFLAGS", "TARGET_ARCH", "LDFLAGS", "LOADLIBES", "LDLIBS"),
}
"""What make's built-in rules pass to their compilers."""

_COMPILERS = frozenset({"CC", "CXX", "CPP", "LD", "FC", "F77", "F90", "LINK", "MPICC", "MPICXX", "HOSTCC", "HOSTCXX"})
"""Variables that hold host compilers if no makefile sets them."""

_NVCCS, _HOLDING = ("NVCC", "CUDA"), ("FLAG", "OPT", "ARCH", "GEN")
"""Parts of the names of variables that hold nvcc's options, if no command that uses them is found."""


class _View(NamedTuple):
    """The makefiles that are read together, all that they declare, and what follows from that."""

    top: str
    members: tuple[str, ...]
    context: MakeContext
    waiting: Mapping[str, frozenset[str]]
    definitions: Set[str]
    recurses: bool


def combined(surveys: Mapping[str, Survey], host_sources: Sequence[str] = ()) -> dict[str, MakeContext]:
    """What each makefile of a tree needs to know, by their paths within the tree, with `/`."""
    tree = Tree(surveys)
    included = {path: tuple(tree.included(path, surveyed.includes)) for path, surveyed in surveys.items()}
    below = {other for found in included.values() for other in found}
    tops = [path for path in surveys if path not in below] or sorted(surveys)
    elsewhere = {source: f"../{basename(source)}" for source in host_sources}
    views: list[_View] = []
    needs: dict[str, dict[str, set[str]]] = {}
    closures = {top: _closure(top, included) for top in tops}
    covered = {path for members in closures.values() for path in members}
    for path in surveys:  # makefiles that include each other in a circle
        if path not in covered:
            closures[path] = _closure(path, included)
            covered.update(closures[path])
    for top in sorted(closures, key=lambda path: (-path.count("/"), path)):
        members = closures[top]
        recurses = any(surveys[path].recurses for path in members)
        view = _view(top, members, surveys, _wanted(top, needs) if recurses else {})
        if any(surveys[path].has_cuda for path in members):
            view = view._replace(context=view.context._replace(host_sources=_seen_from(top, elsewhere)))
        views.append(view)
        wanted = needs.setdefault(dirname(top), {})
        for kind, names in view.waiting.items():
            wanted.setdefault(kind, set()).update(names)
    by_path: dict[str, list[MakeContext]] = {}
    recursing: dict[str, list[_View]] = {}
    for view in views:
        if view.recurses:
            recursing.setdefault(dirname(view.top), []).append(view)
    for view in views:
        above = (recursing.get(folder, ()) for folder in _folders_above(view.top))
        context = _inherited(view, chain.from_iterable(above))
        for path in view.members:
            by_path.setdefault(path, []).append(context)
    return {path: _joined(found) for path, found in by_path.items()}


def _seen_from(top: str, sources: Mapping[str, str]) -> frozenset[str]:
    """Sources by their paths from a makefile's folder; those outside of it by `sources`, which all makefiles share.

    A large tree has thousands of both.
    """
    folder = dirname(top)
    prefix = f"{folder}/" if folder else ""
    return frozenset(
        path[len(prefix) :] if path.startswith(prefix) else elsewhere for path, elsewhere in sources.items()
    )


def _folders_above(path: str) -> Iterator[str]:
    """The folders above a makefile's own, the nearest first."""
    folder = dirname(path)
    while (above := dirname(folder)) != folder:  # "" is above the paths of a tree, "/" above those of a system
        yield above
        folder = above


def _inherited(view: _View, above: Iterable[_View]) -> MakeContext:
    """What a view knows, with the folders that makefiles above it export to it: it uses them without setting them."""
    context = view.context
    for other in above:

        def added(own: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
            return own | (theirs - view.definitions)

        context = context._replace(
            toolkits=added(context.toolkits, other.context.toolkits) - context.roots,
            includes=added(context.includes, other.context.includes),
            searched=added(context.searched, other.context.searched),
            with_headers=added(context.with_headers, other.context.with_headers),
            with_root=added(context.with_root, other.context.with_root),
        )
    return context


def _wanted(top: str, needs: Mapping[str, Mapping[str, set[str]]]) -> dict[str, set[str]]:
    """The variables that makefiles in folders below use without setting them, by what they are used for."""
    folder = dirname(top)
    prefix = folder + "/" if folder else ""
    found: dict[str, set[str]] = {}
    for other, wanted in needs.items():
        if other != folder and other.startswith(prefix):
            for kind, names in wanted.items():
                found.setdefault(kind, set()).update(names)
    return found


def _closure(path: str, included: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    found = [path]
    for one in found:
        found += [other for other in included[one] if other not in found]
    return tuple(found)


def _view(top: str, members: tuple[str, ...], surveys: Mapping[str, Survey], wanted: Mapping[str, set[str]]) -> _View:
    surveyed = [surveys[path] for path in members]
    definitions: dict[str, list[Definition]] = {}
    for one in surveyed:
        for name, found in one.definitions.items():
            definitions.setdefault(name, []).extend(found)
    kinds = _kinds(definitions)
    given = _given(surveyed, definitions, kinds, wanted)
    names = {name for name in definitions if name} | {name for one in surveyed for name in one.uses}
    for_nvcc = (given[NVCC] | {name for name in names if _sounds_like_nvccs(name)}) - given[OTHER_COMPILER]
    tables = facts().make
    sets = frozenset[str]().union(*(one.sets for one in surveyed))
    tested = frozenset[str]().union(*(one.tested for one in surveyed))
    toolkits = _toolkits(definitions, frozenset[str]().union(*(one.binaries for one in surveyed)))
    roots = frozenset(name for name in tables.roots if _is_root(name, definitions, toolkits))
    calls = [call for one in surveyed for call in one.calls]
    compilers = {name for name in _called(calls, definitions) if NVCC in kinds.get(name, ())}
    relocatable = _with(definitions, lambda one: one.relocates)
    is_nvccs = [call for call in calls if _resolved(call.heads, kinds) == NVCC]
    hip = next((path for path in members if surveys[path].has_hip), "")
    linked = _passed(surveyed, definitions)
    waiting = {kind: frozenset(name for name in given[kind] if name not in definitions) for kind in given}
    context = MakeContext(
        has_cuda=any(one.has_cuda for one in surveyed)
        or any(NVCC in kinds.get(name, ()) for name in kinds)
        or any(one.names_library for name in linked for one in definitions.get(name, ())),
        compilers=frozenset(compilers),
        for_nvcc=frozenset(for_nvcc),
        mixed=frozenset((given[NVCC] & given[OTHER_COMPILER]) | {name for name in compilers if kinds[name] != {NVCC}}),
        architectures=frozenset(_architectures(definitions, surveyed)),
        roots=roots,
        toolkits=frozenset(toolkits - roots),
        includes=_include_folders(definitions, roots | toolkits),
        libraries=frozenset[str]().union(*(one.libraries for one in surveyed)),
        linked=linked,
        hosts=frozenset(name for name, found in definitions.items() if all(one.is_host for one in found)),
        searched=_holding(definitions, roots | toolkits, HEADERS),
        with_headers=_holding(definitions, roots | toolkits, HEADERS, attrgetter("references")),
        with_root=_holding(definitions, roots | toolkits, frozenset({""})),
        root=SET if roots & sets else TESTED if roots & tested else NOBODY,
        is_separable=any(one.relocates for one in definitions.get("", ()))
        or any(call.relocates or call.references & relocatable for call in is_nvccs),
        compiling=_with(definitions, lambda one: one.stops),
        relocatable=relocatable,
        chooses_gpus=any(one.chooses_gpus for one in surveyed),
        gpus=_with(definitions, lambda one: one.chooses_gpus),
        own_hip=hip,
    )
    recurses = any(one.recurses for one in surveyed)
    return _View(top, members, context, waiting, definitions.keys(), recurses)


def _kinds(definitions: Mapping[str, list[Definition]]) -> dict[str, set[str]]:
    """Which compilers each variable holds."""
    kinds: dict[str, set[str]] = {}
    for name, found in definitions.items():
        for one in found:
            kinds.setdefault(name, set()).update(head for head in one.heads if not head.startswith("$"))
    for name in _COMPILERS:
        if name not in definitions:
            kinds[name] = {OTHER_COMPILER}
    for name in facts().make.compilers:
        if not any(not one.is_empty for one in definitions.get(name, ())):
            kinds.setdefault(name, set()).add(NVCC)
    users: dict[str, set[str]] = {}
    for name, found in definitions.items():
        for one in found:
            for head in one.heads:
                if head.startswith("$"):
                    users.setdefault(head[1:], set()).add(name)
    waiting = [name for name, found in kinds.items() if found]
    while waiting:
        name = waiting.pop()
        for user in users.get(name, ()):
            if not kinds[name] <= kinds.setdefault(user, set()):
                kinds[user] |= kinds[name]
                waiting.append(user)
    return {name: found for name, found in kinds.items() if found}


def _called(calls: Iterable[Call], definitions: Mapping[str, list[Definition]]) -> set[str]:
    """The variables that commands run, directly or through others."""
    found = {head[1:] for call in calls for head in call.heads if head.startswith("$")}
    found |= {*facts().make.compilers, *_COMPILERS}
    waiting = list(found)
    while waiting:
        for one in definitions.get(waiting.pop(), ()):
            new = {head[1:] for head in one.heads if head.startswith("$")} - found
            found |= new
            waiting.extend(new)
    return found


def _resolved(heads: tuple[str, ...], kinds: Mapping[str, set[str]]) -> str:
    """The compiler that a command runs: `NVCC`, `OTHER_COMPILER`, both in one word, or none."""
    for head in heads:
        if not head.startswith("$"):
            return head
        found = kinds.get(head[1:], set())
        if found:
            return next(iter(found)) if len(found) == 1 else NVCC + OTHER_COMPILER
    return ""


def _given(
    surveyed: Iterable[Survey],
    definitions: Mapping[str, list[Definition]],
    kinds: Mapping[str, set[str]],
    wanted: Mapping[str, set[str]],
) -> dict[str, set[str]]:
    """The variables that are passed to each compiler, directly or through others."""
    given: dict[str, set[str]] = {kind: set(wanted.get(kind, ())) for kind in (NVCC, OTHER_COMPILER)}
    for one in surveyed:
        for call in one.calls:
            found = _resolved(call.heads, kinds)
            for kind, names in given.items():
                if kind in found:
                    names.update(call.references)
    for compiler, implied in _IMPLICIT.items():
        if kinds.get(compiler) == {NVCC}:
            given[NVCC].update(implied)
    for kind, names in given.items():
        waiting = list(names)
        while waiting:
            for value in definitions.get(waiting.pop(), ()):
                if kind == OTHER_COMPILER and _resolved(value.heads, kinds) == NVCC:
                    continue  # a word of another compiler's command that names nvcc
                new = value.references - names
                names |= new
                waiting.extend(new)
    return given


def _sounds_like_nvccs(name: str) -> bool:
    upper = name.upper()
    return any(part in upper for part in _NVCCS) and any(part in upper for part in _HOLDING)


def _with(
    definitions: Mapping[str, list[Definition]],
    holds: Callable[[Definition], bool],
    names_in: Callable[[Definition], Iterable[str]] = attrgetter("references"),
) -> frozenset[str]:
    """The variables that hold something, directly or through others that their values name."""
    found = {name for name, values in definitions.items() if any(map(holds, values)) and name}
    users: dict[str, set[str]] = {}
    for name, values in definitions.items():
        for one in values:
            for other in names_in(one):
                users.setdefault(other, set()).add(name)
    waiting = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user and user not in found:
                found.add(user)
                waiting.append(user)
    return frozenset(found)


def _include_folders(definitions: Mapping[str, list[Definition]], roots: Set[str]) -> frozenset[str]:
    """The variables whose value is the folder of the toolkit's headers."""
    return frozenset(
        name
        for name, values in definitions.items()
        if name
        and any(
            one.is_include
            or (one.is_one_word and any(of in roots and tail.rstrip("/") in HEADERS for of, tail in one.folders))
            for one in values
        )
    )


def _passed(surveyed: Iterable[Survey], definitions: Mapping[str, list[Definition]]) -> frozenset[str]:
    """The variables whose words are linked, without those whose words are the project's own names."""

    def closed(names: frozenset[str]) -> set[str]:
        found = set(names)
        waiting = list(found)
        while waiting:
            for one in definitions.get(waiting.pop(), ()):
                new = one.passed - found
                found |= new
                waiting.extend(new)
        return found

    surveyed = list(surveyed)
    linked = frozenset[str]().union(*(one.linked for one in surveyed))
    return frozenset(closed(linked) - closed(frozenset[str]().union(*(one.own_lists for one in surveyed))))


def _holding(
    definitions: Mapping[str, list[Definition]],
    roots: Set[str],
    tails: Set[str],
    names_in: Callable[[Definition], Iterable[str]] = attrgetter("passed"),
) -> frozenset[str]:
    """The variables with a folder of the toolkit's among their words, directly or through others."""

    def holds(one: Definition) -> bool:
        return any(tail.rstrip("/") in tails and (not name or name in roots) for name, tail in one.folders)

    return _with(definitions, holds, names_in)


def _toolkits(definitions: Mapping[str, list[Definition]], binaries: frozenset[str]) -> set[str]:
    """The variables that hold the toolkit's folder, judged by their values and by where nvcc is looked for."""
    found = {name for name, values in definitions.items() if name and any(one.is_toolkit for one in values)}
    found |= {name for name in binaries if name in definitions}
    changed = True
    while changed:
        changed = False
        for name, values in definitions.items():
            if (
                name
                and name not in found
                and any(
                    one.heads == () and len(one.references) == 1 and one.references <= found and one.is_toolkit
                    for one in values
                )
            ):
                found.add(name)
                changed = True
    return found


def _is_root(name: str, definitions: Mapping[str, list[Definition]], toolkits: set[str]) -> bool:
    """Whether a well-known name holds the toolkit's folder: it is set to that, or nobody sets it."""
    values = [one for one in definitions.get(name, ()) if not one.is_empty]
    return not values or name in toolkits or name in facts().make.environment


def _architectures(definitions: Mapping[str, list[Definition]], surveyed: Iterable[Survey]) -> Iterator[str]:
    surveyed = list(surveyed)
    for name, values in definitions.items():
        if name and any(one.names_architecture for one in values):
            uses = sum(one.uses[name] for one in surveyed)
            if all(one.names_architecture or one.is_empty for one in values) and uses == sum(
                one.architecture_uses[name] for one in surveyed
            ):
                yield name


def _joined(found: list[MakeContext]) -> MakeContext:
    """What a fragment that several makefiles read needs to know."""
    if len(found) == 1:
        return found[0]
    cuda = [one for one in found if one.has_cuda and not one.own_hip] or found
    mixed = frozenset[str]().union(*(one.mixed for one in cuda))

    def union(part: Callable[[MakeContext], frozenset[str]]) -> frozenset[str]:
        return frozenset[str]().union(*map(part, cuda))

    return MakeContext(
        has_cuda=any(one.has_cuda for one in cuda),
        compilers=union(lambda one: one.compilers),
        for_nvcc=union(lambda one: one.for_nvcc) - mixed,
        mixed=mixed,
        architectures=frozenset.intersection(*(one.architectures for one in cuda)),
        roots=union(lambda one: one.roots),
        toolkits=union(lambda one: one.toolkits),
        includes=union(lambda one: one.includes),
        libraries=union(lambda one: one.libraries),
        linked=union(lambda one: one.linked),
        hosts=union(lambda one: one.hosts),
        host_sources=union(lambda one: one.host_sources),
        searched=union(lambda one: one.searched),
        with_headers=union(lambda one: one.with_headers),
        with_root=union(lambda one: one.with_root),
        root=min((one.root for one in cuda), key=(NOBODY, TESTED, SET).index),
        is_separable=any(one.is_separable for one in cuda),
        compiling=union(lambda one: one.compiling),
        relocatable=union(lambda one: one.relocatable),
        chooses_gpus=any(one.chooses_gpus for one in cuda),
        gpus=union(lambda one: one.gpus),
        own_hip="" if any(not one.own_hip for one in cuda) else cuda[0].own_hip,
    )
