"""The headers of other projects that a source includes after code of its own, in the order in which they are found.

They can be precompiled as if they came first, as long as nothing before them affects their content: `clang.beginnings`
decides that, once their content is known. This module reads what is needed for that: each include with its conditions,
each macro that the project defines or undefines before it, and whether the code before it mentions the runtime's names.
An include between brackets stays where it is, and so does one under a condition on one of the project's own macros. If
the meaning of a line is uncertain, the reading stops.
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
"""A name; part of a number or a character (`201703L`, `0x1`, `L'a'`) is not a name."""
_GUARD = re.compile(rb"!\s*defined\s*\(?\s*(\w+)\s*\)?")
_DEFINED_MACRO = re.compile(rb"\bdefined\s*\(?\s*(\w+)(?:\s*\))?")
_NUMBER = re.compile(rb"\d+")
_CONTINUED = re.compile(rb"\\\r?\n")
_COMMENT = re.compile(rb'("[^"\n]*")|/\*.*?(?:\*/|\Z)|//[^\n]*', re.DOTALL)

_HARMLESS = (b"once", b"unroll", b"omp", b"GCC", b"message", b"region", b"endregion", b"warning", b"nv_", b"hd_")
"""Beginnings of pragmas that do not affect the headers after them."""

_NEVER = b""
"""The condition of a part whose includes stay in place."""

_TRUE, _FALSE = b"1", b"0"
_OF_THE_PLACE = frozenset(
    (
        *(b"__has_include", b"__has_include_next", b"__has_embed"),
        *(b"__COUNTER__", b"__LINE__", b"__INCLUDE_LEVEL__", b"__TIMESTAMP__"),
        *(b"__FILE__", b"__FILE_NAME__", b"__BASE_FILE__"),
    )
)
"""Names whose value may differ in another file."""
_SETTLED = {
    form % value: _TRUE if is_true == (value == _TRUE) else _FALSE
    for value in (_TRUE, _FALSE)
    for form, is_true in ((b"%b", True), (b"(%b)", True), (b"!%b", False), (b"!(%b)", False))
}


class Item(NamedTuple):
    """An include of another project's header, or a macro that the project's own code defines or undefines.

    Attributes:
        line: the include or definition, inside its conditions; empty if it stays in place.
        macro: the macro's name; empty for an include.
        tells_of_runtime: whether code before this mentions the runtime's names.
    """

    line: bytes
    macro: bytes = b""
    tells_of_runtime: bool = False


class HeadersBehind:
    """Reads sources; each file is parsed once.

    Args:
        text_of: returns the content of a project file.
        leads: returns where includes lead.
    """

    def __init__(self, text_of: Callable[[str], bytes], leads: Leads) -> None:
        self._text_of = text_of
        self._leads = leads
        self._events: dict[str, list[_Event]] = {}

    def of(self, path: str, opening: tuple[bytes, ...]) -> tuple[Item, ...]:
        """What a source includes after its beginning (`hipify_py.clang.include_prefix.opening`).

        Empty if that adds no headers.
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
    """A relevant item in a file.

    Attributes:
        kind: its kind.
        text: the name of an include or a macro, or a condition.
        rest: the replacement of a plain text macro; None for other macros.
        is_quoted: for an include.
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
    """The event of a directive; None if the directive does not affect what follows."""
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
    """A part between `#if` and `#endif` that is being read.

    Attributes:
        conditions: the conditions that must hold, in order; `_NEVER` is among them if one must not be evaluated
            elsewhere.
        before: the number of open brackets before it.
        behind: the numbers of open brackets at the ends of its branches, as far as these are compiled.
    """

    def __init__(self, condition: bytes, brackets: int) -> None:
        self.conditions = [condition]
        self.before = brackets
        self.behind: set[int] = set()

    @property
    def is_dead(self) -> bool:
        """Whether the branch is certainly not compiled."""
        return _FALSE in self.conditions

    @property
    def is_certain(self) -> bool:
        """Whether the branch is certainly compiled."""
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
        """Read a file; false if the reading stops in it.

        A file with a guard is read where it is certain to be included, and before that once where it may be; any other
        file is read each time.
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
        """Process the next event of a file; false if the reading stops there."""
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
        """A condition with the project's own macros replaced by their values.

        `_NEVER` if it depends on an uncertain macro, or on its place.
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
        # Earlier conditions are not evaluated again: macros defined since do not affect them.
        last = part.conditions.pop()
        negated = b"!(%b)" % last
        part.conditions.append(_SETTLED.get(negated, negated) if last else _NEVER)
        part.conditions.append(self._checked(condition))
        self._brackets = part.before
        return True

    def _end(self) -> bool:
        """Leave a part. All its branches must open and close the same number of brackets."""
        part = self._parts.pop()
        self._leave(part)
        self._brackets = min(part.behind, default=part.before)
        return len(part.behind) < 2

    def _leave(self, part: _Part) -> None:
        """Leave a branch."""
        if not part.is_dead:
            part.behind.add(self._brackets)

    def _define(self, event: _Event) -> bool:
        """Process a definition. It can move along unless conditions of the project depend on it."""
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
        """A line inside its conditions; empty if they are unknown."""
        conditions = [each for part in self._parts for each in part.conditions]
        if _NEVER in conditions:
            return b""
        asked = [condition for condition in conditions if condition != _TRUE]
        return b"".join(b"#if %b\n" % condition for condition in asked) + line + b"#endif\n" * len(asked)


def _value_of(name: bytes, known: Mapping[bytes, bytes | None]) -> bytes:
    """The value of a name in a condition if it is a known number; otherwise the name."""
    if name not in known:
        return name
    value = known[name]
    return _FALSE if value is None else value if _NUMBER.fullmatch(value) else name


def _include_of(line: bytes) -> bytes:
    """The include inside a line's conditions."""
    begin = line.find(b"#include")
    return line[begin : line.find(b"\n", begin) + 1]
