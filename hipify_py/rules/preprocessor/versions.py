"""Reports CUDA's version macros where they stand for numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit

_COMPARISON = re.compile(rb"\s*(?:[<>]=?|[=!]=|/|%|\*|-)\s*[\w(]")
_DEFINEDNESS = frozenset({b"defined", b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef"})
_ARCHITECTURE = "__CUDA_ARCH__"
_VERSIONS = frozenset({"CUDA_VERSION", "CUDART_VERSION", "__CUDART_API_VERSION", "CUB_VERSION"})


class VersionComparisons(Rule):
    """`#if CUDA_VERSION >= 11000` asks for a feature; HIP's version numbers answer another question."""

    id = "HIP402"
    VALID = (Example("#if MY_VERSION >= 3\n#endif\n"),)
    INVALID = (
        Example("#if __CUDA_ARCH__ >= 700\n#endif\n", "#if __HIP_DEVICE_COMPILE__ >= 700\n#endif\n", ("HIP401",)),
        Example("#if CUDART_VERSION >= 11000\n#endif\n", "#if HIP_VERSION >= 11000\n#endif\n", ("HIP402",)),
        Example("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for use in unit.uses:
            name = use.row.name
            if name != _ARCHITECTURE and name not in _VERSIONS:
                continue
            if name == _ARCHITECTURE:
                if _COMPARISON.match(unit.source.data, use.end) is not None:
                    yield unit.finding("HIP401", use.start, name=name, library=use.row.library)
            elif unit.lexemes.word_before(use.start) not in _DEFINEDNESS and not _in_defined(unit, use.start):
                yield unit.finding("HIP402", use.start, name=name, library=use.row.library)


def _in_defined(unit: Unit, offset: int) -> bool:
    """`defined(CUDA_VERSION)`"""
    place = unit.lexemes.before(offset)
    return unit.source.data[place : place + 1] == b"(" and unit.lexemes.word_before(place) == b"defined"
