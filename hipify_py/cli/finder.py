"""Finds the program's own modules where they must be: a file by its name below the package's folder.

Python asks each of its finders for every module, and lists each folder before it looks for a file in it; a check of one
file imports more than a hundred modules. What is not found so is left to Python.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader
from collections.abc import Sequence
from types import ModuleType


class OwnModules:
    """Comes before Python's own finders; knows the modules and packages below one package."""

    def __init__(self, package: ModuleType) -> None:
        self._below = f"{package.__name__}."

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module of the package is; None for all others."""
        if path is None or not name.startswith(self._below):
            return None
        folder = os.path.join(path[0], name.rpartition(".")[2])
        is_package = not os.path.isfile(f"{folder}.py")
        file = os.path.join(folder, "__init__.py") if is_package else f"{folder}.py"
        if is_package and not os.path.isfile(file):
            return None
        spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=is_package)
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec


def find_own_modules(package: ModuleType) -> None:
    """Look for the package's modules so from now on, where they are files of their own."""
    if type(package.__loader__) is SourceFileLoader and not any(type(each) is OwnModules for each in sys.meta_path):
        sys.meta_path.insert(0, OwnModules(package))
