"""The tables of `mappings/ptx`, compiled and looked up."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.catalog.cache import cached_image, stamps_of
from hipify_py.catalog.loading import read_document
from hipify_py.catalog.places import mappings_dir
from hipify_py.core.rows import TableError
from hipify_py.ptx.instructions import Instruction
from hipify_py.ptx.operands import Address, Immediate, Pair, Value, Vector
from hipify_py.ptx.types import CPP, bits, number

# Compiles the tables of `mappings/ptx`; only called for a stale cache.

SETS = {
    "type": "u32|s32|b32",
    "int": "u16|s16|u32|s32|u64|s64",
    "int32": "u32|s32",
    "bits": "b16|b32|b64",
    "any": "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64",
}
PART = re.compile(r"\[([^\[\]]+)\]|\{([\w|:.]+)\}|([^\[\]{}]+)")
_STEM = re.compile(r"[. \[*]")
_OPERAND = re.compile(r"([\[{]?)(\w+)[\]}]?(?::(\w+))?(?:\|(\w+)(?::(\w+))?)?")
_LAST_TYPE = re.compile(r"\.([busf](?:8|16|32|64)|pred|f16x2|bf16|bf16x2)\Z")


def compile_tables(folder: str) -> dict[str, Any]:
    """All tables of a folder as an image that `marshal` can write.

    Raises:
        TableError: a table is wrong.
    """
    rows: dict[str, list[tuple[Any, ...]]] = {}
    registers: dict[str, tuple[str, str, dict[str, Any]]] = {}
    for row, _ in read_rows(folder):
        rows.setdefault(_STEM.split(row[0], maxsplit=1)[0], []).append(row)
    for path in sorted(Path(folder).glob("*.yaml")):
        for name, entry in (read_document(path).get("registers") or {}).items():
            fields = {key: value for key, value in entry.items() if key not in ("type", "hip")}
            registers[name] = (entry.get("type", "u32"), entry.get("hip", ""), fields)
    return {"rows": rows, "registers": registers}


def read_rows(folder: str) -> Iterator[tuple[tuple[Any, ...], dict[str, str]]]:
    """The rows of all tables, each with the sets that its opcode's choices are taken from.

    Raises:
        TableError: a row is wrong.
    """
    for path in sorted(Path(folder).glob("*.yaml")):
        document = read_document(path)
        sets = SETS | document.get("sets", {})
        for entry in document.get("instructions") or []:
            yield from ((_checked_row(form, sets, path), sets) for form in _forms(entry))


def _checked_row(form: dict[str, Any], sets: dict[str, str], path: Path) -> tuple[Any, ...]:
    try:
        return _row(form, sets, path.stem)
    except (KeyError, ValueError, AttributeError) as error:
        raise TableError(f"{path}: {form.get('ptx')}: {error}") from error


def check(path: Path) -> list[str]:
    """The schema violations of a table."""
    import jsonschema

    schema = json.loads((path.parent / "schema.json").read_text(encoding="utf-8"))
    errors = jsonschema.Draft202012Validator(schema).iter_errors(read_document(path))
    return [f"{path.name}: {'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


def _forms(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """An entry for each opcode that it names: `ptx` may be a list."""
    named = entry["ptx"]
    return [{**entry, "ptx": text} for text in named] if isinstance(named, list) else [entry]


def _row(entry: dict[str, Any], sets: dict[str, str], family: str) -> tuple[Any, ...]:
    opcode, _, rest = str(entry["ptx"]).partition(" ")
    pattern, has_type = _pattern(opcode, sets)
    last = "" if has_type else (found[1] if (found := _LAST_TYPE.search(opcode)) else "")
    operands: list[tuple[str, str, str]] = []
    for text in filter(None, (part.strip() for part in rest.split(","))):
        match = _OPERAND.fullmatch(text)
        if match is None:
            raise ValueError(f"the operand {text} cannot be read")
        kind, name, type, second, second_type = match.groups()
        operands.append((name, kind, type or ("pred" if name in ("p", "q") else last or "type")))
        if second:
            operands.append((second, "|", second_type or "pred"))
    types = {type for _, _, type in operands}
    if "bits" in types and not has_type and types.isdisjoint(CPP):
        raise ValueError("the type `bits` needs a choice of types in the opcode; write the type, such as b32")
    fields = {key: value for key, value in entry.items() if key not in ("ptx", "hip")}
    return str(entry["ptx"]), pattern, tuple(operands), entry.get("hip", ""), fields, family


def _pattern(opcode: str, sets: dict[str, str]) -> tuple[str, bool]:
    """The regular expression for an opcode, and whether it has a choice called `type`."""
    if opcode.endswith("*"):
        return re.escape(opcode[:-1]) + ".*", False
    parts: list[str] = []
    has_type = False
    for optional, choice, plain in PART.findall(opcode):
        if optional:
            name, colon, alternatives = optional.partition("=")
            group, alternatives = (f"?P<{name}>", alternatives) if colon else ("?:", name)
            inner = "|".join(re.escape(text) for text in sets.get(alternatives, alternatives).split("|"))
            parts.append(f"({group}{inner})?")
        elif choice:
            name, colon, alternatives = choice.partition(":")
            if not colon:
                alternatives = name
                name = name if name in ("order", "scope") else "type"
            alternatives = sets.get(alternatives, alternatives)
            has_type = has_type or name == "type"
            parts.append(f"(?P<{name}>{'|'.join(re.escape(text) for text in alternatives.split('|'))})")
        else:
            parts.append(re.escape(plain))
    return "".join(parts), has_type


# The modifiers of an opcode in the order of the tables; the assembler accepts them in others as well.

_STEMS = frozenset({"atom", "red", "ld", "st", "vote", "cvt", "fma", "add", "sub", "mul", "min", "max"})
_ORDERS = frozenset({"relaxed", "acquire", "release", "acq_rel"})
_SCOPES = frozenset({"cta", "cluster", "gpu", "sys"})
_RANKS = (
    re.compile(r"weak|volatile|mmio|relaxed|acquire|release|acq_rel|sync|r[nzmp]i?|rna|async"),
    re.compile(r"cta|cluster|gpu|sys"),
    re.compile(r"(?:global|shared|local|const|param)(?:::\w+)?"),
    re.compile(r"nc|ftz"),
    re.compile(r"c[agsv]|lu|w[bt]|sat(?:finite)?"),
    re.compile(r"L1::\w+|relu"),
    re.compile(r"L2::evict_\w+|NaN"),
    re.compile(r"L2::cache_hint|xorsign"),
    re.compile(r"L2::\d+B|abs"),
    re.compile(r"add|inc|dec|min|max|and|or|xor|exch|cas|any|all|uni|ballot"),
    re.compile(r"noftz"),
    re.compile(r"v[248]"),
)


def sort_modifiers(opcode: str) -> str:
    """The opcode with its modifiers in the tables' order; an atomic operation's order and scope are explicit."""
    stem, *modifiers = opcode.split(".")
    if stem not in _STEMS:
        return opcode
    if stem in ("atom", "red"):
        if not _ORDERS & set(modifiers):
            modifiers.append("relaxed")
        if not _SCOPES & set(modifiers):
            modifiers.append("gpu")
    return ".".join([stem, *sorted(modifiers, key=_rank)])


def _rank(modifier: str) -> int:
    return next((rank for rank, words in enumerate(_RANKS) if words.fullmatch(modifier)), len(_RANKS))


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

    def choices(self, opcode: str) -> dict[str, str] | None:
        """The choices of an opcode by their names; None for an opcode that is not this entry's."""
        found = _compile_pattern(self.pattern).fullmatch(opcode)
        return None if found is None else {name: text or "" for name, text in found.groupdict().items()}


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

    def rows_of(self, opcode: str) -> list[Row]:
        """The rows with the opcode's first word, in the order in which they are tried."""
        return [Row(*packed) for packed in self._rows.get(opcode.partition(".")[0], ())]

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
        for row in self.rows_of(opcode):
            if "finding" in row.fields and row.choices(opcode) is not None:
                return str(row.fields["finding"]), str(row.fields.get("detail", ""))
        return None

    def find(self, instruction: Instruction, *, is_volatile: bool) -> Match | None:
        """The first row that fits an instruction of an `asm` or `asm volatile`, and the form of its operands."""
        found = self._find(instruction, is_volatile=is_volatile)
        if found is None and (ordered := sort_modifiers(instruction.opcode)) != instruction.opcode:
            found = self._find(instruction._replace(opcode=ordered), is_volatile=is_volatile)
        return found

    def _find(self, instruction: Instruction, *, is_volatile: bool) -> Match | None:
        for row in self.rows_of(instruction.opcode):
            groups = row.choices(instruction.opcode)
            if groups is None or ("volatile" in row.fields and not is_volatile):
                continue
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
