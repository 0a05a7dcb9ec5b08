"""Signatures side by side: does a call with CUDA's arguments, its types translated, compile against HIP's?

What C++ converts by itself agrees: numbers to numbers, an enumeration to a number, any pointer to a `void` pointer,
more `const`. Typedefs are followed on both sides. Everything else is a difference, told in a few words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tools.tables.signatures import split_signature
from tools.tables.symbols import Symbol

_ARITHMETIC = {
    "bool": "bool",
    "_Bool": "bool",
    "bint": "bool",
    "char": "char",
    "signed char": "signed char",
    "unsigned char": "unsigned char",
    "short": "short",
    "short int": "short",
    "unsigned short": "unsigned short",
    "int": "int",
    "signed": "int",
    "signed int": "int",
    "unsigned": "unsigned int",
    "unsigned int": "unsigned int",
    "long": "long",
    "long int": "long",
    "unsigned long": "unsigned long",
    "unsigned long int": "unsigned long",
    "long long": "long long",
    "long long int": "long long",
    "unsigned long long": "unsigned long long",
    "unsigned long long int": "unsigned long long",
    "float": "float",
    "double": "double",
    "long double": "long double",
    "size_t": "unsigned long",
    "ssize_t": "long",
    "ptrdiff_t": "long",
    "off_t": "long",
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "wchar_t": "wchar_t",
    "clock_t": "long",
    "time_t": "long",
}
_KEYWORD = re.compile(r"\b(struct|union|enum|class|volatile|__restrict(?:__)?|restrict)\b")
_LONGEST_CHAIN = 12

ANYTHING = "?"
"""Stands for an argument that fits whatever is wanted."""

Lookup = Callable[[str], Symbol | None]


class Type(NamedTuple):
    """A type taken apart: the name at its core, whether that is const, and for each pointer whether it is."""

    core: str
    const: bool = False
    pointers: tuple[bool, ...] = ()

    def pointing(self, pointers: tuple[bool, ...], const: bool) -> Type:
        """This type as the core of a declaration with these pointers."""
        if not self.pointers:
            return Type(self.core, self.const or const, pointers)
        inner = (*self.pointers[:-1], self.pointers[-1] or const)
        return Type(self.core, self.const, inner + pointers)


class Sides(NamedTuple):
    """What comparing needs to know: CUDA's and HIP's symbols, and the HIP name of a CUDA type."""

    cuda: Lookup
    hip: Lookup
    names: Mapping[str, str]


def parse_type(text: str) -> Type:
    """Take a type apart; a function pointer or a pointer to an array stays whole, as a core of its own."""
    text = _KEYWORD.sub("", text.removesuffix(" =")).replace("&", "*").replace("__hip_", "")
    if "(" in text:
        return Type(re.sub(r"\s+", " ", text).strip())
    arrays = text.count("[")
    text = re.sub(r"\[[^\]]*\]", "", text)
    head, *stars = text.split("*")
    words = head.split()
    core = " ".join(word for word in words if word != "const")
    pointers = tuple("const" in star for star in stars) + (False,) * arrays
    return Type(_ARITHMETIC.get(core, core), "const" in words, pointers)


def translated(type_: Type, sides: Sides) -> Type:
    """A CUDA type as it stands after translation, its typedefs followed on both sides."""
    for _ in range(_LONGEST_CHAIN):
        if "(" in type_.core:
            return type_._replace(core=_each_word(type_.core, lambda word: translated(Type(word), sides)))
        name = sides.names.get(type_.core)
        if name is not None:
            return resolved(parse_type(name).pointing(type_.pointers, type_.const), sides.hip)
        symbol = sides.cuda(type_.core)
        if symbol is None or _is_type(sides.hip(type_.core)):
            return resolved(type_, sides.hip)
        if not symbol.alias_of:
            return type_
        type_ = parse_type(symbol.alias_of).pointing(type_.pointers, type_.const)
    return type_


def resolved(type_: Type, lookup: Lookup) -> Type:
    """A type with its typedefs followed to the end."""
    for _ in range(_LONGEST_CHAIN):
        if "(" in type_.core:
            return type_._replace(core=_each_word(type_.core, lambda word: resolved(Type(word), lookup)))
        symbol = None if type_.core in _ARITHMETIC else lookup(type_.core)
        if symbol is None or not symbol.alias_of or symbol.alias_of == type_.core:
            return type_
        type_ = parse_type(symbol.alias_of).pointing(type_.pointers, type_.const)
    return type_


def _each_word(text: str, resolve: Callable[[str], Type]) -> str:
    """The text of a function pointer with each of its types resolved, and without spaces that mean nothing."""

    def written(match: re.Match[str]) -> str:
        type_ = resolve(match[0])
        return match[0] if match[0] == "const" else type_.core + "*" * len(type_.pointers)

    return re.sub(r"\s*([^\w\s])\s*", r"\1", re.sub(r"[A-Za-z_]\w*", written, text)).replace("(void)", "()")


def difference(cuda: Sequence[str], hip: Sequence[str], sides: Sides) -> str:
    """How the signatures differ, or nothing when each CUDA form fits one of HIP's; templates are left aside."""
    ours = [signature for signature in cuda if not signature.startswith("template ")]
    theirs = [signature for signature in hip if not signature.startswith("template ")]
    if not ours or not theirs:
        return ""
    for signature in ours:
        answers = [_differs(signature, other, sides) for other in theirs]
        if all(answers):
            return answers[0]
    return ""


def _differs(cuda: str, hip: str, sides: Sides) -> str:
    result, parameters = split_signature(cuda)
    hip_result, hip_parameters = split_signature(hip)
    needed = len([parameter for parameter in hip_parameters if not parameter.endswith(" =")])
    if "..." in parameters and "..." in hip_parameters:
        parameters, hip_parameters = parameters[:-1], hip_parameters[:-1]
    elif not needed <= len(parameters) <= len(hip_parameters):
        moved = _moved(parameters, hip_parameters, sides)
        return f"{len(parameters)} arguments, HIP takes {len(hip_parameters)}{moved}"
    told = [
        f"argument {place + 1} is {_spelled(other)}, CUDA has {_spelled(ours)}"
        for place, (ours, other) in enumerate(zip(parameters, hip_parameters, strict=False))
        if not _converts(translated(parse_type(ours), sides), resolved(parse_type(other), sides.hip), sides)
    ]
    if len(told) > 1:
        given, taken = [*map(_key(sides), parameters)], [*map(_hip_key(sides), hip_parameters)]
        if given != taken and sorted(given) == sorted(taken):
            return "the same arguments in another order"
    ours_back, theirs_back = translated(parse_type(result), sides), resolved(parse_type(hip_result), sides.hip)
    if result != "void" and not _is_status(ours_back, sides) and not _converts(theirs_back, ours_back, sides):
        told.append(f"the result is {hip_result}, CUDA has {result}")
    return "; ".join(told)


def _moved(parameters: Sequence[str], hip: Sequence[str], sides: Sides) -> str:
    """Which argument is the first that has no counterpart at its place, where the counts differ."""
    for place, (ours, other) in enumerate(zip(parameters, hip, strict=False)):
        if not _converts(translated(parse_type(ours), sides), resolved(parse_type(other), sides.hip), sides):
            return f" (the first that differs is argument {place + 1}: {_spelled(other)}, CUDA has {_spelled(ours)})"
    return ""


def _key(sides: Sides) -> Callable[[str], tuple[str, int]]:
    def key(parameter: str) -> tuple[str, int]:
        type_ = translated(parse_type(parameter), sides)
        return type_.core, len(type_.pointers)

    return key


def _hip_key(sides: Sides) -> Callable[[str], tuple[str, int]]:
    def key(parameter: str) -> tuple[str, int]:
        type_ = resolved(parse_type(parameter), sides.hip)
        return type_.core, len(type_.pointers)

    return key


def _converts(given: Type, wanted: Type, sides: Sides) -> bool:
    """True when C++ takes a value of one type for the other without a cast."""
    if given.core == ANYTHING:
        return True
    if not given.pointers and not wanted.pointers:
        if _same_core(given.core, wanted.core):
            return True
        if not _is_number(wanted.core):
            return False
        return _is_number(given.core) or _is_enum(given.core, sides)
    if not wanted.pointers:
        return False
    if len(wanted.pointers) == 1 and wanted.core == "void" and given.pointers:
        return wanted.const or not (given.pointers[-2] if len(given.pointers) > 1 else given.const)
    if len(given.pointers) != len(wanted.pointers) or not _same_core(given.core, wanted.core):
        return False
    return _adds_const(given, wanted)


def _adds_const(given: Type, wanted: Type) -> bool:
    """The rule for const below pointers: none is lost, and a new one has const at every level above it."""
    have, want = (given.const, *given.pointers[:-1]), (wanted.const, *wanted.pointers[:-1])
    for level, (mine, theirs) in enumerate(zip(have, want, strict=True)):
        if mine and not theirs:
            return False
        if theirs and not mine and not all(want[level + 1 :]):
            return False
    return True


def _same_core(one: str, other: str) -> bool:
    return one == other or one.removesuffix("_t") == other.removesuffix("_t")


def _is_number(core: str) -> bool:
    return core in _ARITHMETIC


def _is_type(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.kind == "type"


def _is_enum(core: str, sides: Sides) -> bool:
    symbol = sides.hip(core)
    return symbol is not None and symbol.value == "enum"


def _is_status(type_: Type, sides: Sides) -> bool:
    """Status codes are compared by name and by number, whatever their type is."""
    return not type_.pointers and (_is_enum(type_.core, sides) or "tatus" in type_.core or "rror" in type_.core)


def _spelled(parameter: str) -> str:
    return parameter.removesuffix(" =")
