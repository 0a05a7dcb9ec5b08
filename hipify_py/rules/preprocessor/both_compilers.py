"""Conditions that test for CUDA's compiler, for sources that serve both vendors."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import serves_both
from hipify_py.analysis.preprocessor.choice import has_own_branch
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, VERSIONS
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.alternatives import alternatives
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.preprocessor.values import is_numeric_operand, value
from hipify_py.rules.triggers import Fact, facts

_NEGATED = {b"ifndef": b"if", b"elifndef": b"elif"}
_WORDS = {b"ifdef": b"if", b"elifdef": b"elif", **_NEGATED}
_PREFIXES = frozenset((b"if", b"elif"))
_OF_THE_COMPILER = b"__CUDACC_VER"


class BothCompilers(Rule):
    """With `--dual`, `#ifdef __CUDACC__` becomes `#if defined(__CUDACC__) || defined(__HIPCC__)`.

    A source for both compilers has to test for either. If the macro were renamed, the condition would test for HIP's
    compiler only, and nvcc would have to define HIP's macros to take the branch. Then it would also take the branches
    that a program has for AMD GPUs.
    """

    id = "both-compilers"
    triggers = facts(Fact.DUAL) & facts(Fact.USED_MACROS)
    dual = True
    VALID = (
        Example("#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n"),
        Example("#ifdef __CUDACC__\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n"),
    )
    INVALID = (
        Example(
            "#ifdef __CUDACC__\nint a;\n#endif\n",
            "#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n",
        ),
        Example(
            "#if !defined(__CUDA_ARCH__) && MINE\nint a;\n#endif\n",
            "#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__) && MINE\nint a;\n#endif\n",
        ),
        Example(
            "#if __CUDA_ARCH__ >= 600\nint a;\n#endif\n",
            "#if (defined(__HIP_DEVICE_COMPILE__) ? 900 : __CUDA_ARCH__) >= 600\nint a;\n#endif\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit | Support]:
        if not unit.options.dual:
            return
        for use in unit.uses:
            hip = _counterpart(unit, use)
            if hip and not serves_both(unit, use) and not has_own_branch(unit, use.start):
                yield from _test_both(unit, use, hip)


def _counterpart(unit: Unit, use: Use) -> bytes:
    """The macro of HIP that corresponds to one of CUDA's; empty for any other name."""
    name, row = use.row.name.encode(), use.row
    if row.kind != "macro" or (not name.startswith((b"__CUDA", b"__NVCC__")) and name not in VERSIONS):
        return b""
    if name in VERSIONS and not unit.lexemes.in_defined(use.start):
        return b""  # a number
    if name.startswith(_OF_THE_COMPILER):
        return b"__HIPCC__"
    if row.hip is None:
        return b"HIP_VERSION" if name in VERSIONS else b""
    return b"" if row.is_native or not row.hip.startswith(("__HIP", "HIP")) else row.hip.encode()


def _test_both(unit: Unit, use: Use, hip: bytes) -> Iterator[CompositeEdit | Support]:
    data, lexemes = unit.source.data, unit.lexemes
    name = data[use.start : use.end]
    word = lexemes.word_before(use.start)
    if word in _WORDS:
        start = lexemes.before(use.start) + 1 - len(word)
        yield replaced(start, use.end, _WORDS[word] + b" " + _both(name, hip, is_negated=word in _NEGATED))
    elif not lexemes.in_condition(use.start) and lexemes.define_around(use.start) is None:
        return
    elif lexemes.in_defined(use.start):
        yield _operand(unit, use, hip)
    elif use.row.name.encode() != ARCHITECTURE or (
        lexemes.in_condition(use.start) and not is_numeric_operand(unit, use)
    ):
        if unit.options.support and not lexemes.in_condition(use.start):
            yield from value(unit, use, hip)  # the macro may be in code, where neither compiler defines both names
        else:
            yield replaced(use.start, use.end, b"(%s || %s)" % (name, hip))


def _both(name: bytes, hip: bytes, *, is_negated: bool = False) -> bytes:
    if is_negated:
        return b"!defined(%s) && !defined(%s)" % (name, hip)
    return b"defined(%s) || defined(%s)" % (name, hip)


def _operand(unit: Unit, use: Use, hip: bytes) -> CompositeEdit:
    """`defined(A)` with HIP's macro beside it, once among alternatives, in brackets where its neighbours need them."""
    data, lexemes = unit.source.data, unit.lexemes
    name = data[use.start : use.end]
    last, end = lexemes.before(use.start), use.end
    if data[last : last + 1] == b"(":
        last, end = lexemes.before(last), lexemes.after(end) + 1
    start = last + 1 - len(b"defined")
    for other in alternatives(lexemes, use.start):
        if other.place > use.start and _hip_name(unit, other.place) == hip:
            return replaced(start, end, data[start:end])  # the last of them has it
    is_negated = lexemes.before(start) >= 0 and data[lexemes.before(start)] == 0x21
    if is_negated:
        before = lexemes.before(start)
        if _is_between(unit, before, end, b"&&"):
            return replaced(before, end, _both(name, hip, is_negated=True))
    elif _is_between(unit, start, end, b"||"):
        return replaced(start, end, _both(name, hip))
    return replaced(start, end, b"(" + _both(name, hip) + b")")


def _hip_name(unit: Unit, place: int) -> bytes:
    return next((_counterpart(unit, use) for use in unit.uses if use.start == place), b"")


def _is_between(unit: Unit, start: int, end: int, sign: bytes) -> bool:
    """Whether `[start, end)` is a whole condition, the contents of brackets, or an operand of the given operator."""
    data, lexemes = unit.source.data, unit.lexemes
    if not lexemes.in_condition(start):
        return False  # a macro's body may be expanded anywhere
    before, after = lexemes.before(start) + 1, lexemes.after(end)
    is_started = data[before - 1 : before] == b"(" or data[before - 2 : before] == sign
    is_ended = data[after : after + 1] == b")" or data[after : after + 2] == sign
    is_started = is_started or lexemes.word_before(start) in _PREFIXES
    return is_started and (is_ended or after >= lexemes.logical_line_end(start))
