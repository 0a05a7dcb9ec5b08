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
from hipify_py.report.document import document_of
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    style, script = _part("page.css"), _part("page.js")
    document = document_of(report)
    template = environment.from_string(_part("page.html"))
    yield from template.generate(
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        data=_data(report, document),
        document=document,
        known=sum(1 for _ in report.known),
        percent=_percent,
        number="{:,}".format,
    )


def _data(report: RunReport, document: dict[str, Any]) -> str:
    """What the script works on. No `<` in it: nothing can end the element that holds it."""
    catalog = load_catalog()
    ids = {finding["id"] for file in document["files"] for finding in file["findings"]}
    data = {
        "files": [
            {
                "path": file["path"],
                "status": file["status"],
                "references": [file["references"][name] for name in ("converted", "native", "inactive")]
                + [file["references"][name] for name in ("unsupported", "unknown")],
                "findings": [_finding(finding) for finding in file["findings"]],
            }
            for file in document["files"]
            if file["references"]["total"] or file["findings"]
        ],
        "rules": {id: {"title": (entry := catalog.diagnostic(id)).title, "advice": entry.advice} for id in sorted(ids)},
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _finding(finding: dict[str, Any]) -> list[Any]:
    """A finding's fields in the order in which the script takes them; columns count characters there, not bytes."""
    line: str = finding["source_line"]
    shown = line.encode("utf-8", "replace")
    start = len(shown[: finding["column"] - 1].decode("utf-8", "replace"))
    is_one_line = finding["end_line"] == finding["line"]
    end = len(shown[: finding["end_column"] - 1].decode("utf-8", "replace")) if is_one_line else len(line)
    return [
        *(finding[name] for name in ("id", "severity", "effort", "library", "message")),
        finding["line"] if finding["offset"] >= 0 else 0,
        line,
        start,
        end,
    ]


def _percent(share: float) -> str:
    """Rounded down, so that 100 % means all of them."""
    return f"{int(share * 1000) / 10:.1f} %"


@cache
def _part(name: str) -> str:
    return (files("hipify_py.report") / "page" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


FORMAT = Format("one page for a browser, with pictures, tables and every finding", _render)
