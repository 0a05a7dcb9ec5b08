"""A file that cannot be parsed alone is parsed through one that includes it, searched for in the folders above."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from hipify_py.project.discovery import Discovery, discover
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.include_graph import IncludeGraph, includes_of
from hipify_py.project.includers import Includers
from hipify_py.project.texts import bytes_of

_MOST_ABOVE = 3
"""Folders above a file's own in which an including file is looked for, where no repository ends before."""

_REPOSITORIES = (".git", ".hg", ".svn")

IsUnit = Callable[[str, bool], bool]


def with_includers(found: Discovery, is_unit: IsUnit) -> tuple[Discovery, frozenset[str] | None]:
    """Add to given files that are no sources by themselves those that include them.

    Returns what was found then, and the absolute paths of the files that are asked about, where others were added.
    """
    given = [entry for entry in found.sources if not found.roots[entry.root].is_tree]
    fragments = [entry.path for entry in given if not is_unit(entry.path, True)]
    if not fragments:
        return found, None
    about = frozenset(os.path.abspath(entry.path) for entry in found.sources)
    further = dict.fromkeys(path for fragment in fragments for path in _includer(fragment, is_unit))
    paths = [path for path in further if os.path.abspath(path) not in about]
    if not paths:
        return found, about
    more = discover(paths)
    moved = [entry._replace(root=entry.root + len(found.roots)) for entry in more.entries]
    return found._replace(
        roots=[*found.roots, *more.roots], entries=[*found.entries, *moved], given=found.given + more.given
    ), about


def _includer(fragment: str, is_unit: IsUnit) -> Sequence[str]:
    """The source that takes a file in by the fewest steps, from the nearest folder that has one."""
    place = os.path.abspath(fragment)
    folder = os.path.dirname(place)
    for _ in range(_MOST_ABOVE + 1):
        if _is_above_projects(folder):
            break
        path = _first(place, [entry.path for entry in discover_groups([Group([folder])])[0].sources], is_unit)
        above = os.path.dirname(folder)
        if path:
            return [os.path.relpath(path)]
        if above == folder or any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES):
            break
        folder = above
    return []


def _is_above_projects(folder: str) -> bool:
    """The user's own folder or one above it, which holds everything: looking through that would take too long."""
    home = os.path.join(os.path.abspath(os.path.expanduser("~")), "")
    return home.startswith(os.path.join(folder, ""))


def _first(place: str, paths: Sequence[str], is_unit: IsUnit) -> str:
    includes = {path: includes_of(bytes_of(path)) for path in map(os.path.abspath, paths)}
    includers = Includers(IncludeGraph(includes).included)
    return next(includers.of(place, lambda path: is_unit(path, True)), "")
