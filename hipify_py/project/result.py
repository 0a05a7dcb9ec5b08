"""What became of one file of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.translation import NO_FLAGS, NO_WARPS, Counts, Flags, WarpCounts

if TYPE_CHECKING:
    from hipify_py.core.clang_facts import TypeQuery
    from hipify_py.project.changes import Changes

CHANGED, UNCHANGED, COPIED, FAILED = "converted", "unchanged", "copied", "failed"
STATUSES = (CHANGED, UNCHANGED, COPIED, FAILED)
"""Translated to something else, translated to itself, copied along untranslated, not done."""


Kept: TypeAlias = "tuple[bytes, tuple[Any, ...], bytes]"
"""The key of an outcome, the questions about the project's files that were asked for it with their answers, and the
outcome itself."""

_NOTHING: Mapping[Any, Any] = {}


class Asked(NamedTuple):
    """What libclang was asked about a file.

    Attributes:
        doubts: how many questions.
        answers: how many it answered.
        seconds: how long that took; 0 where an earlier run has asked.
        problem: why there are no answers; empty where it could be asked.
        left_out: it was not asked, for the run has asked about as much as it may.
    """

    doubts: int
    answers: int
    seconds: float = 0.0
    problem: str = ""
    left_out: bool = False


class LeftOpen(NamedTuple):
    """What is known of a source that leaves doubts, until libclang has been asked about them.

    Attributes:
        mark: what tells the file's content from what it may be later (`marks.file_stamp`); None for unsaved content.
        data: its content.
        asked: the questions about the project's files that were asked for it, with the answers.
        packed: the outcome without answers, as bytes (see `results_cache.entries`).
        doubts: the doubts.
    """

    mark: tuple[int, ...] | None
    data: bytes
    asked: tuple[tuple[Any, Any], ...]
    packed: bytes
    doubts: tuple[TypeQuery, ...]


class FileResult(NamedTuple):
    """The account of one file, small enough to travel between processes.

    Attributes:
        path: the file, as given or found below a given folder.
        status: one of `STATUSES`.
        target: where the result was written, None where nothing was written.
        libraries: the file's references by library.
        findings: what a porter has to look at, in the order of their places.
        suppressed: findings that the source or the configuration suppresses.
        known: findings that were there before, where only new ones are asked for: a baseline knows them, or their
            lines have not changed. They are none of `findings`.
        declared: CUDA-looking names that the file declares itself.
        flags: what the file says of macros that others may ask for.
        fixes: how many fixes of each group and of each id were applied.
        warps: what became of the warp operations.
        left: how often each (name, library, outcome) stands there that is unsupported or unknown.
        support: the sections of the support header that the file uses.
        support_header: the path by which it includes that header.
        output: the HIP source or the diff, where one of them was asked for.
        changes: what the conversion changes, where that was asked for; None where it changes nothing.
        staged: the temporary file that is to become `target`; empty where there is none.
        kept: what the results cache is to keep of it; None for nothing.
        asked: what libclang was asked about it; None for nothing.
        left_open: what the run is to go on with, where the source leaves doubts that somebody can be asked about; the
            rest of the result is empty then.
        read_as: what told the file's content apart when it was read (`marks.file_stamp`); None where it was not.
    """

    path: str
    status: str
    target: str | None = None
    libraries: Mapping[str, Counts] = _NOTHING
    findings: tuple[Finding, ...] = ()
    declared: frozenset[str] = frozenset()
    left: Mapping[tuple[str, str, str], int] = _NOTHING
    support: frozenset[str] = frozenset()
    support_header: str = ""
    output: bytes = b""
    staged: str = ""
    suppressed: tuple[Finding, ...] = ()
    flags: Flags = NO_FLAGS
    fixes: Mapping[str, int] = _NOTHING
    warps: WarpCounts = NO_WARPS
    read_as: tuple[int, ...] | None = None
    kept: Kept | None = None
    known: tuple[Finding, ...] = ()
    changes: Changes | None = None
    asked: Asked | None = None
    left_open: LeftOpen | None = None

    @property
    def counts(self) -> Counts:
        """The file's references by outcome."""
        total = Counts()
        for counts in self.libraries.values():
            total = total.plus(counts)
        return total


def failure(path: str, diagnostic: str, detail: str) -> FileResult:
    """The result of a file that could not be done; `diagnostic` is the id of the finding that says why."""
    entry = load_catalog().diagnostic(diagnostic)
    message = entry.message.format(detail=detail)
    finding = Finding(entry.id, entry.severity, entry.effort, message, path, -1, 1, 1, "", "")
    return FileResult(path, FAILED, findings=(finding,))


def with_known(result: FileResult, known: Iterable[Finding]) -> FileResult:
    """A result some of whose findings were there before."""
    known = frozenset(known)
    if not known:
        return result
    return result._replace(
        findings=tuple(finding for finding in result.findings if finding not in known),
        known=(*result.known, *(finding for finding in result.findings if finding in known)),
    )


def reason(error: OSError) -> str:
    """An operating system's error in words, without its number and path."""
    return error.strerror or str(error) or type(error).__name__
