"""Parses launches: callee, configuration, arguments, and whether a macro call can replace it."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.brackets import enclosing_arguments, match_backward, match_forward, pieces, trim
from hipify_py.frontend.chevrons import find_closing, opening_end
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.calls import commas_of_tree

_DIRECTIVE = lazy_pattern(rb"(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|pragma)\b")
_STATEMENT_STARTS = frozenset(b";{})")
_KEYWORDS = frozenset(b"else do return if while for switch case default co_await co_return throw".split())
_STATEMENT_WORDS = frozenset({b"else", b"do"})


class _Unreadable(ValueError):
    """The launch cannot be parsed safely; the message has the reason."""


class UnreadableLaunch(NamedTuple):
    """A launch that cannot be parsed safely: the offset of its `<<<`, and the reason."""

    opening: int
    why: str


class Launch(NamedTuple):
    """The parts of a launch, as byte offsets or ranges.

    `obstacle` is the reason why no macro call can replace it; empty where one can.
    """

    callee: tuple[int, int]
    opening: int
    opening_end: int
    configuration: list[tuple[int, int]]
    commas: list[int]
    closing: int
    closing_end: int
    arguments_opening: int
    end: int
    has_arguments: bool
    needs_kernel_name: bool
    obstacle: str


def launches_of(unit: Unit) -> list[Launch | UnreadableLaunch]:
    """The launches of a unit in source order, parsed once for all rules."""
    return unit.analysis(_launches)


def _launches(unit: Unit) -> list[Launch | UnreadableLaunch]:
    return [_try_parse(unit, opening) for opening in unit.lexemes.launches]


def _try_parse(unit: Unit, opening: int) -> Launch | UnreadableLaunch:
    try:
        return _parse(unit, opening)
    except _Unreadable as error:
        return UnreadableLaunch(opening, str(error))


def _parse(unit: Unit, opening: int) -> Launch:
    """Parse the launch whose `<<<` is at `opening`.

    Raises:
        _Unreadable: its callee, its end or its arguments cannot be determined.
    """
    lexemes, data = unit.lexemes, unit.source.data
    define = lexemes.define_around(opening)
    limit = lexemes.code_end(opening)
    callee = _callee(lexemes, opening, _line_floor(lexemes, opening) if define is None else define.end)
    closing = find_closing(lexemes, opening, limit)
    if isinstance(closing, str):
        raise _Unreadable(closing)
    opened, commas = opening_end(data, opening), closing.commas
    arguments = lexemes.after(closing.end)
    matched = match_forward(lexemes, arguments, limit)
    if matched is None:
        raise _Unreadable("its argument list does not end")
    end = matched[0] + 1
    if _DIRECTIVE.search(data, opening, end):
        raise _Unreadable("it contains a preprocessor directive")
    if b"<" in data[opened : closing.start]:
        commas = commas_of_tree(unit, "kernel_call_syntax", opening, closing.start + len(b">>>")) or commas
    configuration = [trim(lexemes, start, stop) for start, stop in pieces(opened - 1, closing.start, commas)]
    if not 2 <= len(configuration) <= 4 or any(start >= stop for start, stop in configuration):
        raise _Unreadable(f"its configuration has {len(configuration)} arguments")
    first, last = trim(lexemes, arguments + 1, end - 1)
    obstacle = ""
    if not _is_statement(
        lexemes, callee[0], end, limit, define is not None and callee[0] == lexemes.after(_body_start(data, define.end))
    ):
        obstacle = "it is part of an expression"
    name = data[callee[0] : callee[1]]
    needs_kernel_name = (
        b"," in name or (b"(" in name and not name.startswith(b"(")) or (define is not None and b"<" not in name)
    )
    return Launch(
        callee,
        opening,
        opened,
        configuration,
        commas,
        closing.start,
        closing.end,
        arguments,
        end,
        first < last,
        needs_kernel_name,
        obstacle,
    )


def _line_floor(lexemes: Lexemes, opening: int) -> int:
    """The end of the last include before a place: no expression extends beyond it."""
    at = bisect_left(lexemes.includes, opening, key=attrgetter("start")) - 1
    return 0 if at < 0 else lexemes.includes[at].end


def _body_start(data: bytes, name_end: int) -> int:
    """The start of a macro's body: after its parameters, if it has any."""
    if data[name_end : name_end + 1] == b"(":
        return data.find(b")", name_end) + 1
    return name_end


def _callee(lexemes: Lexemes, opening: int, floor: int) -> tuple[int, int]:
    """The expression before `<<<`, read backwards: names, `::`, `.`, `->`, `##`, brackets."""
    data = lexemes.data
    end = lexemes.before(opening) + 1
    at = end
    expect_name = True
    while True:
        place = lexemes.before(at)
        if place < floor:
            break
        byte = data[place]
        pair = data[place - 1 : place + 1]
        if expect_name and byte in b")]>" and pair != b"->":
            start = match_backward(lexemes, place)
            if start is None or start < floor:
                raise _Unreadable("the kernel's name cannot be read")
            at = start
            if byte == 0x29 and not _is_macro_name(lexemes, start):
                break  # a parenthesized callee is complete
        elif expect_name and _is_name_end(data, place):
            word = lexemes.word_before(at)
            at = place + 1 - len(word)
            expect_name = False
        elif pair in (b"::", b"->", b"##", b".*"):
            at, expect_name = place - 1, True
        elif byte == 0x2E:
            at, expect_name = place, True
        else:
            break
        if not expect_name and lexemes.word_before(at) == b"template":
            at = lexemes.before(at) + 1 - len(b"template")
        if not expect_name and not _extends_callee(lexemes, at):
            break
    if at >= end:
        raise _Unreadable("it has no kernel before it")
    return at, end


def _is_name_end(data: bytes, place: int) -> bool:
    return place >= 0 and (data[place : place + 1].isalnum() or data[place] == 0x5F)


def _is_macro_name(lexemes: Lexemes, parenthesis: int) -> bool:
    """Whether the token before a parenthesis is a name (`NAME(float)`, `obj.get()`), not a keyword or a condition."""
    return _is_name_end(lexemes.data, lexemes.before(parenthesis)) and lexemes.word_before(parenthesis) not in _KEYWORDS


def _extends_callee(lexemes: Lexemes, at: int) -> bool:
    """Whether the token before the name belongs to the callee too."""
    place = lexemes.before(at)
    pair = lexemes.data[place - 1 : place + 1] if place > 0 else b""
    if pair == b"::":
        return True
    return pair in (b"->", b"##", b".*") or pair[-1:] == b"."


def _is_statement(lexemes: Lexemes, start: int, end: int, limit: int, begins_macro: bool) -> bool:
    """Whether the launch is a whole statement, or a whole argument of a call or macro."""
    data = lexemes.data
    following = lexemes.after(end)
    after = data[following : following + 1]
    before = lexemes.before(start)
    previous = data[before : before + 1] if before >= 0 else b";"
    if begins_macro:
        return True
    if previous in (b"(", b",") and after in (b")", b","):
        opening = before if previous == b"(" else enclosing_arguments(lexemes, before)
        return opening is not None and _is_name_end(data, lexemes.before(opening))
    if after and after not in (b";", b"}", b")", b"#") and following < limit:
        return False
    if previous[0] in _STATEMENT_STARTS or _follows_directive(lexemes, before, start):
        return True
    if previous == b":":
        return data[before - 1 : before] != b":" and b"?" not in data[data.rfind(b"\n", 0, before) + 1 : before]
    return lexemes.word_before(start) in _STATEMENT_WORDS


def _follows_directive(lexemes: Lexemes, before: int, start: int) -> bool:
    """Whether the code before it, which ends at `before`, is a preprocessor line such as `#endif`, or nothing."""
    return before < 0 or (lexemes.define_around(start) is None and lexemes.in_directive(before))
