"""Reads clang's messages, and puts them at the CUDA lines that they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hipify_py.core.edits import SourceMap
from hipify_py.core.source import Source

_MESSAGE = re.compile(
    r"^(?P<path>[^\s:][^:]*|[A-Za-z]:[^:]*):(?P<line>\d+):(?P<column>\d+): (?P<severity>\w[\w ]*): (?P<text>.*)$"
)
_SEVERITIES = {"fatal error": "error", "error": "error", "warning": "warning", "note": "note", "remark": "note"}


class Message(NamedTuple):
    """One message of the compiler.

    Attributes:
        source_line: the text of its line, where that is known.
        output_line: the HIP text of that line, where it is another.
        id: the finding that it is, where it is one of ours.
    """

    path: str
    line: int
    column: int
    severity: str
    text: str
    source_line: str = ""
    output_line: str = ""
    id: str = ""


class Origin(NamedTuple):
    """A compiled file's CUDA source, the HIP text that was compiled, and the map between the two."""

    source: Source
    output: Source
    source_map: SourceMap


def parse_messages(text: str) -> Iterator[Message]:
    """The messages in clang's output, in its order; its source quotes and include traces are left out."""
    for line in text.splitlines():
        match = _MESSAGE.match(line)
        if match is not None and match["severity"] in _SEVERITIES:
            severity = _SEVERITIES[match["severity"]]
            yield Message(match["path"], int(match["line"]), int(match["column"]), severity, match["text"])


def with_notes_of(messages: Iterable[Message], severities: Iterable[str]) -> Iterator[Message]:
    """The messages of these severities, each followed by its notes."""
    wanted = set(severities)
    shown = False
    for message in messages:
        if message.severity != "note":
            shown = message.severity in wanted
        if shown:
            yield message


def at_origin(message: Message, origins: Mapping[str, Origin]) -> Message:
    """The message at its place in the CUDA source; unchanged for files that were not translated."""
    origin = origins.get(message.path)
    if origin is None:
        return message
    place = offset_of(origin.output, message.line, message.column)
    offset = min(origin.source_map.to_input(place), len(origin.source.data))
    line, column = origin.source.position(offset)
    start, end = origin.source.line_bounds(offset)
    text = _text(origin.source, start, end)
    output = _text(origin.output, *origin.output.line_bounds(place))
    other = "" if output.strip() == text.strip() else output
    return message._replace(path=origin.source.path, line=line, column=column, source_line=text, output_line=other)


def quoted(message: Message) -> Message:
    """A message about a file that was not translated, with that file's line, where it can be read."""
    try:
        with open(message.path, "rb") as file:
            source = Source(file.read(), message.path)
    except OSError:
        return message
    start, end = source.line_bounds(offset_of(source, message.line, message.column))
    return message._replace(source_line=_text(source, start, end))


def _text(source: Source, start: int, end: int) -> str:
    return source.data[start:end].decode("utf-8", "replace").rstrip("\r\n")


def offset_of(source: Source, line: int, column: int) -> int:
    """The byte offset of a (line, column) as compilers count them; the nearest one for places past the end."""
    start = 0
    for _ in range(line - 1):
        end = source.data.find(b"\n", start)
        if end < 0:
            return len(source.data)
        start = end + 1
    return min(start + column - 1, len(source.data))


def message_lines(message: Message) -> list[str]:
    """A message as text: the location and the error, the source line with a caret below, and the HIP line."""
    what = f" {message.id}" if message.id else ":"
    lines = [f"{message.path}:{message.line}:{message.column}: {message.severity}{what} {message.text}"]
    if message.source_line:
        lead = message.source_line.encode()[: message.column - 1].decode("utf-8", "replace")
        indent = "".join("\t" if character == "\t" else " " for character in lead)
        lines += [f"    {message.source_line}", f"    {indent}^"]
    if message.output_line and message.severity != "note":
        lines.append(f"    in HIP: {message.output_line.strip()}")
    return lines
