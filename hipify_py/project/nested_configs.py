"""Finds the configurations below a given folder: what lies in their folders goes by them."""

from __future__ import annotations

import os
from typing import NamedTuple

from hipify_py.project.discovery import Selection, Walk
from hipify_py.project.find_config import OWN, SHARED, config_in, trusted_owners
from hipify_py.project.gitignore import Globs, Ignores


class Nested(NamedTuple):
    """What a walk came upon.

    Attributes:
        configs: folders, as seen from the given one, with the configuration in each. Below them nothing was looked for.
        foreign: files that were passed over because they belong to another user.
    """

    configs: list[tuple[str, str]]
    foreign: list[str]


def nested_configs(path: str, selection: Selection) -> Nested:
    """The configurations below a folder, but for those in folders that its own choices leave out."""
    found = Nested([], [])
    real = os.path.realpath(path)
    ignores = Ignores(real) if selection.gitignore else None
    exclude = Globs(selection.exclude, selection.exclude_from)
    walk = Walk(path, ignores)  # what cannot be read, the walk for sources says
    for folder in walk:
        place = os.path.join(path, folder.relative)
        if folder.is_output or (folder.relative and _is_taken(found, place, folder.names)):
            continue
        for child in reversed(folder.children):
            name = folder.name_of(child)
            inside = os.path.join(real, name) + "/"
            if not child.is_dir(follow_symlinks=False) or exclude.fit(f"{name}/", inside):
                continue
            if ignores is None or not ignores.match(inside):
                walk.enter(name)
    return found


def _is_taken(found: Nested, folder: str, names: frozenset[str]) -> bool:
    """A folder has a configuration of its own; it is noted then."""
    if names.isdisjoint((OWN, SHARED)):
        return False
    config, foreign = config_in(os.path.abspath(folder), trusted_owners(folder))
    found.foreign.extend(foreign)
    if config is not None:
        found.configs.append((os.path.normpath(folder), config))
    return config is not None
