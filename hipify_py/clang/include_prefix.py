"""The beginning of a source: other projects' headers that come before any code of its own, in order.

Only the beginning can be precompiled. So the reading stops at the first item that is neither such a header, nor an
include of a project file, which is read in turn, nor a comment. A condition that contains only such headers is taken as
it is: the lines before it are the same, so its outcome is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

FOREIGN = ""
"""The result of `Leads` for an include that leads out of the project."""

Leads = Callable[[str, str, bool], "str | None"]
"""Where an include leads, given its file's path, its name, and whether it is quoted: a path, `FOREIGN`, or None."""

_MOST_LINES = 300
_MOST_READ = 1000
"""Limit on file reads: files without guards are read each time, and each may include others twice."""

_DEEPEST = 50
"""Limit on nested conditions and nested includes; programs stay below it."""

_BLANK = rb"(?:[ \t\v\f\r]|\\\r?\n|/\*(?:[^*]|\*(?!/))*\*/)"
_END = _BLANK + rb"*(?://[^\n]*)?(?=\n|\Z)"
_HASH = rb"\#" + _BLANK + rb"*"
_WORD = _BLANK + rb"+([A-Za-z_]\w*)"
_ONCE = _HASH + rb"pragma" + _BLANK + rb"+once" + _END
_SKIPPED = re.compile(rb"(?:" + _BLANK + rb"|\n|//[^\n]*|(" + _ONCE + rb"))+")
_INCLUDE = re.compile(_HASH + rb"include" + _BLANK + rb'*(?:<([^<>"\\\n]+)>|"([^<>"\\\n]+)")' + _END)
_REST = rb"\b(?:[^\n\\/]*[^\s\\/])?"  # leaves trailing blanks to `_END`: otherwise both would try all of them
_IF = re.compile(_HASH + rb"((?:if|ifdef|ifndef)" + _REST + rb")" + _END)
_OTHERWISE = re.compile(_HASH + rb"((?:else|elif)" + _REST + rb")" + _END)
_ENDIF = re.compile(_HASH + rb"endif" + _REST + _END)
_UNLESS = re.compile(_HASH + rb"ifndef" + _WORD + _END)
_UNLESS_DEFINED = re.compile(_HASH + rb"if" + _BLANK + rb"*!" + _BLANK + rb"*defined[ \t(]+(\w+)(?:[ \t]*\))?" + _END)
_DEFINE = re.compile(_HASH + rb"define" + _WORD + rb"(?:" + _BLANK + rb"+1)?" + _END)


def opening(path: str, text_of: Callable[[str], bytes], leads: Leads) -> tuple[bytes, ...]:
    """The first lines of a source: each an include of another project's header, or a condition with some.

    Args:
        path: the source.
        text_of: returns the content of a project file.
        leads: returns where includes lead; if that is unknown, the reading stops.
    """
    reader = _Reader(text_of, leads)
    reader.reads_through(path)
    return tuple(reader.lines)


class _Reader:
    def __init__(self, text_of: Callable[[str], bytes], leads: Leads) -> None:
        self._text_of = text_of
        self._leads = leads
        self._within: list[str] = []
        self._read_once: set[str] = set()
        self._read = 0
        self.lines: list[bytes] = []

    def reads_through(self, path: str) -> bool:
        """Read a file; true if it has no code of its own, so that the reading continues after its include."""
        if path in self._read_once:
            return True
        if path in self._within or len(self._within) > _DEEPEST or self._read >= _MOST_READ:
            return False
        self._read += 1
        self._within.append(path)
        text = self._text_of(path)
        skipped = _SKIPPED.match(text)
        start = 0 if skipped is None else skipped.end()
        guarded = _behind_guard(text, start)
        at: int | None = start if guarded is None else guarded
        end = len(text)
        while at is not None and (at := _skip(text, at)) < end:
            closed = _ENDIF.match(text, at) if guarded is not None else None
            if closed is not None:  # of the guard, which must enclose everything
                at = end if _skip(text, closed.end()) == end else None
                break
            at = self._line(path, text, at)
        self._within.pop()
        if guarded is not None or (skipped is not None and skipped[1] is not None):
            self._read_once.add(path)
        return at is not None

    def _line(self, path: str, text: bytes, at: int) -> int | None:
        """Read the item at a place; return the place after it, or None for any other item."""
        if len(self.lines) >= _MOST_LINES:
            return None
        include = _INCLUDE.match(text, at)
        target = None if include is None else self._target(path, include)
        if include is None:
            block: list[bytes] = []
            behind = self._condition(path, text, at, block)
            if behind is not None:
                self._take(b"".join(block))
            return behind
        if target is None or (target != FOREIGN and not self.reads_through(target)):
            return None
        if target == FOREIGN:
            self._take(_line_of(include))
        return include.end()

    def _take(self, line: bytes) -> None:
        if line not in self.lines or not line.startswith(b"#include"):  # a condition may have another outcome now
            self.lines.append(line)

    def _condition(self, path: str, text: bytes, at: int, block: list[bytes]) -> int | None:
        """Read a condition that contains only other projects' headers; return the place after it."""
        depth = 0
        while depth <= _DEEPEST:
            at = _skip(text, at)
            if (begin := _IF.match(text, at)) is not None:
                block.append(b"#%b\n" % begin[1])
                depth += 1
                at = begin.end()
            elif not depth:
                return None
            elif (include := _INCLUDE.match(text, at)) is not None:
                if self._target(path, include) != FOREIGN:
                    return None
                block.append(_line_of(include))
                at = include.end()
            elif (branch := _OTHERWISE.match(text, at)) is not None:
                block.append(b"#%b\n" % branch[1])
                at = branch.end()
            elif (end := _ENDIF.match(text, at)) is not None:
                block.append(b"#endif\n")
                depth -= 1
                at = end.end()
                if not depth:
                    return at
            else:
                return None
        return None

    def _target(self, path: str, include: re.Match[bytes]) -> str | None:
        name = (include[1] or include[2]).decode("utf-8", "surrogateescape")
        return self._leads(path, name, include[1] is None)


def _line_of(include: re.Match[bytes]) -> bytes:
    """An include of another project's header, in a form with the same meaning in any file."""
    return b"#include <%b>\n" % (include[1] or include[2])


def _skip(text: bytes, at: int) -> int:
    skipped = _SKIPPED.match(text, at)
    return at if skipped is None else skipped.end()


def _behind_guard(text: bytes, at: int) -> int | None:
    """The place after the two lines that begin an include guard; None if there is none."""
    begin = _UNLESS.match(text, at) or _UNLESS_DEFINED.match(text, at)
    define = None if begin is None else _DEFINE.match(text, _skip(text, begin.end()))
    return define.end() if begin is not None and define is not None and begin[1] == define[1] else None
