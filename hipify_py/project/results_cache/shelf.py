"""The outcomes of one tree's files: one shelf for each set of given paths, read and written as a whole."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

from hipify_py.core.project_context import SEEN, ProjectContext, Question, answer
from hipify_py.project.result import Kept
from hipify_py.project.results_cache import files
from hipify_py.project.results_cache.journal import Journal

_FORMAT = 1
_LAST_RUNS = 8
"""Changed runs without use for an outcome before it is dropped: alternating branches and options keep theirs."""

_MOST_ANSWERS = 4
"""Outcomes of one key that differ only in the answers about the names of the project's files."""

_LARGEST = 64 << 20
"""Limit on the bytes of the outcomes of one shelf."""

_Outcomes = list[tuple[tuple[Any, ...], bytes]]


class Shelf:
    """Outcomes by key, left by an earlier run and added by this one.

    Two simultaneous runs over one tree do not harm each other: each finds what was there when it began, and the shelf
    of the last one stays.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """Open the shelf of some given paths; an empty one if none can be read."""
        self._place = repr((os.getcwd(), *paths))
        place = self._place.encode("utf-8", "surrogatepass")
        name = blake2b(place, digest_size=12).hexdigest()
        self._name = f"files-{name}"
        self._run = 0
        self._entries: dict[bytes, tuple[int, _Outcomes]] = {}
        self._fresh: dict[bytes, _Outcomes] = {}
        self._used: set[bytes] = set()
        body = files.read(self._name)
        if body is not None:
            image = marshal.loads(body)  # the user's own file, and undamaged  # nosec B302
            if image[:2] == (_FORMAT, self._place):  # otherwise two places share one name
                _, _, self._run, self._entries = image
        self._journal = Journal(f"journal-{name}", self._place)
        self._take_up(self._journal.left())

    @property
    def is_empty(self) -> bool:
        """Whether no earlier run has left anything."""
        return not self._entries

    def find(
        self, key: bytes, project: ProjectContext, further: Callable[[Question], Any] | None = None
    ) -> bytes | None:
        """The outcome of a file kept under a key, if the project's answers are still the same; else None.

        `further`, such as libclang's view, answers the questions that the project does not.
        """
        entry = self._entries.get(key)
        if entry is None:
            return None
        for asked, outcome in entry[1]:
            if all(_now(project, question, further) == before for question, before in asked):
                self._used.add(key)
                return outcome
        return None

    def keep(self, kept: Kept) -> None:
        """Record the outcome of a file."""
        self._add(kept)
        self._journal.note(kept)

    def interrupted(self) -> None:
        """Save what is there: the run stops here, and the next one continues."""
        self._journal.flush()

    def _take_up(self, left: Iterable[Kept]) -> None:
        """Merge what a stopped run has left, as this run may be stopped as well."""
        for kept in left:
            self._add(kept)
        if self._fresh:
            self.save()
            self._entries = {**self._entries, **{key: (self._run + 1, found) for key, found in self._fresh.items()}}
            self._run += 1
            self._fresh = {}

    def _add(self, kept: Kept) -> None:
        key, asked, outcome = kept
        others = self._fresh.get(key) or [found for found in self._entries.get(key, (0, []))[1] if found[0] != asked]
        self._fresh[key] = [(asked, outcome), *others][:_MOST_ANSWERS]

    def save(self) -> None:
        """Save the shelf for the next run; if it cannot be written, the old one stays."""
        if not self._fresh:
            files.used(self._name)
            return
        run = self._run + 1
        entries = {key: (run, outcomes) for key, outcomes in self._fresh.items()}
        for key, (last, outcomes) in self._entries.items():
            if key not in entries and (key in self._used or run - last < _LAST_RUNS):
                entries[key] = (run if key in self._used else last, outcomes)
        files.write(self._name, marshal.dumps((_FORMAT, self._place, run, _bounded(entries)), 4))
        self._journal.remove()


def _now(project: ProjectContext, question: Question, further: Callable[[Question], Any] | None) -> Any:
    """The current answer to a question; None if nothing can answer it."""
    if question[0] not in SEEN:
        return answer(project, question)
    return further(question) if further is not None else None


def _bounded(entries: dict[bytes, tuple[int, _Outcomes]]) -> dict[bytes, tuple[int, _Outcomes]]:
    """As many entries as there is room for, those of the last runs first."""
    left = _LARGEST
    found = {}
    for key, entry in sorted(entries.items(), key=lambda item: -item[1][0]):
        left -= sum(len(outcome) + 100 for _, outcome in entry[1])
        if left < 0:
            break
        found[key] = entry
    return found
