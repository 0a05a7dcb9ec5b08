"""CUDA's version macros that are used as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import serves_both
from hipify_py.analysis.preprocessor.choice import choice_at, choices, has_own_branch
from hipify_py.analysis.preprocessor.macros import ANY_BUILD
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, STAND_INS, VERSIONS, Setting, plain
from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.frontend.conditions import Expression
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, PinnedFinding, Rule, Support
from hipify_py.rules.preprocessor.values import lost, value
from hipify_py.rules.triggers import uses

# Comparisons of CUDA's versions outside of conditions: in code, and in the bodies of macros.

_PARAMETERS = re.compile(rb"\([^()]*\)")
_BLANKS = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*|\\\r?\n", re.DOTALL)
_GROWS = re.compile(rb"[*+]|<<")
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_OPERANDS = frozenset(("binary_expression", "parenthesized_expression", "unary_expression"))


def version_test(unit: Unit, use: Use) -> bool | None:
    """Whether HIP's macros decide the same in the comparison that a CUDA version is in.

    None where it is in no comparison, or in one with an unknown operand.
    """
    text = _comparison(unit, use)
    if text is None:
        return None
    expression = Expression(_BLANKS.sub(b" ", text))
    found = []
    for setting in plain(unit.options.targeting.cuda).with_stand_ins():
        macros = choices(unit).sections.macros.in_condition(setting, ANY_BUILD, is_device=True, is_beside_own=False)
        _, comparisons = expression.comparisons(*macros, VERSIONS)
        if expression.has_bare_name(VERSIONS) or not comparisons or None in comparisons:
            return None
        found.append(comparisons)
    is_plain = _GROWS.search(text) is None  # multiplied, HIP's number overflows an int
    return is_plain and found.count(found[0]) == len(found)


def _comparison(unit: Unit, use: Use) -> bytes | None:
    """The body of the macro around a version, or the nearest comparison in code."""
    data = unit.source.data
    define = unit.lexemes.define_around(use.start)
    if define is not None:
        parameters = _PARAMETERS.match(data, define.end)
        return data[parameters.end() if parameters else define.end : unit.lexemes.body_end(define)]
    node = unit.tree.leaf(use.start, use.end) if unit.tree.is_available else None
    node = node.parent if node is not None else None
    while node is not None and node.type in _OPERANDS:
        sign = node.child_by_field_name("operator")
        if node.type == "binary_expression" and sign is not None and sign.type in _COMPARISONS:
            return data[node.start_byte : node.end_byte]
        node = node.parent
    return None


_PLAIN = frozenset({"CUDA_VERSION", "CUDART_VERSION", "__CUDART_API_VERSION"})
_OF_THE_COMPILER = "__CUDACC_VER"


class VersionComparisons(Rule):
    """`#if CUDA_VERSION >= 11000` tests for a feature; HIP's version numbers mean something else.

    A macro that is not defined counts as 0, and would silently select the branch for the oldest CUDA. The branch for
    the
    newest one is taken, or for the one that `--cuda` names, unless it holds what HIP lacks and an older branch does
    not. `HIP_VERSION` is above all of CUDA's numbers and is used wherever it decides the same, for the versions of the
    compiler and of the libraries that come with it, too, and `HIPCUB_VERSION` for CUB's; where another number is
    needed, that replaces the macro. Where a later branch of the section tests for HIP, the condition stays CUDA's.
    """

    id = "HIP402"
    reports = ("HIP406",)
    triggers = uses(*_PLAIN, *(name.decode() for name in VERSIONS))
    VALID = (
        Example("#if MY_VERSION >= 3\n#endif\n"),
        Example("#if __CUDACC_VER_MAJOR__ > 9 && __CUDA_ARCH__ >= 530\n#elif defined(__HIPCC__)\n#endif\n"),
    )
    INVALID = (
        Example(
            "#if CUDART_VERSION >= 11000\nint a;\n#endif\n",
            "#if HIP_VERSION >= 11000\nint a;\n#endif\n",
        ),
        Example(
            "#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 9\nint a;\n#endif\n",
            "#if defined(__HIPCC__) && HIP_VERSION >= 9\nint a;\n#endif\n",
        ),
        Example("bool f() { return __CUDACC_VER_MAJOR__ >= 11; }", "bool f() { return HIP_VERSION >= 11; }"),
        Example("int v = CUDART_VERSION;", "int v = HIP_VERSION;", ("HIP402",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | PinnedFinding | CompositeEdit | Support]:
        reported: set[int] = set()
        for use in unit.uses:
            name = use.row.name
            if use.row.kind != "macro" or (name not in _PLAIN and name.encode() not in VERSIONS):
                continue
            choice = choice_at(unit, use.start)
            in_condition = unit.lexemes.in_condition(use.start)
            if serves_both(unit, use) or (in_condition and has_own_branch(unit, use.start)):
                yield replaced(use.start, use.end, name.encode())  # the condition tests for HIP already
                continue
            if unit.lexemes.in_defined(use.start):
                if in_condition and not unit.options.dual:
                    if name.startswith(_OF_THE_COMPILER):
                        yield replaced(use.start, use.end, b"__HIPCC__")
                    elif use.row.is_unsupported:  # a library's version, replaced by a number where it is compared
                        yield replaced(use.start, use.end, b"HIP_VERSION")
                continue
            if choice is None or not in_condition:
                yield from _outside(unit, use)
                continue
            yield from value(unit, use, _in_condition(unit, use, choice.setting))
            if (
                id(choice) not in reported
                and choice.loses_features
                and ARCHITECTURE not in choices(unit).macros_at(use.start)
            ):
                reported.add(id(choice))  # once per section
                for found in lost(unit, use, "HIP406", choice):
                    yield (
                        PinnedFinding(found.finding, found.subject)
                        if isinstance(found, DedupedFinding)
                        else PinnedFinding(found)
                    )


def _outside(unit: Unit, use: Use) -> Iterator[PinnedFinding | CompositeEdit | Support]:
    """The edits in code, and in the bodies of macros."""
    name, chosen = use.row.name, unit.options.targeting.cuda
    number = plain(chosen).value(name.encode()) or 0
    decides = version_test(unit, use) if name.encode() in STAND_INS else None
    if name in _PLAIN and chosen and decides is False:  # HIP's own number is above the chosen one
        yield from value(unit, use, b"%d" % number)
    elif decides or name in _PLAIN:
        yield from value(unit, use, STAND_INS[name.encode()][0])
        if not decides:
            yield _number(unit, use, "HIP_VERSION is major*10000000 + minor*100000 + patch")
    elif name.startswith(_OF_THE_COMPILER):  # which HIP's compiler does not define
        yield from value(unit, use, b"%d" % number)
        if decides is None:
            yield _number(unit, use, f"{number} replaces it, the number of the CUDA version that the source is read as")


def _in_condition(unit: Unit, use: Use, setting: Setting) -> bytes:
    """The replacement of a version in a condition that is decided: HIP's macro, or a number."""
    name = use.row.name.encode()
    number = b"%d" % (setting.value(name) or 0)
    if name not in STAND_INS:
        return number if unit.options.dual else number + b" /* %s */" % name  # names the replaced macro
    if choices(unit).agrees_with_stand_ins(use.start) or (setting.cuda is None and use.row.name in _PLAIN):
        return STAND_INS[name][0]
    return number


def _number(unit: Unit, use: Use, detail: str) -> PinnedFinding:
    finding = unit.finding("HIP402", use.start, name=use.row.name, library=use.row.library, detail=detail)
    return PinnedFinding(finding, detail)  # once per file
