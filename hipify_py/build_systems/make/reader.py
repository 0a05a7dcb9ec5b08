"""The statements of a makefile, by the rules of GNU make's manual ("How make Reads a Makefile"), with their bytes.

The grammar tree-sitter-make 1.1.1 is not used: it finds errors in 338 of 1,291 makefiles of public CUDA repositories
(Automake's conditionals and `@NAME@`, lines of blanks in place of a tab, `;` and `:` in values), and everything after
an error is lost. Make's own reader goes line by line. This one does too, so that no line can spoil another.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ASSIGNMENT, RULE, RECIPE, INCLUDE, CONDITION, DEFINE, OTHER = (
    *("assignment", "rule", "recipe", "include", "condition", "define"),
    "other",
)

_MARK = re.compile(rb"\\[#:=]|\$(?:\$|.)?|[(){}#:=;]", re.DOTALL)
_AUTOMAKES = re.compile(rb"(?:@[A-Za-z0-9_]+_(?:TRUE|FALSE)@)+")
_WORD = re.compile(rb"[^\s:=#]+")
_OPERATOR = re.compile(rb"(?::{1,3}|[?+!])?\Z")
_CONDITIONS = frozenset({b"ifeq", b"ifneq", b"ifdef", b"ifndef", b"else", b"endif"})
_AUTOMAKES_CONDITIONS = frozenset({b"if", b"else", b"endif"})
_INCLUDES = frozenset({b"include", b"-include", b"sinclude"})
_MODIFIERS = frozenset({b"export", b"override", b"private", b"unexport"})


class Statement(NamedTuple):
    """A statement.

    Attributes:
        kind: one of the kinds above; `OTHER` for a line of references, and for what is not Make's language.
        start: where it begins, after blanks.
        end: where it ends, before a comment and blanks.
        name: the variable that it sets, or the word that it begins with.
        name_start: where that begins.
        operator: of an assignment (`=`, `+=` ...).
        value: the value of an assignment, the command line of a recipe, the prerequisites of a rule, the arguments of
            a directive.
        targets: the targets of a rule, and of a variable that is set for targets only.
        recipe: the command on the line of a rule.
        in_define: whether it is a line of a `define`.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    name_start: int = -1
    operator: str = ""
    value: tuple[int, int] = (0, 0)
    targets: tuple[int, int] = (0, 0)
    recipe: tuple[int, int] = (0, 0)
    in_define: bool = False


class Makefile(NamedTuple):
    """A makefile's statements and comments, in their order."""

    statements: list[Statement]
    comments: list[tuple[int, int]]


class _Scanned(NamedTuple):
    comment: int
    colon: int
    equals: int
    semicolon: int


def read(data: bytes) -> Makefile:
    """Read a makefile; every line of it is in some statement, is a comment, or is blank."""
    return _Reader(data).read()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.statements: list[Statement] = []
        self.comments: list[tuple[int, int]] = []
        self.in_rule = False
        self.defines = 0

    def read(self) -> Makefile:
        data, at = self.data, 3 if self.data.startswith(b"\xef\xbb\xbf") else 0
        while at < len(data):
            stop, following = self._logical(at)
            self._line(at, stop)
            at = following
        return Makefile(self.statements, self.comments)

    def _logical(self, start: int) -> tuple[int, int]:
        """The end of a line with those that continue it, and the start of the next one."""
        data, at = self.data, start
        while True:
            newline = data.find(b"\n", at)
            if newline < 0:
                return len(data), len(data)
            stop = newline - (data[newline - 1 : newline] == b"\r" and newline > start)
            slashes = stop
            while slashes > start and data[slashes - 1] == 0x5C:
                slashes -= 1
            if (stop - slashes) % 2 == 0:
                return stop, newline + 1
            at = newline + 1

    def _line(self, start: int, stop: int) -> None:
        data = self.data
        prefix = _AUTOMAKES.match(data, start, stop)  # configure comments lines out with it
        start = start if prefix is None else prefix.end()
        is_recipe = data[start : start + 1] == b"\t" and (self.in_rule or self.defines > 0)
        first = start
        while first < stop and data[first : first + 1] in b" \t\f\v\r":
            first += 1
        if first >= stop:
            return
        word = _WORD.match(data, first, stop)
        name = b"" if word is None else word[0]
        if self.defines:
            if name == b"define":
                self.defines += 1
            elif name == b"endef":
                self.defines -= 1
                if not self.defines:
                    return
        if is_recipe or (self.defines and not self._is_statement(first, stop)):
            self.statements.append(Statement(RECIPE, first, stop, value=(first, stop), in_define=self.defines > 0))
            return
        scanned = self._scan(first, stop)
        end = stop
        if scanned.comment >= 0:
            self.comments.append((scanned.comment, stop))
            end = scanned.comment
        while end > first and data[end - 1 : end] in b" \t\r\n\\\f\v":
            end -= 1
        if end > first:
            self._statement(first, end, name, scanned)

    def _is_statement(self, first: int, stop: int) -> bool:
        """Whether a line of a `define` is Make's, not a command: it sets a variable, or is a rule of targets alone."""
        scanned = self._scan(first, stop)
        if scanned.equals >= 0 and self._assigned(first, scanned.equals) is not None:
            return True
        if scanned.colon < 0 or scanned.semicolon >= 0:
            return False
        behind = self.data[scanned.colon + 1 : scanned.colon + 2]
        return behind in (b"", b" ", b"\t", b"\r", b"\n", b":")

    def _statement(self, first: int, end: int, name: bytes, scanned: _Scanned) -> None:
        data = self.data
        rest = self._behind(first + len(name), end)
        sets = data[rest : rest + 1] in (b"=", b":", b"?", b"+") and data[rest : rest + 2] != b"::"
        if name in _CONDITIONS and not sets:
            if name == b"else":
                name = _words(data, rest, end) or name
            self.statements.append(Statement(CONDITION, first, end, _text(name), first, value=(rest, end)))
            return
        if name in _INCLUDES and not sets:
            self._add(Statement(INCLUDE, first, end, _text(name), first, value=(rest, end)))
            return
        at = first
        while name in _MODIFIERS and rest < end and not sets:
            at = rest
            match = _WORD.match(data, at, end)
            name = b"" if match is None else match[0]
            rest = self._behind(at + len(name), end)
            sets = data[rest : rest + 1] in (b"=", b":", b"?", b"+")
        if name == b"define" and not sets:
            self.defines = 1
            self.in_rule = False
            self.statements.append(
                Statement(DEFINE, first, end, _text(_words(data, rest, end)), rest, value=(rest, end))
            )
            return
        equals = self._assigned(at, scanned.equals) if scanned.equals >= 0 else None
        if equals is not None:
            self._add(self._assignment(first, at, equals, scanned.equals, end))
            return
        if scanned.colon >= 0 and scanned.colon < end:
            self._rule(first, end, scanned)
            return
        if at > first:  # `export NAME ...`
            self._add(Statement(OTHER, first, end, "export", first, value=(at, end)))
            return
        statement = Statement(OTHER, first, end, _text(name), first, value=(first, end))
        if name in _AUTOMAKES_CONDITIONS:
            self.statements.append(statement)
        else:
            self._add(statement)

    def _add(self, statement: Statement) -> None:
        self.in_rule = False
        self.statements.append(statement._replace(in_define=self.defines > 0))

    def _assignment(self, first: int, at: int, operator: int, equals: int, end: int) -> Statement:
        data = self.data
        name_end = operator
        while data[name_end - 1 : name_end] in (b" ", b"\t"):
            name_end -= 1
        value = self._behind(equals + 1, end)
        return Statement(
            ASSIGNMENT,
            first,
            max(end, equals + 1),
            _text(data[at:name_end]),
            at,
            _text(data[operator : equals + 1]),
            (min(value, max(end, value)), max(end, value)),
        )

    def _rule(self, first: int, end: int, scanned: _Scanned) -> None:
        data = self.data
        behind = scanned.colon + 1
        while data[behind : behind + 1] == b":":
            behind += 1
        start = self._behind(behind, end)
        targets = (first, scanned.colon)
        semicolon = scanned.semicolon
        if 0 <= scanned.equals < end and not (0 <= semicolon < scanned.equals):
            at = start
            match = _WORD.match(data, at, end)
            while match is not None and match[0] in _MODIFIERS:
                at = self._behind(match.end(), end)
                match = _WORD.match(data, at, end)
            operator = self._assigned(at, scanned.equals)
            if operator is not None and operator > at:
                made = self._assignment(first, at, operator, scanned.equals, end)
                self.in_rule = True
                self.statements.append(made._replace(targets=targets, in_define=self.defines > 0))
                return
        has_recipe = 0 <= semicolon < end
        recipe = (self._behind(semicolon + 1, end), end) if has_recipe else (0, 0)
        self.in_rule = True
        self.statements.append(
            Statement(
                RULE,
                first,
                end,
                value=(start, max(start, semicolon if has_recipe else end)),
                targets=targets,
                recipe=recipe,
                in_define=self.defines > 0,
            )
        )

    def _assigned(self, at: int, equals: int) -> int | None:
        """Where the operator of an assignment begins; None if the text before `=` is not a single word."""
        data = self.data
        match = _OPERATOR.search(data, max(at, equals - 3), equals)
        operator = equals if match is None else match.start()
        end = operator
        while end > at and data[end - 1 : end] in (b" ", b"\t"):
            end -= 1
        if end <= at:
            return None
        depth = 0
        for byte in data[at:end]:
            if byte in b"({":
                depth += 1
            elif byte in b")}":
                depth -= 1
            elif byte in b" \t\r\n:" and depth <= 0:
                return None
        return operator

    def _scan(self, first: int, stop: int) -> _Scanned:
        """Where the first comment, colon, equals sign and semicolon outside of references are."""
        data, at = self.data, first
        closers: list[bytes] = []
        colon = equals = semicolon = -1
        while (match := _MARK.search(data, at, stop)) is not None:
            mark, place, at = match[0], match.start(), match.end()
            if mark[:1] == b"$":
                if mark in (b"$(", b"${"):
                    closers.append(b")" if mark == b"$(" else b"}")
            elif closers:
                if mark == closers[-1]:
                    closers.pop()
                elif (mark == b"(" and closers[-1] == b")") or (mark == b"{" and closers[-1] == b"}"):
                    closers.append(closers[-1])
            elif mark == b"#":
                return _Scanned(place, colon, equals, semicolon)
            elif mark == b"=":
                equals = place if equals < 0 else equals
            elif mark == b":":
                follows = data[at : at + 2]
                is_operator = follows[:1] == b"=" or follows == b":=" or data[at : at + 3] == b"::="
                if is_operator:
                    at = data.index(b"=", at)
                elif colon < 0 and equals < 0:
                    colon = place
            elif mark == b";" and colon >= 0 and semicolon < 0:
                semicolon = place
                if equals < 0:
                    return _Scanned(-1, colon, equals, semicolon)  # the rest is a command, comments and all
        return _Scanned(-1, colon, equals, semicolon)

    def _behind(self, at: int, end: int) -> int:
        data = self.data
        while at < end:
            if data[at : at + 1] in b" \t\f\v\r":
                at += 1
            elif data[at : at + 1] == b"\\" and data[at + 1 : at + 3].lstrip(b"\r")[:1] == b"\n":
                at = data.index(b"\n", at) + 1
            else:
                break
        return at


def _words(data: bytes, start: int, end: int) -> bytes:
    """The first word of a range."""
    match = _WORD.match(data, start, end)
    return b"" if match is None else match[0]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
