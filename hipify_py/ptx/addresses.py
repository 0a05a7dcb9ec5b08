"""Writes addresses as C++ pointers."""

from __future__ import annotations

from hipify_py.ptx.catalog import Match
from hipify_py.ptx.matching import MatchedStatement
from hipify_py.ptx.operand_storage import OperandStorage
from hipify_py.ptx.operands import Address, Argument, Atom, Immediate, Special, Vector
from hipify_py.ptx.outcome import Consequences
from hipify_py.ptx.statement import Unreadable
from hipify_py.ptx.types import CPP, bits
from hipify_py.ptx.values import Values, vector


class Addresses:
    """The addresses of a statement: 64 bits of a pointer, or a 32-bit address in shared memory."""

    def __init__(
        self, matched: MatchedStatement, places: OperandStorage, values: Values, consequences: Consequences
    ) -> None:
        self._matched = matched
        self._places = places
        self._values = values
        self._consequences = consequences

    def pointer(self, address: Address, match: Match, type: str, space: str = "") -> str:
        """An address as a pointer to what is loaded or stored there; `space` overrides the opcode's."""
        count = next((len(value.items) for value in match.values.values() if isinstance(value, Vector)), 1)
        is_vector = any(kind == "{" for _, kind, _ in match.row.operands)
        qualifier = match.row.fields.get("pointer", "")
        target = f"{qualifier} {vector(type, count) if is_vector else CPP[type]}".strip()
        base = address.base
        shift = self._shift(address)
        if space == "shared" or (not space and "shared" in match.groups.get("space", "")):
            self._consequences.needs.add("shared_address")
            return f"hipify::shared_pointer<{target}>({self._values.value(base, 'b32', by_parameter=True)}{shift})"
        if isinstance(base, Immediate | Special) or bits(self._matched.type(base)) != 64:
            raise Unreadable("an address is not a 64-bit register")
        text = self._address(base)
        if shift:
            return (
                f"({target}*)((char*){text}{shift})"
                if "const" not in target
                else f"({target}*)((const char*){text}{shift})"
            )
        return f"({target}*){text}"

    def space_pointer(self, match: Match, name: str, space: str) -> str:
        """`{shared_a}`, `{global_b}`: addresses of a copy between spaces, as untyped pointers."""
        address = match.values[name]
        if not isinstance(address, Address):
            raise Unreadable("a copy's operand is not an address")
        if space == "shared":
            base = self._values.value(address.base, "b32", by_parameter=True)
            self._consequences.needs.add("shared_address")
            return f"hipify::shared_pointer<void>({base}{self._shift(address)})"
        text = self._address(address.base)
        shift = self._shift(address)
        return f"(const char*){text}{shift}" if shift else f"(const void*){text}"

    def _shift(self, address: Address) -> str:
        offset = address.offset
        if isinstance(offset, Immediate) and offset.text.lstrip("-+0") in ("", "x0"):
            return ""
        return self._offset(offset)

    def _address(self, base: Atom) -> str:
        if isinstance(base, Argument):
            number = self._matched.number(base)
            if number in self._places.inline:
                quoted = self._places.quoted(number)
                return quoted if self._places.is_simple(number) else f"({quoted})"
        return self._values.value(base, "b64", by_parameter=False)

    def _offset(self, offset: Atom) -> str:
        if isinstance(offset, Immediate) and offset.text.startswith("-"):
            return f" - {offset.text[1:]}"
        return f" + {self._values.value(offset, 's32', by_parameter=True)}"
