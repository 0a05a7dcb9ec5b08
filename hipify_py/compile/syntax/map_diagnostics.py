"""libclang's messages for a unit, mapped to the files of the project, without consequences of other errors.

- An error in a header of the system or of ROCm counts where it was asked for: at the line of the project that
  instantiates a template of it. Without such a line it is a matter between libclang and the header, and is dropped.
- Behind a header that is not there anything may be unknown: a compiler stops, and nothing but further headers that are
  not there is told from there on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.clang.messages import BUILTIN, SHORTENED, missing_header
from hipify_py.compile.diagnostics import Message

_INCLUDED = "in file included from"
_LEADS_IN = ("in instantiation of", "while ", "called by ", "in evaluation of", "requested here", "expanded from")

Said = Mapping[str, Any]
"""A message as `hipify_py.clang.messages` has it."""


class Told(NamedTuple):
    """The messages for one unit.

    Attributes:
        messages: the errors, each followed by its notes.
        missing: the missing headers, each with its message.
        narrowed: the warnings of `-Wshorten-64-to-32`.
        dropped: how many errors inside foreign headers were left out.
    """

    messages: Sequence[Message] = ()
    missing: Mapping[str, Message] = {}
    narrowed: Sequence[Message] = ()
    dropped: int = 0


def told(passes: Iterable[Sequence[Said]], files: Mapping[str, str]) -> Told:
    """Put the messages of a unit's passes together; `files` are those of the project, by their absolute paths."""
    messages: dict[Message, None] = {}
    missing: dict[str, Message] = {}
    narrowed: dict[Message, None] = {}
    dropped: dict[tuple[object, ...], None] = {}
    for said in passes:
        is_behind = False
        for each in said:
            placed = _placed(each, files)
            header = missing_header(each)
            if each["option"] == SHORTENED:
                if placed is not None:
                    narrowed[placed] = None
            elif each["severity"] != "error":
                continue
            elif header:
                is_behind = True
                missing.setdefault(header, placed or _message(each))
            elif is_behind:
                continue
            elif placed is None or BUILTIN.match(each["text"]):
                dropped[each["path"], each["line"], each["column"], each["text"]] = None
            elif placed not in messages:
                messages[placed] = None
                for note in _notes(each, placed, files):
                    messages[note] = None
    return Told([*messages], missing, [*narrowed], len(dropped))


def _message(said: Said) -> Message:
    return Message(os.path.normpath(said["path"]), said["line"], said["column"], said["severity"], said["text"])


def _placed(said: Said, files: Mapping[str, str]) -> Message | None:
    """A message in the project: at its own place, or at the line that led to it; None where there is neither."""
    message = _message(said)
    if message.path in files:
        return message
    for note in said["notes"]:
        place = _message(note)
        if place.path in files and any(sign in place.text for sign in _LEADS_IN):
            where = f" (in {os.path.basename(message.path)})" if message.path != "." else ""
            return place._replace(severity=message.severity, text=message.text + where)
    return None


def _notes(said: Said, placed: Message, files: Mapping[str, str]) -> Iterator[Message]:
    for note in said["notes"]:
        message = _message(note)
        if message.path in files and message[:3] != placed[:3] and not message.text.startswith(_INCLUDED):
            yield message
