"""Finds `asm` statements, and takes them apart: template, outputs, inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, trim
from hipify_py.frontend.lexer import Lexemes

_ASM = re.compile(rb"\b(?:asm|__asm__|__asm)\b(?=[\s\\]*[\w(/])")
_QUALIFIERS = frozenset({b"volatile", b"__volatile__", b"inline", b"__inline__", b"goto"})
_WORD = re.compile(rb"[A-Za-z_]\w*")
_SYMBOLIC = re.compile(rb"\[\s*([A-Za-z_]\w*)\s*\]")
_ESCAPE = re.compile(r"\\(?:\r?\n|([abefnrtv\\'\"?])|x([0-9a-fA-F]{1,2})|([0-7]{1,3}))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "?": "?"}


class Unreadable(Exception):
    """Something of a statement cannot be read; the text says what."""


class Pasted(NamedTuple):
    """A part of a template that is no string literal: a name, which `#` may stand in front of."""

    name: str
    is_stringified: bool


class Operand(NamedTuple):
    """An operand: its symbolic name or `""`, its constraint as written, and its expression's place `[start, end)`."""

    name: str
    constraint: str
    start: int
    end: int
    is_output: bool


class Statement(NamedTuple):
    """An `asm` statement: `[start, end)` reaches from the keyword over the closing parenthesis.

    `trouble` says why the template or the operands cannot be read; the template is then what could be, and `parts`
    are what it is pasted together from.
    """

    start: int
    end: int
    template: str
    operands: tuple[Operand, ...]
    is_extended: bool
    is_volatile: bool
    parts: tuple[str | Pasted, ...] = ()
    trouble: str = ""


def statements(lexemes: Lexemes) -> Iterator[Statement]:
    """Every `asm` statement of a source, macro bodies included, in order."""
    data = lexemes.data
    for match in _ASM.finditer(data):
        if lexemes.skip_at(match.start()) is not None:
            continue
        opening = lexemes.after(match.end())
        is_volatile = False
        while (word := _WORD.match(data, opening)) is not None and word[0] in _QUALIFIERS:
            is_volatile = is_volatile or b"volatile" in word[0]
            opening = lexemes.after(word.end())
        if data[opening : opening + 1] != b"(":
            continue
        found = match_forward(lexemes, opening, lexemes.code_end(opening))
        if found is not None:
            yield _read(lexemes, match.start(), opening, found[0], is_volatile=is_volatile)


def _read(lexemes: Lexemes, start: int, opening: int, closing: int, *, is_volatile: bool) -> Statement:
    sections = _sections(lexemes, opening, closing)
    parts, trouble = _template(lexemes, opening + 1, sections[0])
    template = "".join(part for part in parts if isinstance(part, str))
    operands: list[Operand] = []
    try:
        for number, (left, right) in enumerate([*zip(sections, [*sections[1:], closing], strict=True)][:2]):
            operands += _operands(lexemes, left + 1, right, is_output=number == 0)
    except Unreadable as error:
        trouble = trouble or str(error)
    is_extended = sections[0] != closing
    return Statement(start, closing + 1, template, tuple(operands), is_extended, is_volatile, parts, trouble)


def _sections(lexemes: Lexemes, opening: int, closing: int) -> list[int]:
    """The colons directly between the brackets; the closing one where there are none."""
    colons: list[int] = []
    depth, at = 0, opening + 1
    while at < closing:
        byte = lexemes.data[at]
        if byte in b"\"'/R":
            skip = lexemes.skip_at(at)
            if skip is not None:
                at = skip[1]
                continue
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == 0x3A and depth == 0:
            colons.append(at)
        at += 1
    return colons or [closing]


def _template(lexemes: Lexemes, start: int, end: int) -> tuple[tuple[str | Pasted, ...], str]:
    """The template's parts, and what in it cannot be read."""
    data, trouble = lexemes.data, ""
    parts: list[str | Pasted] = []
    at = lexemes.after(start)
    while at < end:
        skip = lexemes.skip_at(at)
        if skip is not None and data[skip[0]] in b'"RLuU':
            parts.append(literal(data[skip[0] : skip[1]]))
            at = lexemes.after(skip[1])
            continue
        word = _WORD.match(data, at, end)
        body = None if word is None else _string_macro(lexemes, word[0])
        if word is None or body is None:
            name = data[at : at + 20].split()[0].decode(errors="replace") if word is None else word[0].decode()
            trouble = trouble or f"a part of its template is pasted in ({name})"
            is_stringified = data[at : at + 1] == b"#"
            word = _WORD.match(data, lexemes.after(at + 1), end) if is_stringified else word
            parts.append(Pasted("" if word is None else word[0].decode(), is_stringified))
            at = lexemes.after(at + 1 if word is None else word.end())
        else:
            parts.append(body)
            at = lexemes.after(word.end())
    return tuple(parts), trouble


def _string_macro(lexemes: Lexemes, name: bytes) -> str | None:
    """The text of a macro that stands for string literals in this very source; None for any other word."""
    places = [define for define in lexemes.defines if define.text == name]
    if len(places) != 1:
        return None
    at, end, parts = lexemes.after(places[0].end), lexemes.body_end(places[0]), []
    while at < end:
        skip = lexemes.skip_at(at)
        if skip is None or lexemes.data[skip[0]] not in b'"R':
            return None
        parts.append(literal(lexemes.data[skip[0] : skip[1]]))
        at = lexemes.after(skip[1])
    return "".join(parts) if parts else None


def literal(text: bytes) -> str:
    """The value of a string literal, raw ones included."""
    head, _, rest = text.decode("utf-8", "replace").partition('"')
    if head.endswith("R"):
        return rest.partition("(")[2].rpartition(")")[0]
    return _ESCAPE.sub(_unescape, rest.removesuffix('"'))


def _unescape(match: re.Match[str]) -> str:
    letter, hexadecimal, octal = match.groups()
    if letter:
        return _ESCAPES.get(letter, " ")
    if hexadecimal or octal:
        return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8))
    return ""


def _operands(lexemes: Lexemes, start: int, end: int, *, is_output: bool) -> Iterator[Operand]:
    """The operands of one section.

    Raises:
        Unreadable: where one is no `"constraint"(expression)`.
    """
    data = lexemes.data
    at = lexemes.after(start)
    while at < end:
        symbolic = _SYMBOLIC.match(data, at, end)
        name = ""
        if symbolic is not None:
            name, at = symbolic[1].decode(), lexemes.after(symbolic.end())
        skip = lexemes.skip_at(at)
        if skip is None or data[at] != 0x22:
            raise Unreadable("an operand has no constraint that can be read")
        opening = lexemes.after(skip[1])
        if data[opening : opening + 1] != b"(":
            raise Unreadable("an operand has no expression that can be read")
        found = match_forward(lexemes, opening, end)
        if found is None:
            raise Unreadable("an operand's brackets do not match")
        left, right = trim(lexemes, *pieces(opening, found[0], [])[0])
        yield Operand(name, literal(data[skip[0] : skip[1]]), left, right, is_output)
        at = lexemes.after(found[0] + 1)
        if at < end and data[at] != 0x2C:
            raise Unreadable("its operands are not separated by commas")
        at = lexemes.after(at + 1) if at < end else end
