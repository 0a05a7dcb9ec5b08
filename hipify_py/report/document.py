"""The report of a run as a JSON document, and the report read back from it.

`hipify_py/report/report.schema.json` describes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hipify_py.core.findings import SEVERITIES, Finding, Fix, FixedLines, Replacement
from hipify_py.core.installation import VERSION
from hipify_py.core.targeting import HIP, NEWEST_CUDA, NEWEST_ROCM, Targeting
from hipify_py.core.translation import NO_WARPS, Counts, WarpCounts
from hipify_py.fortran.counts import FortranCounts
from hipify_py.project.result import FAILED, STATUSES, UNCHANGED, Asked, FileResult, Parsed
from hipify_py.report.baseline.file import Entry
from hipify_py.report.causes import Cause
from hipify_py.report.comparison import Change, Comparison
from hipify_py.report.gates import Gate
from hipify_py.report.history import record_document, record_in
from hipify_py.report.model import Choice, Compiled, Origin, Verified
from hipify_py.report.places import shown_path
from hipify_py.report.run_report import RunReport
from hipify_py.report.semantics import asked_in_all
from hipify_py.report.verdict import verdict_of

FORMAT = 3
"""Raised when a field changes its meaning or goes away."""


class DocumentError(ValueError):
    """A document is not the report of a run, or has a format that this version does not read."""


def document_of(report: RunReport) -> dict[str, Any]:
    """The report of a run as JSON-compatible data."""
    return {**head_document(report), "files": [file_document(result, report) for result in report.results]}


def head_document(report: RunReport) -> dict[str, Any]:
    """The report of a run without its files, which come last in it."""
    coverage = report.coverage
    severities = [finding.severity for result in report.results for finding in result.findings]
    asked = asked_in_all(report.results)
    return {
        "format": FORMAT,
        "tool": {"name": "hipify-py", "version": VERSION},
        "command": report.command,
        **_chosen(report.choices),
        "origin": None if report.origin is None else report.origin._asdict(),
        "verified": None if report.verified is None else report.verified._asdict(),
        "verdict": None if report.compiled else verdict_of(report).sentence,
        "causes": [cause_document(cause) for cause in report.causes],
        "totals": {
            "files": None if report.compiled else {status: coverage.statuses[status] for status in STATUSES},
            "references": None if report.compiled else _counts(coverage.total),
            "findings": {severity: severities.count(severity) for severity in SEVERITIES},
            "effort": coverage.effort,
            "suppressed": coverage.suppressed,
            "known": sum(len(result.known) for result in report.results),
            "fixes": coverage.fixes,
            "warps": _warps_document(coverage.warps),
            "semantics": None if asked is None else asked._asdict(),
            "cuda_fortran": _fortran_document(coverage.fortran) if coverage.fortran.files else None,
        },
        "compiled": None if report.compiled is None else _compiled_document(report.compiled),
        "baseline": None if report.gone is None else {"gone": [_shown_entry(entry) for entry in report.gone]},
        "gates": [gate._asdict() for gate in report.gates],
        "history": [record_document(record) for record in report.history],
        "comparison": None if report.comparison is None else _compared(report.comparison),
        "libraries": {library: _counts(counts) for library, counts in coverage.libraries},
        "unsupported": [symbol._asdict() for symbol in coverage.unsupported],
        "unknown": [symbol._asdict() for symbol in coverage.unknown],
    }


def cause_document(cause: Cause) -> dict[str, Any]:
    """A cause; `first` is the place of its first finding."""
    first = cause.first
    return {**cause._asdict(), "first": {"path": shown_path(first.path), "line": first.line, "column": first.column}}


def report_of(document: Mapping[str, Any]) -> RunReport:
    """The account that a document was made from.

    Raises:
        DocumentError: when it is none of ours, or of another format.
    """
    if document.get("format") != FORMAT:
        raise DocumentError(f"format {document.get('format')!r}; this version reads format {FORMAT}")
    try:
        choices = [_choice(entry) for entry in document["configurations"]]
        results = [_result(entry) for entry in document["files"]]
        return RunReport(
            document["command"],
            results,
            choices,
            gone=_gone(document.get("baseline")),
            gates=[Gate(**gate) for gate in document.get("gates", ())],
            comparison=_comparison(document.get("comparison")),
            history=[record_in(record) for record in document.get("history", ())],
            compiled=_compiled(document.get("compiled")),
            origin=None if document.get("origin") is None else Origin(**document["origin"]),
            verified=_verified(document.get("verified")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DocumentError(f"not a report of a run: {type(error).__name__}: {error}") from error


_OF_PLACE = ("path", "name", "offset", "line", "column", "end_line", "end_column", "fingerprint", "source_line")
"""The fields in which the places that a finding stands for differ."""


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding; `page` is its page in the documentation."""
    return {
        **{name: value for name, value in finding._asdict().items() if name != "others"},
        "path": shown_path(finding.path),
        "fix": None if finding.fix is None else _fix_document(finding.fix),
        "others": [_place_document(other) for other in finding.others],
        "page": f"diagnostics/{finding.id}.md",
    }


def _place_document(place: Finding) -> dict[str, Any]:
    return {**{name: getattr(place, name) for name in _OF_PLACE}, "path": shown_path(place.path)}


def _fix_document(fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability,
        "edits": [{**edit._asdict(), "text": edit.text.decode("utf-8", "replace")} for edit in fix.edits],
        "lines": [{"line": touched.line, "old": list(touched.old), "new": list(touched.new)} for touched in fix.lines],
    }


def file_document(result: FileResult, report: RunReport) -> dict[str, Any]:
    """One file of the report; a compiled file has neither a status nor references."""
    is_counted = report.compiled is None
    return {
        "path": shown_path(result.path),
        "status": result.status if is_counted or result.status == FAILED else None,
        "target": None if result.target is None else shown_path(result.target),
        "references": _counts(result.counts) if is_counted else None,
        "libraries": {library: _counts(counts) for library, counts in sorted(result.libraries.items())},
        "findings": [finding_document(finding) for finding in result.findings],
        "suppressed": [finding_document(finding) for finding in result.suppressed],
        "known": [finding_document(finding) for finding in result.known],
        "left": [
            {"name": name, "library": library, "outcome": outcome, "references": count}
            for (name, library, outcome), count in sorted(result.left.items())
        ],
        "fixes": dict(sorted(result.fixes.items())),
        "warps": _warps_document(result.warps),
        "semantics": None if result.asked is None else result.asked._asdict(),
        "cuda_fortran": None if result.cuda_fortran is None else _fortran_document(result.cuda_fortran),
    }


def _chosen(choices: Sequence[Choice]) -> dict[str, Any]:
    """The settings of the report: as a whole, null if configurations differ, and by configuration."""
    targetings = [_targeting(choice.targeting) for choice in choices]
    return {
        "targeting": {
            key: value if all(other[key] == value for other in targetings) else None
            for key, value in targetings[0].items()
        },
        "configurations": [
            {
                "path": shown_path(choice.config) if choice.config else None,
                "targeting": targeting,
                "paths": [shown_path(path) for path in choice.paths],
            }
            for choice, targeting in zip(choices, targetings, strict=True)
        ],
    }


def _choice(entry: Mapping[str, Any]) -> Choice:
    chosen = entry["targeting"]
    return Choice(
        entry["path"] or "", tuple(entry["paths"]), Targeting(chosen["cuda"], chosen["rocm"], chosen["target"])
    )


def _targeting(targeting: Targeting) -> dict[str, str]:
    return {
        "cuda": targeting.cuda or NEWEST_CUDA,
        "rocm": targeting.rocm or NEWEST_ROCM,
        "target": targeting.target or HIP,
    }


def _result(entry: Mapping[str, Any]) -> FileResult:
    return FileResult(
        entry["path"],
        entry["status"] or UNCHANGED,
        target=entry["target"],
        libraries={library: _counted(counts) for library, counts in entry["libraries"].items()},
        findings=tuple(map(_finding, entry["findings"])),
        suppressed=tuple(map(_finding, entry["suppressed"])),
        known=tuple(map(_finding, entry.get("known", ()))),
        left={(left["name"], left["library"], left["outcome"]): left["references"] for left in entry["left"]},
        fixes=entry["fixes"],
        warps=WarpCounts(*(entry["warps"][name] for name in WarpCounts._fields)) if "warps" in entry else NO_WARPS,
        asked=_asked(entry.get("semantics")),
        cuda_fortran=_fortran(entry.get("cuda_fortran")),
    )


def _compiled_document(compiled: Compiled) -> dict[str, Any]:
    parsed = compiled.parsed
    return {
        **compiled._asdict(),
        "parsed": None
        if parsed is None
        else [
            {
                **each._asdict(),
                "path": shown_path(each.path),
                "seconds": round(each.seconds, 3),
                "missing": [*each.missing],
            }
            for each in parsed
        ],
    }


def _compiled(entry: Mapping[str, Any] | None) -> Compiled | None:
    if entry is None:
        return None
    parsed = entry["parsed"]
    return Compiled(
        entry["sources"],
        entry["failed"],
        entry["dropped"],
        None if parsed is None else [Parsed(**{**each, "missing": tuple(each["missing"])}) for each in parsed],
    )


def _asked(entry: Mapping[str, Any] | None) -> Asked | None:
    return None if entry is None else Asked(**entry)


def _fortran_document(counts: FortranCounts) -> dict[str, Any]:
    return {**counts._asdict(), "variables": dict(sorted(counts.variables.items()))}


def _fortran(entry: Mapping[str, Any] | None) -> FortranCounts | None:
    return None if entry is None else FortranCounts(**entry)


def _shown_entry(entry: Entry) -> dict[str, str]:
    return {**entry._asdict(), "path": shown_path(entry.path)}


def _gone(entry: Mapping[str, Any] | None) -> list[Entry] | None:
    return None if entry is None else [Entry(**gone) for gone in entry["gone"]]


def _compared(comparison: Comparison) -> dict[str, Any]:
    return {
        "against": shown_path(comparison.against),
        "references": _change(comparison.total),
        "libraries": {library: _change(change) for library, change in comparison.libraries},
        "files": {shown_path(path): _change(change) for path, change in comparison.files},
        "effort": {effort: {"before": old, "after": new} for effort, (old, new) in comparison.effort.items()},
        "findings": {"new": comparison.new, "gone": comparison.gone},
    }


def _comparison(entry: Mapping[str, Any] | None) -> Comparison | None:
    if entry is None:
        return None
    return Comparison(
        entry["against"],
        _changed(entry["references"]),
        [(library, _changed(change)) for library, change in entry["libraries"].items()],
        [(path, _changed(change)) for path, change in entry["files"].items()],
        {effort: (counts["before"], counts["after"]) for effort, counts in entry["effort"].items()},
        entry["findings"]["new"],
        entry["findings"]["gone"],
    )


def _change(change: Change) -> dict[str, Any]:
    return {"before": _counts(change.before), "after": _counts(change.after)}


def _changed(entry: Mapping[str, Any]) -> Change:
    return Change(_counted(entry["before"]), _counted(entry["after"]))


def _verified(entry: Mapping[str, Any] | None) -> Verified | None:
    return None if entry is None else Verified(**{**entry, "missing": tuple(entry["missing"])})


def _finding(entry: Mapping[str, Any]) -> Finding:
    fields = {name: entry[name] for name in Finding._fields if name not in ("rocm", "fix", "others")}
    found = Finding(**fields, rocm=entry.get("rocm", ""), fix=_fix(entry.get("fix")))
    return found._replace(others=tuple(found._replace(**other) for other in entry.get("others", ())))


def _fix(entry: Mapping[str, Any] | None) -> Fix | None:
    if entry is None:
        return None
    return Fix(
        entry["title"],
        entry["applicability"],
        tuple(Replacement(**{**edit, "text": edit["text"].encode()}) for edit in entry["edits"]),
        tuple(FixedLines(one["line"], tuple(one["old"]), tuple(one["new"])) for one in entry["lines"]),
    )


def _counts(counts: Counts) -> dict[str, float | int]:
    return {**counts._asdict(), "total": counts.total, "coverage": round(counts.coverage, 4)}


def _warps_document(warps: WarpCounts) -> dict[str, int]:
    return {**warps._asdict(), "total": warps.total}


def _counted(entry: Mapping[str, Any]) -> Counts:
    return Counts(*(entry[name] for name in Counts._fields))
