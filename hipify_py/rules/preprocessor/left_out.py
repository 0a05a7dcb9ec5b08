"""Findings on code that is compiled for AMD GPUs in no pass."""

from __future__ import annotations

from hipify_py.findings import LEFT_OUT, Finding, as_note
from hipify_py.rules.preprocessor.choice import Ranges, left_out
from hipify_py.unit import Unit

_BY_THE_BUILD = "in code that the project itself leaves out for HIP"


def softened(unit: Unit, findings: list[Finding]) -> list[Finding]:
    """The findings, those in branches that AMD GPUs leave out as notes: such code neither stops nor misleads a port."""
    gone = Ranges(left_out(unit))
    gone_in_build = Ranges(left_out(unit, is_hip_build=True))
    softer = []
    for finding in findings:
        if finding.severity != "note" and finding.offset in gone:
            finding = as_note(finding, LEFT_OUT)
        elif finding.severity != "note" and finding.offset in gone_in_build:
            finding = as_note(finding, _BY_THE_BUILD)
        softer.append(finding)
    return softer
