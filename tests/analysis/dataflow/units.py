"""Units to look at functions in."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.translator.translate import lexer


def unit_of(source: str, project: ProjectContext = NO_PROJECT, path: str = "a.cu") -> Unit:
    """A unit of a source, whose names are not resolved."""
    catalog = load_catalog(DEFAULT_OPTIONS.targeting)
    data = source.encode()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project)
