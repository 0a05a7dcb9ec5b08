"""A query about one file of a project, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hipify_py.core.project_context import ProjectContext, Question


class Query(NamedTuple):
    """A question about a file: the function to call, the file's context, and further arguments."""

    question: Callable[..., Any]
    path: str
    project: ProjectContext
    details: tuple[Any, ...] = ()
    more: Mapping[str, Any] = {}


Answer = tuple[Any, dict[Question, Any]]
"""The answer, and what it asked about the names of the project's files."""
