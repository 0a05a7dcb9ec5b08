"""Findings: what a porter has to look at, each with a place, a severity and an effort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

SEVERITIES = ("note", "warning", "error")
"""From the least to the most severe; `check --fail-on` compares in this order."""

NEVER = "never"
"""Used instead of a severity: no finding is severe enough."""

EFFORTS = ("low", "medium", "high")

BY_COMMENT, BY_CONFIGURATION = "comment", "configuration"
"""The ways to suppress a finding."""

EXACT, REVIEW = "exact", "review"
"""The applicability of a fix: it preserves the meaning of the code, on wavefronts of 32 and 64 lanes; or it needs
review."""


class Diagnostic(NamedTuple):
    """An entry of the register (`diagnostics.yaml`).

    `source` names the documentation of the underlying fact. `fix` describes the fix of such findings, and
    `applicability` is how certain it is; both are empty if there is none.
    """

    id: str
    title: str
    severity: str
    effort: str
    message: str
    advice: str
    source: str = ""
    fix: str = ""
    applicability: str = ""


class Replacement(NamedTuple):
    """Bytes `[start, end)` of the source that become `text`; an insertion has `start == end`.

    Lines and columns count from 1, columns in bytes; the end is after the last byte. They are filled in together with
    those of the finding.
    """

    start: int
    end: int
    text: bytes
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


class FixedLines(NamedTuple):
    """Lines that a fix touches, starting at `line`, before and after."""

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]


class Fix(NamedTuple):
    """The fix of a finding: edits of the current source, in its own language.

    Attributes:
        title: what it does.
        applicability: `EXACT` or `REVIEW`.
        edits: its replacements, in order; they belong together.
        lines: the lines that it touches, for display; empty if they are too long.
    """

    title: str
    applicability: str
    edits: tuple[Replacement, ...]
    lines: tuple[FixedLines, ...] = ()


class Finding(NamedTuple):
    """One place that needs attention.

    The attributes after `library` are filled in when a unit is done (`hipify_py.findings.fingerprints`).

    Attributes:
        id: its id, such as `HIP301`.
        severity: one of `SEVERITIES`.
        effort: one of `EFFORTS`.
        message: the problem at this place.
        path: the file.
        offset: the byte offset in the CUDA source; -1 if the finding is about the file as a whole.
        line: counted from 1; 1 if the finding is about the file as a whole.
        column: counted from 1, in bytes; 1 if the finding is about the file as a whole.
        name: the CUDA symbol that it is about; empty if there is none.
        library: the table that has the symbol.
        end_line: the line of the place after the name that it is about, 0 for the whole file.
        end_column: the column of that place.
        fingerprint: identifies the finding when the file changes.
        source_line: the text of its line.
        suppression: what suppresses it: a comment or the configuration; empty if it is not suppressed.
        rocm: the ROCm version from which on the finding goes away, as `"7.1"`; empty if no version is known.
        fix: its fix; None if a person has to make it.
        others: the other places in its file, or in its project, that it stands for, in order; see `together`.
    """

    id: str
    severity: str
    effort: str
    message: str
    path: str
    offset: int
    line: int
    column: int
    name: str
    library: str
    end_line: int = 0
    end_column: int = 0
    fingerprint: str = ""
    source_line: str = ""
    suppression: str = ""
    rocm: str = ""
    fix: Fix | None = None
    others: tuple[Finding, ...] = ()


def as_note(finding: Finding, why: str) -> Finding:
    """The finding as a note, with the reason why it is only a note."""
    return finding._replace(severity="note", message=f"{finding.message} ({why})")


def together(findings: Sequence[Finding]) -> Finding:
    """Findings that say the same, as the first of them: it tells how many others there are."""
    first, *others = findings
    return first._replace(message=first.message + _more(first, others), others=tuple(others)) if others else first


def occurrences(finding: Finding) -> list[Finding]:
    """A finding at each place that it stands for."""
    if not finding.others:
        return [finding]
    message = finding.message.removesuffix(_more(finding, finding.others))
    others = [other._replace(severity=finding.severity, suppression=finding.suppression) for other in finding.others]
    return [finding._replace(message=message, others=()), *others]


def at_each_place(finding: Finding, change: Callable[[Finding], Finding]) -> Finding:
    """A finding with a change to each place that it stands for."""
    return change(finding)._replace(others=tuple(map(change, finding.others)))


def _more(first: Finding, others: Sequence[Finding]) -> str:
    where = "file" if all(other.path == first.path for other in others) else "project"
    return f" (and {len(others)} more in this {where})"


def severity_at_least(severity: str, threshold: str) -> bool:
    """Whether `severity` is at least as severe as `threshold`."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(threshold)
