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
"""An outcome that so many changed runs had no use for is given up: branches and options that alternate keep theirs."""

_MOST_ANSWERS = 4
"""Outcomes of one key that differ only in what the names of the project's files were."""

_LARGEST = 64 << 20
"""Bytes of the outcomes of one shelf."""

_Outcomes = list[tuple[tuple[Any, ...], bytes]]


class Shelf:
    """Outcomes by key, as an earlier run left them and as this one adds to them.

    Two runs of one tree at a time do not harm each other: each finds what was there when it began, and the last one's
    shelf stays.

    Attributes:
        outcomes: those of this run, found and fresh, by path.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """Open the shelf of some given paths; an empty one where none can be read."""
        self._place = repr((os.getcwd(), *paths))
        place = self._place.encode("utf-8", "surrogatepass")
        name = blake2b(place, digest_size=12).hexdigest()
        self._name = f"files-{name}"
        self._run = 0
        self._entries: dict[bytes, tuple[int, _Outcomes]] = {}
        self._fresh: dict[bytes, _Outcomes] = {}
        self._used: set[bytes] = set()
        self.outcomes: dict[str, bytes] = {}
        body = files.read(self._name)
        if body is not None:
            image = marshal.loads(body)  # the user's own, and whole  # nosec B302
            if image[:2] == (_FORMAT, self._place):  # else two places have one name
                _, _, self._run, self._entries = image
        self._journal = Journal(f"journal-{name}", self._place)
        self._take_up(self._journal.left())

    @property
    def is_empty(self) -> bool:
        """No earlier run has left anything."""
        return not self._entries

    def find(
        self, path: str, key: bytes, project: ProjectContext, further: Callable[[Question], Any] | None = None
    ) -> bytes | None:
        """The outcome of a file that was kept under a key, and for what the project answers now; None for none.

        `further` answers the questions that the project does not, as libclang's view of it.
        """
        entry = self._entries.get(key)
        if entry is None:
            return None
        for asked, outcome in entry[1]:
            if all(_now(project, question, further) == before for question, before in asked):
                self._used.add(key)
                self.outcomes[path] = outcome
                return outcome
        return None

    def keep(self, path: str, kept: Kept) -> None:
        """Take up the outcome of a file."""
        self.outcomes[path] = kept[-1]
        self._add(kept)
        self._journal.note(kept)

    def interrupted(self) -> None:
        """The run stops here; the next one goes on."""
        self._journal.flush()

    def _take_up(self, left: Iterable[Kept]) -> None:
        """Put what a run that was stopped has left with the rest: this run may be stopped as well."""
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
        """Leave the shelf to the next run; one that cannot be written stays as it was."""
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
    """What is answered to a question now; nothing where nobody knows."""
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
