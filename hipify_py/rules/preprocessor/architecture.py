"""Where the number of NVIDIA's architecture decides."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER, serves_both
from hipify_py.analysis.preprocessor.choice import choice_at, has_own_branch
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, CAUTIOUS
from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.core.unit import Unit, Use
from hipify_py.rules.base import Example, Once, Rule, Staying, Support
from hipify_py.rules.preprocessor.values import lost, stands_for_a_number, value
from hipify_py.rules.triggers import uses


class ArchitectureNumbers(Rule):
    """`#if __CUDA_ARCH__ >= 800` asks for a feature by the number of the NVIDIA GPU that brought it.

    `__CUDA_ARCH__` becomes `__HIP_DEVICE_COMPILE__`, which is 1 in device code and so below every architecture. Where
    it stands for a number it counts as the newest one for which AMD GPUs can do all that would be compiled: the branch
    with half precision or atomic additions of doubles is taken, and the one with `mma.sync` in
    PTX is not, if there is another way. In the host's pass it stays 0.
    """

    id = "HIP401"
    triggers = uses("__CUDA_ARCH__")
    VALID = (Example("#if MY_ARCH >= 600\n#endif\n"),)
    INVALID = (
        Example(
            "#if __CUDA_ARCH__ >= 600\nint a;\n#endif\n",
            "#if (__HIP_DEVICE_COMPILE__ * 900) >= 600\nint a;\n#endif\n",
        ),
        Example(
            '#if __CUDA_ARCH__ >= 800\n__device__ void f() { asm("mma.sync.aligned;"); }\n#endif\n',
            '#if (__HIP_DEVICE_COMPILE__ * 750) >= 800\n__device__ void f() { asm("mma.sync.aligned;"); }\n#endif\n',
            ("HIP401",),
        ),
        Example("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Once | Staying | CompositeEdit | Support]:
        reported: set[object] = set()
        for use in unit.uses:
            if use.row.name != "__CUDA_ARCH__" or unit.lexemes.in_defined(use.start):
                continue
            if has_own_branch(unit, use.start) or serves_both(unit, use):
                continue
            if unit.lexemes.in_condition(use.start):
                if stands_for_a_number(unit, use):
                    yield from self._in_condition(unit, use, reported)
            elif unit.lexemes.define_around(use.start) is not None:
                yield from _counted(unit, use, CAUTIOUS)
                if not _is_handed_on(unit, use):
                    yield _undecided(unit, use, "the macro may be used where AMD GPUs need another branch")
            else:
                number = str(CAUTIOUS).encode()  # HIP's macro has no definition in the host's pass
                yield from value(unit, use, number)
                yield Staying(_undecided(unit, use, "it stands in code, where no branch tells what it is about"))

    @staticmethod
    def _in_condition(unit: Unit, use: Use, reported: set[object]) -> Iterator[Edit | Finding | Once | Support]:
        choice = choice_at(unit, use.start)
        number = CAUTIOUS if choice is None else choice.setting.architecture
        yield from _counted(unit, use, number)
        key: object = id(choice) if choice is not None else unit.lexemes.logical_line_end(use.start)
        if key in reported:
            return
        reported.add(key)  # once a section
        if choice is None or (number == CAUTIOUS and not choice.avoided and not choice.taken):
            yield _undecided(unit, use, "what it is compared with is not known here")
        elif choice.loses:
            yield from lost(unit, use, "HIP401", choice)


def _counted(unit: Unit, use: Use, number: int) -> Iterator[Edit | Support]:
    """What is put around HIP's macro, which is renamed by itself: 0 for the host, and a number for the device."""
    before, behind = b"(", b" * %d)" % number
    if unit.options.dual and unit.lexemes.in_condition(use.start):
        before, behind = b"(defined(", b") ? %d : %s)" % (number, ARCHITECTURE)
    elif unit.options.dual and unit.options.support:
        before, behind = b"%s(%s, %s" % (EITHER, ARCHITECTURE, before), behind + b")"
        yield Support("either")
    yield Edit(use.start, use.start, before)
    yield Edit(use.end, use.end, behind)


def _undecided(unit: Unit, use: Use, why: str) -> Finding:
    return unit.finding(
        "HIP401", use.start, name=use.row.name, library=use.row.library, target=str(CAUTIOUS), detail=why
    )


def _is_handed_on(unit: Unit, use: Use) -> bool:
    """An argument among others, such as of a message: nothing is decided by it."""
    data = unit.source.data
    before, behind = unit.lexemes.before(use.start), unit.lexemes.after(use.end)
    return data[before : before + 1] == b"," and data[behind : behind + 1] in (b",", b")")
