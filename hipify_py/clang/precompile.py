"""Leaves a parsed unit as a precompiled header. Runs in the child process."""

from __future__ import annotations

import os
from typing import Any


def answer(unit: Any, details: Any) -> bool:
    """Save the unit to the file `target` of the details; False where libclang cannot."""
    from clang.cindex import TranslationUnitSaveError

    try:
        unit.save(os.fsencode(details["target"]))
    except TranslationUnitSaveError:
        return False
    return True
