"""What clang has to say of a translation unit, as plain data, and which files it read. Runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_WIDE = ("LONG", "ULONG", "LONGLONG", "ULONGLONG")
SHORTENED = "-Wshorten-64-to-32"
_MISSING = re.compile(r"'([^']+)' file not found")
BUILTIN = re.compile(r"use of (?:undeclared identifier|unknown builtin) '__builtin_")
"""Headers of a newer ROCm name built-ins that an older clang lacks."""

_SEVERITIES = ("ignored", "note", "warning", "error", "error")


def answer(unit: Any, details: Any) -> dict[str, Any]:
    """The messages, with their notes, and the paths of the files that were read besides the main one.

    Each message has `severity`, `text`, `option` (such as `-Wshorten-64-to-32`), `path`, `line`, `column` and `notes`.
    A narrowing has in `reads` the variables of 64 bits that it comes from: their names, paths, lines and columns.
    """
    messages = [_message(diagnostic) for diagnostic in unit.diagnostics]
    for said, diagnostic in zip(messages, unit.diagnostics, strict=True):
        if said["option"] == SHORTENED:
            said["reads"] = [*_reads(unit, diagnostic)]
    files = dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes())
    return {"messages": messages, "files": list(files)}


def missing_header(message: Mapping[str, Any]) -> str:
    """The header that a message says is not there; empty for any other message."""
    return header_missed(message["text"]) if message["severity"] == "error" else ""


def header_missed(error: str) -> str:
    """The header that the text of an error says is not there; empty for any other error."""
    found = _MISSING.search(error)
    return "" if found is None else found[1]


def _message(diagnostic: Any) -> dict[str, Any]:
    location = diagnostic.location
    return {
        "severity": _SEVERITIES[diagnostic.severity],
        "text": diagnostic.spelling,
        "option": diagnostic.option,
        "path": location.file.name if location.file is not None else "",
        "line": location.line,
        "column": location.column,
        "notes": [_message(note) for note in diagnostic.children],
    }


def _reads(unit: Any, diagnostic: Any) -> Iterator[tuple[str, str, int, int]]:
    from clang.cindex import Cursor

    places = [diagnostic.location, *(end for span in diagnostic.ranges for end in (span.start, span.end))]
    seen = set()
    for place in places:
        cursor = Cursor.from_location(unit, place)
        for each in cursor.walk_preorder() if cursor is not None else ():
            declared = each.referenced if each.kind.is_expression() else None
            if declared is None or declared.kind.name not in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
                continue
            where = declared.location
            found = (declared.spelling, where.file.name if where.file else "", where.line, where.column)
            if found not in seen and declared.type.get_canonical().kind.name in _WIDE:
                seen.add(found)
                yield found
