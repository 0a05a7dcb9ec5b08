"""Leaves a parsed unit as a precompiled header. Runs in the child process."""

from __future__ import annotations

import os
from typing import Any


def answer(unit: Any, details: Any) -> list[str] | None:
    """Save the unit to the file `target` of the details; returns the files in it, None where libclang cannot."""
    from clang.cindex import TranslationUnitSaveError

    try:
        unit.save(os.fsencode(details["target"]))
    except TranslationUnitSaveError:
        return None
    return list(dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes()))
