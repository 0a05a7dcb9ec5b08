"""The files of a project that sources include, directly or through each other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.project.include_graph import includes_in
from hipify_py.project.paths import is_within
from hipify_py.project.source_store import SourceStore


class Inclusions(NamedTuple):
    """What files include.

    Attributes:
        headers: by source, and by header that they reach, the headers that it includes.
        folders: where headers would be that are not there, and that no library has: they may be yet to be made.
    """

    headers: dict[str, list[str]]
    folders: set[str]


def included_headers(sources: Iterable[str], root: str, folders: Sequence[str], texts: SourceStore) -> Inclusions:
    """What sources, and the headers below `root` that they reach, include of those headers, whatever the conditions.

    Args:
        sources: absolute paths.
        root: the real path of the project's folder.
        folders: where compilers look for headers, in their order, after the folder of the file that includes one.
        texts: what reads the files.
    """
    first = cache(_first)
    graph: dict[str, list[str]] = {}
    awaited: set[str] = set()
    pending = [*sources]
    while pending:
        path = pending.pop()
        if path in graph:
            continue
        graph[path] = []
        for include in includes_in(path, texts).files:
            beside = (os.path.dirname(path),) if include.is_quoted else ()
            header = first(include.name, (*beside, *folders))
            if header is not None and is_within(os.path.realpath(header), root):
                graph[path].append(header)
            elif header is None and include.is_quoted and load_catalog().row(os.fsencode(include.name)) is None:
                folder = os.path.dirname(os.path.normpath(os.path.join(os.path.dirname(path), include.name)))
                awaited.update({folder} if os.path.isdir(folder) else ())
        pending += graph[path]
    return Inclusions(graph, awaited)


def reached_from(path: str, graph: Mapping[str, Iterable[str]]) -> set[str]:
    """The headers that a file includes, directly or through others."""
    found = set[str]()
    pending = [path]
    while pending:
        new = {*graph[pending.pop()]} - found
        found |= new
        pending += new
    return found


def _first(name: str, folders: Iterable[str]) -> str | None:
    places = (os.path.normpath(os.path.join(folder, name)) for folder in folders)
    return next((place for place in places if os.path.isfile(place)), None)
