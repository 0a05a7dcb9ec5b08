"""The heart: source in, translation out."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.catalog import Catalog, load_catalog
from hipify_py.edits import Edit, Reshape, apply, ordered, resolve
from hipify_py.findings import Finding
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.prefilter import may_have_cuda, may_include_renamed
from hipify_py.names.resolve import resolve as resolve_names
from hipify_py.options import DEFAULT_OPTIONS, Options
from hipify_py.rules.base import Rule
from hipify_py.rules.register import rules_for
from hipify_py.source import Source, reject_unreadable
from hipify_py.translation import Reference, Translation
from hipify_py.unit import Unit

_lexer: Lexer | None = None


def translate(source: bytes | str, *, path: str = "<input>", options: Options = DEFAULT_OPTIONS) -> Translation:
    """Translate one CUDA source to HIP.

    Args:
        source: the file's bytes; a string is taken as UTF-8.
        path: the file's name. Its suffix tells CUDA from C++, and findings carry it.
        options: what to write, and what is known about the project around the file.

    Returns:
        The HIP source with its edits, findings and references. Every byte outside the edits is the input's.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
        TableError: when the mapping tables cannot be loaded.
    """
    data = source.encode() if isinstance(source, str) else source
    reject_unreadable(data)
    if not may_have_cuda(data) and not may_include_renamed(data, options.renames):
        return Translation(data, [], [], [])
    return _translate_unit(Source(data, path), options)


def _translate_unit(source: Source, options: Options) -> Translation:
    catalog = load_catalog()
    unit = Unit(source, lexer(catalog).scan(source.data), catalog, options)
    declared = resolve_names(unit)
    edits, findings, references = _run(rules_for(unit), unit)
    findings.sort(key=lambda finding: (finding.offset, finding.id))
    references.sort()
    if not unit.tree.is_available:
        findings.append(
            unit.finding("HIP904", -1, detail="the file is too large to parse; it was converted token by token")
        )
    evidence = ("lexical", "tree-sitter") if unit.tree.is_parsed else ("lexical",)
    return Translation(apply(source.data, edits), edits, findings, references, declared, evidence)


def lexer(catalog: Catalog) -> Lexer:
    """The lexer for the catalog's names, made once a process."""
    global _lexer
    if _lexer is None:
        wanted = catalog.names.keys() | catalog.nested
        _lexer = Lexer(wanted, catalog.suspect_pattern(), catalog.suspect_initials())
    return _lexer


def _run(active: Iterable[Rule], unit: Unit) -> tuple[list[Edit], list[Finding], list[Reference]]:
    edits: list[Edit] = []
    reshapes: list[Reshape] = []
    findings: list[Finding] = []
    references: list[Reference] = []
    for rule in active:
        for item in rule.apply(unit):
            if isinstance(item, Edit):
                edits.append(item)
            elif isinstance(item, Reference):
                references.append(item)
            elif isinstance(item, Finding):
                findings.append(item)
            else:
                reshapes.append(item)
    data = unit.source.data
    resolved = resolve(data, edits, reshapes) if reshapes else edits
    return [edit for edit in ordered(resolved) if data[edit.start : edit.end] != edit.text], findings, references
