"""The heart: source in, translation out."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py import nvcc_compat
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.catalog.presets import with_presets
from hipify_py.edits import CompositeEdit, Edit, OverlappingEdits, SourceMap, apply, dropped, ordered, resolve
from hipify_py.evidence import moved
from hipify_py.findings import Finding, with_more
from hipify_py.frontend.lexer import Lexer
from hipify_py.options import DEFAULT_FIXES, DEFAULT_OPTIONS, Options
from hipify_py.project_context import NO_PROJECT, ProjectContext
from hipify_py.ranges import Ranges
from hipify_py.rules.base import Once, Rule, Staying, Support
from hipify_py.rules.registry import rules_for
from hipify_py.semantics.references import resolve as resolve_names
from hipify_py.source import CUDA_SUFFIXES, Source, is_other_language, reject_unreadable
from hipify_py.support_header import HEADER, MARK
from hipify_py.translation import (
    CONVERTED,
    NATIVE,
    NO_FLAGS,
    UNSUPPORTED,
    AppliedFix,
    Reference,
    Translation,
    WarpCounts,
    WarpOutcome,
)
from hipify_py.unit import Unit

_lexers: dict[int, tuple[Catalog, Lexer]] = {}


def translate(
    source: bytes | str,
    *,
    path: str = "<input>",
    options: Options = DEFAULT_OPTIONS,
    project: ProjectContext = NO_PROJECT,
) -> Translation:
    """Translate one CUDA source to HIP.

    Args:
        source: the file's bytes; a string is taken as UTF-8.
        path: the file's name. Its suffix tells CUDA from C++, and findings carry it.
        options: what to write.
        project: what the project around the file says of it; `convert` finds that out.

    Returns:
        The HIP source with its edits, findings and references. Every byte outside the edits is the input's.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
        TableError: when the mapping tables cannot be loaded.
    """
    data = source.encode() if isinstance(source, str) else source
    reject_unreadable(data)
    if data.startswith((MARK, nvcc_compat.MARK)):  # ours
        return Translation(data, [], [], [])
    targeting = with_presets(data, options.targeting)
    if targeting is not options.targeting:
        options = options._replace(targeting=targeting)
    unit_source = Source(data, path)
    if unit_source.suffix not in CUDA_SUFFIXES:  # in CUDA's own files the search would find something anyway
        from hipify_py.frontend.prefilter import may_need_translation

        is_left = is_other_language(data, unit_source.suffix)
        if is_left or not may_need_translation(data, options, project):
            return Translation(data, [], [], [])
    return _translate_unit(unit_source, options, project)


def _translate_unit(source: Source, options: Options, project: ProjectContext) -> Translation:
    catalog = load_catalog(options.targeting)
    unit = Unit(source, lexer(catalog).scan(source.data), catalog, options, project)
    declared = resolve_names(unit)
    if unit.own_names and unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.compiled import left_out

        gone = left_out(unit)
        if any(place in gone for place in unit.own_names):
            unit.release()
            unit = unit.without(gone)
            declared = resolve_names(unit)
    if any(use.row.details and "warp32" in use.row.details for use in unit.uses):
        from hipify_py.analysis.warp.decisions import kept_warps, unbounded_distances

        unit.kept_warps = kept_warps(unit)
        unit.unbounded_distances = unbounded_distances(unit)
    edits, findings, references, support, subjects, fixes, warps = _run(rules_for(unit), unit)
    support_header = _include_support(unit, edits) if support else _support_included(unit)
    findings.sort(key=lambda finding: (finding.offset, finding.id))
    references.sort()
    if unit.tree.missing:
        findings.append(unit.finding("HIP904", -1, detail=unit.tree.missing))
    suppressed = unit.suppressed
    if options.ignore or options.file_ignores.patterns or b"hipify:" in source.data:
        from hipify_py.suppression import silence

        findings, more = silence(unit, findings)
        suppressed += more
    flags = NO_FLAGS
    if unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.inactive_code import without_inactive

        findings, references = without_inactive(unit, findings, references)
    findings = _once_a_file(findings, subjects)
    if options.unselected or options.severities:
        from hipify_py.finding_selection import chosen

        findings, suppressed = chosen(findings, options, catalog), chosen(suppressed, options, catalog)
    if findings or suppressed:
        from hipify_py.fingerprints import placed

        findings, suppressed = placed(unit, findings), placed(unit, suppressed)
        if options.fixes != DEFAULT_FIXES:
            from hipify_py.fix_then_translate import to_mend, translated_mended

            mended = to_mend(findings, options)
            if mended:
                done = translated_mended(
                    unit, mended, lambda text, once, places: _translate_unit(text, once, _moved(project, places))
                )
                unit.release()
                return done
    if unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.flags import flags_of

        flags = flags_of(unit, findings, references)
    if options.annotate:
        from hipify_py.annotations import with_notes

        edits = with_notes(unit, edits, findings, references)
    evidence = ("lexical", "tree-sitter") if unit.tree.is_parsed else ("lexical",)
    if project.evidence:
        evidence = (*evidence, "libclang")
    doubts = tuple(sorted(unit.doubts))
    output = apply(source.data, edits)
    unit.release()
    return Translation(
        output,
        edits,
        findings,
        references,
        declared,
        evidence,
        support,
        support_header,
        suppressed,
        flags,
        fixes,
        doubts,
        warps,
    )


def _moved(project: ProjectContext, places: SourceMap) -> ProjectContext:
    """What is known of a source, for the source that its edits make."""
    if not project.evidence:
        return project
    return project._replace(evidence=moved(project.evidence, places.to_output))


def _include_support(unit: Unit, edits: list[Edit]) -> str:
    """See to it that the support header is included; returns the path by which it is."""
    from hipify_py.rules.headers.support_include import include_edit, included_as

    path = included_as(unit)
    if path is None:
        path = unit.options.support_header
        edits[:] = ordered([*edits, include_edit(unit, edits)])
    return path


def _support_included(unit: Unit) -> str:
    """The path by which the source includes a support header already; empty where it includes none."""
    if HEADER.encode() not in unit.source.data:
        return ""
    from hipify_py.rules.headers.support_include import included_as

    return included_as(unit) or ""


def lexer(catalog: Catalog) -> Lexer:
    """The lexer for the catalog's names, made once a process and catalog."""
    known = _lexers.get(id(catalog))
    if known is None:
        candidates = catalog.unmapped_candidates()
        made = Lexer(catalog.words, candidates, candidates.initials)
        known = _lexers[id(catalog)] = catalog, made
    return known[1]


def _run(
    active: Iterable[Rule], unit: Unit
) -> tuple[
    list[Edit], list[Finding], list[Reference], frozenset[str], dict[Finding, str], tuple[AppliedFix, ...], WarpCounts
]:
    """What the rules make of a unit, and the subjects of the findings of which one a file is enough."""
    edits: list[Edit] = []
    composites: list[CompositeEdit] = []
    findings: list[Finding] = []
    staying: list[Finding] = []
    references: list[Reference] = []
    support: set[str] = set()
    subjects: dict[Finding, str] = {}
    fixes: set[AppliedFix] = set()
    warps: list[WarpOutcome] = []
    for rule in active:
        for item in rule.apply(unit):
            if isinstance(item, Edit):
                edits.append(item)
            elif isinstance(item, Reference):
                references.append(item)
            elif isinstance(item, Finding):
                findings.append(item)
            elif isinstance(item, Staying):
                staying.append(item.finding)
                if item.subject is not None:
                    subjects[item.finding] = item.subject
            elif isinstance(item, Once):
                findings.append(item.finding)
                subjects[item.finding] = item.subject
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
        findings, references = _without(dropped(composites), findings, references)
        references = _with_kept_names(unit, composites, references)
    try:
        edits = ordered(resolve(data, edits, composites) if composites else edits)
    except OverlappingEdits as first:
        from hipify_py.edit_conflicts import settled

        edits, left = settled(unit, edits, composites, first)
        references = [ref._replace(outcome=UNSUPPORTED) if ref.offset in left else ref for ref in references]
        staying += left.findings
    changing = [edit for edit in edits if data[edit.start : edit.end] != edit.text]
    counts = WarpCounts.of(warps)
    return changing, findings + staying, references, frozenset(support), subjects, tuple(sorted(fixes)), counts


def _with_kept_names(unit: Unit, composites: Iterable[CompositeEdit], references: list[Reference]) -> list[Reference]:
    """References where a rule has put the text itself in place of other edits: the name is right for HIP as it is."""
    data = unit.source.data
    moves = (move for composite in composites for move in composite.moves)
    kept = [(move.start, move.end) for move in moves if move.pieces == (data[move.start : move.end],)]
    if not kept:
        return references
    where = Ranges(kept)
    return [
        ref._replace(outcome=NATIVE) if ref.outcome == CONVERTED and ref.offset in where else ref for ref in references
    ]


def _once_a_file(findings: list[Finding], subjects: dict[Finding, str]) -> list[Finding]:
    """The findings, in order, with one for all those of an id on the same subject."""
    if not subjects:
        return findings
    repeated: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding in subjects:
            repeated.setdefault((finding.id, subjects[finding]), []).append(finding)
    firsts = {same[0]: len(same) - 1 for same in repeated.values()}
    return [
        with_more(finding, firsts[finding]) if finding in firsts else finding
        for finding in findings
        if finding not in subjects or finding in firsts
    ]


def _without(
    gone: list[tuple[int, int]], findings: list[Finding], references: list[Reference]
) -> tuple[list[Finding], list[Reference]]:
    """Findings and references but for arguments that the HIP call does without: with them nothing is left to do."""
    if not gone:
        return findings, references
    where = Ranges(gone)
    return (
        [finding for finding in findings if finding.offset < 0 or finding.offset not in where],
        [ref._replace(outcome=CONVERTED) if ref.offset in where else ref for ref in references],
    )
