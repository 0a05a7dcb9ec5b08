"""The scalars of a file in YAML, each with its bytes and the keys that lead to it.

Only events are read, so that aliases are never followed. What is no YAML of itself reads as something of the same
length: statements of Jinja, which conda's recipes have, as comments, and bytes beyond ASCII as letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

LARGEST = 1 << 22
"""Bytes of a file that is read, which take a second; no file that people or generators write for CI comes near that."""

_REMARK = re.compile(rb"\{#.*?#\}")
_STATEMENT = re.compile(rb"\{%.*?%\}")
_EXPRESSION = re.compile(rb"(?<!\$)\{\{.*?\}\}")
_BEYOND = re.compile(rb"[\x80-\xff]")
_HASH = re.compile(rb"(?:(?<=[ \t\n])|\A)#[^\n]*")
_BLOCKS = "|>"
_DEEPEST = 256
"""Lists and mappings within each other; libyaml looks at all that are open with each token."""


class Scalar(NamedTuple):
    """A scalar.

    Attributes:
        start: where its text begins, without quotes, or with the first line of a block.
        end: where its text ends.
        keys: the keys that lead to it, those of lists left out, the last ones of them; its own last.
        style: `|`, `>`, a quote, or empty for a plain one.
        is_key: it is a key of a mapping itself; `keys` end in that then.
        is_item: it is an item of a list.
        is_exact: its text stands there as it is meant, without escapes.
    """

    start: int
    end: int
    keys: tuple[str, ...]
    style: str = ""
    is_key: bool = False
    is_item: bool = False
    is_exact: bool = True


class Document(NamedTuple):
    """What a file says: its scalars, its comments, and its text with nothing beyond YAML."""

    scalars: list[Scalar]
    comments: list[tuple[int, int]]
    text: bytes


NOTHING, TOO_LARGE = Document([], [], b""), Document([], [], b" ")


def read(data: bytes) -> Document:
    """Read a file; one that is no YAML has nothing to say, and one beyond `LARGEST` is `TOO_LARGE`."""
    if len(data) > LARGEST:
        return TOO_LARGE
    text = _without(data, _REMARK, b"#}", b"#", b" ")
    text = _without(text, _STATEMENT, b"%}", b"#", b" ")
    text = _without(text, _EXPRESSION, b"}}", b"x", b"x")
    if text.startswith(b"\xef\xbb\xbf"):
        text = b"   " + text[3:]
    text = _BEYOND.sub(b"x", text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars: list[Scalar] = []
    try:
        scalars += _scalars(yaml.parse(text.decode("ascii"), Loader=loader), text)
    except (yaml.YAMLError, RecursionError):
        return NOTHING
    return Document(scalars, list(_comments(text, scalars)), text)


def _without(text: bytes, pattern: re.Pattern[bytes], closing: bytes, first: bytes, others: bytes) -> bytes:
    """A text with other bytes for what a template language has in it, which ends on its line.

    Nothing is looked for behind the last closing mark of a line: a mark that is never closed is looked for to the end.
    """
    if closing not in text:
        return text

    def other(match: re.Match[bytes]) -> bytes:
        return first + others * (len(match[0]) - 1)

    def without(line: bytes) -> bytes:
        end = line.rfind(closing) + len(closing)
        return line if end < len(closing) else pattern.sub(other, line[:end]) + line[end:]

    return b"\n".join(map(without, text.split(b"\n")))


def _scalars(events: Any, text: bytes) -> Iterator[Scalar]:
    """The scalars, in their order; a frame of the stack is a list (None) or the key of a mapping (empty before one).

    Raises:
        yaml.YAMLError: it is no YAML, or nested too deeply.
    """
    stack: list[str | None] = []
    for event in events:
        if len(stack) > _DEEPEST:
            raise yaml.YAMLError("nested too deeply")
        if isinstance(event, yaml.ScalarEvent):
            is_key = bool(stack) and stack[-1] == ""
            value = event.value[:200]
            keys = tuple(key for key in stack[-8:] if key)
            yield _scalar(event, text, (*keys, value) if is_key else keys, is_key, bool(stack) and stack[-1] is None)
            if is_key:
                stack[-1] = value or "-"
            else:
                _ended(stack)
        elif isinstance(event, yaml.MappingStartEvent):
            stack.append("")
        elif isinstance(event, yaml.SequenceStartEvent):
            stack.append(None)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
            _ended(stack)
        elif isinstance(event, yaml.AliasEvent):
            _ended(stack)


def _ended(stack: list[str | None]) -> None:
    """A value has ended, or a key that is no scalar."""
    if stack and stack[-1] is not None:
        stack[-1] = "" if stack[-1] else "-"


def _scalar(event: Any, text: bytes, keys: tuple[str, ...], is_key: bool, is_item: bool) -> Scalar:
    start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
    if style and style in _BLOCKS:
        first = text.find(b"\n", start, end) + 1
        return Scalar(first or end, end, keys, style, is_key, is_item)
    if style:
        inner = text.find(style.encode(), start, end) + 1
        exact = (b"\\" if style == '"' else b"''") not in text[inner : end - 1] and b"\n" not in text[inner : end - 1]
        return Scalar(inner, end - 1, keys, style, is_key, is_item, exact)
    while start < end and text[start : start + 1] in b"&!":  # an anchor or a tag before it
        start = min(end, start + len(text[start:end].split(maxsplit=1)[0]))
        start += len(text[start:end]) - len(text[start:end].lstrip())
    return Scalar(start, end, keys, style, is_key, is_item, b"\n" not in text[start:end])


def _comments(text: bytes, scalars: list[Scalar]) -> Iterator[tuple[int, int]]:
    """The comments, which no scalar holds."""
    at = 0
    for match in _HASH.finditer(text):
        while at < len(scalars) and scalars[at].end <= match.start():
            at += 1
        if at == len(scalars) or match.start() < scalars[at].start:
            yield match.start(), match.end()
