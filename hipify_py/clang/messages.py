"""clang's messages for a translation unit, as plain data, and the files it read. Runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SHORTENED = "-Wshorten-64-to-32"
_MISSING = re.compile(r"'([^']+)' file not found")
BUILTIN = re.compile(r"use of (?:undeclared identifier|unknown builtin) '__builtin_")
"""The message for an unknown builtin: headers of a newer ROCm use builtins that an older clang lacks."""

_SEVERITIES = ("ignored", "note", "warning", "error", "error")


def answer(unit: Any, details: Any) -> dict[str, Any]:
    """The messages, with their notes, and the paths of the files read besides the main one.

    Each message has `severity`, `text`, `option` (such as `-Wshorten-64-to-32`), `path`, `line`, `column` and `notes`.
    """
    messages = [_message(diagnostic) for diagnostic in unit.diagnostics]
    files = dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes())
    return {"messages": messages, "files": list(files)}


def missing_header(message: Mapping[str, Any]) -> str:
    """The missing header that a message names; empty for any other message."""
    return header_missed(message["text"]) if message["severity"] == "error" else ""


def header_missed(error: str) -> str:
    """The missing header that the text of an error names; empty for any other error."""
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
