"""Removes the findings of code that is compiled for AMD GPUs in no pass: nothing has to be done about it."""

from __future__ import annotations

from hipify_py.analysis.preprocessor.compiled import (
    defined_macros,
    inactive_ranges,
    provided_functions,
    required_macros,
)
from hipify_py.core.findings import Finding
from hipify_py.core.translation import INACTIVE, UNKNOWN, UNSUPPORTED, Dependent, Flags, Reference
from hipify_py.frontend.unit import Unit

# Macros by which one file of a project decides what is compiled in another.

_CONDITIONS = (b"if", b"elif", b"ifdef")


def flags_of(unit: Unit, findings: list[Finding], references: list[Reference]) -> Flags:
    """The macros that a source defines for other files of its project, and its findings that depend on theirs."""
    left = [reference for reference in references if reference.outcome in (UNSUPPORTED, UNKNOWN)]
    placed = [finding for finding in findings if finding.offset >= 0]
    if not placed and not left and not _has_conditions(unit):
        return Flags(kept=_words({define.text for define in unit.lexemes.defines}))
    lost, remaining = defined_macros(unit)
    by_macro: dict[str, tuple[list[Finding], list[Reference]]] = {}
    for finding in placed:
        for name in required_macros(unit, finding.offset):
            by_macro.setdefault(name.decode(), ([], []))[0].append(finding)
    for reference in left:
        for name in required_macros(unit, reference.offset):
            by_macro.setdefault(name.decode(), ([], []))[1].append(reference)
    dependent = {name: Dependent(tuple(there), tuple(named)) for name, (there, named) in by_macro.items()}
    return Flags(_words(lost), _words(remaining), dependent, frozenset(provided_functions(unit)))


def _has_conditions(unit: Unit) -> bool:
    """Whether some code depends on a condition. An include guard, an `#ifndef` before all others, does not count."""
    words = [word for _, word in unit.lexemes.directives]
    return b"ifndef" in words[1:] or any(word in _CONDITIONS for word in words)


def _words(names: set[bytes] | frozenset[bytes]) -> frozenset[str]:
    return frozenset(name.decode() for name in names)


_OF_DEVICE_CODE = ("HIP20", "HIP21", "HIP22", "HIP252", "HIP3")
"""Inline PTX, texture accesses and lanes: the host pass parses such code, but generates nothing for it."""


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
    remaining, dropped = list[Finding](), set[int]()
    for finding in findings:
        where = gone_on_device if finding.id.startswith(_OF_DEVICE_CODE) else gone
        if finding.offset in where or finding.offset in gone_in_build:
            dropped.add(finding.offset)
        else:
            remaining.append(finding)
    dropped -= {finding.offset for finding in remaining}
    return remaining, [
        reference._replace(outcome=INACTIVE)
        if reference.outcome in (UNSUPPORTED, UNKNOWN)
        and (reference.offset in dropped or reference.offset in gone or reference.offset in gone_in_build)
        else reference
        for reference in references
    ]
