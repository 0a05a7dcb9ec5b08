"""The contexts of a run's files: what each file knows about the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.core.project_context import NO_PROJECT, ProjectContext

_NONE: Mapping[str, ProjectContext] = {}


class ContextMap(NamedTuple):
    """The contexts of a project's files.

    Attributes:
        common: the context shared by all files; most files have no other.
        by_path: the contexts of the files for which other files declare more.
    """

    common: ProjectContext = NO_PROJECT
    by_path: Mapping[str, ProjectContext] = _NONE

    def of(self, path: str) -> ProjectContext:
        """The context of one file."""
        return self.by_path.get(path, self.common)


NO_CONTEXTS = ContextMap()
