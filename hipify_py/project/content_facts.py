"""Facts found in files: looked up once per run, or once for all runs if results are kept.

Facts depend only on a file's content. Answers are stored under a key of all their inputs except the names of the
project's files: each answer is kept with the few names it asked for, as outcomes are (`results_cache/keys.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

from hipify_py.core.project_context import ProjectContext, Question, answer

Fact = TypeVar("Fact")

_SIZE = 16
"""Bytes of a digest; long enough that two contents do not share one by accident."""

Entries = dict[bytes, dict[str, Any]]
"""By the digest of a content, what functions have found in it, by function name."""


Answers = dict[bytes, tuple[Any, dict[Question, Any]]]
"""Answers by key, each with what it asked about the names of the project's files."""


def name_of(search: Callable[[bytes], Any]) -> str:
    """The name under which a function's findings are stored among the facts."""
    return f"{search.__module__}.{search.__qualname__}"


class FileFacts:
    """Facts by content, and answers by key.

    Attributes:
        known: facts from an earlier run.
        used: the facts about the contents of this run.
        of_files: the facts about the content that each file had when the run last examined it, by path.
        known_answers: answers from an earlier run.
        answers: the answers of this run.
        is_fresh: whether this run found some of the facts or answers itself.
    """

    def __init__(self, known: Entries | None = None, known_answers: Answers | None = None) -> None:
        """Both arguments come from an earlier run."""
        self.known = known or {}
        self.used: Entries = {}
        self.of_files: dict[str, dict[str, Any]] = {}
        self.known_answers = known_answers or {}
        self.answers: Answers = {}
        self.is_fresh = False

    def about(self, data: bytes) -> dict[str, Any]:
        """The known facts about a content, for `find`."""
        digest = blake2b(data, digest_size=_SIZE).digest()
        entry = self.used.get(digest)
        if entry is None:
            entry = self.used[digest] = self.known.get(digest, {})
        return entry

    def find(self, search: Callable[[bytes], Fact], data: bytes, entry: dict[str, Any]) -> Fact:
        """What a function finds in a content. It must depend on nothing else; `marshal` must be able to write it."""
        name = name_of(search)
        if name not in entry:
            entry[name] = search(data)
            self.is_fresh = True
        found: Fact = entry[name]
        return found

    def of_file(self, search: Callable[[bytes], Fact], path: str) -> tuple[Fact] | None:
        """What the run has already found in a file, in a one-element tuple."""
        entry, name = self.of_files.get(path), name_of(search)
        return None if entry is None or name not in entry else (entry[name],)

    def answer(self, key: bytes, project: ProjectContext) -> tuple[Any] | None:
        """The answer for a key, in a one-element tuple; None if unknown, or if the project has other files."""
        known = self.answers.get(key) or self.known_answers.get(key)
        if known is None or any(answer(project, question) != said for question, said in known[1].items()):
            return None
        self.answers[key] = known
        return (known[0],)

    def keep_answer(self, key: bytes, found: Any, asked: Mapping[Question, Any]) -> None:
        """Store an answer with what it asked about file names; `marshal` must be able to write it."""
        self.answers[key] = found, dict(asked)
        self.is_fresh = True

    @property
    def is_changed(self) -> bool:
        """Whether the next run should know something that this run did not."""
        return self.is_fresh or len(self.used) < len(self.known) or len(self.answers) < len(self.known_answers)
