"""Compiles the tables of `mappings/ptx`; only called for a stale cache.

A row's `ptx` is an opcode and its operands: `ld.global[.nc].{type} d, [a]`. In the opcode `[x]` is optional, and
`{set}` is one of a set of the table's (or of the common ones), `{u32|s32}` one of these, `{name:set}` a choice with
a name; one without is the instruction's type. `[name=set]` is an optional choice. An operand is a letter, with a type
after a colon where it is not the opcode's own: `d`, `p` and `q` are results, `[a]` an address, `{a}` a vector, `d|p`
two results. The types `bits` and `wide` are the instruction's without a sign, and twice as wide.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hipify_py.catalog.loading import read_document
from hipify_py.catalog.model import TableError

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
