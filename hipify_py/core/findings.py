"""Findings: what a porter has to look at, each with a place, a severity and an effort."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("note", "warning", "error")
"""From the least to the gravest; `check --fail-on` compares by this order."""

NEVER = "never"
"""In place of a severity: none is grave enough."""

EFFORTS = ("low", "medium", "high")

BY_COMMENT, BY_CONFIGURATION = "comment", "configuration"
"""What a finding may be suppressed by."""

EXACT, REVIEW = "exact", "review"
"""How sure a fix is: it is what the code means, on wavefronts of 32 and of 64 lanes; or somebody has to look at it."""


class Diagnostic(NamedTuple):
    """An entry of the register (`diagnostics.yaml`).

    `source` says where the fact behind it is documented. `fix` says what the fix of such findings does, and
    `applicability` how sure it is; both are empty where they have none.
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

    Lines and columns count from 1, columns in bytes, those of the end behind the last byte; they are filled in with
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
    """Lines that a fix touches, from `line` on, as they are and as they become."""

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]


class Fix(NamedTuple):
    """What mends a finding: edits of the source as it stands, in the language that it is in.

    Attributes:
        title: what it does.
        applicability: `EXACT` or `REVIEW`.
        edits: what it replaces, in order; they belong together.
        lines: the lines that it touches, for people; none where they are too long to show.
    """

    title: str
    applicability: str
    edits: tuple[Replacement, ...]
    lines: tuple[FixedLines, ...] = ()


class Finding(NamedTuple):
    """One place that needs a look.

    What follows `library` is filled in when a unit is done (`hipify_py.core.fingerprints`).

    Attributes:
        id: which finding it is, such as `HIP301`.
        severity: one of `SEVERITIES`.
        effort: one of `EFFORTS`.
        message: what is the matter at this place.
        path: the file.
        offset: the byte offset in the CUDA source; -1 where the finding is about the file as a whole.
        line: counted from 1; 1 where the finding is about the file as a whole.
        column: counted from 1, in bytes; 1 where the finding is about the file as a whole.
        name: the CUDA symbol that it is about; empty where it is about none.
        library: the table that has the symbol.
        end_line: the line of the place behind the name that it is about, 0 where the whole file is meant.
        end_column: the column of that place.
        fingerprint: by what the finding is known again when the file changes.
        source_line: the text of its line.
        suppression: by what it is suppressed: a comment or the configuration; empty for findings that are not.
        fix: what mends it; None where a person has to.
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
    fix: Fix | None = None


def as_note(finding: Finding, why: str) -> Finding:
    """The finding as a note that says why it is no more than that."""
    return finding._replace(severity="note", message=f"{finding.message} ({why})")


def with_more(finding: Finding, count: int) -> Finding:
    """The finding, said to hold for so many other places of its file."""
    return finding._replace(message=f"{finding.message} (and {count} more in this file)") if count else finding


def severity_at_least(severity: str, threshold: str) -> bool:
    """True when `severity` is as grave as `threshold`, or graver."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(threshold)
