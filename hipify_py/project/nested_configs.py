"""Finds the configurations below a given folder; each applies to the contents of its folder."""

from __future__ import annotations

import os
from typing import NamedTuple

from hipify_py.project.discovery import Selection, Walk
from hipify_py.project.find_config import OWN, SHARED, config_in, trusted_owners
from hipify_py.project.gitignore import Globs, Ignores


class Nested(NamedTuple):
    """What a walk found.

    Attributes:
        configs: folders, relative to the given one, with the configuration in each. The search does not go below them.
        foreign: files skipped because they belong to another user.
    """

    configs: list[tuple[str, str]]
    foreign: list[str]


def nested_configs(path: str, selection: Selection) -> Nested:
    """The configurations below a folder, except in folders that its own configuration excludes."""
    found = Nested([], [])
    real = os.path.realpath(path)
    ignores = Ignores(real) if selection.gitignore else None
    exclude = Globs(selection.exclude, selection.exclude_from)
    walk = Walk(path, ignores)  # the walk for sources reports what cannot be read
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
    """Whether a folder has its own configuration, which is then recorded."""
    if names.isdisjoint((OWN, SHARED)):
        return False
    config, foreign = config_in(os.path.abspath(folder), trusted_owners(folder))
    found.foreign.extend(foreign)
    if config is not None:
        found.configs.append((os.path.normpath(folder), config))
    return config is not None
