"""Where the includes of a project's sources lead, if that is certain: their beginnings can be precompiled then."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hipify_py.clang.openings import FOREIGN


class Places:
    """The places of a project's files."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._paths = {*map(os.path.abspath, paths)}
        for path in self._paths:
            self._by_name.setdefault(os.path.basename(path), []).append(path)

    def leads(self, path: str, name: str, is_quoted: bool) -> str | None:
        """Where an include in a file leads: to a file of the project, out of it, or None if unknown."""
        if is_quoted and os.path.exists(beside := os.path.join(os.path.dirname(path), name)):
            return place if (place := os.path.normpath(beside)) in self._paths else None
        ending = os.sep + os.path.normpath(name)
        ends = [path for path in self._by_name.get(os.path.basename(name), ()) if path.endswith(ending)]
        if not ends:
            return FOREIGN
        return ends[0] if len(ends) == 1 else None
