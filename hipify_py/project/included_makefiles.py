"""Files that makefiles include, whatever their names are: `make.config`, `site.opts`.

The walk recognises makefiles by their names. Another file of the tree is one, too, if a makefile includes it, directly
or through others.
"""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.build_systems.kinds import MAKE, kind_of, kind_of_build_file
from hipify_py.build_systems.make.includes import Tree, include_paths
from hipify_py.core.source import is_readable
from hipify_py.project.discovery import BUILD, OTHER, Discovery, Entry, Selection
from hipify_py.project.source_store import SourceStore

_LARGEST = 1 << 20
"""Bytes; larger files are not written by hand."""


def with_included_makefiles(
    found: Sequence[Discovery], selections: Sequence[Selection], texts: SourceStore
) -> list[Discovery]:
    """What was found, with the files that makefiles include among the build files.

    If the user has selected the files by globs, nothing is added.
    """
    return [
        discovery if selection.include else _with_included(discovery, texts)
        for discovery, selection in zip(found, selections, strict=True)
    ]


def _with_included(found: Discovery, texts: SourceStore) -> Discovery:
    taken: set[Entry] = set()
    for number, root in enumerate(found.roots):
        if root.is_tree:
            taken |= _included([entry for entry in found.entries if entry.root == number], texts)
    if not taken:
        return found
    return found._replace(entries=[one._replace(kind=BUILD) if one in taken else one for one in found.entries])


def _included(entries: Sequence[Entry], texts: SourceStore) -> set[Entry]:
    """The entries of one tree that its makefiles include and that do not count as makefiles yet."""
    makefiles = {one.relative: one for one in entries if one.kind == BUILD and kind_of_build_file(one.relative) == MAKE}
    if not makefiles:
        return set()
    others = {one.relative: one for one in entries if one.kind == OTHER and 0 < one.size <= _LARGEST}
    tree = Tree([*makefiles, *others])
    waiting, taken = [*makefiles.values()], set[Entry]()
    while waiting:
        including = waiting.pop()
        for name in tree.included(including.relative, include_paths(texts.read(including.path))):
            entry = others.pop(name, None)
            if entry is not None and not kind_of(name) and _is_text(texts.read(entry.path)):
                taken.add(entry)
                waiting.append(entry)
    return taken


def _is_text(data: bytes) -> bool:
    return is_readable(data) and not data.startswith(b"#!")
