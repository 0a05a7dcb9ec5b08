"""Writes operands, registers and numbers as C++ expressions of the types that instructions read."""

from __future__ import annotations

from hipify_py.ptx.catalog import PtxCatalog
from hipify_py.ptx.matching import MatchedStatement
from hipify_py.ptx.operand_storage import OperandStorage
from hipify_py.ptx.operands import Atom, Immediate, Register, Special
from hipify_py.ptx.outcome import Consequences, Unconvertible, because
from hipify_py.ptx.statement import Unreadable
from hipify_py.ptx.types import CPP, VECTORS, bits, convert, cpp_cast, immediate, is_float, strip_parentheses


class Values:
    """The values of a statement, as expressions."""

    def __init__(
        self, matched: MatchedStatement, places: OperandStorage, catalog: PtxCatalog, consequences: Consequences
    ) -> None:
        self._matched = matched
        self._places = places
        self._catalog = catalog
        self._consequences = consequences

    def value(self, atom: Atom, type: str, *, by_parameter: bool) -> str:
        """An operand as an expression of a PTX type."""
        if isinstance(atom, Immediate):
            try:
                return immediate(atom.text, type, by_parameter=by_parameter)
            except ValueError as error:
                raise Unreadable(f"the number {atom.text} cannot be read") from error
        if isinstance(atom, Special):
            return self._special(atom, type, by_parameter=by_parameter)
        if isinstance(atom, Register):
            if atom.name == "_":
                raise Unreadable("a sink is read")
            if atom.name in self._matched.masks and bits(type) < 64:
                self._consequences.narrow.append(f"a mask in {atom.name}")
                by_parameter = False
            return self._as(
                self._places.names[atom.name], self._matched.type(atom), type, is_exact=True, by_parameter=by_parameter
            )
        number = self._matched.number(atom)
        have = self._matched.types[number]
        if have == "n":
            return self._constant(number, type, by_parameter=by_parameter)
        if number not in self._places.inline:
            return self._as(self._places.variable(number), have, type, is_exact=True, by_parameter=by_parameter)
        cpp_type = self._places.known_type(number)
        quoted = self._places.quoted(number)
        if cpp_type and cpp_type == CPP.get(type):
            return quoted if self._places.is_simple(number) else f"({quoted})"
        if have == "b64":
            return f"({CPP[type]})({quoted})" if not self._places.is_simple(number) else f"({CPP[type]}){quoted}"
        if is_float(have) and have == type:
            return quoted if by_parameter or self._places.is_simple(number) else f"({quoted})"
        return self._as(quoted, have, type, is_exact=False, by_parameter=by_parameter)

    def _constant(self, number: int, type: str, *, by_parameter: bool) -> str:
        text = self._places.quoted(number)
        if by_parameter:
            return text
        return text if self._places.known_type(number) == CPP[type] else cpp_cast(CPP[type], text)

    def _as(self, text: str, have: str, want: str, *, is_exact: bool, by_parameter: bool) -> str:
        if (have == "pred") != (want == "pred"):
            raise Unreadable("a predicate is used as a number, or vice versa")
        if have != "pred" and bits(have) < bits(want):
            raise Unreadable("an operand is narrower than its instruction")
        if want == "pred":
            return text
        return convert(text, have, want, is_exact=is_exact, by_parameter=by_parameter)

    def _special(self, atom: Special, type: str, *, by_parameter: bool) -> str:
        register = self._catalog.register(atom.name)
        if register is None:
            raise Unconvertible("HIP201", f"the special register %{atom.name}")
        if "finding" in register.fields:
            raise Unconvertible(register.fields["finding"], f"%{atom.name}{because(register.fields.get('detail', ''))}")
        if "needs" in register.fields:
            self._consequences.needs.add(register.fields["needs"])
        if "note" in register.fields:
            note = f"%{atom.name}: {register.fields['note']}"
            if note not in self._consequences.notes:
                self._consequences.notes.append(note)
        if self._matched.around.emulates_warp32 and "warp32" in register.fields:
            register = register._replace(type="u32", hip=register.fields["warp32"], fields={})
        if register.fields.get("mask") and bits(type) < 64:
            self._consequences.narrow.append(f"%{atom.name}")
        elif by_parameter:
            return strip_parentheses(register.hip)
        elif CPP[register.type] == CPP[type]:
            return register.hip
        return cpp_cast(CPP[type], register.hip)


def vector(type: str, count: int) -> str:
    """The name of HIP's vector of so many values of a PTX type; of eight, the support header's.

    Raises:
        Unconvertible: there is none.
    """
    if count == 8:
        return f"hipify::vector8<{CPP[type]}>"
    if count not in (1, 2, 4):
        raise Unconvertible("HIP201", f"a vector of {count}")
    return VECTORS[CPP[type]] + str(count)


def vector_expression(type: str, count: int, items: str) -> str:
    """An expression for a vector of these values."""
    name = vector(type, count)
    return f"{name}{{{{{items}}}}}" if count == 8 else f"make_{name}({items})"


def members(value: str, count: int) -> list[str]:
    """The parts of a vector in a variable."""
    if count == 8:
        return [f"{value}.part[{at}]" for at in range(count)]
    return [f"{value}.{member}" for member in "xyzw"[:count]]
