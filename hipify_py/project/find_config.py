"""Finds the project's configuration file; apart from reading it, for most runs of a commit hook have none."""

from __future__ import annotations

import os
from typing import NamedTuple

OWN, SHARED = "hipify-py.toml", "pyproject.toml"
LARGEST = 1 << 20
"""Bytes of a configuration."""

_SECTION = b"[tool.hipify-py"


class Found(NamedTuple):
    """What a search came upon.

    Attributes:
        path: the configuration; None where there is none.
        foreign: files that were passed over because they belong to another user.
    """

    path: str | None
    foreign: tuple[str, ...] = ()


NONE = Found(None)


def find_config(path: str) -> Found:
    """The configuration nearest to a file or folder: in its folder, or in those above.

    The search ends with the top of the repository or with the home folder. A file is passed over where its owner
    is neither the user, nor the system's administrator, nor the owner of what is checked: above a shared folder
    anybody can put one.
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
    """The configuration in a folder itself; None for `owners` lets everybody's be one."""
    foreign: list[str] = []
    for name in (OWN, SHARED):
        place = os.path.join(folder, name)
        if _may_be_config(place):
            if owners is None or os.lstat(place).st_uid in owners:
                return Found(place, tuple(foreign))
            foreign.append(place)
    return Found(None, tuple(foreign))


def search_end(folder: str) -> str:
    """The topmost folder that a search from a folder, given by its absolute path, looks into."""
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
    """Whose files are read for what lies in a folder; None on systems without owners."""
    if not hasattr(os, "geteuid"):
        return None
    owners = {0, os.geteuid()}
    if os.path.isdir(folder):
        owners.add(os.stat(folder).st_uid)
    return owners


def _may_be_config(path: str) -> bool:
    """A file of our own name, whatever it holds; of the name that others share, one with our section."""
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
    """Our section, spelled in another of TOML's ways; the name alone may stand among the requirements."""
    from hipify_py.project.toml import ConfigError, parse

    try:
        tool = parse(text).get("tool")
    except ConfigError:
        return False  # somebody else's mistake
    return isinstance(tool, dict) and "hipify-py" in tool
