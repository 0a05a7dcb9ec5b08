"""The JSON that an endpoint badge of shields.io reads: the coverage."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hipify_py.report.figures import BADGE_LABEL, badge_text, grade
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    total = report.coverage.total
    color, _ = grade(total)
    badge = {"schemaVersion": 1, "label": BADGE_LABEL, "message": badge_text(total), "color": color}
    yield json.dumps(badge) + "\n"


FORMAT = Format("the JSON of a shields.io endpoint badge", _render)
