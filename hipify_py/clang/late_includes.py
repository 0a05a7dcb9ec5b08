"""The headers of others that a source takes in behind code of its own, in the order in which it comes upon them.

They can be precompiled as if they came first, as long as nothing that comes before them has a say in what they hold:
`clang.beginnings` decides that, once it is known what they hold. This module reads what is needed for that: each
include with the conditions that it is under, each macro that the project defines or forgets before it, and whether the
code before it speaks of the runtime's names. An include between brackets stays where it is, and so does one under a
condition on a macro of the project's own. Where it is uncertain what a line means, the reading ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from hipify_py.clang.include_prefix import FOREIGN, Leads

_MOST_ITEMS = 2000
_MOST_READ = 1000
_MOST_BYTES = 4 << 20
_DEEPEST = 50

_BLANK = rb"(?:[ \t\v\f\r]|\\\r?\n|/\*(?:[^*]|\*(?!/))*\*/)"
_EVENT = re.compile(
    rb"""
    //(?:[^\n\\]|\\\r?\n|\\.)* | /\*.*?(?:\*/|\Z)
    | \bR"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z) | "(?:[^"\\\n]|\\.)*"? | \b\d\w*(?:'\w+)+ | '(?:[^'\\\n]|\\.)*'?
    | ^[ \t]*\#(?P<directive>(?:[^\n\\/"]|\\\r?\n|\\.|"[^"\n]*"|"|/\*.*?(?:\*/|\Z)|//[^\n]*|/)*)
    | (?P<odd>\# | ^[ \t]*%:)
    | (?P<bracket>[{}])
    | (?P<runtime>\b(?:hip|HIP|dim3|threadIdx|blockIdx|blockDim|gridDim|warpSize|__(?:global|device|host|shared
        |constant|managed|launch_bounds)__|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]\b)\w*)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(_BLANK + rb"*([a-z_]*)")
_INCLUDE = re.compile(rb'(?:<([^<>"\\\n]+)>|"([^<>"\\\n]+)")\Z')
_MACRO = re.compile(rb"([A-Za-z_]\w*)(\(?)(.*)\Z", re.DOTALL)
_NAME = re.compile(rb"(?<![\w'\\])(?!(?:L|U|u8?)')[A-Za-z_]\w*")
"""A name; what is part of a number or a character (`201703L`, `0x1`, `L'a'`) is none."""
_GUARD = re.compile(rb"!\s*defined\s*\(?\s*(\w+)\s*\)?")
_DEFINED_MACRO = re.compile(rb"\bdefined\s*\(?\s*(\w+)(?:\s*\))?")
_NUMBER = re.compile(rb"\d+")
_CONTINUED = re.compile(rb"\\\r?\n")
_COMMENT = re.compile(rb'("[^"\n]*")|/\*.*?(?:\*/|\Z)|//[^\n]*', re.DOTALL)

_HARMLESS = (b"once", b"unroll", b"omp", b"GCC", b"message", b"region", b"endregion", b"warning", b"nv_", b"hd_")
"""What pragmas begin with that say nothing of the headers behind them."""

_NEVER = b""
"""The condition of a part that an include is not taken out of."""

_TRUE, _FALSE = b"1", b"0"
_OF_THE_PLACE = frozenset(
    (
        *(b"__has_include", b"__has_include_next", b"__has_embed"),
        *(b"__COUNTER__", b"__LINE__", b"__INCLUDE_LEVEL__", b"__TIMESTAMP__"),
        *(b"__FILE__", b"__FILE_NAME__", b"__BASE_FILE__"),
    )
)
"""What may come to something else in another file."""
_SETTLED = {
    form % value: _TRUE if is_true == (value == _TRUE) else _FALSE
    for value in (_TRUE, _FALSE)
    for form, is_true in ((b"%b", True), (b"(%b)", True), (b"!%b", False), (b"!(%b)", False))
}


class Item(NamedTuple):
    """An include of another project's header, or a macro that the project's own code defines or forgets.

    Attributes:
        line: the include, or the definition, in its conditions; empty where it stays where it is.
        macro: the macro's name; empty for an include.
        tells_of_runtime: code before this speaks of the runtime's names.
    """

    line: bytes
    macro: bytes = b""
    tells_of_runtime: bool = False


class HeadersBehind:
    """Reads sources; each file is taken apart once.

    Args:
        text_of: what a file of the project holds.
        leads: where includes lead.
    """

    def __init__(self, text_of: Callable[[str], bytes], leads: Leads) -> None:
        self._text_of = text_of
        self._leads = leads
        self._events: dict[str, list[_Event]] = {}

    def of(self, path: str, opening: tuple[bytes, ...]) -> tuple[Item, ...]:
        """What a source takes in, but for what it begins with (`hipify_py.clang.include_prefix.opening`).

        Nothing where that brings no more headers.
        """
        reader = _Reader(self._events_of, self._leads)
        reader.reads_through(path)
        begun = b"".join(opening)
        items = [item for item in reader.items if item.macro or _include_of(item.line) not in begun]
        while items and items[-1].macro:
            items.pop()
        return tuple(items)

    def _events_of(self, path: str) -> list[_Event]:
        if path not in self._events:
            text = self._text_of(path)
            self._events[path] = _without_guard([*_events(text)]) if len(text) <= _MOST_BYTES else [_Event(_END)]
        return self._events[path]


_END, _OPEN, _CLOSE, _SPEAKS, _FOUND_INCLUDE, _DEFINED, _FORGOTTEN, _IF, _OTHERWISE, _ENDIF, _ONCE = range(11)


class _Event(NamedTuple):
    """Something in a file that matters.

    Attributes:
        kind: what it is.
        text: the name of an include or a macro, or a condition.
        rest: what a macro of plain text stands for; None for one that is none.
        is_quoted: of an include.
    """

    kind: int
    text: bytes = b""
    rest: bytes | None = None
    is_quoted: bool = False


def _events(text: bytes) -> Iterator[_Event]:
    for match in _EVENT.finditer(text):
        kind = match.lastgroup
        if kind == "bracket":
            yield _Event(_OPEN if match["bracket"] == b"{" else _CLOSE)
        elif kind == "runtime":
            yield _Event(_SPEAKS)
        elif kind == "odd":
            yield _Event(_END)
        elif kind == "directive":
            event = _directive(match["directive"])
            if event is not None:
                yield event


def _directive(line: bytes) -> _Event | None:
    """What a directive says; None for one that says nothing of what follows."""
    plain = _COMMENT.sub(lambda match: match[1] or b" ", _CONTINUED.sub(b" ", line)).strip()
    found = _WORD.match(plain)
    assert found is not None
    word, rest = found[1], plain[found.end() :].strip()
    if word == b"include":
        include = _INCLUDE.match(rest)
        if include is None:
            return _Event(_END)
        return _Event(_FOUND_INCLUDE, include[1] or include[2], None, include[1] is None)
    if word in (b"define", b"undef"):
        macro = _MACRO.match(rest)
        if macro is None:
            return _Event(_END)
        if word == b"undef":
            return _Event(_FORGOTTEN, macro[1])
        return _Event(_DEFINED, macro[1], None if macro[2] else macro[3].strip())
    if word in (b"if", b"ifdef", b"ifndef"):
        negation = b"!" if word == b"ifndef" else b""
        return _Event(_IF, rest if word == b"if" else negation + b"defined(" + rest + b")")
    if word in (b"elif", b"else"):
        return _Event(_OTHERWISE, rest if word == b"elif" else b"1")
    if word == b"endif":
        return _Event(_ENDIF)
    if word == b"pragma":
        if rest == b"once":
            return _Event(_ONCE)
        return None if rest.startswith(_HARMLESS) else _Event(_END)
    return None if word in (b"error", b"warning", b"line", b"ident", b"") else _Event(_END)


def _without_guard(events: list[_Event]) -> list[_Event]:
    """A file's events with `_ONCE` in place of its include guard, if it has one."""
    begin = 1 if events[:1] == [_Event(_ONCE)] else 0
    if len(events) < begin + 3 or events[begin].kind != _IF or events[-1].kind != _ENDIF:
        return events
    guard = _GUARD.fullmatch(events[begin].text)
    if guard is None or events[begin + 1].kind != _DEFINED or events[begin + 1].text != guard[1]:
        return events
    depth = 0
    for event in events[begin:-1]:
        depth += (event.kind == _IF) - (event.kind == _ENDIF)
        if not depth or (depth == 1 and event.kind == _OTHERWISE):
            return events
    return [_Event(_ONCE), _Event(_DEFINED, guard[1]), *events[begin + 2 : -1]]


class _Part:
    """A part between `#if` and `#endif` that the reading is in.

    Attributes:
        conditions: those that have to hold, in their order; `_NEVER` among them where nobody may say so.
        before: how many brackets were open before it.
        behind: how many were open at the ends of its branches, as far as those are compiled.
    """

    def __init__(self, condition: bytes, brackets: int) -> None:
        self.conditions = [condition]
        self.before = brackets
        self.behind: set[int] = set()

    @property
    def is_dead(self) -> bool:
        """The branch is not compiled."""
        return _FALSE in self.conditions

    @property
    def is_certain(self) -> bool:
        """The branch is compiled."""
        return all(condition == _TRUE for condition in self.conditions)


class _Reader:
    def __init__(self, events_of: Callable[[str], list[_Event]], leads: Leads) -> None:
        self._events_of = events_of
        self._leads = leads
        self._within: list[str] = []
        self._read_once: set[str] = set()
        self._perhaps_read: set[str] = set()
        self._read = 0
        self._parts: list[_Part] = []
        self._brackets = 0
        self._macros: set[bytes] = set()
        self._known: dict[bytes, bytes | None] = {}
        self._asked_for: set[bytes] = set()
        self._lines: set[bytes] = set()
        self._speaks = False
        self.items: list[Item] = []

    def reads_through(self, path: str) -> bool:
        """Read a file; false where the reading ends in it.

        One that is there once is read where it is certain to be included, and before that once where it may be; any
        other is read each time.
        """
        is_read = path in self._read_once or (path in self._perhaps_read and not self._is_certain())
        if is_read or path in self._within:
            return True
        self._read += 1
        if self._read > _MOST_READ or len(self._within) > _DEEPEST:
            return False
        self._within.append(path)
        outer = len(self._parts)
        if not all(self._take(path, event, outer) for event in self._events_of(path)):
            return False
        self._within.pop()
        return len(self._parts) == outer

    def _is_certain(self) -> bool:
        return all(part.is_certain for part in self._parts)

    def _take(self, path: str, event: _Event, outer: int) -> bool:
        """Take what a file has next; false where the reading ends with it."""
        if event.kind == _IF:
            self._parts.append(_Part(self._checked(event.text), self._brackets))
            return len(self._parts) <= _DEEPEST
        if event.kind in (_OTHERWISE, _ENDIF):
            return len(self._parts) > outer and (
                self._otherwise(event.text) if event.kind == _OTHERWISE else self._end()
            )
        if any(part.is_dead for part in self._parts):
            return True
        if event.kind == _FOUND_INCLUDE:
            return self._include(path, event)
        if event.kind in (_DEFINED, _FORGOTTEN):
            return self._define(event)
        if event.kind in (_OPEN, _CLOSE):
            self._brackets += 1 if event.kind == _OPEN else -1
            return self._brackets >= 0
        if event.kind == _SPEAKS:
            self._speaks = True
        if event.kind == _ONCE:
            (self._read_once if self._is_certain() else self._perhaps_read).add(path)
        return event.kind != _END

    def _checked(self, condition: bytes) -> bytes:
        """A condition without the macros of the project's own.

        `_NEVER` where it depends on one of which nothing is certain, or on the place where it stands.
        """
        names = {*_NAME.findall(condition)}
        self._asked_for.update(names)
        known = {name: self._known[name] for name in names & self._known.keys()}
        asked = _DEFINED_MACRO.sub(
            lambda match: match[0] if match[1] not in known else _FALSE if known[match[1]] is None else _TRUE, condition
        )
        asked = _NAME.sub(lambda match: _value_of(match[0], known), asked)
        if not self._macros.isdisjoint(_NAME.findall(asked)):
            return _NEVER
        if not _OF_THE_PLACE.isdisjoint(_NAME.findall(_DEFINED_MACRO.sub(b" ", asked))):
            return _NEVER
        return _SETTLED.get(asked.replace(b" ", b""), asked)

    def _otherwise(self, condition: bytes) -> bool:
        part = self._parts[-1]
        self._leave(part)
        # What was asked before this is not asked anew; a macro that came since says nothing of it.
        last = part.conditions.pop()
        negated = b"!(%b)" % last
        part.conditions.append(_SETTLED.get(negated, negated) if last else _NEVER)
        part.conditions.append(self._checked(condition))
        self._brackets = part.before
        return True

    def _end(self) -> bool:
        """Leave a part. All its branches have to open and close as many brackets."""
        part = self._parts.pop()
        self._leave(part)
        self._brackets = min(part.behind, default=part.before)
        return len(part.behind) < 2

    def _leave(self, part: _Part) -> None:
        """Leave a branch."""
        if not part.is_dead:
            part.behind.add(self._brackets)

    def _define(self, event: _Event) -> bool:
        """Take a definition. It can come along unless conditions of the project's own hang on it."""
        name, rest = event.text, event.rest
        line = b""
        is_new = name not in self._macros and name not in self._asked_for
        if rest is not None and is_new and not self._brackets and self._macros.isdisjoint(_NAME.findall(rest)):
            line = self._in_conditions(b"#define %b %b\n" % (name, rest))
        self._macros.add(name)
        if self._is_certain():
            self._known[name] = None if event.kind == _FORGOTTEN else rest or b""
        else:
            self._known.pop(name, None)
        self.items.append(Item(line, name))
        return len(self.items) < _MOST_ITEMS

    def _include(self, path: str, event: _Event) -> bool:
        target = self._leads(path, event.text.decode("utf-8", "surrogateescape"), event.is_quoted)
        if target is None:
            return False
        if target != FOREIGN:
            return self.reads_through(target)
        line = b"" if self._brackets else self._in_conditions(b"#include <%b>\n" % event.text)
        if line and line not in self._lines:
            self._lines.add(line)
            self.items.append(Item(line, tells_of_runtime=self._speaks))
        return len(self.items) < _MOST_ITEMS

    def _in_conditions(self, line: bytes) -> bytes:
        """A line with the conditions that it is under; empty where they cannot be told."""
        conditions = [each for part in self._parts for each in part.conditions]
        if _NEVER in conditions:
            return b""
        asked = [condition for condition in conditions if condition != _TRUE]
        return b"".join(b"#if %b\n" % condition for condition in asked) + line + b"#endif\n" * len(asked)


def _value_of(name: bytes, known: Mapping[bytes, bytes | None]) -> bytes:
    """What a name in a condition comes to where that is a number that is known; the name elsewhere."""
    if name not in known:
        return name
    value = known[name]
    return _FALSE if value is None else value if _NUMBER.fullmatch(value) else name


def _include_of(line: bytes) -> bytes:
    """The include among a line's conditions."""
    begin = line.find(b"#include")
    return line[begin : line.find(b"\n", begin) + 1]
