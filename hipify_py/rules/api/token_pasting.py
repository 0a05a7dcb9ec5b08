"""Reports API names that the preprocessor pastes together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.pasted_built_ins import pasted_built_ins
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts
from hipify_py.unit import Unit

_PASTED = re.compile(rb"\b([A-Za-z_]\w*)\s*##(?:\s*\w+\s*##\s*(\w+))?")


class PastedNames(Rule):
    """`CUBLAS_STATUS_##x` has no name that a table could know, and no HIP name can be written for it.

    A beginning that belongs to the user (`cuda_##name`) is none of the libraries'.
    """

    id = "HIP110"
    triggers = texts("##")
    VALID = (Example("#define KERNEL(n) my_##n##_kernel\nint cudaX;"),)
    INVALID = (
        Example("#define CASE(x) case CUBLAS_STATUS_##x: return #x\n", None, ("HIP110",)),
        Example("#define CALL(t) cusparse##t##csrmv\n", None, ("HIP110",)),
        Example(
            "#define SHUFFLE(how, v) __shfl_##how##_sync(0xffffffff, v, 1)\n",
            "#define SHUFFLE(how, v) __shfl_##how##_sync(0xffffffffffffffffull, v, 1)\n",
            ("HIP110",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        pasted = {piece.place: piece for piece in pasted_built_ins(unit).pieces}
        for piece in pasted.values():
            yield unit.finding("HIP110", piece.place, name=f"{piece.text.decode()}##", library="device")
        for match in _PASTED.finditer(unit.source.data):
            if unit.lexemes.non_code_at(match.start()) is not None:
                continue
            name = match[1].decode()
            if match.start() in pasted:
                continue
            library = unit.catalog.candidate_library(name + "X") or unit.catalog.candidate_library(name + "_")
            if library is not None and not ("_" in name and name.islower()):
                yield unit.finding("HIP110", match.start(), name=f"{name}##", library=library)
