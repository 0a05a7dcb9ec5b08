"""One page for a browser: pictures and tables of the coverage, every finding, and what a conversion changes.

The page is a single file that fetches nothing. Its style and its script are the only ones that its Content Security
Policy lets run, by their digests; what comes from the tree is data for the script, which makes text of it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Diagnostic, Finding
from hipify_py.report.comparison import Change
from hipify_py.report.document import head_document
from hipify_py.report.editor import place_link
from hipify_py.report.explain import EFFORT_WORDS, why
from hipify_py.report.figures import CHANGE_HEADS, before_and_after, percent, points
from hipify_py.report.formats import Format, Look
from hipify_py.report.page_data import OUTCOMES, column_of, page_data, shown, sort_keys
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import warps_line
from hipify_py.report.trend import HEIGHT, WIDTH, charts_of, runs_of
from hipify_py.report.verdict import verdict_of

_SCRIPTS = ("elements.js", "data.js", "tables.js", "diff.js", "files.js", "findings.js", "map.js", "start.js")
"""The parts of the script, each of which leans on those before it."""

_RUNS = 100
"""Runs of a history that are drawn."""

_SYMBOLS = 500
"""Rows of a table of symbols."""


def _render(report: RunReport, look: Look) -> Iterator[str]:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = shown
    style, script = _part("page.css"), _script()
    template = environment.from_string(_part("page.html"))
    recent = report.history[-_RUNS:]
    yield from template.generate(
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        data=_data(report, look.editor),
        link=partial(_link, look.editor),
        explained=_explained(report),
        document=head_document(report),
        coverage=report.coverage,
        verdict=verdict_of(report),
        outcomes=OUTCOMES,
        most_symbols=_SYMBOLS,
        effort_words=EFFORT_WORDS,
        warps_line=warps_line(report.coverage.warps),
        comparison=report.comparison,
        change_heads=CHANGE_HEADS,
        change_cells=_change_cells,
        points=points,
        runs=runs_of(recent),
        runs_before=len(report.history) - len(recent),
        charts=charts_of(recent) if recent else (),
        chart_size=(WIDTH, HEIGHT),
        percent=percent,
        number="{:,}".format,
    )


def _link(template: str, finding: Finding) -> str:
    """The link that opens the place of a finding; empty if there are to be none."""
    return place_link(template, finding.path, finding.line, column_of(finding)) if template else ""


def _explained(report: RunReport) -> list[tuple[Diagnostic, str]]:
    """What the findings of the page mean, each once: its entry in the register, and why it matters."""
    catalog = load_catalog()
    ids = sorted({finding.id for result in report.results for finding in result.findings})
    return [(catalog.diagnostic(id), why(id)) for id in ids]


def _data(report: RunReport, editor: str) -> str:
    """What the script works on. No `<` in it: nothing can end the element that holds it."""
    return json.dumps(page_data(report, editor), ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _change_cells(change: Change) -> Iterator[tuple[str, float]]:
    """The cells of a comparison, each with what it is sorted by."""
    return zip(before_and_after(*change), sort_keys(change), strict=True)


@cache
def _part(name: str) -> str:
    return (files("hipify_py.report") / "page" / name).read_text(encoding="utf-8")


def _script() -> str:
    return '"use strict";\n(() => {\n' + "".join(map(_part, _SCRIPTS)) + "})();\n"


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


FORMAT = Format(
    "one page for a browser, with charts, tables, every finding and every change", _render, shows_changes=True
)
