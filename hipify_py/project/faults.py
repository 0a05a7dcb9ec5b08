"""The fence around the questions that a run asks about single files: an exception costs that file's answer, no more.

Planning asks files for facts that other files need. A file that cannot be examined says as little as an empty one; the
run reports it (HIP905) and goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from hipify_py.catalog import TableError
from hipify_py.project.result import FileResult, failure

Fact = TypeVar("Fact")
Key = TypeVar("Key")

FAULT = "HIP905"
"""The finding for an internal error."""


class Killed(Exception):
    """A process has been killed at its work, by a bug of a library or for want of memory."""


class Faults(dict[str, str]):
    """What went wrong in a run, by the file that was examined; the first fault of each file."""

    def ask(self, path: str, question: Callable[[], Fact], nothing: Callable[[], Fact]) -> Fact:
        """The answer to a question about a file, or where that raises an exception: `nothing`, what an empty file says.

        Raises:
            TableError: if the mapping tables are missing or wrong, which is not a file's fault.
        """
        try:
            return question()
        except TableError:
            raise
        except Exception as error:  # a bug in hipify-py must not cost other files anything
            self.setdefault(path, in_words(error))
            return nothing()

    def ask_together(
        self,
        files: Mapping[Key, str],
        question: Callable[[Sequence[Key]], Fact],
        nothing: Callable[[], Fact],
    ) -> Fact:
        """The answer to a question about several `files`, whose paths are given by key.

        If it raises an exception, files that fail by themselves are left out. If none of them does, or the others fail
        too, the first of them is blamed, and the answer is `nothing`.

        Raises:
            TableError: as for `ask`.
        """
        together, alone = Faults(), Faults()
        answer = together.ask("", lambda: question([*files]), nothing)
        if not together:
            return answer
        for key, path in files.items():
            alone.ask(path, partial(question, [key]), nothing)
        self.update({path: says for path, says in alone.items() if path not in self})
        sound = [key for key, path in files.items() if path not in alone]
        blamed = files[next(iter(sound or files))]
        if len(sound) < len(files):
            return self.ask(blamed, lambda: question(sound), nothing)
        self.setdefault(blamed, together[""])
        return nothing()

    def results(self, others: Container[str]) -> list[FileResult]:
        """A failed result for each file with a fault, except the `others`, which are absolute paths."""
        return [
            failure(_shown(path), FAULT, says) for path, says in self.items() if os.path.abspath(path) not in others
        ]


def in_words(error: Exception) -> str:
    """An exception as the detail of a finding."""
    if isinstance(error, MemoryError):
        return "out of memory"
    return str(error) if isinstance(error, Killed) else f"{type(error).__name__}: {error}"


def with_faults(results: Iterable[FileResult], faults: Faults) -> list[FileResult]:
    """The results of a run, with its faults: at their files, and in a result of their own for other files."""
    results = [*results]
    if not faults:
        return results
    by_place = {os.path.abspath(path): says for path, says in faults.items()}
    places = [os.path.abspath(result.path) for result in results]
    found = [
        _with_fault(result, by_place[place]) if place in by_place else result
        for result, place in zip(results, places, strict=True)
    ]
    return [*found, *faults.results(set(places))]


def _with_fault(result: FileResult, says: str) -> FileResult:
    if any(finding.id == FAULT for finding in result.findings):
        return result
    return result._replace(findings=(*failure(result.path, FAULT, says).findings, *result.findings))


def _shown(path: str) -> str:
    """A path relative to the current folder if it lies below."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative
