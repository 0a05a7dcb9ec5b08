"""One JSON document, described by `report.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hipify_py.report.document import document_of
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    yield json.dumps(document_of(report), indent=2, ensure_ascii=False)
    yield "\n"


FORMAT = Format("everything that is known of the run, as one document", _render)
