"""Templates that a macro's parameter is pasted into: `asm(op ".f32 %0, %1;" : "=f"(y) : "f"(x))`.

The parameter stands for an instruction, so what it becomes stands in each invocation: an expression in its place.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, trim
from hipify_py.frontend.lexer import Lexemes
from hipify_py.ptx.statement import Pasted, Statement, Unreadable, literal

_NAME = re.compile(rb"[A-Za-z_]\w*")
_MOST = 200  # invocations of one macro


class Invocation(NamedTuple):
    """A macro's use: the place `[start, end)` of the argument, and the template that it makes."""

    start: int
    end: int
    template: str


class PastedMacro(NamedTuple):
    """A macro that pastes one parameter into a template: the parameter, and all invocations in the source."""

    parameter: str
    parameters: frozenset[str]
    invocations: tuple[Invocation, ...]


def pasted_macro(lexemes: Lexemes, statement: Statement) -> PastedMacro:
    """The macro around a statement, with what its invocations make of the template.

    Raises:
        Unreadable: where the template is pasted together otherwise, or not all invocations are to be seen.
    """
    pasted = [part for part in statement.parts if isinstance(part, Pasted)]
    define = lexemes.define_around(statement.start)
    if define is None or len(pasted) != 1:
        raise Unreadable(statement.trouble)
    data, name = lexemes.data, pasted[0].name
    parameters = [word.decode("utf-8", "replace") for word in lexemes.parameters(define)]
    body = data[statement.end : lexemes.body_end(define)] + data[define.end : statement.start].partition(b")")[2]
    if name not in parameters or re.search(rb"\b%s\b" % name.encode(), body):
        raise Unreadable(statement.trouble)
    invocations: list[Invocation] = []
    for found in re.finditer(rb"(?<![\w.])%s\b" % re.escape(define.text), data):
        if lexemes.skip_at(found.start()) is not None or found.start() == define.start:
            continue
        around = lexemes.define_around(found.start())
        if around == define or (_is_directive(data, found.start()) and around is None):
            continue
        opening = lexemes.after(found.end())
        if around is not None or data[opening : opening + 1] != b"(":
            raise Unreadable(statement.trouble)
        invocations.append(_invocation(lexemes, statement, pasted[0], opening, parameters.index(name), len(parameters)))
        if len(invocations) > _MOST:
            raise Unreadable(statement.trouble)
    if not invocations:
        raise Unreadable(statement.trouble)
    return PastedMacro(name, frozenset(parameters), tuple(invocations))


def _is_directive(data: bytes, at: int) -> bool:
    """`#undef NAME` and the like."""
    return data[data.rfind(b"\n", 0, at) + 1 : at].lstrip().startswith(b"#")


def _invocation(
    lexemes: Lexemes, statement: Statement, pasted: Pasted, opening: int, index: int, count: int
) -> Invocation:
    found = match_forward(lexemes, opening, lexemes.code_end(opening))
    if found is None or len(found[1]) != count - 1:
        raise Unreadable(statement.trouble)
    start, end = trim(lexemes, *pieces(opening, found[0], found[1])[index])
    text = _text(lexemes, start, end, is_stringified=pasted.is_stringified)
    if text is None:
        raise Unreadable(statement.trouble)
    template = "".join(text if isinstance(part, Pasted) else part for part in statement.parts)
    return Invocation(start, end, template)


def _text(lexemes: Lexemes, start: int, end: int, *, is_stringified: bool) -> str | None:
    """The text that an argument pastes: of its string literals, or its own."""
    data = lexemes.data
    if is_stringified:
        text = data[start:end].decode("utf-8", "replace")
        return text if re.fullmatch(r"[\w.:]+", text) else None
    at, texts = lexemes.after(start), []
    while at < end:
        skip = lexemes.skip_at(at)
        if skip is None or data[at] != 0x22:
            return None
        texts.append(literal(data[skip[0] : skip[1]]))
        at = lexemes.after(skip[1])
    return "".join(texts) if texts else None
