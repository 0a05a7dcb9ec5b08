"""CUDA's version macros that are used as numbers."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import serves_both
from hipify_py.analysis.preprocessor.choice import choice_at, choices, has_own_branch
from hipify_py.analysis.preprocessor.decisions import Decision, decision_at
from hipify_py.analysis.preprocessor.versions_tried import (
    ARCHITECTURE,
    RUNTIME_VERSIONS,
    STAND_INS,
    VERSIONS,
    Setting,
    plain,
)
from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, PinnedFinding, Rule, Support
from hipify_py.rules.preprocessor.values import decided, lost, value
from hipify_py.rules.triggers import uses

_OF_THE_COMPILER = b"__CUDACC_VER"


class VersionComparisons(Rule):
    """`#if CUDA_VERSION >= 11000` tests for a feature; HIP's version numbers mean something else.

    A macro that is not defined counts as 0, and would silently select the branch for the oldest CUDA. The branch for
    the newest one is taken, or for the one that `--cuda` names, unless it holds what HIP lacks and an older branch does
    not. `HIP_VERSION` is above all of CUDA's numbers: `CUDA_VERSION >= 11000` becomes `HIP_VERSION >= 11000`, as HIP's
    ports write it, and CUB's version becomes hipCUB's. Any other comparison becomes its value, with the comparison as
    comment. A number replaces a macro that is compared with something unknown. Where a later branch of the section
    tests for HIP, the condition stays CUDA's.
    """

    id = "HIP402"
    reports = ("HIP406",)
    triggers = uses(*(name.decode() for name in VERSIONS))
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
            "#if defined(__HIPCC__) && 1 /* __CUDACC_VER_MAJOR__ >= 9 */\nint a;\n#endif\n",
        ),
        Example("#if CUDA_VERSION < 9000\nint a;\n#endif\n", "#if 0 /* CUDA_VERSION < 9000 */\nint a;\n#endif\n"),
        Example(
            "bool f() { return __CUDACC_VER_MAJOR__ >= 11; }",
            "bool f() { return true /* __CUDACC_VER_MAJOR__ >= 11 */; }",
        ),
        Example("int v = CUDART_VERSION;", "int v = HIP_VERSION;", ("HIP402",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | PinnedFinding | CompositeEdit | Support]:
        reported: set[int] = set()
        done: set[Decision] = set()
        for use in unit.uses:
            name = use.row.name
            if use.row.kind != "macro" or name.encode() not in VERSIONS:
                continue
            choice = choice_at(unit, use.start)
            in_condition = unit.lexemes.in_condition(use.start)
            if serves_both(unit, use) or (in_condition and has_own_branch(unit, use.start)):
                yield replaced(use.start, use.end, name.encode())  # the condition tests for HIP already
                continue
            if unit.lexemes.in_defined(use.start):
                if in_condition and not unit.options.dual:
                    if name.encode().startswith(_OF_THE_COMPILER):
                        yield replaced(use.start, use.end, b"__HIPCC__")
                    elif use.row.is_unsupported:  # a library's version, replaced by a number where it is compared
                        yield replaced(use.start, use.end, b"HIP_VERSION")
                continue
            decision = decision_at(unit, use.start)
            if decision is not None and not decision.is_kept and not unit.options.dual:
                if decision not in done:
                    done.add(decision)
                    yield decided(unit, decision)
            elif choice is None or not in_condition:
                yield from _outside(unit, use, decision)
            else:
                yield from value(unit, use, _in_condition(unit, use, choice.setting, decision))
            if (
                choice is not None
                and in_condition
                and id(choice) not in reported
                and choice.loses_features
                and ARCHITECTURE not in choices(unit).macros_at(use.start)
            ):
                reported.add(id(choice))  # once per section
                yield from lost(unit, use, "HIP406", choice)


def _outside(unit: Unit, use: Use, decision: Decision | None) -> Iterator[PinnedFinding | CompositeEdit | Support]:
    """The edits in code, and in the bodies of macros, where the test itself stays."""
    name, chosen = use.row.name.encode(), unit.options.targeting.cuda
    number = plain(chosen).value(name) or 0
    is_runtimes = name in RUNTIME_VERSIONS
    if decision is not None and (decision.is_kept or (is_runtimes and not chosen)):
        yield from value(unit, use, STAND_INS[name][0])
    elif decision is not None:
        yield from value(unit, use, b"%d" % number)
    elif is_runtimes:
        yield from value(unit, use, STAND_INS[name][0])
        yield _number(unit, use, "HIP_VERSION is major*10000000 + minor*100000 + patch")
    elif name.startswith(_OF_THE_COMPILER):  # which HIP's compiler does not define
        yield from value(unit, use, b"%d" % number)
        yield _number(unit, use, f"{number} replaces it, the number of the CUDA version that the source is read as")


def _in_condition(unit: Unit, use: Use, setting: Setting, decision: Decision | None) -> bytes:
    """The replacement of a version where the test itself stays: HIP's macro, or a number."""
    name = use.row.name.encode()
    if name in STAND_INS:
        is_same = decision.is_kept if decision else choices(unit).agrees_with_stand_ins(use.start)
        if is_same or (setting.cuda is None and name in RUNTIME_VERSIONS):
            return STAND_INS[name][0]
    number = b"%d" % (setting.value(name) or 0)
    return number if unit.options.dual else number + b" /* %s */" % name  # names the replaced macro


def _number(unit: Unit, use: Use, detail: str) -> PinnedFinding:
    finding = unit.finding("HIP402", use.start, name=use.row.name, library=use.row.library, detail=detail)
    return PinnedFinding(finding, detail)  # once per file
