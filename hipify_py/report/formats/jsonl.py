"""A JSON object a line: one for each finding, failures included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from hipify_py.report.document import finding_document
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    for finding in chain(report.findings, report.failures):
        yield json.dumps(finding_document(finding), ensure_ascii=False) + "\n"


FORMAT = Format("a JSON object per line, one for each finding", _render)
