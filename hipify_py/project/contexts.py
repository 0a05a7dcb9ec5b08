"""What each file of a run is told of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.core.project_context import NO_PROJECT, ProjectContext

_NONE: Mapping[str, ProjectContext] = {}


class ContextMap(NamedTuple):
    """The contexts of a project's files.

    Attributes:
        common: what holds for all files, and is all that most are told.
        by_path: the contexts of the files that others say more of.
    """

    common: ProjectContext = NO_PROJECT
    by_path: Mapping[str, ProjectContext] = _NONE

    def of(self, path: str) -> ProjectContext:
        """The context of one file."""
        return self.by_path.get(path, self.common)


NO_CONTEXTS = ContextMap()
