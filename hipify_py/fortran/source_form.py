"""The source forms of Fortran: how lines make statements.

Fortran 2018, 6.3; for the forms of files, and for `!$cuf` and `!@cuf` in both forms, the CUDA Fortran Programming Guide
of NVIDIA's HPC SDK.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import splitext
from typing import NamedTuple

from hipify_py.core.source import FIXED_FORM_SUFFIXES

DIRECTIVE, CONDITIONAL = "cuf", "@cuf"
"""The kinds of lines that only CUDA Fortran reads: `!$cuf` directives, and `!@cuf` before a statement."""

_FREE_SENTINEL = re.compile(r"\s*!([$@])cuf(?=[\s&]|$)", re.IGNORECASE)
_FIXED_SENTINEL = re.compile(r"[cC*!]([$@])cuf(?=[\s&0-9]|$)", re.IGNORECASE)
_FIXED_COMMENT = frozenset("cC*!dD")
_LETTER_IN_LABEL = re.compile(r" {0,4}[A-Za-z]")
_FULL_LINE = 72
"""Characters of a line in fixed form."""
_LAST_COLUMN = 132
"""Of fixed form as far as compilers read it on request (`-Mextend`); sequence numbers from column 73 on do no harm."""


class Line(NamedTuple):
    """A part of a statement.

    Attributes:
        text: the part, without labels, sentinels and comments.
        offset: where it begins in the file, in characters.
        kind: `DIRECTIVE`, `CONDITIONAL`, or empty.
        continues: it continues the statement of the line before.
        goes_on: free form says that the next line continues it (`&`).
    """

    text: str
    offset: int
    kind: str
    continues: bool
    goes_on: bool


class Comment(NamedTuple):
    """A comment: where it begins, with its sign, and where it ends, in characters."""

    start: int
    end: int


def is_fixed_form(path: str, text: str) -> bool:
    """Whether a source is in fixed form, by its name, unless the text cannot be in that form."""
    if splitext(path)[1].lower() not in FIXED_FORM_SUFFIXES:
        return False
    return not any(
        line[:1] not in _FIXED_COMMENT and not line.startswith("#") and _LETTER_IN_LABEL.match(line)
        for line in text.split("\n")
    )


def lines_of(text: str, *, fixed: bool) -> Iterator[Line]:
    """The lines of a source that are code or CUDA's directives; comments and lines of the preprocessor are left out."""
    return (part for part in _parts(text, fixed=fixed) if isinstance(part, Line))


def comments_of(text: str, *, fixed: bool) -> Iterator[Comment]:
    """The comments of a source, also those after code."""
    return (part for part in _parts(text, fixed=fixed) if isinstance(part, Comment))


def _parts(text: str, *, fixed: bool) -> Iterator[Line | Comment]:
    """The lines and the comments, in order."""
    offset = 0
    in_string = ""
    for line in text.split("\n"):  # and at no other character: text may be bytes of any encoding
        start, offset = offset, offset + len(line) + 1
        line = line.rstrip("\r")
        if not line.strip() or (line.startswith("#") and not in_string):
            continue
        if fixed:
            found, comment = _fixed_line(line, start)
        else:
            found, comment, in_string = _free_line(line, start, in_string)
        if found is not None:
            yield found
        if comment < len(line):
            yield Comment(start + comment, start + len(line))


def _fixed_line(line: str, start: int) -> tuple[Line | None, int]:
    """A line, and where its comment begins in it; its length if it has none."""
    sentinel = _FIXED_SENTINEL.match(line)
    kind = "" if sentinel is None else DIRECTIVE if sentinel[1] == "$" else CONDITIONAL
    if not kind and line[:1] in _FIXED_COMMENT:
        return None, 0
    head = line[:6].replace("!", " ") if kind else line[:6]
    if "\t" in head:  # a tab leads to the field of the statement; a digit after it continues
        before = line.index("\t")
        continues = line[before + 1 : before + 2].isdigit() and line[before + 1] != "0"
        body = before + 1 + continues
    else:
        continues = len(line) > 5 and line[5] not in " 0"
        body = 6
    if not kind and "!" in line[:5]:
        return None, line.index("!")
    text, _ = _without_comment(line[body:_LAST_COLUMN], "")
    comment = len(line) if body + len(text) == _LAST_COLUMN else body + len(text)
    if len(line) < _FULL_LINE:
        text += " "  # the rest of the line is blank, so that a word ends here
    return Line(text, start + body, kind, continues, False) if text.strip() else None, comment


def _free_line(line: str, start: int, in_string: str) -> tuple[Line | None, int, str]:
    """A line, where its comment begins in it, and the quote of the string that goes on in the next one.

    The comment begins at the line's length if there is none, and the quote is empty if no string goes on.
    """
    if in_string and line.lstrip().startswith("!"):
        return None, line.index("!"), in_string
    sentinel = None if in_string else _FREE_SENTINEL.match(line)
    kind = "" if sentinel is None else DIRECTIVE if sentinel[1] == "$" else CONDITIONAL
    begin = sentinel.end() if sentinel else 0
    text, quote = _without_comment(line[begin:], in_string)
    comment = begin + len(text)
    goes_on = text.rstrip().endswith("&")
    if goes_on:
        text = text.rstrip()[:-1]
    indent = len(text) - len(text.lstrip())
    continues = text.lstrip().startswith("&")
    if continues:
        begin += indent + 1
        text = text[indent + 1 :]
    if not text.strip() and not continues:
        return None, comment, in_string
    return Line(text, start + begin, kind, continues, goes_on), comment, quote if goes_on else ""


def _without_comment(text: str, quote: str) -> tuple[str, str]:
    """A line without its comment, and the quote of a string that is open at its end; empty for none."""
    for at, char in enumerate(text):
        if quote:
            if char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "!":
            return text[:at], quote
    return text, quote
