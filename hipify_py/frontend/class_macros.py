"""Macros between the keyword and the name of a class: `class API Node : public Base {…}`.

The grammar parses such a class as a function, and its members as statements. So the parser gets a copy of the source
with blanks for the macro. Its definition is often in another file: it is recognized by its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.frontend.blanking import blank_ranges
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.macro_words import ARGUMENTS, MACRO

_MACROS_BEFORE_NAME = (
    rb"\s{1,99}((?:" + MACRO + ARGUMENTS + rb"\s{1,99}){1,3})"
    rb"(?=(?:[A-Za-z_]\w*::){0,4}[A-Za-z_]\w*(?:<[^;{}()\n]{0,200}>)?\s{0,99}(?:final\s{0,99})?(?:\{|:(?!:)))"
)
_KEYWORDS = (b"class", b"struct", b"union")
# One for each: what begins with one text is found in a fraction of the time.
_CLASSES = {keyword: re.compile(keyword + _MACROS_BEFORE_NAME) for keyword in _KEYWORDS}
_WORD = re.compile(MACRO)
_UP_TO_MEMBER = re.compile(rb"\{[^;{}]*")
_PARENTHESIS = 0x28


def blank_class_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for macros before the names of classes, else itself."""
    return blank_ranges(data, _places(lexemes, data))


def _places(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    classes: dict[bytes, bool] = {}
    for keyword, pattern in _CLASSES.items():
        for match in pattern.finditer(data) if keyword in lexemes.words else ():
            start, end = match.span()
            if lexemes.non_code_at(start) is not None or not _defines_class(lexemes, start, end):
                continue
            for word in _WORD.findall(match[1]):
                if word not in classes:
                    classes[word] = _is_class(lexemes, word)
                if classes[word]:
                    break  # what follows is a variable of that class
            else:
                yield match.span(1)


def _defines_class(lexemes: Lexemes, start: int, end: int) -> bool:
    """Whether a class is defined, not a variable: neither `struct NODE n{1, 2};` nor `for (struct NODE n : list)`."""
    data = lexemes.data
    before = lexemes.before(start)
    if before >= 0 and data[before] == _PARENTHESIS:
        return False
    if lexemes.word_before(start) == b"enum":
        return True
    body = _UP_TO_MEMBER.search(data, end)
    return body is not None and (data[body.end() : body.end() + 1] != b"}" or not body[0][1:].strip())


def _is_class(lexemes: Lexemes, word: bytes) -> bool:
    """Whether the source declares a class of that name."""
    for place in lexemes.places(word):
        following = lexemes.after(place + len(word))
        if lexemes.data[following : following + 1] in (b"{", b":", b";") and lexemes.word_before(place) in _KEYWORDS:
            return True
    return False
