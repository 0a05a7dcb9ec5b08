"""Macros that sources set for the headers of either vendor."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_lines
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.switches import switches


class BothSwitches(Rule):
    """With `--dual`, `#undef __CUDA_NO_HALF_OPERATORS__` gets a line for HIP's headers beside it.

    Such a macro controls what the headers after it declare. CUDA's headers read one name and HIP's another, so a
    source for both sets both.
    """

    id = "both-switches"
    triggers = facts(Fact.DUAL)
    dual = True
    VALID = (
        Example("#undef __HIP_NO_HALF_OPERATORS__\n#undef __CUDA_NO_HALF_OPERATORS__\n"),
        Example("#define __CUDA_ARCH__ 700\n"),
    )
    INVALID = (
        Example(
            "#undef __CUDA_NO_HALF_OPERATORS__\n",
            "#undef __HIP_NO_HALF_OPERATORS__\n#undef __CUDA_NO_HALF_OPERATORS__\n",
        ),
        Example(
            "#define __CUDA_NO_HALF_CONVERSIONS__ 1 // mine\n",
            "#define __HIP_NO_HALF_CONVERSIONS__ 1 // mine\n#define __CUDA_NO_HALF_CONVERSIONS__ 1 // mine\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if not unit.options.dual or unit.catalog.switches.keys().isdisjoint(unit.lexemes.words):
            return
        lexemes, data = unit.lexemes, unit.source.data
        for directive, row in switches(unit):
            if not row.hip or row.hip.encode() in lexemes.words:
                continue
            hip = row.hip.encode()
            line = b"#undef " + hip
            if directive not in lexemes.undefs:
                line = b"#define " + hip + data[directive.end : lexemes.logical_line_end(directive.start)].rstrip()
            yield added_lines(unit, lexemes.logical_line_start(directive.start), line)
