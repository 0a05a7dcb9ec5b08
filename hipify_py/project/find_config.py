"""Finds the project's configuration file; separate from reading it, as most runs of a commit hook have none."""

from __future__ import annotations

import os
from typing import NamedTuple

OWN, SHARED = "hipify-py.toml", "pyproject.toml"
LARGEST = 1 << 20
"""Limit on the size of a configuration, in bytes."""

_SECTION = b"[tool.hipify-py"


class Found(NamedTuple):
    """What a search found.

    Attributes:
        path: the configuration; None if there is none.
        foreign: files skipped because they belong to another user.
    """

    path: str | None
    foreign: tuple[str, ...] = ()


NONE = Found(None)


def find_config(path: str) -> Found:
    """The configuration nearest to a file or folder: in its folder or a parent folder.

    The search ends at the top of the repository or at the home folder. A file is skipped if its owner is neither the
    user, nor the system's administrator, nor the owner of the checked path: anybody can put one above a shared folder.
    """
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    owners = trusted_owners(folder)
    home = os.path.expanduser("~")
    foreign: list[str] = []
    while True:
        here = config_in(folder, owners)
        foreign += here.foreign
        if here.path is not None or _is_end(folder, home):
            return Found(here.path, tuple(foreign))
        folder = os.path.dirname(folder)


def config_in(folder: str, owners: set[int] | None) -> Found:
    """The configuration in a folder itself; with `owners` None, any owner is accepted."""
    foreign: list[str] = []
    for name in (OWN, SHARED):
        place = os.path.join(folder, name)
        if _may_be_config(place):
            if owners is None or os.lstat(place).st_uid in owners:
                return Found(place, tuple(foreign))
            foreign.append(place)
    return Found(None, tuple(foreign))


def search_end(folder: str) -> str:
    """The topmost folder that a search examines, starting from a folder given by its absolute path."""
    home = os.path.expanduser("~")
    while not _is_end(folder, home):
        folder = os.path.dirname(folder)
    return folder


def _is_end(folder: str, home: str) -> bool:
    return os.path.dirname(folder) == folder or folder == home or _has_git(folder)


def _has_git(folder: str) -> bool:
    git = os.path.join(folder, ".git")
    return os.path.exists(git) or os.path.islink(git)


def trusted_owners(folder: str) -> set[int] | None:
    """The owners whose files are read for what lies in a folder; None on systems without owners."""
    if not hasattr(os, "geteuid"):
        return None
    owners = {0, os.geteuid()}
    if os.path.isdir(folder):
        owners.add(os.stat(folder).st_uid)
    return owners


def _may_be_config(path: str) -> bool:
    """Whether a file may be a configuration: any content under our own name, our section under the shared name."""
    if os.path.basename(path) == OWN:
        return os.path.lexists(path) and not os.path.isdir(path)
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            return False
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return False
    return _SECTION in text or (b"hipify-py" in text and _has_table(text))


def _has_table(text: bytes) -> bool:
    """Whether our section is there in another TOML spelling; the name alone may just be a requirement."""
    from hipify_py.project.toml import ConfigError, parse

    try:
        tool = parse(text).get("tool")
    except ConfigError:
        return False  # the mistake is in somebody else's section
    return isinstance(tool, dict) and "hipify-py" in tool
