"""The tables of `mappings/ptx`, compiled and looked up."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any, NamedTuple

from hipify_py.catalog.cache import cached_image, stamps_of
from hipify_py.catalog.places import mappings_dir
from hipify_py.ptx.instructions import Instruction
from hipify_py.ptx.modifiers import sort_modifiers
from hipify_py.ptx.operands import Address, Immediate, Pair, Value, Vector
from hipify_py.ptx.types import CPP, bits, number

_FORMAT = 1
_ALL_BITS = 0xFFFFFFFF
_WIDE = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


class Row(NamedTuple):
    """One entry: what it matches, and its replacement.

    Attributes:
        ptx: the entry as written in its table, for messages and tests.
        pattern: a regular expression for the opcode, with its choices as named groups.
        operands: name, kind (`""`, `[`, `{` or `|`) and type (a PTX type, a group's name or `""`) of each operand.
        hip: the expression or statement that replaces it; by result where there are several.
        fields: `needs` (a section of the support header), `note`, `finding`, `detail`, `compute`, `when`.
        family: the table's name.
    """

    ptx: str
    pattern: str
    operands: tuple[tuple[str, str, str], ...]
    hip: str | dict[str, str]
    fields: dict[str, Any]
    family: str


class Match(NamedTuple):
    """A row that an instruction matches, with the bindings of its names."""

    row: Row
    groups: dict[str, str]
    values: dict[str, Value]
    types: dict[str, str]


class SpecialRegister(NamedTuple):
    """The replacement of a special register: its PTX type, its HIP expression, and a section, note or finding."""

    type: str
    hip: str
    fields: dict[str, Any]


class PtxCatalog:
    """All rows by the first word of their opcode."""

    def __init__(self, image: dict[str, Any]) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = image["rows"]
        self._registers: dict[str, tuple[str, str, dict[str, Any]]] = image["registers"]

    def has_mnemonic(self, opcode: str) -> bool:
        """Whether the opcode's first word is one of PTX's (though the whole opcode may be in no table)."""
        return opcode.partition(".")[0] in self._rows

    def rows(self) -> list[Row]:
        """Every row, in the order of the tables."""
        return [Row(*packed) for rows in self._rows.values() for packed in rows]

    def registers(self) -> dict[str, SpecialRegister]:
        """Every special register by name."""
        return {name: SpecialRegister(*entry) for name, entry in self._registers.items()}

    def register(self, name: str) -> SpecialRegister | None:
        """A special register by name (`laneid`, `tid.x`); None for one that no table has."""
        entry = self._registers.get(name)
        return None if entry is None else SpecialRegister(*entry)

    def finding(self, opcode: str) -> tuple[str, str] | None:
        """The finding and its detail of an opcode that has no counterpart; None for any other."""
        for packed in self._rows.get(opcode.partition(".")[0], ()):
            row = Row(*packed)
            if "finding" in row.fields and _compile_pattern(row.pattern).fullmatch(opcode):
                return str(row.fields["finding"]), str(row.fields.get("detail", ""))
        return None

    def find(self, instruction: Instruction, *, is_volatile: bool) -> Match | None:
        """The first row that fits an instruction of an `asm` or `asm volatile`, and the form of its operands."""
        found = self._find(instruction, is_volatile=is_volatile)
        if found is None and (ordered := sort_modifiers(instruction.opcode)) != instruction.opcode:
            found = self._find(instruction._replace(opcode=ordered), is_volatile=is_volatile)
        return found

    def _find(self, instruction: Instruction, *, is_volatile: bool) -> Match | None:
        for packed in self._rows.get(instruction.opcode.partition(".")[0], ()):
            row = Row(*packed)
            found = _compile_pattern(row.pattern).fullmatch(instruction.opcode)
            if found is None or ("volatile" in row.fields and not is_volatile):
                continue
            groups = {name: text or "" for name, text in found.groupdict().items()}
            if "finding" in row.fields:
                return Match(row, groups, {}, {})
            values = _bind_operands(row, instruction.operands)
            if values is not None and _holds(row, values):
                return Match(row, groups, values, types_of(row, groups))
        return None


def load_ptx_catalog() -> PtxCatalog:
    """The shipped tables, loaded once per process and from the cache where that is up to date.

    Raises:
        TableError: a table is wrong.
    """
    return _load(mappings_dir())


@cache
def _load(folder: str) -> PtxCatalog:
    tables = os.path.join(folder, "ptx")

    def compiled() -> dict[str, Any]:
        from hipify_py.ptx.tables import compile_tables

        return compile_tables(tables)

    return PtxCatalog(cached_image("ptx", (_FORMAT, folder), stamps_of(tables), compiled))


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _bind_operands(row: Row, operands: tuple[Value, ...]) -> dict[str, Value] | None:
    """The operands by their names in the row; None where they have another form."""
    bound: dict[str, Value] = {}
    places = [name for name, kind, _ in row.operands if kind != "|"]
    if len(places) != len(operands):
        return None
    at = iter(operands)
    for index, (name, kind, _) in enumerate(row.operands):
        if kind == "|":
            continue
        value = next(at)
        has_second = index + 1 < len(row.operands) and row.operands[index + 1][1] == "|"
        if has_second != isinstance(value, Pair) or (kind == "[") != isinstance(value, Address):
            return None
        if kind == "{" and not isinstance(value, Vector):
            return None
        if isinstance(value, Pair):
            bound[name], bound[row.operands[index + 1][0]] = value.first, value.second
        else:
            bound[name] = value
    return bound


def _holds(row: Row, values: dict[str, Value]) -> bool:
    """Whether the immediate operands meet the row's conditions: patterns for their 32 bits in hexadecimal."""
    for name, demanded in row.fields.get("when", {}).items():
        value = values[name]
        if not isinstance(value, Immediate):
            return False
        try:
            text = f"{number(value.text) & _ALL_BITS:x}"
        except ValueError:
            return False
        if re.fullmatch(str(demanded), text) is None:
            return False
    return True


def types_of(row: Row, groups: dict[str, str]) -> dict[str, str]:
    """The PTX type of each operand; `bits` and `wide` are derived from the instruction's own."""
    own = groups.get("type") or next((type for _, _, type in row.operands if type in CPP), "")
    suffix = row.pattern.rpartition("\\.")[2]
    made = {"bits": f"b{bits(own)}" if own else "", "wide": _WIDE.get(own or suffix, _WIDE.get(suffix, ""))}
    return {name: made.get(type) or groups.get(type) or type for name, _, type in row.operands}
