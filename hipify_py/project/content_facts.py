"""What is found in files: looked for once in a run, and once for all where results are kept.

Facts go by the content of a file alone. Answers go by a key of all that enters, but for the names of the project's
files: each is kept with the few that were asked for, as outcomes are (`results_cache/keys.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

from hipify_py.core.project_context import ProjectContext, Question, answer

Fact = TypeVar("Fact")

_SIZE = 16
"""Bytes of a digest: two contents have the same by no accident."""

Entries = dict[bytes, dict[str, Any]]
"""By the digest of a content, what the functions of these names have found in it."""


Answers = dict[bytes, tuple[Any, dict[Question, Any]]]
"""By their keys, answers, and what was asked of the names of the project's files for each."""


def name_of(search: Callable[[bytes], Any]) -> str:
    """The name of a function among the facts that it has found."""
    return f"{search.__module__}.{search.__qualname__}"


class FileFacts:
    """Facts by content, and answers by key.

    Attributes:
        known: facts that an earlier run has found.
        used: those about the contents of this run.
        of_files: those about the content that each file had when the run looked into it last, by its path.
        known_answers: answers that an earlier run was given.
        answers: those that this run was given.
        is_fresh: some facts or answers are this run's own.
    """

    def __init__(self, known: Entries | None = None, known_answers: Answers | None = None) -> None:
        """Both are what an earlier run has found."""
        self.known = known or {}
        self.used: Entries = {}
        self.of_files: dict[str, dict[str, Any]] = {}
        self.known_answers = known_answers or {}
        self.answers: Answers = {}
        self.is_fresh = False

    def about(self, data: bytes) -> dict[str, Any]:
        """What is known about a content, for `find`."""
        digest = blake2b(data, digest_size=_SIZE).digest()
        entry = self.used.get(digest)
        if entry is None:
            entry = self.used[digest] = self.known.get(digest, {})
        return entry

    def find(self, search: Callable[[bytes], Fact], data: bytes, entry: dict[str, Any]) -> Fact:
        """What a function finds in a content; nothing else may enter, and `marshal` has to be able to write it."""
        name = name_of(search)
        if name not in entry:
            entry[name] = search(data)
            self.is_fresh = True
        found: Fact = entry[name]
        return found

    def of_file(self, search: Callable[[bytes], Fact], path: str) -> tuple[Fact] | None:
        """What the run has found in a file before, by itself in a tuple."""
        entry, name = self.of_files.get(path), name_of(search)
        return None if entry is None or name not in entry else (entry[name],)

    def answer(self, key: bytes, project: ProjectContext) -> tuple[Any] | None:
        """The answer with a key, by itself in a tuple; None where it is not known, or the project has other files."""
        known = self.answers.get(key) or self.known_answers.get(key)
        if known is None or any(answer(project, question) != said for question, said in known[1].items()):
            return None
        self.answers[key] = known
        return (known[0],)

    def keep_answer(self, key: bytes, found: Any, asked: Mapping[Question, Any]) -> None:
        """Keep an answer, for which something was asked of the names of files; `marshal` has to be able to write it."""
        self.answers[key] = found, dict(asked)
        self.is_fresh = True

    @property
    def is_changed(self) -> bool:
        """Whether the next run should know something else than this one did."""
        return self.is_fresh or len(self.used) < len(self.known) or len(self.answers) < len(self.known_answers)
