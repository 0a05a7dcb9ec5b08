"""Groups of paths with their own options in one run, such as the packages of a repository."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.project.discovery import EVERYTHING, Discovery, Root, Selection, discover
from hipify_py.project.host_programs import with_host_programs
from hipify_py.project.included_files import with_included_files
from hipify_py.project.included_makefiles import with_included_makefiles
from hipify_py.project.paths import is_within
from hipify_py.project.source_store import SourceStore


class Group(NamedTuple):
    """Paths of a run, and the options for them.

    Attributes:
        paths: files, and folders to walk.
        options: the translator's options.
        selection: which files below the folders are selected.
    """

    paths: Sequence[str]
    options: Options = DEFAULT_OPTIONS
    selection: Selection = EVERYTHING


def discover_groups(
    groups: Sequence[Group], *, output: str | None = None, texts: SourceStore | None = None
) -> list[Discovery]:
    """Find the files of each group; what lies at or below a path of another group belongs to that group.

    A path that is given in several groups belongs to the first. In an output, a path within another group's folder has
    the place that it would have as part of that group. The files are read through `texts`.
    """
    given: dict[str, int] = {}
    for index, group in enumerate(groups):
        for path in group.paths:
            given.setdefault(os.path.realpath(path), index)
    folders = {place: index for place, index in given.items() if os.path.isdir(place)}
    outer = {path: _outer(path, index, folders) for index, group in enumerate(groups) for path in group.paths}
    count = sum(outer[path] is None for group in groups for path in group.paths)
    found = []
    for index, group in enumerate(groups):
        paths = [path for path in group.paths if given[os.path.realpath(path)] == index]
        others = [place for place, owner in given.items() if owner != index]
        walked = discover(paths, group.selection, without=[] if output is None else [output], elsewhere=others)
        roots = [root._replace(inner=_inner(root, outer[root.path], is_only=count == 1)) for root in walked.roots]
        found.append(walked._replace(given=count, roots=roots))
    texts = texts or SourceStore()
    found = with_host_programs(found, [group.selection for group in groups], texts)
    found = with_included_makefiles(found, [group.selection for group in groups], texts)
    return with_included_files(found, [(group.selection, group.options) for group in groups], texts)


def _outer(path: str, index: int, folders: Mapping[str, int]) -> str | None:
    """The outermost folder of another group that contains a path."""
    real = os.path.realpath(path)
    within = [place for place, owner in folders.items() if owner != index and place != real and is_within(real, place)]
    return min(within, key=len, default=None)


def _inner(root: Root, outer: str | None, *, is_only: bool) -> str | None:
    """Where the files of a root go below an output; an output mirrors a single folder, else has each under its name."""
    if outer is None:
        return None
    real = os.path.realpath(root.path)
    inside = os.path.relpath(real if root.is_tree else os.path.dirname(real), outer)
    return os.path.normpath(os.path.join("" if is_only else os.path.basename(outer), inside))
