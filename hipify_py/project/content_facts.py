"""Facts found in files: looked up once per run, or once for all runs if results are kept.

Facts depend only on a file's content. Answers are stored under a key of all their inputs except the names of the
project's files: each answer is kept with the few names it asked for, as outcomes are (`results_cache/keys.py`).
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from hipify_py.core.project_context import ProjectContext, Question, answer
from hipify_py.project.faults import Faults

if TYPE_CHECKING:
    from hipify_py.project.results_cache.store import Store

Fact = TypeVar("Fact")

_SIZE = 16
"""Bytes of a digest; long enough that two contents do not share one by accident."""

Answers = dict[bytes, tuple[Any, dict[Question, Any]]]
"""Answers by key, each with what it asked about the names of the project's files."""


def name_of(search: Callable[[bytes], Any]) -> str:
    """The name under which a function's findings are stored among the facts."""
    return f"{search.__module__}.{search.__qualname__}"


class FileFacts:
    """Facts by content, and answers by key.

    Attributes:
        of_files: the facts about the content that each file had when the run last examined it, by path.
        answers: the answers that this run has found or looked up.
        asked: what these asked about the names of the project's files, with the answers.
        faults: the files that could not be examined.
    """

    def __init__(self, store: Store | None = None, installation: bytes = b"") -> None:
        """`store` has what earlier runs of the same `installation` have found."""
        self.of_files: dict[str, dict[str, Any]] = {}
        self.answers: Answers = {}
        self.asked: dict[Question, Any] = {}
        self.faults = Faults()
        self._store = store
        self._installation = installation
        self._facts: dict[bytes, dict[str, Any]] = {}
        """By content, the one looked up last at the end."""
        self._stored: dict[bytes, int] = {}
        """How many facts about a content the store has."""

    def about(self, data: bytes) -> dict[str, Any]:
        """The known facts about a content, for `find`."""
        key = self._store_key(b"facts", data)
        entry = self._facts.pop(key, None)
        if entry is None:
            entry = self._load(key) or {}
            self._stored[key] = len(entry)
        self._facts[key] = entry
        return entry

    def start_again(self, most: int) -> None:
        """Begin another run with `most` facts and answers of the earlier ones, but with none of their files.

        For a process that goes on for hours: each version of an edited file has facts of its own.
        """
        self.of_files, self.asked, self.faults = {}, {}, Faults()
        for key in [*islice(self._facts, max(len(self._facts) - most, 0))]:
            del self._facts[key]
            del self._stored[key]
        for key in [*islice(self.answers, max(len(self.answers) - most, 0))]:
            del self.answers[key]

    def find(self, search: Callable[[bytes], Fact], data: bytes, entry: dict[str, Any]) -> Fact:
        """What a function finds in a content. It must depend on nothing else; `marshal` must be able to write it."""
        name = name_of(search)
        if name not in entry:
            entry[name] = search(data)
        found: Fact = entry[name]
        return found

    def of_file(self, search: Callable[[bytes], Fact], path: str) -> tuple[Fact] | None:
        """What the run has already found in a file, in a one-element tuple."""
        entry, name = self.of_files.get(path), name_of(search)
        return None if entry is None or name not in entry else (entry[name],)

    def answer(self, key: bytes, project: ProjectContext) -> tuple[Any] | None:
        """The answer for a key, in a one-element tuple; None if unknown, or if the project has other files."""
        known = self.answers.get(key) or self._load(self._store_key(b"answer", key))
        if known is None or any(answer(project, question) != before for question, before in known[1].items()):
            return None
        found, asked = known
        self._note(key, found, asked, project)
        return (found,)

    def keep_answer(self, key: bytes, found: Any, asked: Mapping[Question, Any], project: ProjectContext) -> None:
        """Store an answer with what it asked about a project's names of files; `marshal` must be able to write it."""
        self._note(key, found, dict(asked), project)
        if self._store is not None:
            self._store.write(self._store_key(b"answer", key), marshal.dumps(self.answers[key], 4))

    def _note(self, key: bytes, found: Any, asked: dict[Question, Any], project: ProjectContext) -> None:
        self.answers[key] = found, asked
        if project.local_headers or project.renames:  # a file without a project has the same answers in any
            self.asked.update(asked)

    @property
    def is_kept(self) -> bool:
        """Whether the facts are there for the next run."""
        return self._store is not None

    def save(self) -> None:
        """Store the facts that this run has found."""
        if self._store is None:
            return
        for key, entry in self._facts.items():
            if len(entry) != self._stored[key]:
                self._store.write(key, marshal.dumps(entry, 4))
                self._stored[key] = len(entry)

    def _store_key(self, kind: bytes, data: bytes) -> bytes:
        digest = blake2b(kind + self._installation, digest_size=_SIZE)
        digest.update(data)
        return digest.digest()

    def _load(self, key: bytes) -> Any:
        body = None if self._store is None else self._store.read(key)
        # The user's own data, and undamaged.
        return None if body is None else marshal.loads(body)  # nosec B302
