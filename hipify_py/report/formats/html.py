"""One page for a browser: pictures and tables of the coverage, and every finding with its code and what to do.

The page is a single file that fetches nothing. Its style and its script are the only ones that its Content Security
Policy lets run, by their digests; what comes from the tree is data for the script, which makes text of it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from hipify_py.catalog import load_catalog
from hipify_py.findings import Finding
from hipify_py.report.document import head_document, shown_path
from hipify_py.report.figures import percent
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import line_parts
from hipify_py.report.run_report import RunReport

_OUTCOMES = ("converted", "native", "inactive", "unsupported", "unknown")
"""In the order of the columns: what is done, and what is left."""


def _render(report: RunReport, look: Look) -> Iterator[str]:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    style, script = _part("page.css"), _part("page.js")
    template = environment.from_string(_part("page.html"))
    yield from template.generate(
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        data=_data(report),
        document=head_document(report),
        coverage=report.coverage,
        outcomes=_OUTCOMES,
        percent=percent,
        number="{:,}".format,
    )


def _data(report: RunReport) -> str:
    """What the script works on. No `<` in it: nothing can end the element that holds it."""
    catalog = load_catalog()
    # Failures are findings of their files, too.
    results = [result for result in report.results if result.counts.total or result.findings]
    ids = {finding.id for result in results for finding in result.findings}
    data = {
        "outcomes": _OUTCOMES,
        "files": [
            {
                "path": shown_path(result.path),
                "status": result.status,
                "references": [getattr(result.counts, outcome) for outcome in _OUTCOMES],
                "percent": percent(result.counts),
                "findings": [_finding(finding) for finding in result.findings],
            }
            for result in results
        ],
        "rules": {id: {"title": (entry := catalog.diagnostic(id)).title, "advice": entry.advice} for id in sorted(ids)},
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _finding(finding: Finding) -> list[Any]:
    """A finding's fields in the order in which the script takes them; its line in three, the middle one marked."""
    line = finding.line if finding.offset >= 0 else 0
    parts = line_parts(finding) or (finding.source_line, "", "")
    return [finding.id, finding.severity, finding.effort, finding.library, finding.message, line, *parts]


@cache
def _part(name: str) -> str:
    return (files("hipify_py.report") / "page" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


FORMAT = Format("one page for a browser, with pictures, tables and every finding", _render)
