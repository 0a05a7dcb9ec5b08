"""The bytecode of all modules that a check of one file needs, kept in one file beside Python's own.

A check imports more than a hundred modules; opening, reading and unpacking each one takes longer than translating the
file. A module is loaded from here only while the size and modification time of its source are unchanged, as Python
does; all others are left to Python.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader
from collections.abc import Sequence
from types import CodeType, ModuleType

from hipify_py import patterns
from hipify_py.cache_files import map_file, write_file

_Stamp = tuple[int, int]
"""The size and the time of change of a file."""
_Entry = tuple[str, str, bool, _Stamp, bytes]
"""Of a module: its file, where Python keeps its code, whether it is a package, the file's stamp, the code packed."""

_FORMAT = 3
"""Of the file; one more when its layout changes."""

_TOLERATED = 0.25
"""The share of modules loaded from elsewhere that is accepted: another source may need a few other rules."""


class KeptLoader(SourceFileLoader):
    """Loads a module as Python does, with code that is there already, and unpacked only now: many need not be."""

    def __init__(self, name: str, path: str, packed: bytes) -> None:
        super().__init__(name, path)
        self._packed = packed

    def get_code(self, fullname: str) -> CodeType:
        """The module's code."""
        code: CodeType = marshal.loads(self._packed)  # of a file that is the user's own, and whole  # nosec B302
        return code


class KeptModules:
    """Comes before all other finders, and knows the modules of one package that an earlier check has imported."""

    def __init__(self, package: ModuleType) -> None:
        """No module is known where nothing is kept, where it is damaged, or where another Python wrote it."""
        spec = package.__spec__
        assert spec is not None
        assert spec.cached is not None
        self._below = f"{package.__name__}."
        self._key = (_FORMAT, sys.version, spec.origin)
        folder, name = os.path.split(spec.cached)
        self._path = os.path.join(folder, name.replace("__init__", "check").removesuffix(".pyc") + ".bin")
        self._entries: dict[str, _Entry] = {}
        body = map_file(self._path)
        if body is not None:
            key, *kept = marshal.loads(body)  # the user's own, and whole  # nosec B302
            if key == self._key:
                self._entries, programs = kept
                patterns.known_programs.update(programs)
        self._is_current = True
        """No module that was asked for has changed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is, and its code; None for one that is not kept, or whose source has changed."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        file, cached, is_package, stamp, packed = entry
        if _stamp(file) != stamp:
            self._is_current = False
            return None
        spec = ModuleSpec(name, KeptLoader(name, file, packed), origin=file, is_package=is_package)
        spec.has_location = True
        spec.cached = cached
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(file))
        return spec

    def keep(self) -> None:
        """Write the modules imported so far, if one that was known has changed, or many were not known."""
        imported = {name: module for name, module in sys.modules.items() if name.startswith(self._below)}
        others = sum(not isinstance(module.__loader__, KeptLoader) for module in imported.values())
        if self._is_current and others <= len(self._entries) * _TOLERATED:
            return
        if sys.dont_write_bytecode or not os.access(os.path.dirname(self._path), os.W_OK):
            return
        from hipify_py.cli.pattern_programs import program_of

        found = {name: self._entry(name, module) for name, module in imported.items()}
        entries = {**self._entries, **{name: entry for name, entry in found.items() if entry is not None}}
        made = {expression: program_of(expression) for expression in patterns.used_expressions}
        programs = {expression: program for expression, program in made.items() if program is not None}
        import contextlib

        body = marshal.dumps((self._key, entries, {**patterns.known_programs, **programs}))
        with contextlib.suppress(OSError):  # the next check does without, too
            write_file(self._path, body)

    def _entry(self, name: str, module: ModuleType) -> _Entry | None:
        spec, loader = module.__spec__, module.__loader__
        if isinstance(loader, KeptLoader):
            return self._entries[name]
        if spec is None or spec.origin is None or spec.cached is None or not isinstance(loader, SourceFileLoader):
            return None
        stamp = _stamp(spec.origin)
        code = loader.get_code(name)  # the stamp was taken first: a source that changes now gets another one
        if stamp is None or code is None:
            return None
        return spec.origin, spec.cached, spec.submodule_search_locations is not None, stamp, marshal.dumps(code)


def _stamp(file: str) -> _Stamp | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def recall_modules(package: ModuleType) -> KeptModules | None:
    """Take the package's modules from what is kept of them, where they are files of their own."""
    if type(package.__loader__) is not SourceFileLoader or package.__spec__ is None or package.__spec__.cached is None:
        return None
    found = KeptModules(package)
    sys.meta_path.insert(0, found)
    return found
