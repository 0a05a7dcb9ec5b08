"""Applying the fixes of findings to the files that have them, which stay in the language that they are in."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hipify_py.core.diff import unified_diff
from hipify_py.core.edits import apply
from hipify_py.core.findings import Finding
from hipify_py.core.fingerprints import edits_of
from hipify_py.project.marks import content_mark
from hipify_py.project.result import FileResult, failure, reason
from hipify_py.project.write import write_atomically


class ChangedMeanwhile(OSError):
    """A file is not any more what was checked, so that its findings say nothing of it."""

    def __init__(self) -> None:
        super().__init__("the file has changed since it was checked")


def mend_file(result: FileResult, findings: Sequence[Finding]) -> FileResult | None:
    """Apply fixes that do not overlap to a file.

    Args:
        result: the account of the file, from a run just before.
        findings: those to mend.

    Returns:
        A result that says why it could not be done; the file is as it was then.
    """
    try:
        # What a link leads to is written, not the link.
        write_atomically(os.path.realpath(result.path), apply(_checked(result), edits_of(findings)))
    except OSError as error:
        return failure(result.path, "HIP901", f"cannot fix the file: {reason(error)}")
    return None


def mending_diff(result: FileResult, findings: Sequence[Finding]) -> bytes | FileResult:
    """What `mend_file` would change, as a unified diff, or a result that says why the file cannot be read."""
    try:
        return unified_diff(_checked(result), edits_of(findings), result.path, result.path)
    except OSError as error:
        return failure(result.path, "HIP901", f"cannot read the file: {reason(error)}")


def _checked(result: FileResult) -> bytes:
    with open(result.path, "rb") as file:
        if content_mark(os.fstat(file.fileno())) != result.read_as:
            raise ChangedMeanwhile
        return file.read()
