"""A table of the findings, as spreadsheets read it (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain

from hipify_py.core.findings import Finding
from hipify_py.report.document import finding_document
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport

COLUMNS = (
    *("path", "line", "column", "end_line", "end_column", "severity", "id", "effort", "name", "library", "message"),
    "fingerprint",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _render(report: RunReport, look: Look) -> Iterator[str]:
    yield _line(COLUMNS)
    for finding in chain(report.findings, report.failures):
        yield _line(_cells(finding))


def _cells(finding: Finding) -> Iterator[object]:
    fields = finding_document(finding)
    for column in COLUMNS:
        value = fields[column]
        # Names may come from untrusted trees, and a spreadsheet evaluates what looks like a formula.
        yield f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _line(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue()


FORMAT = Format("a table of the findings for spreadsheets", _render)
