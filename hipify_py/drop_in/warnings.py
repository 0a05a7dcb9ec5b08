"""What is left to do, as warnings in the forms of the two tools, with the texts of hipify-py's findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.core.findings import Finding, occurrences
from hipify_py.project.result import FAILED, FileResult

_TOLD = frozenset({"warning", "error"})


def warnings_of(result: FileResult, whitelist: Sequence[str] = ()) -> list[Finding]:
    """What a file's user is warned about: errors and warnings at each of their places, in source order.

    Args:
        result: the file's result.
        whitelist: names that nothing is said about; as in hipify-perl, each may be a regular expression.
    """
    if result.status == FAILED:
        return list(result.findings)
    quiet = [_pattern(name) for name in whitelist]
    found = (
        place
        for finding in result.findings
        if finding.severity in _TOLD and not any(pattern.fullmatch(finding.name) for pattern in quiet)
        for place in occurrences(finding)
    )
    return sorted(found, key=lambda finding: finding.offset)


def _pattern(name: str) -> re.Pattern[str]:
    try:
        return re.compile(name)
    except re.error:
        return re.compile(re.escape(name))


def lines_of_perl(path: str, findings: Iterable[Finding]) -> Iterator[str]:
    """Warnings as hipify-perl of ROCm 6.3 prints them: `  warning: FILE:#LINE : TEXT`."""
    for finding in findings:
        yield f"  warning: {path}:#{finding.line} : {finding.id} {finding.message}"


def lines_of_clang(path: str, findings: Iterable[Finding]) -> Iterator[str]:
    """Warnings as hipify-clang prints Clang's diagnostics: `FILE:LINE:COLUMN: warning: TEXT`."""
    for finding in findings:
        yield f"{path}:{finding.line}:{finding.column}: warning: {finding.message} [{finding.id}]"
