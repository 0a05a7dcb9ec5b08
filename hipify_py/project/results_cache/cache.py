"""The cache of one run: outcomes by key, each with what it asked about the other files of the project."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any

from hipify_py.core.options import Options
from hipify_py.core.project_context import SEEN, ProjectContext, Question, answer
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.result import Kept
from hipify_py.project.results_cache.fingerprint import fingerprint
from hipify_py.project.results_cache.keys import Keys
from hipify_py.project.results_cache.store import Store

_MOST_OUTCOMES = 4
"""Outcomes of one key that differ only in the answers about the names of the project's files."""

_Outcomes = list[tuple[tuple[tuple[Question, Any], ...], bytes]]


class ResultsCache:
    """What earlier runs have stored, and the keys under which this run looks it up.

    Attributes:
        keys: makes the keys of outcomes.
        facts: facts about contents; they do not depend on the options.
    """

    def __init__(self, store: Store, keys: Keys, facts: FileFacts) -> None:
        self._store = store
        self.keys = keys
        self.facts = facts
        self.is_empty = store.is_empty

    def find(
        self, key: bytes, project: ProjectContext, further: Callable[[Question], Any] | None = None
    ) -> bytes | None:
        """The outcome stored under a key, if the project's answers are still the same; else None.

        `further`, such as libclang's view, answers the questions that the project does not.
        """
        for asked, outcome in self._outcomes(key):
            if all(_now(project, question, further) == before for question, before in asked):
                return outcome
        return None

    def keep(self, kept: Kept) -> None:
        """Store the outcome of a file."""
        key, asked, outcome = kept
        others = [found for found in self._outcomes(key) if found[0] != asked]
        self._store.write(key, marshal.dumps([(asked, outcome), *others][:_MOST_OUTCOMES], 4))

    def _outcomes(self, key: bytes) -> _Outcomes:
        body = self._store.read(key)
        # The user's own data, and undamaged.
        return [] if body is None else marshal.loads(body)  # nosec B302

    def save(self) -> None:
        """Put what was found so far on the disk."""
        self.facts.save()
        self._store.flush()


def open_cache(store: Store, options: Options, seen_by: bytes = b"") -> ResultsCache | None:
    """The cache of a run; None if the installation cannot be identified.

    `seen_by` identifies what else examines the sources (`ClangSession.identity`).
    """
    try:
        installation = fingerprint(options.targeting.tables)
    except OSError:
        return None
    return ResultsCache(store, Keys(installation + seen_by, options), FileFacts(store, installation))


def _now(project: ProjectContext, question: Question, further: Callable[[Question], Any] | None) -> Any:
    """The current answer to a question; None if nothing can answer it."""
    if question[0] not in SEEN:
        return answer(project, question)
    return further(question) if further is not None else None
