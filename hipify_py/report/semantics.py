"""What libclang was asked in a run: the share of the files, the answers, and what that cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hipify_py.project.result import Asked, FileResult

_MOST_PROBLEMS = 3
"""Files for which the summary shows why libclang did not answer."""


class AskedInAll(NamedTuple):
    """What libclang was asked of the files of a run.

    Attributes:
        files: how many left doubts.
        failed: how many of them it could not read.
        left_out: about how many of them it was not asked, because the run had reached its limit.
        doubts: how many questions they raised.
        answers: how many it answered.
        seconds: how long that took, all processes together; answers of earlier runs take no time.
    """

    files: int
    failed: int
    left_out: int
    doubts: int
    answers: int
    seconds: float


def asked_in_all(results: Iterable[FileResult]) -> AskedInAll | None:
    """What libclang was asked of the files of a run; None for nothing."""
    asked = [result.asked for result in results if result.asked is not None]
    if not asked:
        return None
    return AskedInAll(
        len(asked),
        sum(bool(one.problem) for one in asked),
        sum(one.left_out for one in asked),
        sum(one.doubts for one in asked),
        sum(one.answers for one in asked),
        round(sum(one.seconds for one in asked), 3),
    )


def semantics_lines(results: Sequence[FileResult]) -> Iterator[str]:
    """The lines of a summary on that: what libclang was asked, or how many doubts it could settle."""
    found = asked_in_all(results)
    if found is None:
        doubts = [result.doubts for result in results if result.doubts]
        if doubts:
            where = f"{sum(doubts)} doubt{'' if sum(doubts) == 1 else 's'} in {len(doubts)} of {len(results)} files"
            yield f"{where} were decided by the sources alone; --semantics auto asks libclang"
        return
    took = f", {found.seconds:.1f} s" if found.seconds else ""
    files = "file" if len(results) == 1 else "files"
    looked = f"libclang examined {found.files - found.left_out} of {len(results)} {files}"
    yield f"{looked}: {found.answers} of {found.doubts} {'doubt' if found.doubts == 1 else 'doubts'} settled{took}"
    if found.left_out:
        yield f"libclang did not examine {found.left_out} more with doubts (--semantics on examines all of them)"
    failed = [(result.path, result.asked) for result in results if result.asked is not None and result.asked.problem]
    for path, asked in failed[:_MOST_PROBLEMS]:
        yield f"{path}: libclang gave no answer: {_first_line(asked)}"
    if len(failed) > _MOST_PROBLEMS:
        yield f"libclang gave no answer for {len(failed) - _MOST_PROBLEMS} more"


def _first_line(asked: Asked) -> str:
    return asked.problem.splitlines()[0][:120]
