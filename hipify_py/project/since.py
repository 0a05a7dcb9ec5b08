"""Findings on lines that have changed since a revision of the git checkout that holds them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from hipify_py.core.findings import Finding
from hipify_py.core.source import suffix_of
from hipify_py.project.changed_lines import Span, changed_lines, touches
from hipify_py.project.git_checkout import UnreadableCheckout, top_of
from hipify_py.project.git_history import History
from hipify_py.project.plan import PlanError
from hipify_py.project.result import FAILED, FileResult, with_known

_MOST_CANDIDATES = 200
_LIKE = 0.5
"""The share of lines from which on a file counts as one that was renamed."""


class Since:
    """What has changed since a revision.

    Args:
        revision: as git knows it.
        from_merge_base: since the point where the current branch and the revision parted, as reviews show changes.
    """

    def __init__(self, revision: str, *, from_merge_base: bool = True) -> None:
        self._revision = revision
        self._from_merge_base = from_merge_base
        self._checkouts: dict[str, _Base] = {}
        self._tops: dict[str, str | None] = {}

    def news(self, results: Iterable[FileResult]) -> list[FileResult]:
        """The results with the findings on lines that have not changed as `known`.

        A finding about a whole file is news where the file has changed at all.

        Raises:
            PlanError: when a file lies in no checkout, or the revision cannot be read.
        """
        return [self._news(result) for result in results]

    def _news(self, result: FileResult) -> FileResult:
        if result.status == FAILED or not result.findings:
            return result
        spans = self._changed(result.path)
        return with_known(result, [finding for finding in result.findings if not _is_new(finding, spans)])

    def _changed(self, path: str) -> list[Span]:
        real = os.path.realpath(path)
        folder = os.path.dirname(real)
        if folder not in self._tops:
            self._tops[folder] = top_of(folder)
        top = self._tops[folder]
        if top is None:
            raise PlanError(f"{path} is not in a git checkout, so changes since {self._revision} are unknown")
        try:
            if top not in self._checkouts:
                self._checkouts[top] = _Base(top, self._revision, from_merge_base=self._from_merge_base)
            with open(real, "rb") as file:
                new = file.read()
            return changed_lines(self._checkouts[top].content(real, new), new)
        except UnreadableCheckout as error:
            raise PlanError(f"the git checkout {top}: {error}") from error
        except OSError as error:
            raise PlanError(f"{path} was removed during the run") from error


class _Base:
    """The revision of one checkout that is looked back to."""

    def __init__(self, top: str, revision: str, *, from_merge_base: bool) -> None:
        self._history = History(top)
        commit = self._history.commit(revision)
        if from_merge_base:
            base = self._history.merge_base(self._history.commit("HEAD"), commit)
            if base is None:
                raise UnreadableCheckout(
                    f"HEAD and {revision} have no common ancestor here; fetch more of the history (fetch-depth: 0), or"
                    " compare with the revision itself (--no-merge-base)"
                )
            commit = base
        self._commit = commit
        self._missing: list[tuple[bytes, bytes]] | None = None

    def content(self, real: str, new: bytes) -> bytes:
        """What a file was; of a renamed one, under its old name."""
        path = os.fsencode(os.path.relpath(real, self._history.top).replace(os.sep, "/"))
        old = self._history.content(self._commit, path)
        return self._renamed(path, new) if old is None else old

    def _renamed(self, path: bytes, new: bytes) -> bytes:
        """The most alike of the files that are no more; nothing where none is alike."""
        suffix, lines = suffix_of(os.fsdecode(path)), Counter(new.split(b"\n"))
        alike = [digest for old, digest in self._gone() if suffix_of(os.fsdecode(old)) == suffix]
        best, found = _LIKE, b""
        for digest in alike[:_MOST_CANDIDATES]:
            old = self._history.blob(digest)
            there = Counter(old.split(b"\n"))
            share = (lines & there).total() / max(lines.total(), there.total())
            if share >= best:
                best, found = share, old
        return found

    def _gone(self) -> list[tuple[bytes, bytes]]:
        if self._missing is None:
            top = os.fsencode(self._history.top)
            files = self._history.files(self._commit)
            self._missing = [(path, digest) for path, digest in files if not os.path.lexists(os.path.join(top, path))]
        return self._missing


def _is_new(finding: Finding, spans: list[Span]) -> bool:
    if finding.offset < 0:
        return bool(spans)
    return touches(spans, finding.line, finding.end_line)
