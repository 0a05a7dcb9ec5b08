"""Leaves a parsed unit as a precompiled header. Runs in the child process."""

from __future__ import annotations

import os
import re
from typing import Any

_TWICE = re.compile(r"redefinition|redeclar|conflicting types|previously declared")


def answer(unit: Any, details: Any) -> dict[str, Any] | None:
    """Save the unit to the file `target` of the details; None where libclang cannot.

    Returns `files`, those that were read but for the main one and other precompiled headers, and `repeats`: what the
    unit includes may be included again. Where it may not, nothing is saved.
    """
    from clang.cindex import TranslationUnitSaveError

    files = dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes())
    repeats = not any(
        diagnostic.severity >= 3 and _TWICE.search(diagnostic.spelling) for diagnostic in unit.diagnostics
    )
    try:
        if repeats:
            unit.save(os.fsencode(details["target"]))
    except TranslationUnitSaveError:
        return None
    return {"files": [file for file in files if not file.endswith(".pch")], "repeats": repeats}
