"""What a source's own names for types stand for."""

from __future__ import annotations

import re
from functools import lru_cache

from hipify_py.unit import Unit

_KNOWN = {
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
_ALIAS = re.compile(
    rb"\btypedef\s+((?:\w+\s+){0,5}\w+)\s+(\w+)\s*;"
    rb"|\busing\s+(\w+)\s*=\s*(\w+(?:\s+\w+){0,5})\s*;"
    rb"|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\w+(?:[ \t]+\w+){0,5})[ \t]*$",
    re.MULTILINE,
)
_DEEPEST = 8  # aliases of aliases
_TYPE = re.compile(r"(const )?(.*?)([*&]*)")


def canonical(unit: Unit, type: bytes) -> str:
    """A parameter's type with its base spelled in one way, the source's own aliases resolved.

    Args:
        unit: the source.
        type: words, then `*` and `&`, as `Parameter.type` has them.
    """
    is_const, base, marks = _TYPE.fullmatch(type.decode(errors="replace").replace("\n", " ")).groups()  # type: ignore[union-attr]
    return (is_const or "") + base_type(unit, base) + marks


def base_type(unit: Unit, base: str) -> str:
    """The type that a name stands for; the name itself where it is no alias."""
    aliases = _aliases(unit)
    for _ in range(_DEEPEST):
        known = _KNOWN.get(base) or aliases.get(base)
        if known is None:
            break
        base = known
    return base


@lru_cache(maxsize=4)
def _aliases(unit: Unit) -> dict[str, str]:
    """The source's own typedefs and macros of one plain type; a name with two meanings keeps the first."""
    found: dict[str, str] = {}
    for match in _ALIAS.finditer(unit.source.data):
        if unit.lexemes.non_code_at(match.start()) is not None:
            continue
        type, name = (match[1], match[2]) if match[1] else (match[4], match[3]) if match[3] else (match[6], match[5])
        found.setdefault(name.decode(), " ".join(type.decode().split()))
    return found
