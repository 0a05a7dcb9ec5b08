"""CUDA's version macros that are used as numbers."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import serves_both
from hipify_py.analysis.preprocessor.choice import choice_at, choices, has_own_branch
from hipify_py.analysis.preprocessor.version_tests import version_test
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, STAND_INS, VERSIONS, Setting, plain
from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, PinnedFinding, Rule, Support
from hipify_py.rules.preprocessor.values import lost, value
from hipify_py.rules.triggers import uses

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
