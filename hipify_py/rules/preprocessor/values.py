"""The values of CUDA's macros: where they are used as numbers, their replacements, and what AMD GPUs lose."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER
from hipify_py.analysis.preprocessor.choice import Choice
from hipify_py.analysis.preprocessor.decisions import Decision
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.comments import strip_comments
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import PinnedFinding, Support

_SLASH = 0x2F
_DEVICE_PASS = b"__HIP_DEVICE_COMPILE__"
_DIGITS, _WORDS = (b"0", b"1"), (b"false", b"true")
_OF_C = frozenset((".c", ".h"))
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


def decided(unit: Unit, decision: Decision) -> CompositeEdit:
    """A decided test in the form of a HIP source: a test of the pass, or the value with the test as comment."""
    start, end, device, host, _ = decision
    text = unit.source.data[start:end]
    spans = [span for span in unit.lexemes.comments_and_literals_in(start, end) if unit.source.data[span[0]] == _SLASH]
    if device != host:
        # in a macro that code may use, as the test itself, `defined` could not stand
        is_condition = unit.lexemes.in_condition(start) or b"defined" in text
        new = (b"" if device else b"!") + (b"defined(__HIP_DEVICE_COMPILE__)" if is_condition else _DEVICE_PASS)
    else:
        is_code = not unit.lexemes.in_directive(start) and unit.source.suffix not in _OF_C
        new = (_WORDS if is_code else _DIGITS)[device]
        new += b" /* %s */" % (b" ".join(strip_comments(text).split()) if spans else text)
    return replaced(start, end, b" ".join((new, *(unit.source.data[slice(*span)] for span in spans))))


def lost(unit: Unit, use: Use, id: str, choice: Choice) -> Iterator[PinnedFinding]:
    """What AMD GPUs lose by a choice; for flags judged by their names alone, one finding per file."""
    assert choice.avoided is not None
    _, _, what, flag, _ = choice.avoided
    target = str(choice.setting.architecture)
    if flag and what == flag:
        detail = f"{flag} stays undefined; by its name it stands for a feature that AMD GPUs lack"
        found = unit.finding(id, use.start, name=use.row.name, library=use.row.library, target=target, detail=detail)
        yield PinnedFinding(found, "")
        return
    if flag:
        detail = f"{flag} stays undefined, and the code that it guards, with {what}, has no alternative"
    elif choice.is_empty:
        detail = f"the branch with {what} is left out, and nothing replaces it"
    else:
        taken = f"the branch on line {choice.taken}" if choice.taken else "another branch"
        detail = f"the branch with {what} is left out, and {taken} is taken instead"
    yield PinnedFinding(
        unit.finding(id, use.start, name=use.row.name, library=use.row.library, target=target, detail=detail)
    )


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
