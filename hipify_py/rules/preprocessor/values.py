"""The values of CUDA's macros: where they are used as numbers, their replacements, and what AMD GPUs lose."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER
from hipify_py.analysis.preprocessor.choice import Choice
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Support

_BEFORE_BRACKETS = frozenset((b"", b"if", b"elif"))
_COMPUTES = frozenset(b"<>+-*/%")
_COMPARES = frozenset((b"==", b"!=", b"<=", b">="))


def value(unit: Unit, use: Use, amd: bytes) -> Iterator[CompositeEdit | Support]:
    """Replace a macro by its value for AMD GPUs; where the output serves both vendors, nvcc keeps the macro itself."""
    name = unit.source.data[use.start : use.end]
    if unit.options.dual and unit.lexemes.in_condition(use.start):
        yield replaced(use.start, use.end, b"(defined(__HIP_PLATFORM_AMD__) ? %s : %s)" % (amd, name))
    elif unit.options.dual and unit.options.support:
        yield Support("either")
        yield replaced(use.start, use.end, b"%s(%s, %s)" % (EITHER, name, amd))
    else:
        yield replaced(use.start, use.end, amd)


def lost(unit: Unit, use: Use, id: str, choice: Choice) -> Iterator[Finding | DedupedFinding]:
    """What AMD GPUs lose by a choice; for flags judged by their names alone, one finding per file."""
    assert choice.avoided is not None
    _, _, what, flag, _ = choice.avoided
    target = str(choice.setting.architecture)
    if flag and what == flag:
        detail = f"{flag} stays undefined; by its name it stands for a feature that AMD GPUs lack"
        yield DedupedFinding(
            unit.finding(id, use.start, name=use.row.name, library=use.row.library, target=target, detail=detail)
        )
        return
    if flag:
        detail = f"{flag} stays undefined, and the code that it guards, with {what}, has no alternative"
    elif choice.is_empty:
        detail = f"the branch with {what} is left out, and nothing replaces it"
    else:
        taken = f"the branch on line {choice.taken}" if choice.taken else "another branch"
        detail = f"the branch with {what} is left out, and {taken} is taken instead"
    yield unit.finding(id, use.start, name=use.row.name, library=use.row.library, target=target, detail=detail)


def is_numeric_operand(unit: Unit, use: Use) -> bool:
    """Whether the macro is an operand of a comparison or computation; brackets around it alone change nothing."""
    data, lexemes = unit.source.data, unit.lexemes
    before, after = lexemes.before(use.start), lexemes.after(use.end)
    while data[before : before + 1] == b"(" and data[after : after + 1] == b")":
        if lexemes.word_before(before) not in _BEFORE_BRACKETS:
            break  # a macro's arguments
        before, after = lexemes.before(before), lexemes.after(after + 1)
    if data[before] in _COMPUTES or data[before - 1 : before + 1] in _COMPARES:
        return True
    is_in_condition = after < lexemes.logical_line_end(use.start)
    return is_in_condition and (data[after] in _COMPUTES or data[after : after + 2] in _COMPARES)
