"""Asks a compiler's view of the source where the source alone leaves doubt, and notes the doubt.

Only what is positively known changes a decision. A doubt that nobody answers is decided by the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.evidence import CUDA, NAME, OWN, PARAMETER, TYPE, Answers, Doubt, Named, Typed
from hipify_py.core.unit import Unit
from hipify_py.frontend.lexer import Name

if TYPE_CHECKING:
    from tree_sitter import Node


def is_of_api(unit: Unit, name: Name, *, otherwise: bool) -> bool:
    """A name that the source declares as well means the API's here; `otherwise` is what the source alone says.

    What stands at file level is left to the source: a project's own stub of a function is translated with its uses.
    """
    named = _named(unit, name.start, name.end)
    if named is None or (named.whose == OWN and (not named.scope or _is_copied_header(unit, named))):
        return otherwise
    return named.whose == CUDA or (named.whose != OWN and otherwise)


def is_of_project(unit: Unit, name: Name) -> bool:
    """A name that no table has is declared by a file of the project's, whatever it looks like."""
    named = _named(unit, name.start, name.end)
    return named is not None and named.whose == OWN and not _is_copied_header(unit, named)


def api_owner(unit: Unit, start: int, end: int) -> bytes | None:
    """The API's type whose member a name is; None where it is not known to be one's."""
    named = _named(unit, start, end)
    return named.scope.encode() if named is not None and named.whose == CUDA and named.scope else None


def is_elsewhere(unit: Unit, start: int, end: int) -> bool:
    """A member that is called like one of the API's is known to be another type's."""
    named = _named(unit, start, end)
    return named is not None and named.whose != CUDA and not _is_copied_header(unit, named)


def types_at(unit: Unit, node: Node) -> tuple[Typed, ...]:
    """The types of an expression or of a declared name, one for each instantiation; none where they are not known."""
    doubt = Doubt(node.start_byte, node.end_byte, TYPE)
    return _answers(unit).types(doubt.start, doubt.end) if _note(unit, doubt) else ()


def declared_parameters(unit: Unit, function: Node, position: int) -> tuple[Typed, ...]:
    """The types that a function is declared with for a parameter; none where they are not known."""
    doubt = Doubt(function.start_byte, function.end_byte, PARAMETER, position)
    return _answers(unit).parameters(doubt.start, doubt.end, position) if _note(unit, doubt) else ()


def _named(unit: Unit, start: int, end: int) -> Named | None:
    return _answers(unit).name(start, end) if _note(unit, Doubt(start, end, NAME)) else None


def _note(unit: Unit, doubt: Doubt) -> bool:
    """Note a doubt; False in the body of a macro, of which a compiler sees nothing where it stands."""
    if unit.lexemes.define_around(doubt.start) is not None:
        return False
    unit.doubts.add(doubt)
    return True


def _answers(unit: Unit) -> Answers:
    return unit.analysis(_made)


def _made(unit: Unit) -> Answers:
    return Answers(unit.project.evidence)


def _is_copied_header(unit: Unit, named: Named) -> bool:
    """The file that declares it is called like one of CUDA's headers: a copy of that in the project."""
    row = unit.catalog.row(named.file.encode("utf-8", "surrogateescape"))
    return row is not None and row.kind == "header"
