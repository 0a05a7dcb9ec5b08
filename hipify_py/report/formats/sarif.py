"""SARIF 2.1.0, as code scanning and editors read it: the findings with their rules, lines and suppressions.

Columns count UTF-16 code units.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any
from urllib.parse import quote

from hipify_py.catalog import load_catalog
from hipify_py.catalog.register import family
from hipify_py.core.findings import BY_COMMENT, Diagnostic, Finding
from hipify_py.core.installation import VERSION
from hipify_py.core.targeting import HIP, NEWEST_CUDA, NEWEST_ROCM
from hipify_py.core.terminal_escape import visible
from hipify_py.report.explain import why
from hipify_py.report.fix_lines import REVIEWED
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import Span, fix_spans, line_parts, shown_path, span_of, workspace_path
from hipify_py.report.run_report import RunReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "hipifyFingerprint/v1"

_BASE = "%SRCROOT%"
_LINK = re.compile(r"\](?=\()")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_CODE = re.compile(r"(`+[^`]*`+)")
_VERSION = re.compile(r"(\d+\.\d+\.\d+)(?:\.?((?:a|b|rc|dev)\d+))?(\.dev\d+)?(\+.*)?")
_LETTERS = re.compile(r"[A-Za-z0-9]+")
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}


def _render(report: RunReport, look: Look) -> Iterator[str]:
    reported = [
        *((finding, "" if report.gone is None else "new") for finding in chain(report.findings, report.suppressed)),
        *((finding, "unchanged") for finding in report.known),
    ]
    ids = sorted({finding.id for finding, _ in reported})
    yield f'{{\n"$schema": {_json(SCHEMA)},\n"version": "2.1.0",\n"runs": [\n{{\n'
    for key, value in _run(report, ids).items():
        yield f"{_json(key)}: {_json(value)},\n"
    yield '"results": ['
    indexes, separator = {id: index for index, id in enumerate(ids)}, "\n"
    for finding, state in reported:
        result = _result(finding, indexes[finding.id])
        yield separator + _json({**result, "baselineState": state} if state else result)
        separator = ",\n"
    yield "\n]\n}\n]\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _run(report: RunReport, ids: list[str]) -> dict[str, Any]:
    failures = list(report.failures)
    failed = sorted({finding.id for finding in failures})
    catalog, total = load_catalog(), report.coverage.total
    driver = {
        "name": "hipify-py",
        "version": VERSION,
        **_semantic_version(VERSION),
        "rules": [_rule(catalog.diagnostic(id)) for id in ids],
        "notifications": [_rule(catalog.diagnostic(id)) for id in failed],
    }
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": _automation(report)},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder in which hipify-py ran."}}},
        "invocations": [
            {
                "executionSuccessful": not failures,
                "toolExecutionNotifications": [_notification(finding) for finding in failures],
            }
        ],
        "properties": {
            **(
                {"references": {**total._asdict(), "total": total.total}, "coverage": round(total.coverage, 4)}
                if report.compiled is None
                else {"compiled": {"sources": report.compiled.sources, "failed": report.compiled.failed}}
            ),
            "effort": report.coverage.effort,
        },
    }


def _semantic_version(version: str) -> dict[str, str]:
    """A version of Python's as Semantic Versioning writes it; nothing where it has no such form."""
    parts = _VERSION.fullmatch(version)
    if parts is None:
        return {}
    release, stage, development, local = parts.groups(default="")
    return {"semanticVersion": "".join((release, stage and f"-{stage}", development, local))}


def _automation(report: RunReport) -> str:
    """What distinguishes this analysis from others of the same commit: the chosen versions and target."""
    versions: dict[str, None] = {}
    for choice in report.choices:
        cuda, rocm, target = choice.targeting.cuda, choice.targeting.rocm, choice.targeting.target
        if cuda and cuda != NEWEST_CUDA:
            versions[f"cuda-{cuda}"] = None
        if rocm and rocm != NEWEST_ROCM:
            versions[f"rocm-{rocm}"] = None
        if target and target != HIP:
            versions[f"target-{target}"] = None
    return "/".join(["hipify-py", *versions, ""])


def _rule(entry: Diagnostic) -> dict[str, Any]:
    reason = why(entry.id)
    parts = (("Why", reason), ("What to do", entry.advice), ("Source", f"{entry.source}."))
    return {
        "id": entry.id,
        "name": "".join(word.capitalize() for word in _LETTERS.findall(entry.title)),
        "shortDescription": {"text": f"{entry.title}."},
        "fullDescription": {"text": _paragraphs(reason)},
        "help": {
            "text": "\n\n".join(f"{head}: {_paragraphs(text)}" for head, text in parts),
            "markdown": "\n\n".join(f"## {head}\n\n{_without_html(text)}" for head, text in parts),
        },
        "defaultConfiguration": {"level": entry.severity},
        "properties": {
            "tags": [family(entry.id), f"effort-{entry.effort}"],
            "problem.severity": _PROBLEM[entry.severity],
        },
    }


def _paragraphs(text: str) -> str:
    """Plain text has no line breaks but those between paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _without_html(text: str) -> str:
    parts = _CODE.split(text)
    parts[::2] = [part.replace("<", "\\<") for part in parts[::2]]
    return "".join(parts)


def _result(finding: Finding, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": _message(finding.message)},
        "locations": [_location(finding)],
        "properties": {
            "effort": finding.effort,
            "name": shown_path(finding.name),
            "library": shown_path(finding.library),
        },
    }
    if finding.fingerprint:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint}
    fixes = _fixes(finding)
    if fixes:
        result["fixes"] = fixes
    if finding.suppression:
        result["suppressions"] = [{"kind": "inSource" if finding.suppression == BY_COMMENT else "external"}]
    return result


def _fixes(finding: Finding) -> list[dict[str, Any]]:
    """The fix of a finding; none if its columns are unknown."""
    spans = fix_spans(finding.fix) if finding.fix is not None else None
    if finding.fix is None or spans is None:
        return []
    replacements = [
        {
            "deletedRegion": {
                "startLine": span.line,
                "startColumn": span.column,
                "endLine": span.end_line,
                "endColumn": span.end_column,
            },
            "insertedContent": {"text": edit.text.decode("utf-8", "replace")},
        }
        for edit, span in zip(finding.fix.edits, spans, strict=True)
    ]
    title = f"{finding.fix.title}{REVIEWED[finding.fix.applicability]}"
    change = {"artifactLocation": _artifact(finding.path), "replacements": replacements}
    return [{"description": {"text": title}, "artifactChanges": [change]}]


def _notification(finding: Finding) -> dict[str, Any]:
    return {
        "descriptor": {"id": finding.id},
        "level": finding.severity,
        "message": {"text": _message(finding.message)},
        "locations": [_location(finding)],
    }


def _message(text: str) -> str:
    """A message in which nothing of a tree is a link or a placeholder."""
    return _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub("] ", visible(text)))


def _location(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(finding.path)}
    span = span_of(finding)
    if span is None:
        return {"physicalLocation": place}
    region: dict[str, Any] = {"startLine": span.line}
    parts = line_parts(finding)
    if span.column and parts is not None:
        region.update(startColumn=span.column, endLine=span.end_line, endColumn=span.end_column)
        region["snippet"] = {"text": parts[1]}
        place.update(_context(finding, span))
    elif span.end_line > span.line:
        region["endLine"] = span.end_line
    return {"physicalLocation": {**place, "region": region}}


def _context(finding: Finding, span: Span) -> dict[str, Any]:
    """The line around a region, where there is more on it."""
    line = finding.source_line.removeprefix("\ufeff")
    end = len(line.encode("utf-16-le", "replace")) // 2 + 1
    if (span.column, span.end_column) == (1, end):
        return {}
    region = {"startLine": span.line, "startColumn": 1, "endLine": span.line, "endColumn": end}
    return {"contextRegion": {**region, "snippet": {"text": line}}}


def _artifact(path: str) -> dict[str, str]:
    shown = workspace_path(path)
    if shown.startswith("/"):
        return {"uri": f"file://{quote(shown)}"}
    return {"uri": quote(shown), "uriBaseId": _BASE}


FORMAT = Format("SARIF 2.1.0 for code scanning and editors", _render)
