"""Macros by which one file of a project decides what is compiled in another."""

from __future__ import annotations

from hipify_py.findings import Finding
from hipify_py.translation import Flags
from hipify_py.unit import Unit

_CONDITIONS = (b"if", b"elif")


def flags_of(unit: Unit, findings: list[Finding]) -> Flags:
    """What the source says of macros that other files of its project may ask for, and what hangs on theirs."""
    grave = [finding for finding in findings if finding.severity != "note" and finding.offset >= 0]
    if not grave and not any(word in _CONDITIONS for _, word in unit.lexemes.directives):
        return Flags(kept=_words({define.text for define in unit.lexemes.defines}))
    from hipify_py.analysis.preprocessor.compiled import defined, hangs_on, provided

    lost, kept = defined(unit)
    hanging: dict[str, list[Finding]] = {}
    for finding in grave:
        for name in hangs_on(unit, finding.offset):
            hanging.setdefault(name.decode(), []).append(finding)
    by_name = {name: tuple(found) for name, found in hanging.items()}
    return Flags(_words(lost), _words(kept), by_name, frozenset(provided(unit)))


def _words(names: set[bytes] | frozenset[bytes]) -> frozenset[str]:
    return frozenset(name.decode() for name in names)
