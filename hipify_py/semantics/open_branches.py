"""Places that no `if` is around, as brackets tell: barriers that all threads reach need no tree."""

from __future__ import annotations

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.open_statements import OpenStatements
from hipify_py.patterns import lazy
from hipify_py.unit import Unit

_PARENTHESIS = 0x29
_ELSE = lazy(rb"else\b|#")
_NEXT_STATEMENT = lazy(rb"(?!(?:else|catch)\b)\w|}|\Z")


def is_surely_in_no_branch(unit: Unit, place: int) -> bool:
    """No `if` statement goes on at a place, its `else` included; False where it cannot be told without a tree."""
    return not unit.analysis(_ifs).may_hold(place)


def _ifs(unit: Unit) -> OpenStatements:
    return OpenStatements(unit.lexemes, unit.lexemes.places(b"if"), _ends_statement)


def _ends_statement(lexemes: Lexemes, opening: int, closing: int) -> bool:
    """A semicolon ends a statement, and so does a block that stands behind a condition, or behind `else`."""
    behind = lexemes.after(closing + 1)
    if opening == closing:
        return _ELSE.match(lexemes.data, behind) is None
    is_block = lexemes.data[lexemes.before(opening)] == _PARENTHESIS or lexemes.word_before(opening) == b"else"
    return is_block and _NEXT_STATEMENT.match(lexemes.data, behind) is not None
