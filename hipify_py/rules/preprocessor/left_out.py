"""Findings on code that is compiled for AMD GPUs in no pass."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from hipify_py.findings import Finding
from hipify_py.rules.preprocessor.choice import left_out
from hipify_py.unit import Unit


def softened(unit: Unit, findings: list[Finding]) -> list[Finding]:
    """The findings, those in branches that AMD GPUs leave out as notes: such code neither stops nor misleads a port."""
    ranges = left_out(unit)
    if not ranges:
        return findings
    starts = [start for start, _ in ranges]
    ends = list(accumulate((end for _, end in ranges), max))  # one range may lie within another

    def is_left_out(offset: int) -> bool:
        at = bisect_right(starts, offset) - 1
        return at >= 0 and offset < ends[at]

    return [
        finding._replace(severity="note", message=f"{finding.message} (in code that AMD GPUs leave out)")
        if finding.severity != "note" and is_left_out(finding.offset)
        else finding
        for finding in findings
    ]
