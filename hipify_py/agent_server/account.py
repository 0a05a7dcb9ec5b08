"""What the answers of all runs have in common, as the JSON format of `check` says it, within limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hipify_py.agent_server import limits
from hipify_py.agent_server.limits import page_of, shortened
from hipify_py.core.findings import Finding
from hipify_py.project.api import ConversionReport
from hipify_py.report.document import finding_document, head_document
from hipify_py.report.places import shown_path
from hipify_py.report.run_report import RunReport

_TOTALS = ("files", "references", "findings", "effort", "suppressed", "cuda_fortran")
_FIELDS = ("id", "severity", "effort", "line", "column", "end_line", "end_column", "name", "library", "rocm")


def account_of(report: RunReport, reports: Sequence[ConversionReport]) -> dict[str, Any]:
    """What every answer says of its run, as the JSON format says it."""
    head = head_document(report)
    causes = page_of(head["causes"], 0, limits.MOST_CAUSES)
    failures = page_of([*report.failures], 0, limits.MOST_CAUSES)
    return {
        "version": head["tool"]["version"],
        "targeting": {key: value or "" for key, value in head["targeting"].items()},
        "verdict": shortened(head["verdict"] or ""),
        "totals": {key: head["totals"][key] for key in _TOTALS},
        "known": head["totals"]["known"],
        "excluded": sum(len(each.left_out) for each in reports),
        "causes": [short_cause(cause) for cause in causes.items],
        "causes_left_out": causes.left_out,
        "failures": [shortened(f"{shown_path(finding.path)}: {finding.message}") for finding in failures.items],
        "failures_left_out": failures.left_out,
    }


def short_cause(document: dict[str, Any]) -> dict[str, Any]:
    """A cause with a title of bearable length."""
    return {**document, "title": shortened(document["title"])}


def findings_page(findings: Sequence[Finding], offset: int, limit: int) -> dict[str, Any]:
    """A page of findings, as the JSON format has them, in short."""
    page = page_of(findings, offset, limit)
    return {
        "findings": [_finding(finding) for finding in page.items],
        "findings_in_all": len(findings),
        "left_out": page.left_out,
        "next_offset": page.next_offset,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    document = finding_document(finding)
    return {
        **{name: document[name] for name in _FIELDS},
        "path": document["path"],
        "message": shortened(document["message"]),
        "source_line": shortened(document["source_line"]),
        "whole_file": finding.offset < 0,
        "places": 1 + len(finding.others),
        "fix": "" if finding.fix is None else shortened(finding.fix.title),
        "page": f"hipify-py://finding/{finding.id}",
    }
