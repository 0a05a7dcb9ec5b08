"""Outcomes as bytes and back."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from typing import Any

from hipify_py.core.clang_facts import TypeQuery
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, Fix, FixedLines, Replacement
from hipify_py.core.translation import NO_FLAGS, Counts, Dependent, Flags, Reference, WarpCounts
from hipify_py.project.outcome import Outcome
from hipify_py.project.result import CHANGED, UNCHANGED, Asked, FileResult

_NOTHING = b""
"""The outcome of a file without any CUDA, like most files of most trees."""


def packed(outcome: Outcome) -> bytes:
    """An outcome as bytes; the path is left out."""
    result = outcome.result
    if result == FileResult(result.path, UNCHANGED) and not outcome.doubts:
        return _NOTHING
    fields: Any = (
        result.status == CHANGED,
        {library: tuple(counts) for library, counts in result.libraries.items()},
        _packed_findings(result.findings, result.path),
        tuple(result.declared),
        dict(result.left),
        tuple(result.support),
        result.support_header,
        _packed_findings(result.suppressed, result.path),
        None if result.flags == NO_FLAGS else _packed_flags(result.flags, result.path),
        dict(result.fixes),
        tuple(result.warps),
        None if result.asked is None else tuple(result.asked._replace(seconds=0.0)),
        tuple(map(tuple, outcome.doubts)),
        tuple(map(tuple, outcome.edits)),
    )
    return marshal.dumps(fields, 4)


def unpacked(data: bytes, path: str) -> Outcome:
    """The outcome of the file at `path`."""
    if not data:
        return Outcome(FileResult(path, UNCHANGED))
    # The caller has checked these bytes.
    fields = marshal.loads(data)  # nosec B302
    is_changed, libraries, findings, declared, left, support, header, suppressed, flags, fixes, warps, asked = fields[
        :-2
    ]
    doubts, edits = fields[-2:]
    result = FileResult(
        path,
        CHANGED if is_changed else UNCHANGED,
        libraries={library: Counts(*counts) for library, counts in libraries.items()},
        findings=_findings(findings, path),
        declared=frozenset(declared),
        left=left,
        support=frozenset(support),
        support_header=header,
        suppressed=_findings(suppressed, path),
        flags=NO_FLAGS if flags is None else _flags(flags, path),
        fixes=fixes,
        warps=WarpCounts(*warps),
        asked=None if asked is None else Asked(*asked),
    )
    return Outcome(result, [Edit(*edit) for edit in edits], tuple(TypeQuery(*doubt) for doubt in doubts))


def _packed_findings(findings: Iterable[Finding], path: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(_packed_finding(found, path) for found in findings)


def _packed_finding(finding: Finding, path: str) -> tuple[Any, ...]:
    fields = finding._replace(path="" if finding.path == path else finding.path)[:-2]
    return (*fields, _packed_fix(finding.fix), _packed_findings(finding.others, path))


def _packed_fix(fix: Fix | None) -> tuple[Any, ...] | None:
    if fix is None:
        return None
    return (fix.title, fix.applicability, tuple(map(tuple, fix.edits)), tuple(map(tuple, fix.lines)))


def _findings(packed: Iterable[tuple[Any, ...]], path: str) -> tuple[Finding, ...]:
    findings = (
        Finding(*fields[:-2])._replace(fix=_fix(fields[-2]), others=_findings(fields[-1], path)) for fields in packed
    )
    return tuple(found if found.path else found._replace(path=path) for found in findings)


def _fix(packed: tuple[Any, ...] | None) -> Fix | None:
    if packed is None:
        return None
    title, applicability, edits, lines = packed
    return Fix(
        title,
        applicability,
        tuple(Replacement(*edit) for edit in edits),
        tuple(FixedLines(*touched) for touched in lines),
    )


def _packed_flags(flags: Flags, path: str) -> tuple[Any, ...]:
    dependent = {
        macro: (_packed_findings(found.findings, path), tuple(map(tuple, found.references)))
        for macro, found in flags.dependent.items()
    }
    return tuple(flags.lost), tuple(flags.kept), dependent, tuple(flags.provided)


def _flags(packed: tuple[Any, ...], path: str) -> Flags:
    lost, kept, dependent, provided = packed
    by_macro: Mapping[str, Dependent] = {
        macro: Dependent(_findings(findings, path), tuple(Reference(*fields) for fields in references))
        for macro, (findings, references) in dependent.items()
    }
    return Flags(frozenset(lost), frozenset(kept), by_macro, frozenset(provided))
