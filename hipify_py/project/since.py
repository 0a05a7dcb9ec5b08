"""Findings on lines that have changed since a revision of the git checkout that holds them."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.core.findings import Finding, occurrences
from hipify_py.core.source import suffix_of
from hipify_py.project.errors import PlanError
from hipify_py.project.git_checkout import UnreadableCheckout, top_of
from hipify_py.project.git_history import History
from hipify_py.project.result import FAILED, FileResult, with_known

# Finds which lines of a text are not those of an earlier one.

_MOST_PAIRS = 40_000
"""Pairs of lines that are compared one by one if no line is unique; if there are more, all count as changed."""

Span = tuple[int, int]
"""A first and a last line, both inclusive, counted from 1."""


def changed_lines(old: bytes, new: bytes) -> list[Span]:
    """The spans of lines of `new` that are added or changed, in order; line endings do not count."""
    before, after = _lines(old), _lines(new)
    gaps = [(0, len(before), 0, len(after))]
    found: list[Span] = []
    while gaps:
        gap = _trimmed(before, after, *gaps.pop())
        old_start, old_end, start, end = gap
        if start == end:
            continue
        anchors = _anchors(before, after, *gap) if old_start < old_end else []
        if anchors:
            gaps.extend(_between(gap, anchors))
        elif 0 < (old_end - old_start) * (end - start) <= _MOST_PAIRS:
            found.extend(_compared(before[old_start:old_end], after[start:end], start))
        else:
            found.append((start + 1, end))
    return sorted(found)


def touches(spans: Sequence[Span], first: int, last: int) -> bool:
    """Whether one of some ordered spans has a line from `first` to `last`."""
    at = bisect_left(spans, first, key=lambda span: span[1])
    return at < len(spans) and spans[at][0] <= max(first, last)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in text.split(b"\n")]


def _trimmed(
    before: list[bytes], after: list[bytes], old_start: int, old_end: int, start: int, end: int
) -> tuple[int, int, int, int]:
    """A gap without the equal lines at its beginning and end."""
    while old_start < old_end and start < end and before[old_start] == after[start]:
        old_start, start = old_start + 1, start + 1
    while old_start < old_end and start < end and before[old_end - 1] == after[end - 1]:
        old_end, end = old_end - 1, end - 1
    return old_start, old_end, start, end


def _anchors(before: list[bytes], after: list[bytes], old_start: int, old_end: int, start: int, end: int) -> list[Span]:
    """Lines that occur once on each side, in an order common to both: places before and after."""
    old_places = _single(before, old_start, old_end)
    new_places = _single(after, start, end)
    pairs = sorted((old_places[line], place) for line, place in new_places.items() if line in old_places)
    tails: list[int] = []
    chains: list[tuple[Span, int]] = []
    heads: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        chains.append((pairs[index], heads[length - 1] if length else -1))
        if length == len(tails):
            tails.append(place)
            heads.append(index)
        else:
            tails[length], heads[length] = place, index
    found: list[Span] = []
    at = heads[-1] if heads else -1
    while at >= 0:
        pair, at = chains[at]
        found.append(pair)
    return found[::-1]


def _single(lines: list[bytes], start: int, end: int) -> dict[bytes, int]:
    """The lines that occur once in a part, with their places."""
    places: dict[bytes, int] = {}
    for index in range(start, end):
        places[lines[index]] = -1 if lines[index] in places else index
    return {line: place for line, place in places.items() if place >= 0}


def _between(gap: tuple[int, int, int, int], anchors: Iterable[Span]) -> Iterator[tuple[int, int, int, int]]:
    old_start, old_end, start, end = gap
    for old_place, place in anchors:
        yield old_start, old_place, start, place
        old_start, start = old_place + 1, place + 1
    yield old_start, old_end, start, end


def _compared(before: list[bytes], after: list[bytes], offset: int) -> Iterator[Span]:
    from difflib import SequenceMatcher

    for kind, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind in ("insert", "replace"):
            yield offset + start + 1, offset + end


_MOST_CANDIDATES = 200
_LIKE = 0.5
"""The share of equal lines from which a file counts as renamed."""


class Since:
    """The changes since a revision.

    Args:
        revision: as git knows it.
        from_merge_base: since the point where the current branch and the revision diverged, as reviews show changes.
    """

    def __init__(self, revision: str, *, from_merge_base: bool = True) -> None:
        self._revision = revision
        self._from_merge_base = from_merge_base
        self._checkouts: dict[str, _Base] = {}
        self._tops: dict[str, str | None] = {}

    def news(self, results: Iterable[FileResult]) -> list[FileResult]:
        """The results, with the findings on unchanged lines as `known`.

        A finding about a whole file is new if the file has changed at all.

        Raises:
            PlanError: if a file is in no checkout, or the revision cannot be read.
        """
        return [self._news(result) for result in results]

    def require(self, paths: Iterable[str]) -> None:
        """Complain about paths whose changes cannot be told, whether or not there is a finding.

        Raises:
            PlanError: as `news`.
        """
        for path in paths:
            real = os.path.realpath(path)
            self._base(path, real if os.path.isdir(real) else os.path.dirname(real))

    def _news(self, result: FileResult) -> FileResult:
        if result.status == FAILED:
            return result
        if not result.findings:
            self.require([result.path])
            return result
        spans = self._changed(result.path)
        return with_known(result, [each for each in _places(result) if not _is_new(each, spans)])

    def _changed(self, path: str) -> list[Span]:
        real = os.path.realpath(path)
        base = self._base(path, os.path.dirname(real))
        try:
            with open(real, "rb") as file:
                new = file.read()
            return changed_lines(base.content(real, new), new)
        except UnreadableCheckout as error:
            raise PlanError(f"the git checkout {base.top}: {error}") from error
        except OSError as error:
            raise PlanError(f"{path} was removed during the run") from error

    def _base(self, path: str, folder: str) -> _Base:
        if folder not in self._tops:
            self._tops[folder] = top_of(folder)
        top = self._tops[folder]
        if top is None:
            raise PlanError(f"{path} is not in a git checkout, so changes since {self._revision} are unknown")
        if top not in self._checkouts:
            try:
                self._checkouts[top] = _Base(top, self._revision, from_merge_base=self._from_merge_base)
            except UnreadableCheckout as error:
                raise PlanError(f"the git checkout {top}: {error}") from error
        return self._checkouts[top]


class _Base:
    """The revision of one checkout that serves as the base."""

    def __init__(self, top: str, revision: str, *, from_merge_base: bool) -> None:
        self.top = top
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
        """The earlier content of a file; for a renamed one, under its old name."""
        path = os.fsencode(os.path.relpath(real, self._history.top).replace(os.sep, "/"))
        old = self._history.content(self._commit, path)
        return self._renamed(path, new) if old is None else old

    def _renamed(self, path: bytes, new: bytes) -> bytes:
        """The most similar of the files that no longer exist; empty if none is similar."""
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


def _places(result: FileResult) -> Iterator[Finding]:
    return (place for finding in result.findings for place in occurrences(finding))


def _is_new(finding: Finding, spans: list[Span]) -> bool:
    if finding.offset < 0:
        return bool(spans)
    return touches(spans, finding.line, finding.end_line)
