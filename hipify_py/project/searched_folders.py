"""The folders that were searched for headers, and those names in them that can change which header is found."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.clang.searched import folders_in
from hipify_py.core.source import SOURCE_SUFFIXES, suffix_of
from hipify_py.project.results_cache.keys import content_digest


def searched_folders(options: Sequence[str], beside: Iterable[str], below: Iterable[str]) -> Iterator[str]:
    """The folders in which a header added later would be found before the one that was found, or where none was.

    Args:
        options: those of a source.
        beside: the folders of files with includes that led elsewhere.
        below: the folders that includes name, as seen from those that are searched.
    """
    within, named = {""}, set()
    for folder in below:
        if os.path.isabs(folder):  # it is searched for nothing: only there can a header come or go
            named.add(_nearest(folder))
        while folder and folder not in within and not os.path.isabs(folder):
            within.add(folder)
            folder = os.path.dirname(folder)
    yield from sorted(named)
    for top in dict.fromkeys((*beside, *folders_in(options))):
        for folder in sorted(within):
            place = os.path.normpath(os.path.join(top, folder))
            if not folder or os.path.isdir(place):  # the folder above shows when it appears
                yield place


def _nearest(folder: str) -> str:
    """A folder; where it is not there, the one above that shows when it appears."""
    above = os.path.dirname(folder)
    return folder if above == folder or os.path.isdir(folder) else _nearest(above)


def headers_in(folder: str) -> bytes:
    """A digest of the names in a folder that an include can lead to; it changes when one is added or removed."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if _may_be_included(entry))
    except OSError:
        return b""
    return content_digest("\0".join(names).encode("utf-8", "surrogatepass"))


def _may_be_included(entry: os.DirEntry[str]) -> bool:
    suffix = suffix_of(entry.name)
    return not suffix or suffix in SOURCE_SUFFIXES or suffix in (".inc", ".def") or entry.is_dir()
