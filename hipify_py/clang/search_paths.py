"""The folders searched for headers: a new name in them may lead an include to another file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

_FOLDERS = ("-I", "-iquote", "-isystem", "-idirafter")
_MOST_PARTS = 4
"""Limit on folders in an include's name below a folder searched by default; no library has more."""


def folders_in(arguments: Sequence[str]) -> list[str]:
    """The include folders in arguments, in one word with the option or in two."""
    found: dict[str, None] = {}
    for at, argument in enumerate(arguments):
        option = next((name for name in _FOLDERS if argument.startswith(name)), "")
        if argument == option:
            found.update(dict.fromkeys(arguments[at + 1 : at + 2]))
        elif option:
            found[argument.removeprefix(option)] = None
    return [*found]


def searched(arguments: Sequence[str], files: Iterable[str], missing: Iterable[str] = ()) -> list[str]:
    """The folders whose entries determine which headers are found.

    Args:
        arguments: libclang's.
        files: the headers that were read.
        missing: the includes that were not found.
    """
    tops = folders_in(arguments)
    beside = dict.fromkeys(map(os.path.dirname, files))
    within: dict[str, None] = {}
    for folder in (*beside, *map(os.path.dirname, missing)):
        for name in _below(folder, tops):
            while name:
                within[name] = None
                name = os.path.dirname(name)
    places = (os.path.join(top, name) for top in tops for name in within)
    return [*dict.fromkeys((*tops, *beside, *filter(os.path.isdir, places)))]


def _below(folder: str, tops: Iterable[str]) -> Iterator[str]:
    """Possible include names of files in a folder, relative to a searched folder."""
    above = [top for top in tops if folder == top or folder.startswith(os.path.join(top, ""))]
    yield from (os.path.relpath(folder, top) for top in above if folder != top)
    parts = [part for part in folder.split(os.sep) if part]
    if not above:
        yield from (os.path.join(*parts[-count:]) for count in range(1, min(_MOST_PARTS, len(parts)) + 1))
