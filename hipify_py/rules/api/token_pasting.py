"""Renames the prefixes of pasted names, and reports API names that the preprocessor pastes together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.decisions import keeps_32
from hipify_py.analysis.warp.pasted_built_ins import pasted_built_ins
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.translation import CONVERTED, Reference
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import texts
from hipify_py.semantics.token_pasting import PastedPrefixes, Prefix, find_prefixes


class PastedNames(Rule):
    """No mapping table can contain `CUBLAS_STATUS_##x`: only the uses of the macro show which names it forms.

    The beginning becomes HIP's if most names in the tables keep the rest, and so does the text that the same source
    pastes after it. If HIP has another name or another call for it, hipify-py reports the use; check uses in other
    files by hand. A beginning that belongs to the user (`cuda_##name`) does not belong to a library.

    The beginning of a warp operation becomes that of the support header, which keeps 32 lanes.

    If a use forms one of the source's own names, or a name that is in no table, the beginning stays and is reported.
    An argument stays too if the macro uses it for more than the end of such names (`my_##f`, `#f`).
    """

    id = "HIP110"
    triggers = texts("##")
    VALID = (
        Example("#define KERNEL(n) my_##n##_kernel\nint cudaX;"),
        Example("#define CALL(f) hip##f\nvoid g(void *p) { CALL(Free(p)); }"),
    )
    INVALID = (
        Example(
            "#define CALL(f) cuda##f\nvoid g(void *p) { CALL(Free(p)); cudaFree(p); }",
            "#define CALL(f) hip##f\nvoid g(void *p) { CALL(Free(p)); hipFree(p); }",
        ),
        Example(
            "#define CASE(x) case CUBLAS_STATUS_##x: return #x\n",
            "#define CASE(x) case HIPBLAS_STATUS_##x: return #x\n",
            ("HIP110",),
        ),
        Example(
            "#define SHUFFLE(how, v) __shfl_##how##_sync(0xffffffff, v, 1)\n",
            '#include "hipify_support.hpp"\n'
            "#define SHUFFLE(how, v) hipify::warp32::shfl_##how##_sync(0xffffffff, v, 1)\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference | Support]:
        pasted = {piece.start: piece for piece in pasted_built_ins(unit)}
        for piece in pasted.values():
            if keeps_32(unit, piece.start) and unit.options.support:
                yield Edit(piece.start, piece.end, b"hipify::warp32::")
                yield Support("warp32")
            else:
                yield _finding(unit, piece.start, f"{piece.text.decode()}##", "device", "which no mapping table covers")
        libraries = {place: library for place, library in unit.analysis(find_prefixes).items() if place not in pasted}
        if not libraries:
            return
        found = PastedPrefixes(unit, libraries)
        for place, library in libraries.items():
            name = _word(unit, place)
            prefix = found.prefixes.get(place, Prefix(name, name, "which no mapping table covers"))
            if prefix.hip != name:
                yield Edit(place, place + len(name), prefix.hip.encode())
            if prefix.detail:
                yield _finding(unit, place, f"{name}##", library, prefix.detail)
        for use in found.uses:
            if use.hip is None:
                yield _finding(unit, use.start, use.name, use.library, use.detail)
            elif use.row is not None:
                yield Edit(use.start, use.end, use.hip.encode())
                yield Reference(use.start, use.row.name, use.row.library, use.row.kind, CONVERTED)


def _word(unit: Unit, place: int) -> str:
    match = re.compile(rb"\w+").match(unit.source.data, place)
    return "" if match is None else match[0].decode()


def _finding(unit: Unit, place: int, name: str, library: str, detail: str) -> Finding:
    return unit.finding("HIP110", place, name=name, library=library, detail=detail)
