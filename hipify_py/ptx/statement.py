"""Finds `asm` statements, and parses them: template, outputs, inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.brackets import match_forward, pieces, trim
from hipify_py.frontend.lexer import Define, Lexemes

_ASM = lazy_pattern(rb"\b(?:asm|__asm__|__asm)\b(?=[\s\\]*[\w(/])")
_QUALIFIERS = frozenset({b"volatile", b"__volatile__", b"inline", b"__inline__", b"goto"})
_WORD = lazy_pattern(rb"[A-Za-z_]\w*")
_DIRECTIVE = lazy_pattern(rb"#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b")
_BEFORE_NUMBER = lazy_pattern(r"[,+\[{-]\s*\Z")
_AFTER_NUMBER = lazy_pattern(r"\s*[,;\]}]")
_MOST_TEMPLATES = 16
_SYMBOLIC = lazy_pattern(rb"\[\s*([A-Za-z_]\w*)\s*\]")
_ESCAPE = lazy_pattern(r"\\(?:\r?\n|([abefnrtv\\'\"?])|x([0-9a-fA-F]{1,2})|([0-7]{1,3}))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "?": "?"}


class Unreadable(Exception):
    """Something in a statement cannot be parsed; the text is the reason."""


class PastedPart(NamedTuple):
    """A part of a template that is not a string literal: a name at `start`, perhaps after a `#`."""

    name: str
    is_stringified: bool
    start: int = 0


class Choice(NamedTuple):
    """A part of a template with alternatives: branches of an `#if`, or a macro's definitions."""

    texts: tuple[str, ...]


Part = str | PastedPart | Choice


class Operand(NamedTuple):
    """An operand: its symbolic name or `""`, its constraint as written, and its expression's range `[start, end)`."""

    name: str
    constraint: str
    start: int
    end: int
    is_output: bool


class Statement(NamedTuple):
    """An `asm` statement: `[start, end)` spans from the keyword to the closing parenthesis.

    `trouble` is the reason why the template or the operands cannot be parsed; then the template is what could be, and
    `parts` are the parts that it is pasted together from. `others` are its templates under other conditions.
    """

    start: int
    end: int
    template: str
    operands: tuple[Operand, ...]
    is_extended: bool
    is_volatile: bool
    parts: tuple[Part, ...] = ()
    trouble: str = ""
    others: tuple[str, ...] = ()


def statements(lexemes: Lexemes) -> Iterator[Statement]:
    """Every `asm` statement of a source, macro bodies included, in order."""
    data = lexemes.data
    for match in _ASM.finditer(data):
        if lexemes.non_code_at(match.start()) is not None:
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
    operands: list[Operand] = []
    try:
        for number, (left, right) in enumerate([*zip(sections, [*sections[1:], closing], strict=True)][:2]):
            operands += _operands(lexemes, left + 1, right, is_output=number == 0)
    except Unreadable as error:
        trouble = trouble or str(error)
    is_extended = sections[0] != closing
    pasted = next((operand.constraint for operand in operands if "{" in operand.constraint), "")
    trouble = trouble or (f"a constraint comes from a macro ({pasted.strip('=+&{}')})" if pasted else "")
    parts, numbers = _with_numbers(lexemes, start, parts, len(operands))
    if numbers and not pasted and not any(isinstance(part, PastedPart) for part in parts):
        trouble = ""
    templates = _templates(parts)
    return Statement(
        start, closing + 1, templates[0], (*operands, *numbers), is_extended, is_volatile, parts, trouble, templates[1:]
    )


def _templates(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Every template that the parts make, without what a macro's parameter pastes."""
    choices = [
        (part,) if isinstance(part, str) else part.texts if isinstance(part, Choice) else ("",) for part in parts
    ]
    found = ("".join(texts) for texts in islice(product(*choices), _MOST_TEMPLATES))
    return tuple(dict.fromkeys(found))


def _with_numbers(
    lexemes: Lexemes, start: int, parts: tuple[Part, ...], count: int
) -> tuple[tuple[Part, ...], list[Operand]]:
    """`", " #shift ";"` in a macro: the parameter is a number, so it becomes an operand of its own."""
    define = lexemes.define_around(start)
    if define is None or not any(isinstance(part, PastedPart) for part in parts):
        return parts, []
    numbers: list[Operand] = []
    changed: list[Part] = []
    for before, part, after in zip(("", *parts), parts, (*parts[1:], ""), strict=False):
        if (
            isinstance(part, PastedPart)
            and part.is_stringified
            and isinstance(before, str)
            and isinstance(after, str)
            and _BEFORE_NUMBER.search(before)
            and _AFTER_NUMBER.match(after)
            and part.name.encode() in lexemes.parameters(define)
        ):
            changed.append(f"%{count + len(numbers)}")
            numbers.append(Operand("", "n", part.start, part.start + len(part.name), is_output=False))
        else:
            changed.append(part)
    return tuple(changed), numbers


def _sections(lexemes: Lexemes, opening: int, closing: int) -> list[int]:
    """The colons directly between the brackets; the closing bracket where there are none."""
    colons: list[int] = []
    depth, at = 0, opening + 1
    while at < closing:
        byte = lexemes.data[at]
        if byte in b"\"'/R":
            skip = lexemes.non_code_at(at)
            if skip is not None:
                at = skip[1]
                continue
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == 0x3A and depth == 0:
            colons.append(at)
        at += 1
    return colons or [closing]


def _template(lexemes: Lexemes, start: int, end: int) -> tuple[tuple[Part, ...], str]:
    """The template's parts, and what in it cannot be parsed."""
    data, trouble = lexemes.data, ""
    parts: list[Part] = []
    at = lexemes.after(start)
    while at < end:
        skip = lexemes.non_code_at(at)
        if skip is not None and data[skip[0]] in b'"RLuU':
            parts.append(literal(data[skip[0] : skip[1]]))
            at = lexemes.after(skip[1])
            continue
        choice = _branches(lexemes, at, end) if data[at] == 0x23 else _macro_texts(lexemes, at, end)
        if choice is not None:
            texts, at = choice
            parts.append(texts[0] if len(texts) == 1 else Choice(texts))
            continue
        word = _WORD.match(data, at, end)
        name = data[at : at + 20].split()[0].decode(errors="replace") if word is None else word[0].decode()
        trouble = trouble or f"part of its template comes from a macro ({name})"
        is_stringified = data[at : at + 1] == b"#"
        word = _WORD.match(data, lexemes.after(at + 1), end) if is_stringified else word
        name, place = ("", at) if word is None else (word[0].decode(), word.start())
        parts.append(PastedPart(name, is_stringified, place))
        at = lexemes.after(at + 1 if word is None else word.end())
    return tuple(parts), trouble


def _branches(lexemes: Lexemes, at: int, end: int) -> tuple[tuple[str, ...], int] | None:
    """The texts of an `#if` with string literals in its branches, and the offset after its `#endif`."""
    data = lexemes.data
    texts: list[str] = []
    parts: list[str] | None = None
    while at < end:
        if data[at] == 0x23:
            directive = _DIRECTIVE.match(data, at, end)
            word = b"" if directive is None else directive[1]
            if parts is not None:
                texts.append("".join(parts))
            if word == b"endif" and parts is not None:
                return tuple(dict.fromkeys(texts)), lexemes.after(lexemes.logical_line_end(at))
            if word not in ((b"if", b"ifdef", b"ifndef") if parts is None else (b"else", b"elif")):
                return None
            if parts is None:
                texts = []
            parts = []
            at = lexemes.after(lexemes.logical_line_end(at))
            continue
        skip = lexemes.non_code_at(at)
        if skip is None or parts is None or data[skip[0]] not in b'"R':
            return None
        parts.append(literal(data[skip[0] : skip[1]]))
        at = lexemes.after(skip[1])
    return None


def _macro_texts(lexemes: Lexemes, at: int, end: int) -> tuple[tuple[str, ...], int] | None:
    """The expansions of a macro by its definitions in this source, and the offset after the use."""
    word = _WORD.match(lexemes.data, at, end)
    definitions = [] if word is None else lexemes.definitions(word[0])
    if word is None or not 0 < len(definitions) <= _MOST_TEMPLATES:
        return None
    after, arguments = lexemes.after(word.end()), list[str]()
    if after < end and lexemes.data[after] == 0x28:
        found = match_forward(lexemes, after, end)
        if found is None:
            return None
        for left, right in pieces(after, found[0], found[1]):
            arguments.append(lexemes.data[slice(*trim(lexemes, left, right))].decode("utf-8", "replace"))
        after = lexemes.after(found[0] + 1)
    texts = [_macro_text(lexemes, define, arguments) for define in definitions]
    if any(text is None for text in texts) or not any(texts):
        return None
    return tuple(dict.fromkeys(text for text in texts if text is not None)), after


def _macro_text(lexemes: Lexemes, define: Define, arguments: list[str]) -> str | None:
    """The expansion of string literals and `#parameter`s with these arguments; None for any other definition."""
    data, at, end = lexemes.data, define.end, lexemes.body_end(define)
    names = lexemes.parameters(define)
    if len(names) != len(arguments):
        return None
    at = lexemes.after(data.index(b")", at) + 1 if names else at)
    texts: list[str] = []
    while at < end:
        skip = lexemes.non_code_at(at)
        word = _WORD.match(data, lexemes.after(at + 1), end) if data[at] == 0x23 else None
        if skip is not None and data[skip[0]] in b'"R':
            texts.append(literal(data[skip[0] : skip[1]]))
            at = lexemes.after(skip[1])
        elif word is not None and word[0] in names:
            texts.append(arguments[names.index(word[0])])
            at = lexemes.after(word.end())
        else:
            return None
    return "".join(texts)


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


def _constraint(lexemes: Lexemes, at: int, end: int) -> tuple[str, int]:
    """An operand's constraint and the offset of its expression; a macro's parameter in it is put in braces.

    Raises:
        Unreadable: it is composed otherwise, or no expression follows.
    """
    data, texts = lexemes.data, list[str]()
    while at < end and data[at] != 0x28:
        skip, word = lexemes.non_code_at(at), _WORD.match(data, at, end)
        if skip is not None and data[at] == 0x22:
            texts.append(literal(data[skip[0] : skip[1]]))
            at = lexemes.after(skip[1])
        elif word is not None:
            texts.append(_letters(lexemes, word))
            at = lexemes.after(word.end())
        else:
            raise Unreadable("an operand's constraint cannot be read")
    if at >= end or not texts:
        raise Unreadable("an operand's expression cannot be read")
    return "".join(texts), at


def _letters(lexemes: Lexemes, word: re.Match[bytes]) -> str:
    """The constraint letters of a name; of a pointer's two sizes the larger, which GPUs have.

    Raises:
        Unreadable: it is neither a macro of string literals nor a macro's parameter.
    """
    define = lexemes.define_around(word.start())
    if define is not None and word[0] in lexemes.parameters(define):
        return f"{{{word[0].decode()}}}"
    texts = {_macro_text(lexemes, own, []) for own in lexemes.defines if own.text == word[0]}
    if texts == {"l", "r"}:
        return "l"
    text = texts.pop() if len(texts) == 1 else None
    if text is None:
        raise Unreadable("an operand's constraint cannot be read")
    return text


def _operands(lexemes: Lexemes, start: int, end: int, *, is_output: bool) -> Iterator[Operand]:
    """The operands of one section.

    Raises:
        Unreadable: one is not a `"constraint"(expression)`.
    """
    data = lexemes.data
    at = lexemes.after(start)
    while at < end:
        symbolic = _SYMBOLIC.match(data, at, end)
        name = ""
        if symbolic is not None:
            name, at = symbolic[1].decode(), lexemes.after(symbolic.end())
        constraint, opening = _constraint(lexemes, at, end)
        found = match_forward(lexemes, opening, end)
        if found is None:
            raise Unreadable("an operand's brackets are unbalanced")
        left, right = trim(lexemes, *pieces(opening, found[0], [])[0])
        yield Operand(name, constraint, left, right, is_output)
        at = lexemes.after(found[0] + 1)
        if at < end and data[at] != 0x2C:
            raise Unreadable("its operands are not separated by commas")
        at = lexemes.after(at + 1) if at < end else end
