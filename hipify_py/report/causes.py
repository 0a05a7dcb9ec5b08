"""The causes of a run's findings: what one decision of a porter resolves counts once, however often it occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hipify_py.core.findings import EFFORTS, SEVERITIES, Finding, occurrences
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.targeting import version
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.figures import counted

WITHOUT_COUNTERPART = frozenset({"HIP101", "HIP107"})
"""Symbols and headers that HIP does not have."""

_NEEDS_ROCM, _UNKNOWN_NAME, _OF_A_COMPILER, _FORTRAN = "HIP108", "HIP102", "HIP920", "HIP913"
_A_REWRITE = 10
"""Names of one library without a counterpart from which on replacing them is a rewrite, whatever each of them takes."""

_COUNTED = lazy_pattern(r" \(and \d+ more in this (?:file|project)\)$")
_IN_HIP = lazy_pattern(r" \(in HIP: .*\)$")


class Cause(NamedTuple):
    """Findings that one decision resolves.

    Attributes:
        title: what it is, in words.
        id: the findings' id.
        severity: the gravest of theirs.
        effort: one of `EFFORTS`, for all of them together.
        names: how many different symbols they are about; 0 if they are not about symbols.
        places: how often they occur.
        files: how many files have them.
        first: the first of them.
        rocm: the ROCm version from which on all of them go away; empty if no version is known.
    """

    title: str
    id: str
    severity: str
    effort: str
    names: int
    places: int
    files: int
    first: Finding
    rocm: str

    @property
    def place(self) -> str:
        """Where it is met first: `file:line`, or the file."""
        return f"{self.first.path}:{self.first.line}" if self.first.offset >= 0 else self.first.path

    @property
    def extent(self) -> str:
        """How often it is met: `1 place`, `664 places in 9 files`."""
        places = counted(self.places, "place")
        return f"{places} in {counted(self.files, 'file')}" if self.places > 1 else places


def causes_of(results: Sequence[FileResult]) -> list[Cause]:
    """The causes of the findings, the gravest first, then those that take the most effort, then the most frequent."""
    return [cause for cause, _ in findings_by_cause(results)]


def findings_by_cause(results: Sequence[FileResult]) -> list[tuple[Cause, list[Finding]]]:
    """The causes, each with its findings, in the order of `causes_of`."""
    missing = _libraries_without_counterpart(results)
    found: dict[tuple[str, str], list[Finding]] = {}
    for result in results:
        if result.status != FAILED:
            for finding in result.findings:
                found.setdefault(_key(finding, missing), []).append(finding)
    causes = [(_cause(subject, findings, missing), findings) for (_, subject), findings in found.items()]
    return sorted(causes, key=lambda each: _rank(each[0]))


def _rank(cause: Cause) -> tuple[int, int, int, str]:
    return -SEVERITIES.index(cause.severity), -EFFORTS.index(cause.effort), -cause.places, cause.title


def efforts_line(causes: Iterable[Cause]) -> str:
    """The efforts that causes take, the greatest first: `2 high, 5 low`."""
    counts = Counter(cause.effort for cause in causes)
    return ", ".join(f"{counts[effort]} {effort}" for effort in reversed(EFFORTS) if counts[effort])


def _libraries_without_counterpart(results: Iterable[FileResult]) -> frozenset[str]:
    """The libraries of which the run converts nothing, and leaves several names."""
    used: set[str] = set()
    left: dict[str, set[str]] = {}
    for result in results:
        used.update(library for library, counts in result.libraries.items() if counts.converted or counts.native)
        for finding in result.findings:
            if finding.id in WITHOUT_COUNTERPART:
                left.setdefault(finding.library, set()).add(finding.name)
    return frozenset(library for library, names in left.items() if library not in used and len(names) > 1)


def _key(finding: Finding, missing: frozenset[str]) -> tuple[str, str]:
    """Equal for findings with the same cause."""
    if finding.id == _NEEDS_ROCM:
        return finding.id, finding.rocm
    if finding.id == _FORTRAN:  # whoever ports Fortran decides how once for all files
        return finding.id, ""
    message = _IN_HIP.sub("", _COUNTED.sub("", finding.message))
    if finding.name and finding.id != _OF_A_COMPILER:
        message = message.replace(finding.name, "…")
    if finding.id in WITHOUT_COUNTERPART:
        # The advice is the same for what has to be replaced together.
        return finding.library, "" if finding.library in missing else message
    return finding.id, message


def _cause(subject: str, findings: Sequence[Finding], missing: frozenset[str]) -> Cause:
    first = findings[0]
    names = dict.fromkeys(finding.name for finding in findings if finding.name)
    effort = max((finding.effort for finding in findings), key=EFFORTS.index)
    if first.id in WITHOUT_COUNTERPART and len(names) >= _A_REWRITE:
        effort = "high"
    versions = [finding.rocm for finding in findings]
    return Cause(
        title=_title(subject, first, [*names], missing),
        id=first.id,
        severity=max((finding.severity for finding in findings), key=SEVERITIES.index),
        effort=effort,
        names=len(names),
        places=sum(1 + len(finding.others) for finding in findings),
        files=len({place.path for finding in findings for place in occurrences(finding)}),
        first=first,
        rocm=max(versions, key=version) if all(versions) else "",
    )


def _title(subject: str, first: Finding, names: Sequence[str], missing: frozenset[str]) -> str:
    """The message of the first finding, for all names of the cause."""
    message = _IN_HIP.sub("", _COUNTED.sub("", first.message))
    if first.id == _FORTRAN:
        return "CUDA Fortran is not translated"
    if len(names) < 2:
        return message
    more = f"{names[0]} and {len(names) - 1} more name{'s' if len(names) > 2 else ''}"
    if first.id in WITHOUT_COUNTERPART and first.library in missing:
        return f"HIP has no counterpart of {first.library}: {more}"
    if first.id == _NEEDS_ROCM:
        return f"{more} need ROCm {subject} or later"
    if first.id == _UNKNOWN_NAME:
        return f"{more} look like symbols of {first.library}, but are not in the mapping tables"
    return message.replace(names[0], more, 1).replace(" has no ", " have no ", 1)
