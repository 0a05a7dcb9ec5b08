"""Answers of headers about their classes and namespaces, whatever they are asked: the same processes read them."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translator import lexer
from hipify_py.core.unit import Unit
from hipify_py.project.answers import Answers
from hipify_py.project.file_facts import FileFacts
from hipify_py.project.texts import Texts


def header_answers(texts: Texts) -> Answers:
    """The answers of a run's headers, which go by no options; to be closed."""
    facts = texts.facts or FileFacts()
    return Answers(DEFAULT_OPTIONS, facts, texts.of, _unresolved, texts.jobs, are_asked_once=True)


def _unresolved(data: bytes, path: str, project: ProjectContext, _: Unit | None) -> Unit:
    """A header as a unit whose names are not resolved; it is read anew for each question."""
    catalog = load_catalog()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project)
