"""The machine form of a run's account."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hipify_py.catalog.targeting import NEWEST_CUDA, NEWEST_ROCM, Targeting
from hipify_py.findings import SEVERITIES, Finding
from hipify_py.project.result import STATUSES, FileResult
from hipify_py.report.model import Choice, Coverage, fixes_of
from hipify_py.translation import Counts

FORMAT = 1
"""Raised when a field changes its meaning or goes away."""


def check_document(results: Sequence[FileResult], choices: Sequence[Choice]) -> dict[str, Any]:
    """What `check --format json` prints: each file with its findings, and totals."""
    total = Counts()
    for result in results:
        total = total.plus(result.counts)
    severities = [finding.severity for result in results for finding in result.findings]
    return {
        "format": FORMAT,
        **_chosen(choices),
        "files": [_file(result) for result in results],
        "totals": {
            "files": {status: sum(result.status == status for result in results) for status in STATUSES},
            "references": _counts(total),
            "findings": {severity: severities.count(severity) for severity in SEVERITIES},
            "suppressed": sum(len(result.suppressed) for result in results),
            "fixes": fixes_of(results),
        },
    }


def report_document(coverage: Coverage, choices: Sequence[Choice]) -> dict[str, Any]:
    """What `report --format json` prints."""
    return {
        "format": FORMAT,
        **_chosen(choices),
        "totals": {"files": coverage.statuses, "references": _counts(coverage.total)},
        "libraries": {library: _counts(counts) for library, counts in coverage.libraries},
        "files": [{"path": _path(path), "references": _counts(counts)} for path, counts in coverage.files],
        "unsupported": [symbol._asdict() for symbol in coverage.unsupported],
        "unknown": [symbol._asdict() for symbol in coverage.unknown],
        "effort": coverage.effort,
        "left": [{"path": _path(path), **efforts} for path, efforts in coverage.left],
        "suppressed": coverage.suppressed,
        "fixes": coverage.fixes,
    }


def render(document: dict[str, Any]) -> str:
    """A document as indented JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False)


def _chosen(choices: Sequence[Choice]) -> dict[str, Any]:
    """What the account holds for: as a whole, null where configurations differ, and by configuration."""
    targetings = [_targeting(choice.targeting) for choice in choices]
    return {
        "targeting": {
            key: value if all(other[key] == value for other in targetings) else None
            for key, value in targetings[0].items()
        },
        "configurations": [
            {
                "path": _path(choice.config) if choice.config else None,
                "targeting": targeting,
                "paths": [_path(path) for path in choice.paths],
            }
            for choice, targeting in zip(choices, targetings, strict=True)
        ],
    }


def _targeting(targeting: Targeting) -> dict[str, str]:
    """The versions and the target that the account holds for."""
    return {
        "cuda": targeting.cuda or NEWEST_CUDA,
        "rocm": targeting.rocm or NEWEST_ROCM,
        "target": targeting.target,
    }


def _file(result: FileResult) -> dict[str, Any]:
    return {
        "path": _path(result.path),
        "status": result.status,
        "references": _counts(result.counts),
        "libraries": {library: _counts(counts) for library, counts in sorted(result.libraries.items())},
        "findings": [_finding(finding) for finding in result.findings],
        "suppressed": [_finding(finding) for finding in result.suppressed],
        "fixes": dict(result.fixes),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {**finding._asdict(), "path": _path(finding.path)}


def _counts(counts: Counts) -> dict[str, float | int]:
    return {**counts._asdict(), "total": counts.total, "coverage": round(counts.coverage, 4)}


def _path(path: str) -> str:
    """JSON is Unicode: bytes of a name that are no UTF-8 appear as escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
