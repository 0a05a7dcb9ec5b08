"""Writes the support headers that the files of a run include."""

from __future__ import annotations

import os
from collections.abc import Mapping

from hipify_py.core.diff import new_file_diff, unified_diff
from hipify_py.core.edits import Edit
from hipify_py.project.errors import reason
from hipify_py.project.result import FAILED, FileResult, failure
from hipify_py.project.work import Task
from hipify_py.project.write import folder_lock, write_atomically

UNWRITTEN = "HIP901"
_FOREIGN = "cannot write the support header: the existing file has changed since hipify-py wrote it; rename or move it"
NO_SUPPORT = "use --no-support"
"""How the users of hipify-py's own commands do without a support header."""


class SupportHeaderWriter:
    """The support headers of a run: collected as it goes, each written before the first file that includes it.

    A header that hipify-py wrote before keeps its sections and gets the new ones. Any other file of that name, and a
    header that somebody has edited, stays as it is, which is a failure.

    Attributes:
        needed: the sections that each header must have, by its path: next to the targets, or to the files as they are.
    """

    def __init__(self, *, written: bool, way_out: str = NO_SUPPORT) -> None:
        """Start without any header.

        Args:
            written: False for a run that only reports.
            way_out: what the user can do instead if a file is in the way, as an imperative; empty for nothing.
        """
        self.needed: dict[str, frozenset[str]] = {}
        self._written = written
        self._foreign = f"{_FOREIGN}, or {way_out}" if way_out else _FOREIGN
        self._failures: dict[str, FileResult] = {}

    @property
    def failures(self) -> list[FileResult]:
        """One result for each header that could not be written."""
        return [self._failures[place] for place in sorted(self._failures)]

    def take(self, task: Task, result: FileResult) -> None:
        """Record what a file needs that is about to be put in place."""
        if not result.support or result.status == FAILED:
            return
        folder = os.path.dirname(task.target or task.path)
        place = os.path.normpath(os.path.join(folder, result.support_header))
        before = self.needed.get(place, frozenset())
        if result.support <= before:
            return
        self.needed[place] = before | result.support
        if self._written:
            failed = self._write(place)
            if failed is not None:
                self._failures[place] = failed

    def _write(self, place: str) -> FileResult | None:
        folder = os.path.dirname(place) or os.curdir
        try:
            os.makedirs(folder, exist_ok=True)
            with folder_lock(folder):
                data = header_text(place, self.needed[place])
                if data is None:
                    return failure(place, UNWRITTEN, self._foreign)
                write_atomically(place, data)
        except OSError as error:
            return failure(place, UNWRITTEN, f"cannot write the support header: {reason(error)}")
        return None


def header_text(place: str, sections: frozenset[str]) -> bytes | None:
    """The content for the header at `place`; None if a file is there that must not be replaced.

    Raises:
        OSError: if that file cannot be read.
    """
    from hipify_py.support_header.header import merge_sections, render

    try:
        with open(place, "rb") as file:
            old = file.read()
    except FileNotFoundError:
        return render(sections, is_shared=True)
    return merge_sections(old, sections)


def header_diff(needed: Mapping[str, frozenset[str]]) -> bytes:
    """The diff that creates or completes the headers, for `--diff`; empty for files that must not be replaced.

    Raises:
        OSError: if an existing one cannot be read.
    """
    pieces = []
    for place, sections in sorted(needed.items()):
        new = header_text(place, sections)
        if new is None:
            continue
        if not os.path.exists(place):
            pieces.append(new_file_diff(new, place))
            continue
        with open(place, "rb") as file:
            old = file.read()
        pieces.append(unified_diff(old, [Edit(0, len(old), new)], place, place))
    return b"".join(pieces)
