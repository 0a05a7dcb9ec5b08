"""The result for one file of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from hipify_py.catalog import load_catalog
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, occurrences, together
from hipify_py.core.translation import NO_FLAGS, NO_WARPS, Counts, Flags, Reference, WarpCounts

if TYPE_CHECKING:
    from hipify_py.core.clang_facts import TypeQuery
    from hipify_py.core.diff import Hunk
    from hipify_py.fortran.counts import FortranCounts

# What a conversion changes in a file, for display; bounded, however large the changes are.

LARGEST = 200_000
"""Limit, in bytes, on the lines kept for one file, context lines included."""


class Changes(NamedTuple):
    """The changes in one file.

    Attributes:
        hunks: in line order; empty if they are too large.
        size: the size of all their lines, in bytes.
    """

    hunks: tuple[Hunk, ...]
    size: int


def changes_of(data: bytes, edits: Sequence[Edit]) -> Changes | None:
    """The changes that edits make; None if they change nothing."""
    from hipify_py.core.diff import hunks

    found = tuple(hunks(data, edits))
    size = sum(_size(hunk) for hunk in found)
    return Changes(found if size <= LARGEST else (), size) if found else None


def _size(hunk: Hunk) -> int:
    lines = [*hunk.behind, *(line for part in hunk.parts for side in part for line in side)]
    return sum(map(len, lines))


CHANGED, UNCHANGED, COPIED, UNREAD, FAILED = "converted", "unchanged", "copied", "unread", "failed"
STATUSES = (CHANGED, UNCHANGED, COPIED, UNREAD, FAILED)
"""Translated to something else, translated to itself, copied without translation, not read although it names CUDA, not
done."""


Kept: TypeAlias = "tuple[bytes, tuple[Any, ...], bytes]"
"""The key of an outcome, the questions asked about the project's files for it with their answers, and the outcome
itself."""

_NOTHING: Mapping[Any, Any] = {}


class Asked(NamedTuple):
    """The questions that libclang was asked about a file.

    Attributes:
        doubts: the number of questions.
        answers: the number of answers.
        seconds: how long that took; 0 if an earlier run has asked.
        problem: why there are no answers; empty if it could be asked.
        left_out: whether it was not asked because the run had reached its limit.
    """

    doubts: int
    answers: int
    seconds: float = 0.0
    problem: str = ""
    left_out: bool = False


class LeftOpen(NamedTuple):
    """A source that leaves doubts, until libclang has been asked about them.

    Attributes:
        mark: distinguishes the file's content from later content (`file_stamp.file_stamp`); None for unsaved content.
        data: its content.
        asked: the questions asked about the project's files for it, with the answers.
        packed: the outcome without answers, as bytes (see `results_cache.entries`).
        doubts: the doubts.
    """

    mark: tuple[int, ...] | None
    data: bytes
    asked: tuple[tuple[Any, Any], ...]
    packed: bytes
    doubts: tuple[TypeQuery, ...]


class FileResult(NamedTuple):
    """The report on one file, small enough to travel between processes.

    Attributes:
        path: the file, as given or found below a given folder.
        status: one of `STATUSES`.
        target: where the result was written, None if nothing was written.
        libraries: the file's references by library.
        findings: what a porter has to look at, in source order.
        suppressed: findings that the source or the configuration suppresses.
        known: earlier findings, if only new ones are requested: a baseline has them, or their lines have not changed.
            They are not in `findings`.
        declared: CUDA-looking names that the file declares itself.
        flags: what the file declares about macros that other files may need.
        fixes: the number of applied fixes of each group and each id.
        warps: the outcomes of the warp operations.
        left: how often each unsupported or unknown (name, library, outcome) occurs.
        support: the sections of the support header that the file uses.
        support_header: the path by which it includes that header.
        output: the HIP source or the diff, if one of them was requested.
        changes: what the conversion changes, if requested; None if it changes nothing.
        edits: the edits that lead to the output, if requested.
        references: the references to CUDA symbols, if requested.
        staged: the temporary file that is to become `target`; empty if there is none.
        kept: what the results cache should keep; None for nothing.
        asked: the questions to libclang about it; None if there were none.
        doubts: the number of questions that libclang could have been asked.
        left_open: how the run continues if the source leaves doubts that can be settled; the rest of the result is
            empty then.
        read_as: the stamp of the file's content when it was read (`file_stamp.file_stamp`); None if it was not read.
        cuda_fortran: what it uses of CUDA, if it is CUDA Fortran, which is counted but not translated; otherwise None.
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
    doubts: int = 0
    left_open: LeftOpen | None = None
    edits: tuple[Edit, ...] = ()
    references: tuple[Reference, ...] = ()
    cuda_fortran: FortranCounts | None = None

    @property
    def counts(self) -> Counts:
        """The file's references by outcome."""
        total = Counts()
        for counts in self.libraries.values():
            total = total.plus(counts)
        return total


def failure(path: str, diagnostic: str, detail: str) -> FileResult:
    """The result of a file that could not be done; `diagnostic` is the id of the finding that explains why."""
    entry = load_catalog().diagnostic(diagnostic)
    message = entry.message.format(detail=detail)
    finding = Finding(entry.id, entry.severity, entry.effort, message, path, -1, 1, 1, "", "")
    return FileResult(path, FAILED, findings=(finding,))


def with_known(result: FileResult, known: Iterable[Finding]) -> FileResult:
    """A result in which some findings count as known, each at one of the places that findings stand for."""
    known = frozenset(known)
    if not known:
        return result
    new, old = list[Finding](), [*result.known]
    for finding in result.findings:
        for into, places in (
            (new, [each for each in occurrences(finding) if each not in known]),
            (old, [each for each in occurrences(finding) if each in known]),
        ):
            if places:
                into.append(together(places))
    return result._replace(findings=tuple(new), known=tuple(old))


class Parsed(NamedTuple):
    """How one source was parsed by libclang.

    Attributes:
        path: the source.
        passes: how many times: for the host, for each GPU, and once more where a header is not there.
        seconds: the processor time that it took; none where the answer was kept.
        is_kept: the answer is that of an earlier run.
        precompiled: how many lines with other projects' headers, from the first on, were precompiled.
        missing: the headers that are not there.
        dropped: how many errors inside foreign headers were left out.
    """

    path: str
    passes: int
    seconds: float
    is_kept: bool = False
    precompiled: int = 0
    missing: tuple[str, ...] = ()
    dropped: int = 0
