"""Maps messages about files that a conversion has written to the lines of their sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from hipify_py.compile.diagnostics import Message, Origin, at_origin, quoted
from hipify_py.core.edits import Edit, SourceMap, apply
from hipify_py.core.source import Source


def origin_of(output: bytes, shown: str, source: str, edits: Sequence[Edit]) -> Origin | None:
    """Where the text of a translation comes from; None if it is not what the edits make of the source (any more).

    Args:
        output: the translation.
        shown: its name in messages.
        source: the file that was translated.
        edits: what the translation has changed.

    Raises:
        OSError: if the source cannot be read.
    """
    with open(source, "rb") as file:
        data = file.read()
    if any(edit.end > len(data) for edit in edits) or apply(data, edits) != output:
        return None
    return Origin(Source(data, source), Source(output, shown), SourceMap(edits))


def origin_of_file(path: str, source: str, edits: Sequence[Edit]) -> Origin | None:
    """Where the text of a translated file comes from (see `origin_of`).

    Raises:
        OSError: if the file or its source cannot be read.
    """
    with open(path, "rb") as file:
        return origin_of(file.read(), path, source, edits)


class Origins:
    """Maps messages to their sources; only the files that they name are read.

    Args:
        find: the origin of a file, by its absolute path; None if it is not a translation.
        shown: the name in messages of a file without an origin, by its absolute path.
    """

    def __init__(self, find: Callable[[str], Origin | None], shown: Mapping[str, str]) -> None:
        self._find = find
        self._shown = shown
        self._known: dict[str, Origin | None] = {}

    def home(self, message: Message) -> Message:
        """The message at the CUDA line that it comes from, or at the file's own line."""
        path = os.path.normpath(message.path)
        if path not in self._known:
            self._known[path] = self._find(path)
        origin = self._known[path]
        message = message._replace(path=path)
        if origin is not None:
            return at_origin(message, {path: origin})
        return quoted(message)._replace(path=self._shown.get(path, path))
