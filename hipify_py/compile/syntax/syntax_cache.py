"""Answers of earlier runs: an answer is valid as long as everything that was read for it is unchanged.

Files of the project count by content, as they are after the translation; those of the system by size and time; the
folders that were searched for headers by the names in them.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from hipify_py.clang.precompiled import digest_of
from hipify_py.clang.search_paths import searched
from hipify_py.core.installation import VERSION
from hipify_py.project.clang_session import headers_in
from hipify_py.project.results_cache.store import Store

_FORMAT = 3


class KeptAnswers:
    """Finds and keeps answers.

    Args:
        store: has the answers of earlier runs.
        outputs: the text of translated files, by their absolute paths.
        about: what else every answer depends on: the parts that parse, the names of the project's files.
    """

    def __init__(self, store: Store, outputs: Mapping[str, bytes], about: Sequence[str]) -> None:
        self._store = store
        self._outputs = outputs
        self._about = [str(_FORMAT), VERSION, *about]
        self._marks: dict[str, str] = {}

    def find(self, path: str, passes: Sequence[Sequence[str]]) -> list[Any] | None:
        """The values for the passes of a unit; None where they have to be asked for."""
        body = self._store.read(self._key(path, passes))
        if body is None:
            return None
        kept = json.loads(body)
        if kept["path"] != path or any(self._mark(name) != mark for name, mark in kept["read"].items()):
            return None
        values: list[Any] = kept["values"]
        return values

    def keep(
        self, path: str, passes: Sequence[Sequence[str]], values: Sequence[Mapping[str, Any]], more: Iterable[str] = ()
    ) -> None:
        """Keep an answer, unless a header is missing: the header may appear, and nothing would notice.

        Args:
            more: files that it depends on besides those that its values name.
        """
        texts = (message["text"] for value in values for message in value["messages"])
        if any(text.endswith("file not found") for text in texts):
            return
        files_read = [path, *more, *(name for value in values for name in value["files"])]
        folders = (folder for words in passes for folder in searched(words, files_read))
        read = dict.fromkeys([*files_read, *folders])
        body = {"path": path, "read": {name: self._mark(name) for name in read}, "values": list(values)}
        self._store.write(self._key(path, passes), json.dumps(body).encode("ascii"))

    def _key(self, path: str, passes: Sequence[Sequence[str]]) -> bytes:
        words = [*self._about, path, *(word for words in passes for word in ("", *words))]
        return f"syntax {name_of(words)}".encode("ascii")

    def _mark(self, path: str) -> str:
        """What a file is known again by."""
        path = os.path.normpath(path)
        known = self._marks.get(path)
        if known is None:
            known = self._marks[path] = self._look(path)
        return known

    def _look(self, path: str) -> str:
        if path in self._outputs:
            return blake2b(self._outputs[path], digest_size=12).hexdigest()
        try:
            status = os.stat(path)
        except OSError:
            return ""
        if stat.S_ISDIR(status.st_mode):
            return headers_in(path).hex()
        return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"


def name_of(words: Iterable[str]) -> str:
    """A short name for a list of words."""
    return digest_of(map(os.fsencode, words))
