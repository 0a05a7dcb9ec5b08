"""Adds `<cstring>` where nvcc's implicit runtime header brought `memcpy` and its kin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.implicit import head_place
from hipify_py.source import CUDA_SUFFIXES
from hipify_py.unit import Unit

_CALL = re.compile(rb"(?<![\w.>])(?:mem(?:cpy|set|move|cmp|chr)|str(?:n?cpy|n?cmp|n?cat|r?chr|len|str|tok))\s*\(")
_BRING_IT = frozenset({"cstring", "string.h", "string", "iostream", "fstream", "sstream"})


class ImplicitString(Rule):
    """The CUDA runtime's header includes `<string.h>`; HIP's declares `memcpy` for device code only.

    Host code that leans on that finds no `memcpy`, so `<cstring>` is added to CUDA sources that call one of its
    functions and include no header that brings them.
    """

    id = "implicit-string"
    VALID = (
        Example("#include <cstring>\n#include <hip/hip_runtime.h>\nvoid f(P &p) { memcpy(&p, 0, 4); }"),
        Example("#include <hip/hip_runtime.h>\nvoid f(P &p) { p.memcpy(3); }"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.source.suffix not in CUDA_SUFFIXES or unit.headers & _BRING_IT or unit.is_hip:
            return
        calls = _CALL.finditer(unit.source.data)
        if any(unit.lexemes.skip_at(call.start()) is None for call in calls):
            place = head_place(unit)
            yield Edit(place, place, b"#include <cstring>" + unit.source.newline)
