"""Leaves a parsed unit as a precompiled header. Runs in the child process."""

from __future__ import annotations

import os
import re
from typing import Any

from hipify_py.clang.messages import header_missed

_TWICE = re.compile(r"redefinition|redeclar|conflicting types|previously declared")


def answer(unit: Any, details: Any) -> dict[str, Any] | None:
    """Save the unit to the file `target` of the details; None where libclang cannot.

    Returns `files`, those that were read but for the main one and other precompiled headers, and `repeats`: what the
    unit includes may be included again. Where it may not, nothing is saved. `missing` are headers that are not there.
    """
    from clang.cindex import TranslationUnitSaveError

    files = dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes())
    errors = [diagnostic.spelling for diagnostic in unit.diagnostics if diagnostic.severity >= diagnostic.Error]
    missing = dict.fromkeys(filter(None, map(header_missed, errors)))
    repeats = not any(map(_TWICE.search, errors))
    try:
        if repeats:
            unit.save(os.fsencode(details["target"]))
    except TranslationUnitSaveError:
        return None
    return {"files": [file for file in files if not file.endswith(".pch")], "repeats": repeats, "missing": [*missing]}
