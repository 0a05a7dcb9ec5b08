"""The passes that build up a translation, in the order in which they run.

`ANALYSES` compute a unit's edits, findings and references. `OUTPUT_PASSES` follow once it is certain that this source
is the one to translate, rather than one with fixes applied to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hipify_py.core.edits import CompositeEdit, Edit, OverlappingEdits, dropped, extent, ordered, resolve
from hipify_py.core.findings import Finding, together
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.ranges import Ranges
from hipify_py.core.translation import (
    CONVERTED,
    NATIVE,
    NO_FLAGS,
    NO_WARPS,
    UNSUPPORTED,
    AppliedFix,
    Reference,
    WarpCounts,
    WarpOutcome,
)
from hipify_py.findings.fingerprints import placed
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, PinnedFinding, Support
from hipify_py.rules.registry import rules_for
from hipify_py.support_header import HEADER


class Draft:
    """A translation under construction.

    Attributes:
        unit: the source.
        edits: the edits, in order.
        findings: the findings, in source order once the rules have run.
        suppressed: the findings that the source or the configuration suppresses.
        references: the references to CUDA symbols.
        subjects: the findings that are reported once per file, with their subjects.
        support: the sections of the support header that the output needs.
        support_header: the path by which the output includes that header; empty if it does not.
        fixes: the fixes that rules have applied.
        warps: the outcomes of the warp operations.
        flags: what the source declares about macros that other files may need.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.edits: list[Edit] = []
        self.findings: list[Finding] = []
        self.suppressed: list[Finding] = []
        self.references: list[Reference] = []
        self.subjects: dict[Finding, str] = {}
        self.support: frozenset[str] = frozenset()
        self.support_header = ""
        self.fixes: tuple[AppliedFix, ...] = ()
        self.warps = NO_WARPS
        self.flags = NO_FLAGS


Pass = Callable[[Draft], None]


def apply_rules(draft: Draft) -> None:
    """Collect the results of the rules, and resolve their edits into ones that do not overlap."""
    unit = draft.unit
    edits: list[Edit] = []
    composites: list[CompositeEdit] = []
    findings: list[Finding] = []
    pinned: list[Finding] = []
    references: list[Reference] = []
    support: set[str] = set()
    fixes: set[AppliedFix] = set()
    warps: list[WarpOutcome] = []
    for rule in rules_for(unit):
        for item in rule.apply(unit):
            if isinstance(item, Edit):
                edits.append(item)
            elif isinstance(item, Reference):
                references.append(item)
            elif isinstance(item, Finding):
                findings.append(item)
            elif isinstance(item, PinnedFinding):
                pinned.append(item.finding)
                if item.subject is not None:
                    draft.subjects[item.finding] = item.subject
            elif isinstance(item, DedupedFinding):
                findings.append(item.finding)
                draft.subjects[item.finding] = item.subject
            elif isinstance(item, Support):
                support.add(item.section)
            elif isinstance(item, AppliedFix):
                fixes.add(item)
            elif isinstance(item, WarpOutcome):
                warps.append(item)
            else:
                composites.append(item)
    data = unit.source.data
    if composites:
        findings, references = _without_dropped_arguments(dropped(composites), findings, references)
        references = _with_kept_names(unit, composites, references)
    try:
        edits = ordered(resolve(data, edits, composites) if composites else edits)
    except OverlappingEdits as first:
        edits, left = settled(unit, edits, composites, first)
        references = [ref._replace(outcome=UNSUPPORTED) if ref.offset in left else ref for ref in references]
        pinned += left.findings
    draft.edits = [edit for edit in edits if data[edit.start : edit.end] != edit.text]
    draft.findings = sorted(findings + pinned, key=lambda finding: (finding.offset, finding.id))
    draft.references = sorted(references)
    draft.support = frozenset(support)
    draft.fixes = tuple(sorted(fixes))
    draft.warps = WarpCounts.of(warps)
    draft.suppressed = unit.suppressed


def include_support_header(draft: Draft) -> None:
    """Include the support header if the output needs it; record the path by which it is included."""
    unit = draft.unit
    if not draft.support:
        if HEADER.encode() in unit.source.data:
            from hipify_py.rules.headers.support_include import included_as

            draft.support_header = included_as(unit) or ""
        return
    from hipify_py.rules.headers.support_include import asking_edit, include_edit, included_as
    from hipify_py.support_header.header import asked_macros

    path, macros = included_as(unit), asked_macros(draft.support)
    edit = include_edit(unit, draft.edits, macros) if path is None else asking_edit(unit, macros)
    draft.edits = ordered([*draft.edits, edit]) if edit is not None else draft.edits
    draft.support_header = unit.options.support_header if path is None else path


def report_unparsed(draft: Draft) -> None:
    """Report that the parser could not be loaded."""
    if draft.unit.tree.missing:
        draft.findings.append(draft.unit.finding("HIP904", -1, detail=draft.unit.tree.missing))


def suppress_findings(draft: Draft) -> None:
    """Separate the findings that comments or the configuration suppress."""
    options = draft.unit.options
    if options.ignore or options.file_ignores.patterns or b"hipify:" in draft.unit.source.data:
        from hipify_py.findings.suppression import silence

        draft.findings, suppressed = silence(draft.unit, draft.findings)
        draft.suppressed += suppressed


def leave_out_inactive(draft: Draft) -> None:
    """Drop findings in code that is not compiled for AMD GPUs, and mark the references there."""
    if draft.unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.inactive_code import without_inactive

        draft.findings, draft.references = without_inactive(draft.unit, draft.findings, draft.references)


def report_once_a_file(draft: Draft) -> None:
    """Keep one of all findings of an id on the same subject, with the number of the others."""
    subjects = draft.subjects
    if not subjects:
        return
    repeated: dict[tuple[str, str], list[Finding]] = {}
    for finding in draft.findings:
        if finding in subjects:
            repeated.setdefault((finding.id, subjects[finding]), []).append(finding)
    firsts = {same[0]: same for same in repeated.values()}
    draft.findings = [
        together(firsts[finding]) if finding in firsts else finding
        for finding in draft.findings
        if finding not in subjects or finding in firsts
    ]


def select_findings(draft: Draft) -> None:
    """Keep the findings that the user selects, with the user's severities."""
    options, catalog = draft.unit.options, draft.unit.catalog
    if options.unselected or options.severities:
        from hipify_py.findings.selection import chosen

        draft.findings = chosen(draft.findings, options, catalog)
        draft.suppressed = chosen(draft.suppressed, options, catalog)


def fingerprint_findings(draft: Draft) -> None:
    """Give each finding the fingerprint by which later runs recognise it."""
    draft.findings = placed(draft.unit, draft.findings)
    draft.suppressed = placed(draft.unit, draft.suppressed)


def collect_flags(draft: Draft) -> None:
    """Collect what the source declares about macros that other files may need."""
    if draft.unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.inactive_code import flags_of

        draft.flags = flags_of(draft.unit, draft.findings, draft.references)


def annotate(draft: Draft) -> None:
    """Write findings into the output as comments, if the user requests it."""
    if draft.unit.options.annotate:
        from hipify_py.findings.annotations import with_notes

        draft.edits = with_notes(draft.unit, draft.edits, draft.findings, draft.references)


ANALYSES: Sequence[Pass] = (
    apply_rules,
    include_support_header,
    report_unparsed,
    suppress_findings,
    leave_out_inactive,
    report_once_a_file,
    select_findings,
    fingerprint_findings,
)

OUTPUT_PASSES: Sequence[Pass] = (collect_flags, annotate)


def _with_kept_names(unit: Unit, composites: Iterable[CompositeEdit], references: list[Reference]) -> list[Reference]:
    """Mark references as native if a rule has replaced other edits by the original text: HIP has the same name."""
    data = unit.source.data
    moves = (move for composite in composites for move in composite.moves)
    kept = [(move.start, move.end) for move in moves if move.pieces == (data[move.start : move.end],)]
    if not kept:
        return references
    where = Ranges(kept)
    return [
        ref._replace(outcome=NATIVE) if ref.outcome == CONVERTED and ref.offset in where else ref for ref in references
    ]


def _without_dropped_arguments(
    gone: list[tuple[int, int]], findings: list[Finding], references: list[Reference]
) -> tuple[list[Finding], list[Reference]]:
    """Findings and references without those in arguments that the HIP call drops: nothing is left to do there."""
    if not gone:
        return findings, references
    where = Ranges(gone)
    return (
        [finding for finding in findings if finding.offset < 0 or finding.offset not in where],
        [ref._replace(outcome=CONVERTED) if ref.offset in where else ref for ref in references],
    )


# Resolves edits that contradict each other: their statement stays as it is, and is reported.

_BOUND = lazy_pattern(rb"[;{}]")
_MOST_STATEMENTS = 100
"""Limit on statements left as they are; with more of them, the whole source stays as it is."""


class LeftStatements:
    """The statements of a source that stay as they are, with a finding for each."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._ranges: list[tuple[int, int]] = []
        self.findings: list[Finding] = []

    def __contains__(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self._ranges)

    def leave(self, start: int, end: int, place: int) -> None:
        """Leave `[start, end)` as it is, because of the contradiction at `place`."""
        self._ranges.append((start, end))
        detail = "the whole file" if (start, end) == (0, len(self._unit.source.data)) else "the statement"
        self.findings.append(self._unit.finding("HIP909", place, detail=detail))


def settled(
    unit: Unit, edits: Sequence[Edit], composites: Sequence[CompositeEdit], first: OverlappingEdits
) -> tuple[list[Edit], LeftStatements]:
    """The edits without those of statements with overlapping edits, in order, and the statements left for that reason.

    Args:
        unit: the source.
        edits: the plain edits, in any order.
        composites: the edits that are still to be resolved.
        first: the result of resolving them.
    """
    left, found = LeftStatements(unit), first
    for _ in range(_MOST_STATEMENTS):
        start, end = _statements(unit, found.start, found.end, [*edits, *composites])
        left.leave(start, end, found.start)
        edits = [edit for edit in edits if not _meets(edit, start, end)]
        composites = [edit for edit in composites if not _meets(edit, start, end)]
        try:
            return ordered(resolve(unit.source.data, list(edits), composites)), left
        except OverlappingEdits as error:
            found = error
    left.leave(0, len(unit.source.data), found.start)
    return [], left


def _statements(unit: Unit, start: int, end: int, edits: Iterable[Edit | CompositeEdit]) -> tuple[int, int]:
    """The range of the statements around a range, extended by all edits in them."""
    extents = sorted(map(extent, edits))
    while True:
        start, end = _bounds(unit, start, end)
        inside = [found for found in extents if found[0] < end and start < found[1]]
        first, last = min([start, *(one for one, _ in inside)]), max([end, *(one for _, one in inside)])
        if (first, last) == (start, end):
            return start, end
        start, end = first, last


def _bounds(unit: Unit, start: int, end: int) -> tuple[int, int]:
    """`[start, end)`, extended to the next `;`, `{` or `}` on both sides, or to the ends of its directive."""
    lexemes, data = unit.lexemes, unit.source.data
    define = lexemes.define_around(start)
    if define is not None:
        return data.rfind(b"\n", 0, define.start) + 1, max(end, lexemes.body_end(define))
    while start:
        place = max(data.rfind(byte, 0, start) for byte in (b";", b"{", b"}"))
        skip = lexemes.non_code_at(place) if place >= 0 else None
        if skip is None:
            start = place + 1
            break
        start = skip[0]
    for bound in _BOUND.finditer(data, end):
        if lexemes.non_code_at(bound.start()) is None:
            return start, bound.end()
    return start, len(data)


def _meets(edit: Edit | CompositeEdit, start: int, end: int) -> bool:
    """Whether an edit lies in the range; an insertion at its ends does not count."""
    first, last = extent(edit)
    return first < end and start < last if first < last else start < first < end
