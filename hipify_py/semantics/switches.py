"""Macros that a source defines, or undefines, for CUDA's headers to read: `#undef __CUDA_NO_HALF_OPERATORS__`."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.catalog import Row
from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.lexer import Define
from hipify_py.frontend.unit import Unit, Use


def switch_uses(unit: Unit) -> Iterator[Use]:
    """The directives that set one.

    A source for both vendors has them for either: there they stay, and are not uses.
    """
    return iter(()) if unit.options.dual else (Use(start, end, row) for (start, end, _), row in switches(unit))


def switches(unit: Unit) -> Iterator[tuple[Define, Row]]:
    """The directives that set one, with the rows of their macros.

    In a CUDA source, for which nvcc has included the runtime, one for the runtime's headers has no effect. What HIP has
    no
    switch for cannot be on there, so undefining it has the same effect with HIP.
    """
    kinds, lexemes = unit.catalog.switches, unit.lexemes
    for directives, is_end in ((lexemes.defines, False), (lexemes.undefs, True)):
        for directive in directives:
            kind = kinds.get(directive.text)
            if kind is None or (kind == "runtime" and unit.source.suffix in CUDA_SUFFIXES):
                continue
            row = unit.catalog.row(directive.text)
            if row is not None and not (is_end and row.is_unsupported):
                yield directive, row
