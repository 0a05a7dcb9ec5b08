"""Comparisons with the number of NVIDIA's architecture."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER, serves_both
from hipify_py.analysis.preprocessor.choice import choice_at, has_own_branch
from hipify_py.analysis.preprocessor.decisions import Decision, decision_at
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, CAUTIOUS
from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, PinnedFinding, Rule, Support
from hipify_py.rules.preprocessor.values import decided, is_numeric_operand, lost, value
from hipify_py.rules.triggers import uses


class ArchitectureNumbers(Rule):
    """`#if __CUDA_ARCH__ >= 800` tests for a feature by the number of the NVIDIA GPU that introduced it.

    The newest number is taken for which AMD GPUs support all code that would be compiled: the branch with half
    precision or atomic additions of doubles is taken, and the one with `mma.sync` in PTX is not, if there is an
    alternative. In the host pass the macro stays 0. So a comparison becomes a test of the pass, or a constant. Where
    the other number is unknown, `__CUDA_ARCH__` becomes `__HIP_DEVICE_COMPILE__`, which is 1 in device code, times the
    number.
    """

    id = "HIP401"
    triggers = uses("__CUDA_ARCH__")
    VALID = (Example("#if MY_ARCH >= 600\n#endif\n"),)
    INVALID = (
        Example(
            "#if __CUDA_ARCH__ >= 600\nint a;\n#endif\n",
            "#if defined(__HIP_DEVICE_COMPILE__)\nint a;\n#endif\n",
        ),
        Example(
            '#if __CUDA_ARCH__ >= 800\n__device__ void f() { asm("mma.sync.aligned;"); }\n#endif\n',
            '#if 0 /* __CUDA_ARCH__ >= 800 */\n__device__ void f() { asm("mma.sync.aligned;"); }\n#endif\n',
            ("HIP401",),
        ),
        Example(
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350\n#error old\n#endif\n",
            "#if 0 /* defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350 */\n#error old\n#endif\n",
        ),
        Example(
            "#if MINE && __CUDA_ARCH__ >= OURS\n#endif\n",
            "#if MINE && (__HIP_DEVICE_COMPILE__ * 700) >= OURS\n#endif\n",
            ("HIP401",),
        ),
        Example("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | PinnedFinding | CompositeEdit | Support]:
        reported: set[object] = set()
        done: set[Decision] = set()
        for use in unit.uses:
            if use.row.name != "__CUDA_ARCH__" or unit.lexemes.in_defined(use.start):
                continue
            if has_own_branch(unit, use.start) or serves_both(unit, use):
                continue
            decision = None if unit.options.dual else decision_at(unit, use.start)
            is_first = decision is None or decision not in done
            if decision is not None and is_first:
                done.add(decision)
                yield decided(unit, decision)
            if unit.lexemes.in_condition(use.start):
                if is_numeric_operand(unit, use):
                    yield from self._in_condition(unit, use, reported, is_decided=decision is not None)
            elif unit.lexemes.define_around(use.start) is not None:
                if decision is None:
                    yield from _number_edits(unit, use, CAUTIOUS)
                if is_first and not _is_argument(unit, use):
                    why = "the macro may be used where AMD GPUs need another branch"
                    yield PinnedFinding(_undecided(unit, use, why))
            elif is_first:
                if decision is None:  # HIP's macro has no definition in the host pass
                    yield from value(unit, use, str(CAUTIOUS).encode())
                yield PinnedFinding(
                    _undecided(unit, use, "it is used as a value, and no branch shows for which feature")
                )

    @staticmethod
    def _in_condition(
        unit: Unit, use: Use, reported: set[object], *, is_decided: bool
    ) -> Iterator[Edit | PinnedFinding | Support]:
        choice = choice_at(unit, use.start)
        number = CAUTIOUS if choice is None else choice.setting.architecture
        if not is_decided:
            yield from _number_edits(unit, use, number)
        key: object = id(choice) if choice is not None else unit.lexemes.logical_line_end(use.start)
        if key in reported:
            return
        reported.add(key)  # once per section
        if choice is None or (number == CAUTIOUS and not choice.avoided and not choice.taken):
            yield PinnedFinding(_undecided(unit, use, "the value that it is compared with is unknown here"))
        elif choice.loses_features:
            yield from lost(unit, use, "HIP401", choice)


def _number_edits(unit: Unit, use: Use, number: int) -> Iterator[Edit | Support]:
    """The code around HIP's macro, which is renamed by itself: 0 for the host, and a number for the device."""
    before, after = b"(", b" * %d)" % number
    if unit.options.dual and unit.lexemes.in_condition(use.start):
        before, after = b"(defined(", b") ? %d : %s)" % (number, ARCHITECTURE)
    elif unit.options.dual and unit.options.support:
        before, after = b"%s(%s, %s" % (EITHER, ARCHITECTURE, before), after + b")"
        yield Support("either")
    yield Edit(use.start, use.start, before)
    yield Edit(use.end, use.end, after)


def _undecided(unit: Unit, use: Use, why: str) -> Finding:
    return unit.finding(
        "HIP401", use.start, name=use.row.name, library=use.row.library, target=str(CAUTIOUS), detail=why
    )


def _is_argument(unit: Unit, use: Use) -> bool:
    """Whether it is an argument among others, such as of a message: nothing is decided by it."""
    data = unit.source.data
    before, after = unit.lexemes.before(use.start), unit.lexemes.after(use.end)
    return data[before : before + 1] == b"," and data[after : after + 1] in (b",", b")")
