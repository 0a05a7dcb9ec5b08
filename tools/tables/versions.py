"""Derives from the header sets what rows say of versions and numbers, as a patch over the tables.

`cuda: {added, changed, removed}` of every symbol, `rocm: {added, removed}` of every target that the bindings know,
`before` where a target had another signature below a version and another name had this one, `values` of
enumerations whose numbers differ, and `enums` of the functions that take one of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from hipify_py.core.targeting import older_forms
from tools.tables.compare import Sides, difference, parse_type
from tools.tables.cuda_versions import cuda_versions
from tools.tables.evidence import Evidence, enumerators, first_version, gone_since, version_key
from tools.tables.rows import Entry, Fields, Tables, is_rocm_name, on_side
from tools.tables.signatures import split_signature
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol

Document = dict[str, Any]


def derive(tables: Path, sets: Sequence[Surface]) -> Document:
    """The patch with all that the sets tell and the tables do not say yet.

    Raises:
        TableError: for tables that cannot be read.
    """
    read = Tables(tables)
    ours = Evidence([surface for surface in sets if surface.side == "cuda"])
    theirs = Evidence([surface for surface in sets if surface.side == "rocm"])
    patch: Document = {}
    names = read.type_names("hip")
    numbered = {entry.name for entry in read.entries if _all_values(entry)}
    for entry in read.entries:
        row: Fields = {
            **cuda_versions(entry, ours),
            **_versions(entry, read, theirs),
            **_older(entry, names, ours, theirs),
        }
        if entry.section == "types":
            row |= _numbers(entry, read, ours, theirs)
            if row.keys() & {"values", "roc"}:
                numbered.add(entry.name)
        if row:
            patch.setdefault(entry.table, {}).setdefault(entry.section, {})[entry.name] = row
    for entry in read.entries:
        row = _enums(entry, numbered, ours)
        if row:
            rows = patch.setdefault(entry.table, {}).setdefault(entry.section, {})
            rows[entry.name] = rows.get(entry.name, {}) | row
    return patch


def _versions(entry: Entry, tables: Tables, theirs: Evidence) -> Fields:
    """`rocm` of the HIP target, where the sets contradict the row or know more."""
    name = entry.fields.get("hip")
    if not name or entry.section in ("headers", "members", "namespaces") or not is_rocm_name(name):
        return {}
    if tables.excuses("unseen_hip", entry.table, name):
        return {}
    presence = theirs.presence(name)
    if len(presence) < 2 or not any(there for _, there in presence):
        return {}
    versions = dict(entry.fields.get("rocm") or {})
    was = dict(versions)
    absent, first = first_version(presence)
    if not presence[-1][1]:
        versions["removed"] = gone_since(presence)
    else:
        versions.pop("removed", None)
        claimed = version_key(str(versions.get("added", "")))
        bounds = [version_key(form["rocm"]) for form in older_forms(entry.fields) if "rocm" in form]
        if absent and max(bounds, default=()) <= version_key(absent):
            if not version_key(absent) < claimed <= version_key(first):
                versions["added"] = first
        elif not absent and claimed > version_key(first):
            versions.pop("added")
    if changed := _changed(name, theirs):
        versions["changed"] = changed
    return {} if versions == was else {"rocm": versions or None}


def _changed(name: str, theirs: Evidence) -> str:
    """The last version in which a function takes another number of arguments than before; nothing when none does.

    Types are spelled differently from one version of the bindings to the next, so that they prove nothing.
    """
    counts = [
        (surface.version, {len(split_signature(form)[1]) for form in surface.symbols[name].signatures})
        for surface in theirs.sets
        if name in surface.symbols and surface.symbols[name].library in surface.bound
    ]
    changes = [new for (_, one), (new, other) in pairwise(counts) if one and other and not one & other]
    return changes[-1] if changes else ""


def _older(entry: Entry, names: dict[str, str], ours: Evidence, theirs: Evidence) -> Fields:
    """`before` for a target whose older form differs where an older name has the form that CUDA's calls need."""
    name = entry.fields.get("hip")
    symbol = ours.symbol(entry.name)
    if not name or symbol is None or not symbol.signatures or any("rocm" in form for form in older_forms(entry.fields)):
        return {}
    bound = ""
    other = _older_name(name)
    for surface in theirs.sets:
        target, instead = surface.symbols.get(name), surface.symbols.get(other)
        fits = target is not None and not _differs(symbol, target, ours, surface, theirs, names)
        if fits and bound == "next":
            return {"before": {"rocm": surface.version, "hip": other}}
        if instead is not None and not fits and not _differs(symbol, instead, ours, surface, theirs, names):
            bound = "next"
    return {}


def _older_name(name: str) -> str:
    """The name under which a library kept a new form of a function until the old one was gone."""
    return f"{name.removesuffix('_64')}_v2_64" if name.endswith("_64") else f"{name}_v2"


def _differs(
    cuda: Symbol, hip: Symbol, ours: Evidence, surface: Surface, theirs: Evidence, names: dict[str, str]
) -> str:
    """How a form of some version differs, `const` aside: the older bindings leave it out of many pointers."""
    plain = [signature.replace("const", "") for signature in cuda.signatures]
    return difference(plain, hip.signatures, Sides(ours.symbol, theirs.symbol_within(surface), names))


def _numbers(entry: Entry, tables: Tables, ours: Evidence, theirs: Evidence) -> Fields:
    """`values` of an enumeration, on the HIP side and on the ROCm-native one."""
    row: Fields = {}
    values = _values(entry.name, "hip", tables, ours, theirs) if _has_numbers(entry.fields) else {}
    listed = entry.fields.get("values") or {}
    if any(number not in listed for number, meant in values.items() if meant):
        row["values"] = _by_number({**values, **listed})
    roc = on_side(entry.fields, "roc")
    values = _values(entry.name, "roc", tables, ours, theirs) if _has_numbers(roc) else {}
    listed = roc.get("values") or {}
    if any(number not in listed for number, meant in values.items() if meant):
        row["roc"] = {**roc, "values": _by_number({**values, **listed})}
    return row


def _has_numbers(fields: Fields) -> bool:
    """True when a type becomes one type: beside several libraries' headers it has several sets of numbers."""
    return bool(fields.get("hip")) and "by_library" not in fields


def _values(name: str, side: str, tables: Tables, ours: Evidence, theirs: Evidence) -> dict[str, str | None]:
    """CUDA's numbers that mean another number, or nothing, on the other side; empty where every number agrees."""
    meant: dict[str, str | None] = {}
    merge_evidence: set[str] = set()
    for surface in ours.sets:
        for enumerator in enumerators(surface, name):
            target = tables.target(enumerator.name, side)
            number = theirs.number(target) if target else ""
            if number == enumerator.value:
                merge_evidence.add(number)
            elif number:
                meant[enumerator.value] = f"{target}={number}"
            elif not target:
                meant.setdefault(enumerator.value, None)
    values = {number: other for number, other in meant.items() if number not in merge_evidence}
    return values if any(values.values()) else {}


def _by_number(values: dict[str, str | None]) -> dict[str, str | None]:
    return dict(sorted(values.items(), key=lambda item: int(item[0])))


def _all_values(entry: Entry) -> bool:
    return bool(entry.fields.get("values") or on_side(entry.fields, "roc").get("values"))


def _enums(entry: Entry, numbered: set[str], ours: Evidence) -> Fields:
    """`enums` of a function: the parameters that are enumerations with other numbers, where all versions agree."""
    if entry.section != "functions" or entry.fields.get("unsupported"):
        return {}
    found = [
        _positions(signature, numbered)
        for surface in ours.sets
        if (symbol := surface.symbols.get(entry.name)) is not None and symbol.kind == "function"
        for signature in symbol.signatures
        if not signature.startswith("template ")
    ]
    if not found or not found[-1] or any(other != found[-1] for other in found):
        return {}
    return {} if entry.fields.get("enums") == found[-1] else {"enums": found[-1]}


def _positions(signature: str, numbered: set[str]) -> dict[str, str]:
    positions = {}
    for place, parameter in enumerate(split_signature(signature)[1]):
        type_ = parse_type(parameter)
        if not type_.pointers and type_.core in numbered:
            positions[str(place)] = type_.core
    return positions
