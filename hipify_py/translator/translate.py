"""Turns a source into a translation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hipify_py import nvcc_compat
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.catalog.presets import add_presets
from hipify_py.core.clang_facts import moved
from hipify_py.core.edits import SourceMap, apply, composed
from hipify_py.core.findings import Finding, at_each_place
from hipify_py.core.options import DEFAULT_FIXES, DEFAULT_OPTIONS, GROUPS, Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import CUDA_SUFFIXES, Source, is_other_language, reject_unreadable
from hipify_py.core.translation import AppliedFix, Dependent, Flags, Reference, Translation
from hipify_py.findings.fingerprints import apart, edits_of, placed, shifted
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.prefilter import may_need_translation
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.references import resolve as resolve_names
from hipify_py.support_header import MARK
from hipify_py.support_header.inlined import without_inlined_header
from hipify_py.translator.passes import ANALYSES, OUTPUT_PASSES, Draft

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
        path: the file's name. Its suffix distinguishes CUDA from C++, and findings contain it.
        options: the user's options.
        project: the facts about the file from its project; `convert` gathers them.

    Returns:
        The HIP source with its edits, findings and references. Every byte outside the edits is the input's.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
        TableError: if the mapping tables cannot be loaded.
    """
    data = source.encode() if isinstance(source, str) else source
    reject_unreadable(data)
    if data.startswith((MARK, nvcc_compat.MARK)):  # written by hipify-py
        return Translation(data, [], [], [])
    shown = without_inlined_header(data)
    if shown is not data:
        translation = translate(shown, path=path, options=options, project=project)
        translation.output = apply(data, translation.edits)
        return translation
    targeting = add_presets(data, options.targeting)
    if targeting is not options.targeting:
        options = options._replace(targeting=targeting)
    unit_source = Source(data, path)
    if unit_source.suffix not in CUDA_SUFFIXES:  # in CUDA files the search would find something anyway
        is_left = is_other_language(data, unit_source.suffix)
        if is_left or not may_need_translation(data, options, project):
            return Translation(data, [], [], [])
    return _translate_unit(unit_source, options, project)


def translate_program(data: bytes, path: str, options: Options) -> Translation:
    """Translate a source that a build file holds, without knowing anything of a project."""
    return translate(data, path=path, options=options)


def _translate_unit(source: Source, options: Options, project: ProjectContext) -> Translation:
    unit = _resolved_unit(source, options, project)
    draft = Draft(unit)
    for step in ANALYSES:
        step(draft)
    if options.fixes != DEFAULT_FIXES and (fixed := findings_to_fix(draft.findings, options)):
        translation = translate_fixed(
            unit, fixed, lambda text, once, places: _translate_unit(text, once, _moved(project, places))
        )
    else:
        for step in OUTPUT_PASSES:
            step(draft)
        translation = _finished(draft)
    unit.release()
    return translation


def _resolved_unit(source: Source, options: Options, project: ProjectContext) -> Unit:
    """The unit of a source, with resolved names and decided warp operations."""
    catalog = load_catalog(options.targeting)
    unit = Unit(source, lexer(catalog).scan(source.data), catalog, options, project)
    unit.declared = resolve_names(unit)
    if unit.shadowed_names and unit.lexemes.directives:
        from hipify_py.analysis.preprocessor.compiled import inactive_ranges, required_macros

        gone = inactive_ranges(unit)
        conditional = frozenset(place for place in unit.shadowed_names if required_macros(unit, place))
        if conditional or any(place in gone for place in unit.shadowed_names):
            unit.release()
            unit = unit.with_conditions(gone, conditional)
            unit.declared = resolve_names(unit)
    if any(use.row.details and "warp32" in use.row.details for use in unit.uses):
        from hipify_py.analysis.warp.decisions import kept_warps, unbounded_distances

        unit.kept_warps = kept_warps(unit)
        unit.unbounded_distances = unbounded_distances(unit)
    return unit


def _finished(draft: Draft) -> Translation:
    unit = draft.unit
    evidence = ("lexical", "tree-sitter") if unit.tree.is_parsed else ("lexical",)
    return Translation(
        apply(unit.source.data, draft.edits),
        draft.edits,
        draft.findings,
        draft.references,
        unit.declared,
        (*evidence, "libclang") if unit.project.evidence else evidence,
        draft.support,
        draft.support_header,
        draft.suppressed,
        draft.flags,
        draft.fixes,
        tuple(sorted(unit.doubts)),
        draft.warps,
    )


def _moved(project: ProjectContext, places: SourceMap) -> ProjectContext:
    """The facts about a source, adapted to the source that its edits make."""
    if not project.evidence:
        return project
    return project._replace(evidence=moved(project.evidence, places.to_output))


def lexer(catalog: Catalog) -> Lexer:
    """The lexer for the catalog's names, made once per process and catalog."""
    known = _lexers.get(id(catalog))
    if known is None:
        candidates = catalog.unmapped_candidates()
        made = Lexer(catalog.words, candidates, candidates.initials)
        known = _lexers[id(catalog)] = catalog, made
    return known[1]


# Converts a source with the fixes of its findings applied first.

Translate = Callable[[Source, Options, SourceMap], Translation]
"""Translates a fixed source; the map leads to it from the original source."""


def findings_to_fix(findings: Iterable[Finding], options: Options) -> list[Finding]:
    """The findings of a source whose fixes a conversion applies; they do not overlap."""
    return apart(
        finding
        for finding in findings
        if finding.fix is not None
        and finding.id in options.fixes
        and (finding.path, finding.id, finding.offset) not in options.declined
    )[0]


def translate_fixed(unit: Unit, mended: list[Finding], translate: Translate) -> Translation:
    """The translation of a unit's source with some of its findings fixed first."""
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
    """Maps results for the fixed source back to places in the original source."""

    def __init__(self, unit: Unit, map: SourceMap) -> None:
        self._unit = unit
        self._map = map

    def place(self, offset: int) -> int:
        return offset if offset < 0 else min(self._map.to_input(offset), len(self._unit.source.data))

    def findings(self, findings: Iterable[Finding]) -> list[Finding]:
        return placed(self._unit, (at_each_place(finding, self._finding) for finding in findings))

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
