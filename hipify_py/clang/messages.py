"""What clang has to say of a translation unit, as plain data, and which files it read. Runs in the child process."""

from __future__ import annotations

from typing import Any

_SEVERITIES = ("ignored", "note", "warning", "error", "error")


def answer(unit: Any, details: Any) -> dict[str, Any]:
    """The messages, with their notes, and the paths of the files that were read besides the main one.

    Each message has `severity`, `text`, `option` (such as `-Wshorten-64-to-32`), `path`, `line`, `column` and `notes`.
    """
    messages = [_message(diagnostic) for diagnostic in unit.diagnostics]
    files = dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes())
    return {"messages": messages, "files": list(files)}


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
