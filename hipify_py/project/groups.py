"""Groups of paths that one run does by choices of their own, as the packages of a repository have them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hipify_py.options import DEFAULT_OPTIONS, Options
from hipify_py.project.discovery import EVERYTHING, Discovery, Selection, discover
from hipify_py.project.places import is_within
from hipify_py.project.plan import PlanError
from hipify_py.records import NamedTuple


class Group(NamedTuple):
    """Paths of a run, and how they are done.

    Attributes:
        paths: files, and folders to walk.
        options: the translator's choices.
        selection: which files below the folders are meant.
    """

    paths: Sequence[str]
    options: Options = DEFAULT_OPTIONS
    selection: Selection = EVERYTHING


def discover_groups(groups: Sequence[Group], *, output: str | None = None) -> list[Discovery]:
    """Find the files of each group; what lies at or below a path of another group is that group's.

    A path that is given in several groups belongs to the first.

    Raises:
        PlanError: when there is an output, and a path lies within another group's folder, whose mirror would lack it.
    """
    given: dict[str, int] = {}
    for index, group in enumerate(groups):
        for path in group.paths:
            given.setdefault(os.path.realpath(path), index)
    if output is not None and len(groups) > 1:
        _refuse_nested(groups, given)
    found = []
    for index, group in enumerate(groups):
        paths = [path for path in group.paths if given[os.path.realpath(path)] == index]
        others = [place for place, owner in given.items() if owner != index]
        walked = discover(paths, group.selection, without=[] if output is None else [output], elsewhere=others)
        found.append(walked._replace(given=sum(len(group.paths) for group in groups)))
    return found


def _refuse_nested(groups: Sequence[Group], given: dict[str, int]) -> None:
    for index, group in enumerate(groups):
        for path in group.paths:
            real = os.path.realpath(path)
            for place, owner in given.items():
                if owner != index and place != real and os.path.isdir(place) and is_within(real, place):
                    outer = next(other for other in groups[owner].paths if os.path.realpath(other) == place)
                    raise PlanError(
                        f"{path} lies within {outer}, but they have different configurations, and cannot be translated "
                        "to one place; take them one after the other, or name one configuration with --config"
                    )
