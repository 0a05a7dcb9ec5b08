"""A Code Quality report of GitLab: a list of the findings, which merge requests compare with the target branch's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from typing import Any

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import span_of, workspace_path
from hipify_py.report.run_report import RunReport

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
_GRAVEST = "critical"
"""Errors that need a redesign, and files that could not be processed."""


def _render(report: RunReport, look: Look) -> Iterator[str]:
    seen: set[str] = set()
    separator = "[\n"
    findings = ((finding, _severity(finding)) for finding in report.findings)
    failures = ((failure, _GRAVEST) for failure in report.failures)
    for finding, severity in chain(findings, failures):
        yield separator + json.dumps(_issue(finding, severity, seen), ensure_ascii=False)
        separator = ",\n"
    yield "\n]\n" if seen else "[]\n"


def _severity(finding: Finding) -> str:
    return _GRAVEST if (finding.severity, finding.effort) == ("error", "high") else _SEVERITIES[finding.severity]


def _issue(finding: Finding, severity: str, seen: set[str]) -> dict[str, Any]:
    path, span = workspace_path(finding.path), span_of(finding)
    lines = {"begin": 1} if span is None else {"begin": span.line, "end": span.end_line}
    return {
        "type": "issue",
        "check_name": finding.id,
        "description": f"{finding.id}: {visible(finding.message)}",
        "content": {"body": load_catalog().diagnostic(finding.id).advice},
        "categories": ["Compatibility"],
        "severity": severity,
        "fingerprint": _fingerprint(finding, path, seen),
        "location": {"path": path, "lines": lines},
    }


def _fingerprint(finding: Finding, path: str, seen: set[str]) -> str:
    """GitLab takes one finding of each fingerprint, and equal code in two files is two findings."""
    number = 0
    while True:
        identity = "\0".join((finding.id, path, finding.fingerprint, str(number)))
        digest = blake2b(identity.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        if digest not in seen:
            seen.add(digest)
            return digest
        number += 1


FORMAT = Format("a Code Quality report for GitLab merge requests", _render)
