"""Removes the findings of code that is compiled for AMD GPUs in no pass: nothing has to be done about it."""

from __future__ import annotations

from hipify_py.analysis.preprocessor.compiled import inactive_ranges
from hipify_py.core.findings import Finding
from hipify_py.core.translation import INACTIVE, UNKNOWN, UNSUPPORTED, Reference
from hipify_py.core.unit import Unit

_OF_DEVICE_CODE = ("HIP20", "HIP21", "HIP22", "HIP3")
"""Inline PTX and lanes: the host pass parses such code, but generates nothing for it."""


def without_inactive(
    unit: Unit, findings: list[Finding], references: list[Reference]
) -> tuple[list[Finding], list[Reference]]:
    """The findings outside of code that AMD GPUs leave out, and the references, with their outcomes in such code.

    Code that the project itself leaves out of its build for HIP (`#ifndef USE_ROCM`) counts as left out.
    """
    if not findings and not any(reference.outcome in (UNSUPPORTED, UNKNOWN) for reference in references):
        return findings, references
    gone, gone_in_build = inactive_ranges(unit), inactive_ranges(unit, is_hip_build=True)
    gone_on_device = inactive_ranges(unit, for_device=True)
    kept, dropped = list[Finding](), set[int]()
    for finding in findings:
        where = gone_on_device if finding.id.startswith(_OF_DEVICE_CODE) else gone
        if finding.offset in where or finding.offset in gone_in_build:
            dropped.add(finding.offset)
        else:
            kept.append(finding)
    dropped -= {finding.offset for finding in kept}
    return kept, [
        reference._replace(outcome=INACTIVE)
        if reference.outcome in (UNSUPPORTED, UNKNOWN)
        and (reference.offset in dropped or reference.offset in gone or reference.offset in gone_in_build)
        else reference
        for reference in references
    ]
