"""Converting a source with fixes of its findings: what is converted is the mended source.

A fix edits the source as it stands. So a conversion that is to apply some translates once to find them, mends the
source, and translates that. Whatever is said of it is said in terms of the source as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hipify_py.core.edits import SourceMap, apply, composed
from hipify_py.core.findings import Finding
from hipify_py.core.fingerprints import apart, edits_of, placed, shifted
from hipify_py.core.options import GROUPS, Options
from hipify_py.core.source import Source
from hipify_py.core.translation import AppliedFix, Dependent, Flags, Reference, Translation
from hipify_py.core.unit import Unit

Translate = Callable[[Source, Options, SourceMap], Translation]
"""Translates a mended source; the map leads to it from the source as it was."""


def to_mend(findings: Iterable[Finding], options: Options) -> list[Finding]:
    """Those of a source's findings whose fixes a conversion applies; they do not overlap."""
    return apart(
        finding
        for finding in findings
        if finding.fix is not None
        and finding.id in options.fixes
        and (finding.path, finding.id, finding.offset) not in options.declined
    )[0]


def translated_mended(unit: Unit, mended: list[Finding], translate: Translate) -> Translation:
    """What becomes of a unit's source when some of its findings are mended first."""
    options, data = unit.options, unit.source.data
    fixes = edits_of(mended)
    once = options._replace(fixes=options.fixes & frozenset(GROUPS), offered=options.offered | options.fixes)
    map = SourceMap(fixes)
    done = translate(Source(apply(data, fixes), unit.source.path), once, map)
    back = _Back(unit, map)
    applied = [AppliedFix(finding.offset, finding.id) for finding in mended]
    applied += [AppliedFix(back.place(fix.offset), fix.name) for fix in done.fixes]
    return Translation(
        done.output,
        composed(data, fixes, done.edits),
        back.findings(done.findings),
        back.references(done.references),
        done.declared,
        done.evidence,
        done.support,
        done.support_header,
        back.findings(done.suppressed),
        back.flags(done.flags),
        tuple(sorted(applied)),
        tuple(sorted(unit.doubts)),
    )


class _Back:
    """Brings what was said of the mended source back to the places of the source as it was."""

    def __init__(self, unit: Unit, map: SourceMap) -> None:
        self._unit = unit
        self._map = map

    def place(self, offset: int) -> int:
        return offset if offset < 0 else min(self._map.to_input(offset), len(self._unit.source.data))

    def findings(self, findings: Iterable[Finding]) -> list[Finding]:
        return placed(self._unit, map(self._finding, findings))

    def references(self, references: Iterable[Reference]) -> list[Reference]:
        return [reference._replace(offset=self.place(reference.offset)) for reference in references]

    def flags(self, flags: Flags) -> Flags:
        dependent: Mapping[str, Dependent] = {
            macro: Dependent(tuple(self.findings(found.findings)), tuple(self.references(found.references)))
            for macro, found in flags.dependent.items()
        }
        return flags._replace(dependent=dependent)

    def _finding(self, finding: Finding) -> Finding:
        if finding.offset < 0:
            return finding
        place = self.place(finding.offset)
        line, column = self._unit.source.position(place)
        fix = None if finding.fix is None else shifted(finding.fix, self._map)
        return finding._replace(offset=place, line=line, column=column, fix=fix)
