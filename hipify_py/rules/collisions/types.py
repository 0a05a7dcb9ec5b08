"""Resolves a source's own names for types."""

from __future__ import annotations

import re

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.macros import macros_of

_CANONICAL = {
    "unsigned": "unsigned int",
    "uint": "unsigned int",
    "uint32_t": "unsigned int",
    "int32_t": "int",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "ulong": "unsigned long",
    "int64_t": "long",
    "unsigned long int": "unsigned long",
    "long unsigned int": "unsigned long",
    "long unsigned": "unsigned long",
    "long int": "long",
    "unsigned long long int": "unsigned long long",
    "long long unsigned int": "unsigned long long",
    "long long unsigned": "unsigned long long",
    "long long int": "long long",
    "unsigned short int": "unsigned short",
    "ushort": "unsigned short",
    "uint16_t": "unsigned short",
    "half": "__half",
    "half2": "__half2",
    "cuComplex": "float2",
    "cuFloatComplex": "float2",
    "cuDoubleComplex": "double2",
    "cufftComplex": "float2",
    "cufftDoubleComplex": "double2",
    "hipComplex": "float2",
    "hipFloatComplex": "float2",
    "hipDoubleComplex": "double2",
    "hipfftComplex": "float2",
    "hipfftDoubleComplex": "double2",
}
_ALIASES = """
(type_definition declarator: (type_identifier) @name)
(alias_declaration name: (type_identifier) @name)
"""
_PLAIN = frozenset({"type_identifier", "primitive_type", "sized_type_specifier"})
_WORDS = re.compile(rb"\w+(?:(?:\s|\\)+\w+)*")
_DEEPEST = 8  # aliases of aliases
_TYPE = re.compile(r"(const )?(.*?)([*&]*)")


def canonical(unit: Unit, type: bytes) -> str:
    """A parameter's type with its base in a canonical spelling, the source's own aliases resolved.

    Args:
        unit: the source.
        type: words, then `*` and `&`, as `Parameter.type` has them.
    """
    is_const, base, marks = _TYPE.fullmatch(type.decode(errors="replace").replace("\n", " ")).groups()  # type: ignore[union-attr]
    return (is_const or "") + base_type(unit, base) + marks


def base_type(unit: Unit, base: str) -> str:
    """The type that a name is an alias of; the name itself for any other name."""
    aliases = unit.analysis(_Aliases)
    plain = base.removeprefix("::").removeprefix("std::")
    base = plain if plain in _CANONICAL else base
    for _ in range(_DEEPEST):
        target = _CANONICAL.get(base) or aliases.resolve(base)
        if target is None:
            break
        base = target
    return base


class _Aliases:
    """The source's own typedefs and macros of one plain type; a name with two meanings keeps the first."""

    def __init__(self, unit: Unit) -> None:
        self._lexemes, self._macros = unit.lexemes, macros_of(unit)
        self._types: dict[bytes, str] = {}
        for name in unit.tree.captures(_ALIASES).get("name", ()):
            type = name.parent.child_by_field_name("type") if name.parent is not None else None
            if type is not None and type.type == "type_descriptor":
                is_plain = type.child_by_field_name("declarator") is None
                type = type.child_by_field_name("type") if is_plain else None
            if type is not None and type.type in _PLAIN:
                self._types.setdefault(text_of(name), " ".join(text_of(type).decode(errors="replace").split()))

    def resolve(self, name: str) -> str | None:
        """The target of an alias."""
        cached = self._types.get(name.encode())
        if cached is not None:
            return cached
        for macro in self._macros.named(name.encode()):
            body = self._lexemes.code(macro.start, macro.end).strip()
            if macro.parameters is None and _WORDS.fullmatch(body) is not None:
                return " ".join(body.replace(b"\\", b" ").decode(errors="replace").split())
        return None
