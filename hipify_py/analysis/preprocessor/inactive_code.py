"""Findings on code that is compiled for AMD GPUs in no pass."""

from __future__ import annotations

from hipify_py.analysis.preprocessor.compiled import left_out
from hipify_py.findings import LEFT_OUT, Finding, as_note
from hipify_py.unit import Unit

_BY_THE_BUILD = "in code that the project itself leaves out for HIP"
_OF_DEVICE_CODE = ("HIP20", "HIP21", "HIP22", "HIP3")
"""Inline PTX and lanes: the host's pass reads such code, but makes nothing of it."""


def softened(unit: Unit, findings: list[Finding]) -> list[Finding]:
    """The findings, those in branches that AMD GPUs leave out as notes: such code neither stops nor misleads a port."""
    gone, gone_on_device = left_out(unit), left_out(unit, for_device=True)
    gone_in_build = left_out(unit, is_hip_build=True)
    softer = []
    for finding in findings:
        where = gone_on_device if finding.id.startswith(_OF_DEVICE_CODE) else gone
        if finding.severity != "note" and finding.offset in where:
            finding = as_note(finding, LEFT_OUT)
        elif finding.severity != "note" and finding.offset in gone_in_build:
            finding = as_note(finding, _BY_THE_BUILD)
        softer.append(finding)
    return softer
