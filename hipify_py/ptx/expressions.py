"""Fills the text of an entry: operands for its placeholders, C++ types and words for the choices of its opcode."""

from __future__ import annotations

import re

from hipify_py.ptx.addresses import Addresses
from hipify_py.ptx.catalog import Match
from hipify_py.ptx.matching import PLACEHOLDER
from hipify_py.ptx.operand_storage import OperandStorage
from hipify_py.ptx.operands import Address, Argument, Immediate, Negated, Register, Special, Value, Vector
from hipify_py.ptx.outcome import Unconvertible
from hipify_py.ptx.statement import Unreadable
from hipify_py.ptx.types import CPP, bits, convert, cpp_cast, double_width, is_float, signed, unsigned
from hipify_py.ptx.values import Values, vector_expression

_WORDS = {
    "cmp": {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    | {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="},
    "bool": {"and": "&&", "or": "||", "xor": "!="},
    "order": {name: f"__ATOMIC_{name.upper()}" for name in ("relaxed", "acquire", "release", "acq_rel")},
    "scope": {
        "cta": "__HIP_MEMORY_SCOPE_WORKGROUP",
        "cluster": "__HIP_MEMORY_SCOPE_AGENT",
        "gpu": "__HIP_MEMORY_SCOPE_AGENT",
        "sys": "__HIP_MEMORY_SCOPE_SYSTEM",
    },
}
"""The C++ forms of the choices of those names."""


class Expressions:
    """The expressions of a statement's instructions."""

    def __init__(self, places: OperandStorage, values: Values, addresses: Addresses) -> None:
        self._places = places
        self._values = values
        self._addresses = addresses

    def fill_placeholders(self, match: Match, text: str) -> str:
        """An entry's text with its placeholders filled in."""

        def fill(found: re.Match[str]) -> str:
            mark, name = found.groups()
            if name in match.values:
                if mark == "&":
                    return self._reference(match.values[name], match.types[name])
                return self._operand(match, name, by_parameter=mark == "=")
            if name == "carry":
                return self._places.carry
            space, _, own = name.partition("_")
            if space in ("shared", "global") and own in match.values:
                return self._addresses.space_pointer(match, own, space)
            word = choice_text(name, match)
            return found[0] if word is None else word

        return PLACEHOLDER.sub(fill, text)

    def _reference(self, value: Value, type: str) -> str:
        """A variable that a function writes a result to."""
        if not isinstance(value, Register):
            raise Unconvertible("HIP201", "a second result that is not a register of the template")
        return self._places.names[value.name]

    def _operand(self, match: Match, name: str, *, by_parameter: bool) -> str:
        value, type = match.values[name], match.types[name]
        if isinstance(value, Address):
            return self._addresses.pointer(value, match, type)
        if isinstance(value, Vector):
            kind = next(kind for own, kind, _ in match.row.operands if own == name)
            if kind == "{":
                items = ", ".join(self._values.value(item, type, by_parameter=True) for item in value.items)
                return vector_expression(type, len(value.items), items)
            return self._pack(value, type)
        if isinstance(value, Negated):
            return f"!{self._values.value(value.base, type, by_parameter=False)}"
        if not isinstance(value, Argument | Register | Special | Immediate):
            raise Unreadable("an operand has an unusual form")
        return self._values.value(value, type, by_parameter=by_parameter)

    def _pack(self, value: Vector, type: str) -> str:
        """`{low, high}` as one number."""
        width = bits(type) // len(value.items)
        whole = unsigned(CPP[type]) if not is_float(type) else CPP[f"b{bits(type)}"]
        parts = []
        for at, item in enumerate(value.items):
            part = self._values.value(item, f"b{width}", by_parameter=False)
            parts.append(f"{cpp_cast(whole, part)} << {at * width}" if at else part)
        text = "(" + " | ".join(f"({part})" if "<<" in part else part for part in reversed(parts)) + ")"
        return text if not is_float(type) else convert(text, f"b{bits(type)}", type, is_exact=True, by_parameter=False)


def choice_text(name: str, match: Match) -> str | None:
    """The C++ of a placeholder that is no operand (`{T}`, `{cmp}`): a type of the opcode's, or the text of a choice.

    None where the opcode has no such choice.
    """
    type = match.groups.get("type") or next(iter(match.types.values()), "")
    cpp = CPP.get(type, "")
    words = {"T": cpp, "S": signed(cpp), "U": unsigned(cpp), "W": double_width(cpp), "bits": ""}
    if name in words and cpp:
        return str(bits(type)) if name == "bits" else words[name]
    if name.startswith("C_"):
        return CPP.get(match.groups.get(name[2:], ""))
    word = match.groups.get(name)
    return None if word is None else _WORDS.get(name, {}).get(word, word)
