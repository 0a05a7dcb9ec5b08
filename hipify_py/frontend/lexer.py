"""The lexical pass: two regular expressions over the bytes of a file.

It covers every byte, whatever the grammar makes of it: macro bodies, branches of `#if` that do not balance,
code around syntax errors. It collects the few tokens that rules need; the rest is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import compress
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import BOM
from hipify_py.frontend.words import WORD_BYTES, words

SPLICE = rb"\\[ \t\r\f\v]*\n"
"""What joins a line to the next one. It may contain blanks, as for gcc and clang, which warn about them."""
_GAP = rb"(?:[ \t]|SPLICE|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)"
"""What is possible between the words of a directive, piece by piece."""
# The engine skips to the next byte that may begin a token; each alternative then looks back at that byte. Words are
# split off what remains: there are many of them, and hardly one matters. A quote that nothing closes makes a token up
# to
# where the search for its partner ended, which is then read once more without literals of that quote: none of the
# quotes
# in it has a partner either, and none is searched for.
_SYNTAX = rb"""(?x) [/"'\#<0-9] (?:
    (?<=/)(/[^\n\\]*(?:(?:SPLICE|\\)[^\n\\]*)*|\*(?s:.*?)(?:\*/|\Z))                         # 1 comment
  | (?<=")(?:(?<=\bR")|(?<=\b[uUL]R")|(?<=\bu8R"))
        (([^()\\\s]{0,16})\((?s:.*?)(?:\)\3"|\Z))                                            # 2 raw string, 3 delimiter
  | ((?<=")[^"\\\n]*(?:(?:SPLICE|\\.)[^"\\\n]*)*"|(?<=')[^'\\\n]*(?:(?:SPLICE|\\.)[^'\\\n]*)*')  # 4 string, character
  | (?<=\#)GAP*(?:
        include(?:_next)?GAP*([<"][^>"\n]*[>"])                                              # 5 include
      | defineGAP+(\w+)                                                                      # 6 macro definition
      | undefGAP+(\w+)                                                                       # 7 end of a macro
      | (error|warning|ident|region|endregion|elseif|elsif)\b                                # 8 before free text
      | (if|ifdef|ifndef|elif|pragma)\b                                                      # 9 other directives
      | (else|endif)\b[ \t\r]* )                                                             # 10 before what is ignored
  | (?<=<)(<(?:<+|[ \t]+<(?!<)))                                                             # 11 launch
  | (?<=[0-9])(?<!\w[0-9])[0-9.]{0,999}(?=['A-Za-z_])(?:'?[\w.])*                             # number with letters
  | ((?<=")[^"\\\n]*(?:(?:SPLICE|\\.)[^"\\\n]*)*|(?<=')[^'\\\n]*(?:(?:SPLICE|\\.)[^'\\\n]*)*)    # 12 unclosed
    )""".replace(b"GAP", _GAP).replace(b"SPLICE", SPLICE)
_TOKENS = lazy_pattern(_SYNTAX)
# What no compiler reads after the word of a directive: up to a comment, or to the end of the logical line.
_IGNORED = lazy_pattern(
    rb"""(?x)(?: [^\n/\\"'] | /(?![/*]) | SPLICE | \\.?
    | "[^"\\\n]*(?:(?:SPLICE|\\.?)[^"\\\n]*)*"? | '[^'\\\n]*(?:(?:SPLICE|\\.?)[^'\\\n]*)*'? )*""".replace(
        b"SPLICE", SPLICE
    )
)
_COMMENT, _RAW, _DELIMITER, _STRING, _INCLUDE, _DEFINE, _UNDEF, _TEXT, _DIRECTIVE, _BARE, _LAUNCH, _UNCLOSED = range(
    1, 13
)
_WHOLE_WORD = lazy_pattern(rb"(?<!\w)[A-Za-z_]\w*")
_IN_WORD = lazy_pattern(rb"\w")
_MOST_WORDS = 64
"""Bytes that hardly a word is longer than."""
_NINE = 0x39
"""The last of the digits, which precede all letters."""
_SEARCHES = 64
"""Words that the source is searched for; with more of them, the places of all are indexed."""
_CHUNK = 1 << 18
"""Bytes whose words are held at a time."""
_CONDITIONS = frozenset({b"if", b"ifdef", b"ifndef", b"elif"})
_BLANKS = b" \t\r\f\v"
_DEFINEDNESS = frozenset({b"defined", b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef"})


class Name(NamedTuple):
    """An identifier that a table has, or that looks as if one should."""

    start: int
    end: int
    text: bytes


class Include(NamedTuple):
    """An `#include` line: `[start, end)` is the path with its delimiters."""

    start: int
    end: int
    path: str
    quoted: bool


class Define(NamedTuple):
    """A `#define`, or an `#undef`: `[start, end)` is the macro's name."""

    start: int
    end: int
    text: bytes


class RawString(NamedTuple):
    """A raw string literal; `[body, body_end)` is between its parentheses."""

    start: int
    end: int
    body: int
    body_end: int


class Lexemes:
    """The result of the lexical pass over one source."""

    __slots__ = (
        "_body_ends",
        "_define_starts",
        "_definitions",
        "_places",
        "_searches",
        "comments_and_literals",
        "comparisons",
        "data",
        "defines",
        "directives",
        "includes",
        "launches",
        "marks",
        "names",
        "nesting",
        "non_code_starts",
        "pairs",
        "raw_strings",
        "unclosed",
        "undefs",
        "words",
    )

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.names: list[Name] = []
        self.words: set[bytes] = set()
        """The identifiers of the code, each once: without those in comments and literals."""
        self.launches: list[int] = []
        self.includes: list[Include] = []
        self.defines: list[Define] = []
        self.undefs: list[Define] = []
        """The `#undef` lines, by the macros' names."""
        self.directives: list[tuple[int, bytes]] = []
        self.raw_strings: list[RawString] = []
        self.comments_and_literals: list[tuple[int, int]] = []
        """Comments and literals, in order."""
        self.pairs: dict[int, int] = {}
        """Matching brackets, by the opening one."""
        self.unclosed: set[int] = set()
        """Brackets without a partner."""
        self.comparisons: set[tuple[int, int]] = set()
        """Offsets of `<` that begin no template arguments before a limit."""
        self.nesting: tuple[list[int], list[int]] | None = None
        """Brackets, and which of them are open after each; computed on first use."""
        self.marks: list[tuple[int, int]] | None = None
        """The marks that end statements, with their kinds; computed on first use (see `open_statements`)."""
        self.non_code_starts: list[int] = []
        """The start of each of them."""
        self._searches = 0
        self._places: dict[bytes, list[int]] | None = None
        self._define_starts: list[int] | None = None
        self._body_ends: dict[int, int] = {}
        self._definitions: dict[bytes, list[Define]] | None = None

    def non_code_at(self, offset: int) -> tuple[int, int] | None:
        """The comment or literal that covers a byte, if one does."""
        at = bisect_right(self.non_code_starts, offset) - 1
        if at >= 0:
            found = self.comments_and_literals[at]
            if offset < found[1]:
                return found
        return None

    def comments_and_literals_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """The comments and literals that begin in a range."""
        starts = self.non_code_starts
        first = bisect_left(starts, start)
        return self.comments_and_literals[first : bisect_left(starts, end, first)]

    def add_non_code(self, start: int, end: int) -> None:
        """Add the next comment or literal."""
        self.non_code_starts.append(start)
        self.comments_and_literals.append((start, end))

    def places(self, word: bytes) -> Iterator[int]:
        """The offsets of a whole word in code, in order."""
        if word not in self.words:
            return
        if self._searches == _SEARCHES:
            if self._places is None:
                self._places = self._places_of_all()
            yield from self._places.get(word, ())
            return
        self._searches += 1
        data, size = self.data, len(word)
        at = data.find(word)
        while at >= 0:
            end = at + size
            before, after = data[at - 1 : at], data[end : end + 1]
            is_part = before.isalnum() or before == b"_" or after.isalnum() or after == b"_"
            if not is_part and self.non_code_at(at) is None:
                yield at
            at = data.find(word, end)

    def _places_of_all(self) -> dict[bytes, list[int]]:
        """The offsets of all words: faster than searching the source for each of very many."""
        places: dict[bytes, list[int]] = {}
        for match in _WHOLE_WORD.finditer(self.data):
            if self.non_code_at(match.start()) is None:
                places.setdefault(match[0], []).append(match.start())
        return places

    def definitions(self, name: bytes) -> list[Define]:
        """The definitions of the macro of a name, in order."""
        if self._definitions is None:
            self._definitions = {}
            for define in self.defines:
                self._definitions.setdefault(define.text, []).append(define)
        return self._definitions.get(name, [])

    def code(self, start: int, end: int) -> bytes:
        """The bytes of a range with a blank in place of each comment; literals stay."""
        data = self.data
        if b"/" not in data[start:end]:
            return data[start:end]
        pieces, at = [], start
        for first, last in self.comments_and_literals_in(start, end):
            if data[first] == 0x2F:
                pieces += [data[at:first], b" "]
                at = max(at, last)
        pieces.append(data[at:end])
        return b"".join(pieces)

    def before(self, offset: int) -> int:
        """The offset of the last byte of code before `offset` (blanks and comments skipped); -1 if there is none."""
        data, starts, at = self.data, self.non_code_starts, offset - 1
        while at >= 0:
            if data[at] in b" \t\r\n\f\v" or (data[at] == 0x5C and data[at + 1 : at + 2] in (b"\n", b"\r")):
                at -= 1
                continue
            around = bisect_right(starts, at) - 1  # `non_code_at`, inlined in its hottest caller
            if around < 0 or at >= self.comments_and_literals[around][1] or data[starts[around]] in b"\"'RuUL":
                return at
            at = starts[around] - 1
        return -1

    def after(self, offset: int) -> int:
        """The offset of the first byte of code from `offset` on; the source's length if there is none."""
        data, at, size = self.data, offset, len(self.data)
        while at < size:
            byte = data[at]
            if byte in b" \t\r\n\f\v" or (byte == 0x5C and data[at + 1 : at + 2] in (b"\n", b"\r")):
                at += 1
            elif byte == 0x2F and data[at + 1 : at + 2] in (b"/", b"*"):
                skip = self.non_code_at(at)
                if skip is None:
                    return at
                at = skip[1]
            else:
                return at
        return size

    def word_before(self, offset: int) -> bytes:
        """The identifier that ends right before `offset` (blanks and comments skipped), or `b""`."""
        end = self.before(offset) + 1
        size = _MOST_WORDS
        while True:
            text = self.data[max(end - size, 0) : end]
            rest = len(text.rstrip(WORD_BYTES))
            if rest or len(text) < size:
                return text[rest:]
            size *= 2

    def logical_line_end(self, offset: int) -> int:
        """The end of the line of a place, with all that backslashes and comments join to it."""
        data, end = self.data, self.data.find(b"\n", offset)
        while end >= 0:
            skip = self.non_code_at(end)
            if skip is None and splice_before(data, end + 1) is None:
                return end
            end = data.find(b"\n", end + 1 if skip is None else skip[1])
        return len(data)

    def logical_line_start(self, offset: int) -> int:
        """The start of the line of a place, with all that backslashes and comments join to it."""
        data, start = self.data, offset
        while start := data.rfind(b"\n", 0, start) + 1:
            skip = self.non_code_at(start - 1)
            if skip is not None:
                start = skip[0]
            elif splice_before(data, start) is None:
                break
            else:
                start -= 1
        return start

    def begins_line(self, offset: int) -> bool:
        """Whether only blanks, comments and a byte order mark precede a place on its line: `#` is a directive there."""
        data, start = self.data, offset
        while True:
            while start and data[start - 1] in _BLANKS:
                start -= 1
            if (splice := splice_before(data, start)) is not None:
                start = splice
            elif data[start - 2 : start] == b"*/" and (comment := self.non_code_at(start - 1)) is not None:
                start = comment[0]
            else:
                break
        if data[start - len(BOM) : start] == BOM:
            start -= len(BOM)
        return start == 0 or data[start - 1] == 0x0A

    def ends_include(self, offset: int) -> bool:
        """Whether the path of an `#include` ends at `offset`, with its `>`."""
        return any(include.end == offset for include in self.includes)

    def define_around(self, offset: int) -> Define | None:
        """The `#define` whose body contains `offset`, or None."""
        if self._define_starts is None:
            self._define_starts = [define.start for define in self.defines]
        at = bisect_right(self._define_starts, offset) - 1
        if at >= 0 and offset < self.body_end(self.defines[at]):
            return self.defines[at]
        return None

    def parameter_list(self, define: Define) -> tuple[tuple[bytes, ...], int] | None:
        """A function-like macro's parameters, in order, and the end of their list; None for any other macro.

        A macro whose list is cut off is not function-like.
        """
        data, at = self.data, define.end
        if data[at : at + 1] != b"(":
            return None
        end = self.body_end(define)
        closing = data.find(b")", at, end)
        while closing >= 0 and (comment := self.non_code_at(closing)) is not None:
            closing = data.find(b")", comment[1], end)
        if closing < 0:
            return None
        names = tuple(name.strip(b" \t\r\n\\") for name in self.code(at + 1, closing).split(b","))
        return (() if names == (b"",) else names), closing + 1

    def parameters(self, define: Define) -> tuple[bytes, ...]:
        """The parameters of a macro, in order; none where it is not function-like."""
        head = self.parameter_list(define)
        return head[0] if head is not None else ()

    def code_end(self, offset: int) -> int:
        """The furthest end of code that begins at `offset`: a macro's body ends with its `#define`."""
        define = self.define_around(offset)
        return len(self.data) if define is None else self.body_end(define)

    def in_defined(self, offset: int) -> bool:
        """Whether the macro at `offset` is tested for being defined (`#ifdef M`, `defined(M)`), or undefined."""
        if self.word_before(offset) in _DEFINEDNESS:
            return True
        place = self.before(offset)
        return self.data[place : place + 1] == b"(" and self.word_before(place) == b"defined"

    def in_condition(self, offset: int) -> bool:
        """Whether a place is in the condition of an `#if`, `#ifdef` or `#elif`, backslash-newlines included."""
        at = bisect_right(self.directives, (offset, b"")) - 1
        if at < 0 or self.directives[at][1] not in _CONDITIONS:
            return False
        start = self.directives[at][0]
        return b"\n" not in self.data[start:offset] or offset < self.logical_line_end(start)

    def in_directive(self, offset: int) -> bool:
        """Whether a place is on a line that begins with `#`, whatever directive it is; backslash-newlines included."""
        data, start = self.data, self.logical_line_start(offset)
        first = self.after(len(BOM) if not start and data.startswith(BOM) else start)
        return first <= offset and data[first : first + 1] == b"#"

    def body_end(self, define: Define) -> int:
        """The end of a macro's body: of its last continued line."""
        end = self._body_ends.get(define.start)
        if end is None:
            end = self._body_ends[define.start] = self.logical_line_end(define.end)
        return end


class Lexer:
    """Scans sources for the words that a catalog has, and for those that look as if it should."""

    __slots__ = ("_candidates", "_initials", "_wanted")

    def __init__(
        self,
        wanted: AbstractSet[bytes],
        unmapped_candidates: Container[bytes] = frozenset(),
        initials: AbstractSet[bytes] = frozenset(),
    ) -> None:
        """`initials` are the two letters that each of the `unmapped_candidates` begins with."""
        self._wanted = wanted
        self._candidates = unmapped_candidates
        self._initials = frozenset(initials)

    def scan(self, data: bytes) -> Lexemes:
        """Collect the lexemes of a source. Linear in its size, and never fails."""
        found = Lexemes(data)
        rest: list[bytes] = []  # the source with blanks in place of all tokens but words
        done = 0
        tokens: Iterator[re.Match[bytes]] | None = _TOKENS.finditer(data)
        while tokens is not None:
            again = None
            for match in tokens:
                (start, end), kind = match.span(), match.lastindex
                if kind == _COMMENT or kind == _STRING:
                    found.add_non_code(start, end)
                elif kind == _UNCLOSED:
                    again = _reread(data, match)
                    break
                elif kind is not None:
                    start, end = _collect(found, match, kind, done)
                    if end > match.end():
                        again = _TOKENS.finditer(data, end)
                rest += data[done:start], b" " * (end - start)
                done = end
                if again is not None:
                    break
            tokens = again
        rest.append(data[done:])
        self._split(b"".join(rest), found)
        return found

    def _split(self, code: bytes, found: Lexemes) -> None:
        """Collect the words."""
        wanted, candidates, initials = self._wanted, self._candidates, self._initials
        add, start = found.names.append, 0
        while start < len(code):
            end = code.find(b" ", start + _CHUNK) + 1 or len(code)
            listed = words(code[start:end])
            found_words = {word for word in set(listed) if word[0] > _NINE}
            found.words |= found_words
            chosen = found_words & wanted
            chosen.update([word for word in found_words - chosen if word[:2] in initials and word in candidates])
            place = start
            for word in compress(listed, map(chosen.__contains__, listed)) if chosen else ():
                first, place = _next_whole(word, code, place)
                add(Name(first, place, word))
            start = end


def _next_whole(word: bytes, code: bytes, start: int) -> tuple[int, int]:
    """The first whole occurrence of a code word after a place, not counting longer words that contain it."""
    while True:
        first = code.find(word, start)
        start = first + len(word)
        if not (_IN_WORD.match(code, start) or (first and _IN_WORD.match(code, first - 1))):
            return first, start


def _reread(data: bytes, unclosed: re.Match[bytes]) -> Iterator[re.Match[bytes]]:
    """The tokens after an unclosed quote, up to the end of the source."""
    start, end = unclosed.span()
    quotes, at = data[start : start + 1], start + 1
    while at < end:
        for match in _tokens_without(quotes).finditer(data, at):
            if match.start() >= end:
                at = max(at, end)
                break
            if match.lastindex == _UNCLOSED:  # a quote of the other kind
                quotes, at = b"\"'", match.start() + 1
                break
            yield match
            at = match.end()
        else:
            return
    yield from _TOKENS.finditer(data, at)


@cache
def _tokens_without(quotes: bytes) -> re.Pattern[bytes]:
    """The token pattern without literals of some quotes; such a quote is a token by itself."""
    syntax = _SYNTAX
    for quote in (quotes[at : at + 1] for at in range(len(quotes))):
        literal = b"(?<=%b)[^%b" % (quote, quote)
        syntax = syntax.replace(literal, b"(?!)[^" + quote)
    return re.compile(syntax[: syntax.rindex(b")")] + b"| (?<=[%b]) )" % quotes)


def _collect(found: Lexemes, match: re.Match[bytes], kind: int, done: int) -> tuple[int, int]:
    """Add one of the rarer lexemes, after the one that ends at `done`; returns the range that it covers.

    That ends after the match where text follows that no compiler reads.
    """
    start, end = match.span()
    if kind == _LAUNCH:
        text = match[0]
        # More of them are a merge conflict's mark; `operator<< <T>` is a template's.
        if text == b"<<<" or (text.strip(b"<") and found.word_before(start) != b"operator"):
            found.launches.append(start)
    elif kind == _RAW:
        body = match.end(_DELIMITER) + 1
        while start > done and found.data[start - 1 : start].isalnum():
            start -= 1  # its prefix
        body_end = end - len(match[_DELIMITER]) - 2
        if body <= body_end and found.data.startswith(b")" + match[_DELIMITER] + b'"', body_end):
            found.raw_strings.append(RawString(start, end, body, body_end))
        found.add_non_code(start, end)  # an unclosed one takes the rest, as for a compiler
    elif kind == _UNDEF:
        found.words.add(match[_UNDEF])
        if found.begins_line(start):
            found.undefs.append(Define(*match.span(_UNDEF), match[_UNDEF]))
    elif not found.begins_line(start):
        if kind != _INCLUDE:
            return end, end  # `#define name`, with a stringized parameter: ordinary words
        if found.data[match.start(_INCLUDE)] == 0x22:
            found.add_non_code(*match.span(_INCLUDE))
    elif kind == _INCLUDE:
        first, last = match.span(_INCLUDE)
        path = found.data[first + 1 : last - 1].decode("utf-8", "surrogateescape")
        found.includes.append(Include(first, last, path, found.data[first] == 0x22))
    elif kind == _DEFINE:
        found.defines.append(Define(*match.span(_DEFINE), match[_DEFINE]))
        found.words.add(match[_DEFINE])
    elif kind == _TEXT:
        end = _ignored_end(found.data, end)
        found.add_non_code(match.start(_TEXT), end)
    elif kind == _BARE:
        found.directives.append((start, match[_BARE]))
        last = _ignored_end(found.data, end)
        if last > end:
            end = last
            found.add_non_code(match.end(_BARE), end)  # `#endif __CUDACC__`
    else:
        found.directives.append((start, match[_DIRECTIVE]))
    return start, end


def _ignored_end(data: bytes, start: int) -> int:
    """The end of the text at a place that no compiler reads."""
    return _IGNORED.match(data, start).end()  # type: ignore[union-attr]  # it matches everywhere


def splice_before(data: bytes, start: int) -> int | None:
    """The offset of the backslash that joins the line which begins at `start` to the one before it; None without one.

    Blanks are possible between it and the newline, as for gcc and clang, which warn about them.
    """
    if not start or data[start - 1] != 0x0A:
        return None
    at = start - 2
    while at >= 0 and data[at] in _BLANKS:
        at -= 1
    return at if at >= 0 and data[at] == 0x5C else None
