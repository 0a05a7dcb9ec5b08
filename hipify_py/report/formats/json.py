"""One JSON document, described by `report.schema.json`; its files one after the other, for there may be many."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hipify_py.report.document import file_document, head_document
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    yield _json(head_document(report)).removesuffix("\n}") + ',\n  "files": ['
    separator = "\n    "
    for result in report.results:
        yield separator + _json(file_document(result, report)).replace("\n", "\n    ")
        separator = ",\n    "
    yield "\n  ]\n}\n" if report.results else "]\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


FORMAT = Format("everything about the run, as one document", _render)
