"""Type queries: asks clang where the source alone is ambiguous, and records the query.

Only a definite answer changes a decision. Without an answer the source decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.clang_facts import CUDA, NAME, OWN, TYPE, Answers, Named, Typed, TypeQuery
from hipify_py.frontend.lexer import Name
from hipify_py.frontend.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


def is_of_api(unit: Unit, name: Name, *, otherwise: bool) -> bool:
    """Whether a name that the source also declares means the API's here; `otherwise` is the answer by the source alone.

    Names at file level are left to the source: a project's own stub of a function is translated with its uses.
    """
    named = _named(unit, name.start, name.end)
    if named is None or (named.whose == OWN and (not named.scope or _is_copied_header(unit, named))):
        return otherwise
    return named.whose == CUDA or (named.whose != OWN and otherwise)


def is_of_project(unit: Unit, name: Name) -> bool:
    """Whether a name that no table has is declared by a file of the project, whatever it looks like."""
    named = _named(unit, name.start, name.end)
    return named is not None and named.whose == OWN and not _is_copied_header(unit, named)


def api_owner(unit: Unit, start: int, end: int) -> bytes | None:
    """The API's type that a member belongs to; None where it is not known to be one's."""
    named = _named(unit, start, end)
    return named.scope.encode() if named is not None and named.whose == CUDA and named.scope else None


def is_elsewhere(unit: Unit, start: int, end: int) -> bool:
    """Whether a member that has the name of one of the API's is known to be another type's."""
    named = _named(unit, start, end)
    return named is not None and named.whose != CUDA and not _is_copied_header(unit, named)


def types_at(unit: Unit, node: Node) -> tuple[Typed, ...]:
    """The types of an expression or of a declared name, one per instantiation; none where they are unknown."""
    doubt = TypeQuery(node.start_byte, node.end_byte, TYPE)
    return _answers(unit).types(doubt.start, doubt.end) if _record(unit, doubt) else ()


def _named(unit: Unit, start: int, end: int) -> Named | None:
    return _answers(unit).name(start, end) if _record(unit, TypeQuery(start, end, NAME)) else None


def _record(unit: Unit, doubt: TypeQuery) -> bool:
    """Record a query; False in the body of a macro, where a compiler sees nothing."""
    if unit.lexemes.define_around(doubt.start) is not None:
        return False
    unit.doubts.add(doubt)
    return True


def _answers(unit: Unit) -> Answers:
    return unit.analysis(_made)


def _made(unit: Unit) -> Answers:
    return Answers(unit.project.evidence)


def _is_copied_header(unit: Unit, named: Named) -> bool:
    """Whether the declaring file has the name of one of CUDA's headers: a copy of it in the project."""
    row = unit.catalog.row(named.file.encode("utf-8", "surrogateescape"))
    return row is not None and row.kind == "header"
