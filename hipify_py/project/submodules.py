"""The git submodules of a tree that have not been fetched: what a build needs of them is not converted, either.

Met in cudpp, graphblast and SlabHash, whose list files name folders and sources of such submodules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.core.options import Options
from hipify_py.core.source import Source
from hipify_py.project.discovery import Discovery, Entry
from hipify_py.project.result import UNCHANGED, FileResult

_NAME = ".gitmodules"
_LACKING = "HIP912"
_PATH = re.compile(rb"^[ \t]*path[ \t]*=[ \t]*([^\s\"\\]+)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*([#;].*)$", re.MULTILINE)


def unfetched_submodules(found: Discovery, options: Options) -> Iterator[FileResult]:
    """A result for each `.gitmodules` of the trees, if it names a submodule whose folder is empty or not there."""
    for entry in found.entries:
        if found.roots[entry.root].is_tree and os.path.basename(entry.relative) == _NAME:
            result = _result(entry, found.roots[entry.root].path, options)
            if result is not None:
                yield result


def _result(entry: Entry, root: str, options: Options) -> FileResult | None:
    try:
        with open(entry.path, "rb") as stream:
            data = stream.read()
    except OSError:  # git would complain, too
        return None
    paths = [*_PATH.finditer(data)]
    comments = [match.span(1) for match in _COMMENT.finditer(data)]
    file = BuildFile(Source(data, entry.path), "", options, comments, [match.span(1) for match in paths])
    for match in paths:
        folder = normpath(join(dirname(entry.relative), os.fsdecode(match[1])))
        if not _has_something(os.path.join(root, folder)):
            file.finding(_LACKING, match.start(1), folder, "this git submodule has not been fetched")
    if not file.findings:
        return None
    translation = finished(file)
    return FileResult(
        entry.path, UNCHANGED, findings=tuple(translation.findings), suppressed=tuple(translation.suppressed)
    )


def _has_something(folder: str) -> bool:
    try:
        with os.scandir(folder) as children:
            return next(children, None) is not None
    except OSError:
        return False
