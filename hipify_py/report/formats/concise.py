"""A line for each finding: `file:line:column: severity HIPnnn message`, as compilers write them."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.terminal_escape import log_line
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import finding_line


def _render(report: RunReport, look: Look) -> Iterator[str]:
    for finding in report.findings:
        yield log_line(finding_line(finding)) + "\n"


FORMAT = Format("a line for each finding, in compiler style", _render)
