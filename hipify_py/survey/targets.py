"""The targets of a survey: folders, archives and git repositories, as given or from a list."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TREE, ARCHIVE, GIT = "folder", "archive", "git"
"""What kinds of repositories there are."""

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".zip", ".whl")
_SCHEMES = ("https://", "ssh://", "file://")
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)(?:::|://)")
_SCP = re.compile(r"[\w.-]+@[\w.-]+:(?!/)")
_LARGEST_LIST = 16 << 20


class Target(NamedTuple):
    """A repository.

    Attributes:
        name: what it is called in the survey; no two have the same.
        source: as given.
        kind: `TREE`, `ARCHIVE` or `GIT`; empty for what cannot be looked at.
        problem: why not.
    """

    name: str
    source: str
    kind: str
    problem: str = ""


def targets(given: Iterable[str]) -> list[Target]:
    """The repositories that are given, and those in lists that are given: files with one a line, `#` for comments."""
    found: list[Target] = []
    names: set[str] = set()
    for source, folder in _sources(given):
        target = _target(source, folder)
        name, number = target.name, 2
        while name in names:
            name, number = f"{target.name}-{number}", number + 1
        names.add(name)
        found.append(target._replace(name=name))
    return found


def _sources(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What is given, each with the folder that it is seen from."""
    for source in given:
        if _URL.match(source) is None and not source.lower().endswith(ARCHIVES) and os.path.isfile(source):
            folder = os.path.dirname(source)
            yield from ((line, folder) for line in _lines(source))
        else:
            yield source, ""


def _lines(path: str) -> Iterator[str]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file.read(_LARGEST_LIST).splitlines():
            text = line.strip()
            if text and not text.startswith("#"):
                yield text


def _target(source: str, folder: str) -> Target:
    name = _name(source)
    if _URL.match(source) is not None or _SCP.match(source) is not None:
        if not source.startswith(_SCHEMES):
            return Target(name, source, "", "only https, ssh and file URLs are supported")
        if re.match(r"[a-z]+://(?:-|[^/]*@-)", source) or any(ord(letter) <= 32 for letter in source):
            return Target(name, source, "", "not a valid URL")
        return Target(name, source, GIT)
    path = os.path.join(folder, source)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return Target(name, path, "", "no such file or folder")
    if stat.S_ISDIR(mode):
        is_bare = all(os.path.exists(os.path.join(path, part)) for part in ("HEAD", "objects", "refs"))
        return Target(name, path, GIT if is_bare else TREE)
    if not stat.S_ISREG(mode):
        return Target(name, path, "", "it is neither a file nor a folder")
    if not path.lower().endswith(ARCHIVES):
        return Target(name, path, "", f"it is not an archive; archives end in {' '.join(ARCHIVES)}")
    return Target(name, path, ARCHIVE)


def _name(source: str) -> str:
    """A short name, which can be that of a folder."""
    name = re.split(r"[/\\:]", source.rstrip("/\\"))[-1]
    for ending in (".git", *sorted(ARCHIVES, key=len, reverse=True)):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
            break
    name = re.sub(r"[^\w.+-]", "_", name).lstrip(".-")
    return name or "repository"
