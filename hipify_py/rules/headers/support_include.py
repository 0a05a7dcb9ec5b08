"""Places the include of the support header."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.rules.headers.runtime_header import added_lines, has_braces, head_place, line_after, needs_runtime
from hipify_py.semantics.conditional_branches import arms_at
from hipify_py.semantics.headers import branches_at, guard_end, header_row, is_support_header

_OPENING = frozenset({b"if", b"ifdef", b"ifndef"})
_RUNTIME = lazy_pattern(r"hip/hip_runtime(?:_api)?\.h")
_BRACES = frozenset((b"{", b"}"))
_BLOCKS = ("compound_statement", "declaration_list", "field_declaration_list", "enumerator_list", "initializer_list")


def included_as(unit: Unit) -> str | None:
    """The path by which the source already includes a support header; None where it includes none."""
    include = _own_include(unit)
    return None if include is None else include.path


def asking_edit(unit: Unit, macros: Sequence[str]) -> Edit | None:
    """Define the macros that ask for sections before the include that the source has; None if it does so already."""
    missing = [macro for macro in macros if not unit.lexemes.definitions(macro.encode())]
    include = _own_include(unit)
    if include is None or not missing:
        return None
    return added_lines(unit, unit.lexemes.logical_line_start(include.start), *_defines(missing))


def _own_include(unit: Unit) -> Include | None:
    return next((include for include in unit.lexemes.includes if is_support_header(include.path)), None)


def _defines(macros: Sequence[str]) -> list[bytes]:
    return [b"#define " + macro.encode() for macro in macros]


def include_edit(unit: Unit, edits: Sequence[Edit], macros: Sequence[str]) -> Edit:
    """Add the include after the runtime's, or where the runtime's would be, and before it macros that ask for sections.

    It is put before the project's own headers, whose macros must not affect it. If all uses of the support header in
    `edits` are under one condition of the preprocessor, and so is all of CUDA that the source includes, the include is
    put under that condition: without it the source may be for machines that have no HIP.
    """
    place = _under_condition(unit, edits)
    if place is None:
        place = _line_after_runtime(unit)
    if place is None:
        place = head_place(unit)
    return added_lines(unit, place, *_defines(macros), b'#include "' + unit.options.support_header.encode() + b'"')


def _under_condition(unit: Unit, edits: Sequence[Edit]) -> int | None:
    """The line in the first block of the condition that all uses are under; None where there is no such condition."""
    if needs_runtime(unit):
        return None
    mapped = [include for include in unit.lexemes.includes if _is_of_hip(unit, include)]
    uses = [edit.start for edit in edits if b"hipify" in edit.text.lower()]
    shared = _shared_condition(unit, sorted([*(include.start for include in mapped), *uses])) if uses else b""
    if not shared:
        return None
    for start, word in unit.lexemes.directives:
        first = line_after(unit, start)
        if first > uses[0]:
            break
        if word in _OPENING and _condition(unit, start) == shared and _is_outside_blocks(unit, start):
            inside = [include.start for include in mapped if _RUNTIME.fullmatch(_hip_path(unit, include))]
            (arms,) = arms_at(unit, [first])
            later = next((place for place in inside if place > start and arms_at(unit, [place]) == [arms]), None)
            return first if later is None else line_after(unit, later)
    return None


def _shared_condition(unit: Unit, places: list[int]) -> bytes:
    """The outermost condition of all the places, except for the include guard; empty where they share none."""
    conditions = set()
    for arms in arms_at(unit, places):
        plain = [(start, arm) for start, arm in arms if guard_end(unit, start) is None]
        if not plain or plain[0][0] != plain[0][1]:  # after an `#else` the condition is another one
            return b""
        conditions.add(_condition(unit, plain[0][0]))
    return conditions.pop() if len(conditions) == 1 else b""


def _condition(unit: Unit, start: int) -> bytes:
    """A directive's text with single blanks, without comments."""
    return b" ".join(unit.lexemes.code(start, unit.lexemes.logical_line_end(start)).split())


def _is_outside_blocks(unit: Unit, place: int) -> bool:
    """Whether a place is in no block; where the tree is broken, whether as many braces close before it as open."""
    if unit.tree.is_available and not unit.tree.root.has_error:
        return ancestor(unit.tree.leaf(place, place + 1), *_BLOCKS) is None
    lexemes = unit.lexemes
    found = (t.text for t in tokens(lexemes, 0, place) if t.text in _BRACES and lexemes.define_around(t.start) is None)
    return sum(1 if brace == b"{" else -1 for brace in found) == 0


def _is_of_hip(unit: Unit, include: Include) -> bool:
    """Whether the include is one of HIP's or becomes one."""
    row = header_row(unit, include)
    return (row is not None and row.hip is not None) or include.path.startswith("hip/")


def _hip_path(unit: Unit, include: Include) -> str:
    row = header_row(unit, include)
    return include.path if row is None else str(row.hip)


def _line_after_runtime(unit: Unit) -> int | None:
    """The line after the runtime's include, if that is at the head of the file and stays there."""
    if needs_runtime(unit):
        return None
    head = head_place(unit)
    for include in unit.lexemes.includes:
        line, end = unit.lexemes.logical_line_start(include.start), line_after(unit, include.start)
        if line < head:
            continue
        if line > head and not unit.source.data[head:line].isspace() and not _is_plain(unit, head, line):
            return None
        row = header_row(unit, include)
        if (row.hip if row is not None else include.path) in ("hip/hip_runtime.h", "hip/hip_runtime_api.h"):
            return end
    return None


def _is_plain(unit: Unit, start: int, end: int) -> bool:
    """Whether no block and no condition begins or ends between two places."""
    first, second = branches_at(unit, [start, end])
    return first == second and not has_braces(unit, start, end)
