"""Modules that are imported by their names, without `importlib`: it imports `warnings`, of which a check has no use."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def import_module(name: str) -> ModuleType:
    """The module of that full name."""
    __import__(name)
    return sys.modules[name]
