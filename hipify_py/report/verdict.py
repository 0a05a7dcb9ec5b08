"""What a run means for a port, in one sentence, and the evidence for it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.core.findings import Finding
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.result import CHANGED, FAILED
from hipify_py.report.causes import Cause, efforts_line
from hipify_py.report.figures import counted
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import fortran_line

_UNREAD, _FORTRAN = "HIP911", "HIP913"
_MOST_HEADERS = 5


class Verdict(NamedTuple):
    """The verdict on a port.

    Attributes:
        sentence: how far the port is.
        subject: the project, its commit, the date and the ROCm; parts that are unknown are left out.
        blocking: the causes that keep the translation from being built or from computing the same, the gravest first.
        others: the causes of warnings and notes.
        unread: the findings of the files that name CUDA and were not read.
        fortran: the findings of the files of CUDA Fortran, which are not translated.
        fortran_line: their figures, in words; empty if there are none.
        untried: what no compiler has tried, and how to change that where it can be; empty if one has tried all.
    """

    sentence: str
    subject: str
    blocking: Sequence[Cause]
    others: Sequence[Cause]
    unread: Sequence[Finding]
    fortran: Sequence[Finding]
    fortran_line: str
    untried: str


def verdict_of(report: RunReport) -> Verdict:
    """The verdict on the run's files."""
    unread = [finding for finding in report.findings if finding.id == _UNREAD]
    fortran = [finding for finding in report.findings if finding.id == _FORTRAN]
    counts = report.coverage.fortran
    causes = [cause for cause in report.causes if cause.id not in (_UNREAD, _FORTRAN)]
    blocking = [cause for cause in causes if cause.severity == "error"]
    return Verdict(
        _sentence(report, blocking, len(unread), counts.files),
        _subject(report),
        blocking,
        [cause for cause in causes if cause.severity != "error"],
        unread,
        fortran,
        fortran_line(counts) if counts.files else "",
        _untried(report),
    )


def _subject(report: RunReport) -> str:
    rocm = ", ".join(dict.fromkeys(choice.targeting.rocm or NEWEST_ROCM for choice in report.choices))
    origin = report.origin
    if origin is None:
        return f"ROCm {rocm}"
    commit = f"commit {origin.commit[:12]}" if origin.commit else ""
    return ", ".join(filter(None, (origin.project, commit, origin.date, f"ROCm {rocm}")))


def _sentence(report: RunReport, blocking: Sequence[Cause], unread: int, fortran: int) -> str:
    parts = []
    failed = sum(result.status == FAILED for result in report.results)
    if blocking:
        verb = "blocks" if len(blocking) == 1 else "block"
        parts.append(f"{counted(len(blocking), 'cause')} {verb} the port (effort: {efforts_line(blocking)})")
    elif not report.coverage.total.total:
        if report.causes and not (unread or fortran):
            parts.append(f"No name of CUDA was found, and {counted(len(report.causes), 'cause')} to review")
        elif unread or not fortran:
            parts.append("The files that were read contain no CUDA" if unread else "There is no CUDA to port")
    elif report.verified is not None and report.verified.sources:
        verified = report.verified
        parts.append(f"Nothing blocks the port: {counted(verified.sources, 'source')} {verified.did} without errors")
    else:
        parts.append("Nothing that hipify-py knows blocks the port")
    if failed:
        parts.append(f"{counted(failed, 'file')} could not be processed")
    if unread:
        parts.append(f"{counted(unread, 'file')} that {'names CUDA was' if unread == 1 else 'name CUDA were'} not read")
    if fortran:
        verb = "is" if fortran == 1 else "are"
        parts.append(f"{counted(fortran, 'file')} {verb} CUDA Fortran, which is not translated")
    if report.verified is not None and report.verified.missing:
        missing = len(report.verified.missing)
        parts.append(f"{counted(missing, 'header')} for the trial {'was' if missing == 1 else 'were'} missing")
    elif report.verified is not None and _has_programs(report):
        parts.append("no compiler has tried the kernels in Python")
    elif _untried(report) and report.coverage.total.total:
        parts.append("no compiler has tried the translation")
    *some, last = parts
    return f"{', '.join(some)}, and {last}." if some else f"{last}."


def _has_programs(report: RunReport) -> bool:
    """Whether programs of other languages have GPU code."""
    return any(kind_of_host(result.path) and result.counts.total for result in report.results)


def _untried(report: RunReport) -> str:
    verified = report.verified
    if verified is not None and verified.missing:
        few, more = verified.missing[:_MOST_HEADERS], len(verified.missing) - _MOST_HEADERS
        others = f" and {more} more" if more > 0 else ""
        return f"Not found by {verified.tool}, and not tried for that reason: {', '.join(few)}{others}"
    if verified is not None and _has_programs(report):
        return "Kernels in Python are not tried: the programs compile them while they run"
    if verified is not None or not any(result.status == CHANGED for result in report.results):
        return ""
    paths = [path for choice in report.choices for path in choice.paths]
    shown = " ".join(map(shlex.quote, paths)) if 0 < len(paths) <= 2 else "PATH..."
    return f"No compiler has tried the translation: hipify-py report --verify {shown}"
