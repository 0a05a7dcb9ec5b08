"""Names that macros of a source paste together from names of functions that are renamed."""

from __future__ import annotations

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.macro_arguments import MacroArguments, paste_context


class PastedNames:
    """The names that one source's macros make, with what they make once the functions are renamed.

    Attributes:
        made: the new names by the old ones.
        first: the offset of the first function whose name is part of another one; -1 without.
    """

    def __init__(self, unit: Unit) -> None:
        self.made: dict[bytes, bytes] = {}
        self.first = -1
        if b"##" not in unit.source.data:
            return
        for use, macro, parameter in unit.analysis(MacroArguments).arguments:
            hip = effective_row(unit, use).hip
            if hip is None or hip == use.row.name or not hip.isidentifier():
                continue
            for before, after in paste_context(unit, macro, parameter):
                name = before + use.row.name.encode() + after
                if before + after and unit.catalog.row(name) is None:
                    self.made[name] = before + hip.encode() + after
                    self.first = use.start if self.first < 0 else self.first
