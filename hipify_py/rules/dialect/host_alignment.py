"""CUDA's attribute for alignment, in what the compiler of C or C++ reads."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.functions import functions_of

_NAME = "__align__"


class HostAlignment(Rule):
    """HIP's headers define `__align__` for clang only. GCC reads the types that C++ sources share with kernels.

    Outside of functions, headers and C++ sources get what the macro stands for. (gipuma's cameras are such types, and
    mcx's settings.)
    """

    id = "host-alignment"
    triggers = uses(_NAME)
    VALID = (Example("struct __align__(16) S { float x; };"),)

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.options.dual or unit.source.is_cuda or unit.lexemes.definitions(_NAME.encode()):
            return
        for use in unit.uses:
            call = call_at(unit, use.end) if use.row.name == _NAME else None
            if call is not None and functions_of(unit).at(use.start) is None:
                yield Edit(use.start, use.end, b"__attribute__((aligned")
                yield Edit(call.closing + 1, call.closing + 1, b"))")
