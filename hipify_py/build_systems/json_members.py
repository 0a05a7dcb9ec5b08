"""The members of a JSON text's objects with their bytes, which the standard library's reader does not report."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)


class Member(NamedTuple):
    """A member of an object.

    Attributes:
        path: the names of the members around it, from the outside; a list's items have the name of the list.
        name: its own name.
        start: where its name begins, with the quote.
        value: where its value begins.
        end: just after its value.
        before: the end of the member before it in the same object; -1 for the first.
        after: the start of the next one; -1 for the last.
    """

    path: tuple[str, ...]
    name: str
    start: int
    value: int
    end: int
    before: int = -1
    after: int = -1


class _Open:
    __slots__ = ("is_object", "members", "name", "start", "value")

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.members: list[int] = []
        self.name, self.start, self.value = "", -1, -1


def members_of(data: bytes) -> list[Member]:
    """All members, in the order of their ends; none if the text is not JSON."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return []
    found: list[Member] = []
    stack: list[_Open] = []
    path: list[str] = []
    is_value = False
    for match in _TOKEN.finditer(data):
        text, start, end = match[0], match.start(), match.end()
        if text in b"{[":
            if stack and stack[-1].is_object and stack[-1].value < 0:
                stack[-1].value = start
            path.append(stack[-1].name if stack and stack[-1].is_object else "")
            stack.append(_Open(text == b"{"))
            is_value = False
        elif text in b"}]":
            stack.pop()
            path.pop()
            _ended(found, stack, path, end)
        elif text == b":":
            is_value = True
        elif text == b",":
            is_value = False
        elif stack and stack[-1].is_object and not is_value:
            stack[-1].name, stack[-1].start, stack[-1].value = json.loads(text), start, -1
        else:
            if stack and stack[-1].is_object:
                stack[-1].value = start
            _ended(found, stack, path, end)
    return found


def _ended(found: list[Member], stack: list[_Open], path: list[str], end: int) -> None:
    """Add the member whose value has ended."""
    if not stack or not stack[-1].is_object:
        return
    top = stack[-1]
    before = -1
    if top.members:
        last = top.members[-1]
        before = found[last].end
        found[last] = found[last]._replace(after=top.start)
    top.members.append(len(found))
    names = tuple(name for name in path if name)
    found.append(Member(names, top.name, top.start, top.value, end, before))
