"""Command lines that are written as lists of JSON strings."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.shell_words import ShellText, Word

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def escaped(text: str) -> str:
    """A text as it is written between the quotes of JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def words_of_list(data: bytes, start: int, end: int) -> list[Word]:
    """The strings of a list that holds nothing else, with places without their quotes; none for any other text."""
    text = data[start:end].replace(b"\\\n", b"\n").replace(b"\\\r\n", b"\r\n")
    if not text.lstrip().startswith(b"["):
        return []
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(read, list) or not all(isinstance(item, str) for item in read):
        return []
    found = [(match.start(1), match.end(1), match[1]) for match in _STRING.finditer(data, start, end)]
    if len(found) != len(read):
        return []
    return [
        Word(first, last, item, is_plain=b"\\" not in raw) for (first, last, raw), item in zip(found, read, strict=True)
    ]


class ListSite(Site):
    """A command that is a list of strings."""

    def __init__(self, file: BuildFile, words: Sequence[Word], data: bytes) -> None:
        super().__init__(file, ShellText(data, 0, 0))
        self._starts = {word.start for word in words}
        self._ends = {word.end for word in words}

    def replace(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a part of a string, or its words in place of strings."""
        is_whole = end in self._ends and (start in self._starts or start == end)
        parts = text.split(" ") if is_whole else [text]
        self.file.replace(start, end, '", "'.join(map(escaped, parts)))

    def drop(self, start: int, end: int) -> None:
        """Take strings out, with the comma before them."""
        data, first = self.shell.data, start - 1
        while data[first - 1 : first] in (b" ", b"\t", b"\r", b"\n"):
            first -= 1
        if data[first - 1 : first] == b",":
            self.file.replace_whole(first - 1, end + 1, "")
