"""The contents of a mapping table: rows and families."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

KINDS = {
    "headers": "header",
    "namespaces": "namespace",
    "functions": "function",
    "device_functions": "device function",
    "types": "type",
    "enumerators": "enumerator",
    "macros": "macro",
    "variables": "variable",
}
"""A table's sections in order, and the kind of symbol of each (except for `members`)."""


_EDITS = ("args", "insert", "order", "by_arity", "by_type", "recall")


class TableError(ValueError):
    """A mapping table is wrong; the message begins with its file and, where known, the line."""


class Row:
    """One CUDA symbol and its HIP counterpart.

    `hip` is the HIP name, equal to `name` where the symbol is native, or None where there is none.
    The other fields are those of `mappings/schema.json`.
    """

    __slots__ = ("details", "hip", "kind", "library", "name")

    def __init__(self, name: str, library: str, kind: str, hip: str | None, details: Mapping[str, Any]) -> None:
        self.name = name
        self.library = library
        self.kind = kind
        self.hip = hip
        self.details = details

    @property
    def becomes(self) -> str:
        """What replaces the symbol, in a finding's words."""
        return f"becomes {self.hip}" if self.hip else "is left out"

    @property
    def is_native(self) -> bool:
        """Whether the name is valid in HIP unchanged."""
        return self.hip == self.name

    @property
    def is_unsupported(self) -> bool:
        """Whether there is no HIP counterpart (a dropped header counts as converted: HIP needs none)."""
        return self.hip is None and not self.details.get("drop")

    @property
    def is_standard(self) -> bool:
        """Whether it is also a name of the C or C++ standard library, hence not a CUDA reference."""
        return bool(self.details.get("standard"))

    @property
    def edits_arguments(self) -> bool:
        """Whether a call of this function needs more than the rename."""
        if not self.details:
            return False
        support, warp32 = self.details.get("support", ()), self.details.get("warp32", ())
        return any(key in self.details or key in support or key in warp32 for key in _EDITS)

    @property
    def section(self) -> str:
        """The section of the support header that has `hip`; empty for what HIP has itself."""
        return str(self.details.get("section", ""))

    @property
    def tag(self) -> str:
        """What follows `struct`, `enum` or `union` where `hip` is a typedef; empty where `hip` itself may follow."""
        return str(self.details.get("tag", ""))

    @property
    def has_forms(self) -> bool:
        """Whether the row depends on a call's arguments."""
        return "by_arity" in self.details or "by_type" in self.details

    @property
    def advice(self) -> str:
        return str(self.details.get("advice", ""))

    @property
    def differs(self) -> str:
        """How the HIP function's arguments differ, where no edit of the tables makes them right."""
        return str(self.details.get("differs", ""))

    @property
    def later(self) -> tuple[str, str] | None:
        """The ROCm from which on there is a HIP counterpart, and its name; None where no later ROCm has one."""
        form = self.details.get("later")
        return (form["rocm"], form["hip"]) if form else None

    @property
    def remedy(self) -> str:
        """The advice as messages append it: after a colon, or nothing."""
        return f": {self.advice}" if self.advice else ""

    @property
    def fails(self) -> bool:
        """Whether the HIP function compiles, but returns an error on AMD GPUs; the note says which."""
        return bool(self.details.get("fails"))

    @property
    def note(self) -> str:
        """What differs although the symbol is mapped."""
        return str(self.details.get("note", ""))


class Family(NamedTuple):
    """Every name with this prefix, or every header with this path prefix, that is in no table."""

    prefix: str
    library: str
    is_header: bool
    advice: str
