"""The names of renamed files: `convert --rename` gives sources other endings, and their references follow."""

from __future__ import annotations

import re

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.renames import folder_of, masked, new_ending, new_spellings, renamed_endings

_WORD = re.compile(rb"[^\s:;,=(){}$\"'|&<>`\\]+")
_UNKNOWN = "?"
"""Represents what comes before a part of a word: the value of a reference."""


def apply(file: MakeFile) -> None:
    """Write the new names: of files, in patterns (`%.cu`), and bare endings (`$(A:.cu=.o)`, `.cu.o:`)."""
    endings = [ending.encode() for ending in renamed_endings(file.project)]
    if not any(ending in file.source.data for ending in endings):
        return
    for item in file.read.statements:
        for match in _WORD.finditer(file.source.data, item.start, item.end):
            if any(ending in match[0] for ending in endings):
                _word(file, match.start(), match[0].decode("utf-8", "surrogateescape"))


def _word(file: MakeFile, start: int, text: str) -> None:
    end = start + len(text.encode("utf-8", "surrogateescape"))
    before = file.source.data[start - 1 : start] if start else b""
    if text.startswith(".") and "/" not in text and before not in {b")", b"}"}:
        ending, dot, rest = text[1:].partition(".")
        new = new_ending(file.project, "." + ending)
        if new is not None:
            file.replace(start, end, new + dot + rest)
            file.converted(start, text, "file")
            return
    prefix = _UNKNOWN if before in {b")", b"}"} else ""
    word = prefix + text
    unknown = [(0, 1)] if prefix else []
    unknown += [(at, at + 1) for at, character in enumerate(word) if character == "%"]
    found = new_spellings(file.project, folder_of(file.source.path), word, masked(word, unknown))
    if found is None:
        return
    if len(found) == 1:
        file.replace(start, end, found[0][len(prefix) :])
        file.converted(start, text, "file")
    else:
        file.finding("HIP610", start, text, "no single name covers all of them")
