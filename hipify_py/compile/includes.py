"""Which files a source takes in by quoted includes: they have to be translated along with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)


def with_included(paths: Iterable[str], folders: Sequence[str]) -> list[str]:
    """Real paths of `paths` and of all files that they include, each once.

    An include is searched for next to the including file, then in `folders` (those of `-I`). One with an absolute path
    leads to the same file after the translation.
    """
    found: dict[str, None] = {}
    waiting = [os.path.realpath(path) for path in paths]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = None
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            continue  # the translation reports it
        for name in map(os.fsdecode, _INCLUDE.findall(data)):
            if os.path.isabs(name):
                continue
            for folder in (os.path.dirname(path), *folders):
                candidate = os.path.realpath(os.path.join(folder, name))
                if os.path.isfile(candidate):
                    waiting.append(candidate)
                    break
    return list(found)


def include_folders(flags: Sequence[str]) -> list[str]:
    """The folders that compiler flags name by `-I`, `-iquote` and `-isystem`."""
    folders = []
    upcoming = iter(flags)
    for flag in upcoming:
        for option in ("-iquote", "-isystem", "-I"):
            if flag.startswith(option):
                folders.append(flag[len(option) :] or next(upcoming, ""))
                break
    return [folder for folder in folders if folder]
