"""How a file that a conversion has written came about: it is translated again, for its source map."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from hipify_py.compile.diagnostics import Message, Origin, at_origin, quoted
from hipify_py.core.options import Options
from hipify_py.core.source import Source, UnreadableSource
from hipify_py.project.contexts import ContextMap
from hipify_py.project.work import Task, translation_of


def origin_of(written: str, task: Task, options: Options, project: ContextMap) -> Origin | None:
    """The translation behind the result of a task; None if the file no longer matches the task's source."""
    with open(task.path, "rb") as file:
        data = file.read()
    try:
        translation = translation_of(task, data, options, project.of(task.path))
    except UnreadableSource:
        return None
    with open(written, "rb") as file:
        if file.read() != translation.output:
            return None
    return Origin(Source(data, task.path), Source(translation.output, written), translation.source_map)


class Origins:
    """Maps messages to their sources; only the files that they name are translated again.

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
