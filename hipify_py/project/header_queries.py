"""Answers all questions about the classes and namespaces of headers, so that the same processes read them."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.query_cache import QueryCache
from hipify_py.project.source_store import SourceStore
from hipify_py.translator.translate import lexer


def header_query_cache(texts: SourceStore) -> QueryCache:
    """The cache of answers of a run's headers, which depend on no options; the caller closes it."""
    facts = texts.facts or FileFacts()
    return QueryCache(
        DEFAULT_OPTIONS, facts, texts.read, _unresolved, texts.jobs, faults=texts.faults, are_asked_once=True
    )


def _unresolved(data: bytes, path: str, project: ProjectContext, _: Unit | None) -> Unit:
    """A header as a unit without resolved names; it is read again for each question."""
    catalog = load_catalog()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project)
