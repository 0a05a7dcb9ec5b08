"""The tables as they are written: each row in its long form, with what it says of evidence and versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.catalog.loading import read_document
from hipify_py.core.rows import KINDS, TableError
from hipify_py.core.targeting import older_forms

Fields = dict[str, Any]

_DECIDE = ("args", "insert", "order", "by_arity", "by_type", "differs", "agrees")
_EVIDENCE = ("internal", "unseen_cuda", "unseen_hip")
_WORDS_OF_CPP = frozenset({"static_cast", "reinterpret_cast", "const_cast", "sizeof", "int", "float", "double", "void"})


class Entry(NamedTuple):
    """One row of a table; in `members` its name is `Struct.field`."""

    table: str
    section: str
    name: str
    fields: Fields


class Tables:
    """All tables of a folder.

    Raises:
        TableError: for a folder without tables, or a table that cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.documents = _documents(folder)
        self.entries = [entry for library in self.documents for entry in self._entries(library)]
        self.by_name = {entry.name: entry for entry in self.entries if entry.section != "members"}
        families = [family for document in self.documents.values() for family in document.get("families") or []]
        self.prefixes = tuple(str(family["prefix"]) for family in families if "prefix" in family)
        self.header_prefixes = tuple(str(family["header"]) for family in families if "header" in family)
        self._reasons = {key: {library: self._reason(library, key) for library in self.documents} for key in _EVIDENCE}

    def target(self, name: str, side: str) -> str:
        """The HIP name of a row, or its ROCm-native one; nothing where it has none."""
        entry = self.by_name.get(name)
        fields = {} if entry is None else on_side(entry.fields, side)
        return "" if fields.get("unsupported") else str(fields.get("hip") or "")

    def type_names(self, side: str, library: str = "") -> dict[str, str]:
        """What each CUDA type becomes, beside a library's header where one is named.

        On the ROCm-native side a type keeps its HIP name where the row has no other.
        """
        names = {}
        for entry in self.entries:
            if entry.section == "types":
                beside = on_side(entry.fields, side).get("by_library") or {}
                name = beside.get(library) or self.target(entry.name, side) or self.target(entry.name, "hip")
                if name:
                    names[entry.name] = name
        return names

    def excuses(self, key: str, library: str, name: str) -> bool:
        """True when a table gives a reason for a name under `evidence`."""
        pattern = self._reasons[key].get(library)
        return pattern is not None and pattern.fullmatch(name) is not None

    def _entries(self, library: str) -> Iterator[Entry]:
        document = self.documents[library]
        for section in KINDS:
            for name, row in (document.get(section) or {}).items():
                yield Entry(library, section, name, _long(row))
        for struct, rows in (document.get("members") or {}).items():
            for field, row in rows.items():
                yield Entry(library, "members", f"{struct}.{field}", _long(row))

    def _reason(self, library: str, key: str) -> re.Pattern[str] | None:
        entries = (self.documents[library].get("evidence") or {}).get(key) or []
        try:
            return re.compile("|".join(f"(?:{entry['names']})" for entry in entries)) if entries else None
        except re.error as error:
            raise TableError(f"{library}: evidence.{key}: {error}") from error


def _documents(folder: Path) -> dict[str, Fields]:
    documents = {}
    for path in sorted(folder.glob("*.yaml")):
        document = read_document(path)
        if not isinstance(document.get("library"), str):
            raise TableError(f"{path}: a table is a mapping with a `library`")
        documents[document["library"]] = document
    if not documents:
        raise TableError(f"{folder}: there are no mapping tables")
    return documents


def is_rocm_name(target: str) -> bool:
    """False for a target that no header declares: an expression, a word of the language, a compiler's built-in."""
    is_word = re.fullmatch(r"[\w:]+", target) is not None
    return is_word and not target.startswith("__builtin_") and target not in _WORDS_OF_CPP


def _long(row: Fields | str) -> Fields:
    return {"hip": row} if isinstance(row, str) else dict(row or {})


def on_side(fields: Fields, side: str) -> Fields:
    """What a row says for `--target hip`, or for `--target roc`."""
    return fields if side == "hip" else _long(fields.get("roc") or {})


def special_forms(fields: Fields) -> Iterator[Fields]:
    """The rows within a row: for so many arguments, for such a type, beside the header of such a library."""
    yield from (_long(row) for row in (fields.get("by_arity") or {}).values())
    for types in (fields.get("by_type") or {}).values():
        yield from (_long(row) for row in types.values())
    yield from (_long(name) for name in (fields.get("by_library") or {}).values())


def is_decided(fields: Fields) -> bool:
    """True when the row says what becomes of the arguments, be it only for some versions of CUDA."""
    return any(key in fields for key in _DECIDE) or any("cuda" in entry for entry in older_forms(fields))
