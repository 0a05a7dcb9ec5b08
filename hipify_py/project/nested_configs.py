"""Finds the configurations below a given folder: what lies in their folders goes by them."""

from __future__ import annotations

import os

from hipify_py import witness
from hipify_py.project.discovery import NEVER_WALKED, OUTPUT_MARK, Selection
from hipify_py.project.find_config import OWN, SHARED, config_in, trusted_owners
from hipify_py.project.gitignore import Globs, Ignores
from hipify_py.project.temporary import is_temporary
from hipify_py.records import NamedTuple


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
    folders = [""]
    while folders:
        relative = folders.pop()
        place = os.path.join(path, relative)
        witness.saw_folder(place)
        try:
            with os.scandir(place) as scan:
                children = sorted(scan, key=lambda child: child.name, reverse=True)
        except OSError:
            continue  # the walk for sources says so
        names = {child.name for child in children}
        if relative and (OUTPUT_MARK in names or _is_taken(found, place, names)):
            continue
        if ignores is not None and ".gitignore" in names:
            ignores.read(os.path.join(real, relative))
        for child in children:
            if child.name in NEVER_WALKED or is_temporary(child.name) or not child.is_dir(follow_symlinks=False):
                continue
            name = f"{relative}/{child.name}" if relative else child.name
            inside = os.path.join(real, name) + "/"
            if not exclude.fit(f"{name}/", inside) and not (ignores is not None and ignores.match(inside)):
                folders.append(name)
    return found


def _is_taken(found: Nested, folder: str, names: set[str]) -> bool:
    """A folder has a configuration of its own; it is noted then."""
    if names.isdisjoint((OWN, SHARED)):
        return False
    config, foreign = config_in(os.path.abspath(folder), trusted_owners(folder))
    found.foreign.extend(foreign)
    if config is not None:
        found.configs.append((os.path.normpath(folder), config))
    return config is not None
