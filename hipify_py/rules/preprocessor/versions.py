"""CUDA's version and architecture macros where they stand for numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit, Use

_COMPARED_BEHIND = re.compile(rb"\s*(?:[<>]=?|[=!]=|/|%|\*|-)\s*[\w(]")
_COMPARED_BEFORE = re.compile(rb"[\w)]\s*(?:[<>]=?|[=!]=)\s*\Z")
_LONGEST_HEAD = 20  # bytes
_COUNTS_AS = b"700"
# Volta: the newest architecture whose branches are built-in functions that HIP has, and seldom PTX.
_DEFINEDNESS = frozenset({b"defined", b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef"})
_ARCHITECTURE = "__CUDA_ARCH__"
_VERSIONS = frozenset({"CUDA_VERSION", "CUDART_VERSION", "__CUDART_API_VERSION", "CUB_VERSION"})


class VersionComparisons(Rule):
    """`#if CUDA_VERSION >= 11000` asks for a feature; HIP's version numbers answer another question.

    `__CUDA_ARCH__` becomes `__HIP_DEVICE_COMPILE__`, which is 1 in device code and so below every architecture.
    Where it stands for a number it counts as 700: a GPU that has atomicAdd for double, half precision and the
    `_sync` built-ins, and takes none of the branches that only PTX can fill.
    """

    id = "HIP402"
    VALID = (Example("#if MY_VERSION >= 3\n#endif\n"),)
    INVALID = (
        Example(
            "#if __CUDA_ARCH__ >= 600\n#endif\n", "#if (__HIP_DEVICE_COMPILE__ * 700) >= 600\n#endif\n", ("HIP401",)
        ),
        Example("#if CUDART_VERSION >= 11000\n#endif\n", "#if HIP_VERSION >= 11000\n#endif\n", ("HIP402",)),
        Example("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        for use in unit.uses:
            name = use.row.name
            if name != _ARCHITECTURE and name not in _VERSIONS:
                continue
            if name == _ARCHITECTURE:
                if _stands_for_a_number(unit, use):
                    yield Edit(use.start, use.start, b"(")
                    yield Edit(use.end, use.end, b" * " + _COUNTS_AS + b")")
                    yield unit.finding("HIP401", use.start, name=name, library=use.row.library)
            elif unit.lexemes.word_before(use.start) not in _DEFINEDNESS and not _in_defined(unit, use.start):
                yield unit.finding("HIP402", use.start, name=name, library=use.row.library)


def _stands_for_a_number(unit: Unit, use: Use) -> bool:
    """It is compared or computed with, on either side."""
    data = unit.source.data
    head = max(use.start - _LONGEST_HEAD, 0)
    before = _COMPARED_BEFORE.search(data, head, use.start)
    return before is not None or _COMPARED_BEHIND.match(data, use.end) is not None


def _in_defined(unit: Unit, offset: int) -> bool:
    """`defined(CUDA_VERSION)`"""
    place = unit.lexemes.before(offset)
    return unit.source.data[place : place + 1] == b"(" and unit.lexemes.word_before(place) == b"defined"
