"""The exit statuses."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.core.findings import NEVER, severity_at_least
from hipify_py.project.faults import FAULT
from hipify_py.project.result import FAILED, FileResult

DONE, FINDINGS, USAGE, FAILURE, INTERNAL = 0, 1, 2, 3, 4
"""Nothing left to do; findings of the asked severity; wrong usage or set-up; some file not done; an error of ours."""


def exit_code(results: Iterable[FileResult], fail_on: str = "error") -> int:
    """The status of a run; failures win over findings, and bugs over both. `fail_on` is a severity or `never`."""
    return max((_code_of(result, fail_on) for result in results), default=DONE)


def _code_of(result: FileResult, fail_on: str) -> int:
    if any(finding.id == FAULT for finding in (*result.findings, *result.known)):
        return INTERNAL
    if result.status == FAILED:
        return FAILURE
    if fail_on != NEVER and any(severity_at_least(finding.severity, fail_on) for finding in result.findings):
        return FINDINGS
    return DONE


def settled(code: int, *, exit_zero: bool) -> int:
    """The status in the end: with `exit_zero`, findings leave it as if there were nothing to do."""
    return DONE if exit_zero and code == FINDINGS else code
