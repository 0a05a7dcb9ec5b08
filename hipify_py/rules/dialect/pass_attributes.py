"""Macros that are attributes in the pass for GPUs only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.conditions import Branch, Section, condition, sections
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, uses, words
from hipify_py.semantics.function_heads import SIDES, SPECIFIERS
from hipify_py.semantics.macros import Macro, macros_of

_ON_DEVICE = re.compile(rb"\s*defined\s*\(?\s*__CUDA_ARCH__\s*\)?\s*")
_DEFINE = re.compile(rb"#\s*define\s+(\w+)([\w \t]*)")
_WORDS = SIDES | SPECIFIERS


class PassAttributes(Rule):
    """`#ifdef __CUDA_ARCH__` chooses whether a macro stands for `__host__ __device__`. nvcc checks the calls of device
    code in the pass for GPUs, where it does. clang checks them in the host's pass too, where it does not.

    The attributes depend on the compiler then. (cudaKDTree's `__both__` is such a macro.) A macro for `__device__` only
    stays: with nvcc the host may call what it declares, or have its own of a variable that it declares.
    """

    id = "pass-attributes"
    triggers = uses("__CUDA_ARCH__") & words("__device__") & facts(Fact.DEFINES)
    VALID = (
        Example("#ifdef __HIPCC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"),
        Example("#ifdef __HIP_DEVICE_COMPILE__\n#define N 32\n#else\n#define N 1\n#endif\n"),
    )
    INVALID = (
        Example(
            "#ifdef __CUDA_ARCH__\n# define HD __host__ __device__ // GPU\n#else\n# define HD /* none */\n#endif\n",
            "#ifdef __HIPCC__\n# define HD __host__ __device__ // GPU\n#else\n# define HD /* none */\n#endif\n",
        ),
        Example(
            "#ifdef __CUDA_ARCH__\n#define DEV __device__\n#else\n#define DEV\n#endif\n",
            "#ifdef __HIP_DEVICE_COMPILE__\n#define DEV __device__\n#else\n#define DEV\n#endif\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        if unit.options.dual:
            return
        branches = {
            section[0].start: section[0] for section in sections(unit.lexemes) if _sets_attributes(unit, section)
        }
        for use in unit.uses:
            if use.row.name == "__CUDA_ARCH__" and any(b.start < use.start < b.body for b in branches.values()):
                yield replaced(use.start, use.end, b"__HIPCC__")


def _sets_attributes(unit: Unit, section: Section) -> bool:
    """Whether a section defines macros that mean both sides in the pass for GPUs and none for the host, and no more."""
    if len(section) != 2 or _ON_DEVICE.fullmatch(condition(unit.source.data, section[0])) is None:
        return False
    device, host = (_defined(unit, branch) for branch in section)
    if device is None or host is None or device.keys() != host.keys() or any(SIDES & words for words in host.values()):
        return False
    of_macros = {name: words & SIDES for name, words in device.items() if words & SIDES}
    return bool(of_macros) and all(
        sides == SIDES or _is_part_of_both(unit, name, of_macros) for name, sides in of_macros.items()
    )


def _is_part_of_both(unit: Unit, name: bytes, sides: dict[bytes, frozenset[bytes]]) -> bool:
    """Whether a macro for one side stands only in other macros, which have the other side too."""
    around = [(place, macros_of(unit).around(place)) for place in unit.lexemes.places(name)]
    others = [macro for place, macro in around if macro is None or macro.place != place]
    return bool(others) and all(macro is not None and _sides(unit, macro, sides) == SIDES for macro in others)


def _sides(unit: Unit, macro: Macro, sides: dict[bytes, frozenset[bytes]]) -> frozenset[bytes]:
    """The sides that the macros of a body name."""
    words = unit.lexemes.code(macro.start, macro.end).split()
    return frozenset().union(*(sides.get(word, frozenset()) for word in words))


def _defined(unit: Unit, branch: Branch) -> dict[bytes, frozenset[bytes]] | None:
    """The words of each macro in a branch; None if it has anything else than macros for attributes."""
    found: dict[bytes, frozenset[bytes]] = {}
    for line in unit.lexemes.code(branch.body, branch.end).splitlines():
        match = _DEFINE.fullmatch(line.strip())
        if line.strip() and (match is None or not _WORDS.issuperset(match[2].split())):
            return None
        if match is not None:
            found[match[1]] = frozenset(match[2].split())
    return found
