"""The names of renamed files: `convert --rename` gives sources other endings, and their references follow."""

from __future__ import annotations

import re

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.reader import Statement
from hipify_py.build_systems.renames import (
    folder_of,
    masked,
    new_ending,
    new_folder_word,
    new_output,
    new_spellings,
    renamed_endings,
)
from hipify_py.core.project_context import renamed_folders

_WORD = re.compile(rb"[^\s:;,=(){}$\"'|&<>`\\]+")
_LIST = re.compile(r"\w*(?:DIR|DIRS|PATH|FOLDER|FOLDERS)", re.IGNORECASE)
"""The names of variables with folders."""
_UNKNOWN = "?"
"""Represents what comes before a part of a word: the value of a reference."""


def apply(file: MakeFile) -> None:
    """Write the new names: of files, in patterns (`%.cu`), and bare endings (`$(A:.cu=.o)`, `.cu.o:`)."""
    project = file.project
    marks = [mark.encode() for mark in (*renamed_endings(project), *renamed_folders(project), *project.renamed_words)]
    if not any(mark in file.source.data for mark in marks):
        return
    for item in file.read.statements:
        for match in _WORD.finditer(file.source.data, item.start, item.end):
            if any(mark in match[0] for mark in marks):
                _word(file, match.start(), match[0].decode("utf-8", "surrogateescape"), item)


def _word(file: MakeFile, start: int, text: str, statement: Statement) -> None:
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
    mask = masked(word, [(0, 1)] if prefix else [])
    folder = folder_of(file.source.path)
    found = new_spellings(file.project, folder, word, mask)
    if found is None:
        new = new_output(file.project, folder, word, mask) or _new_folder(file, start, statement, word, mask)
        if new is None:
            return
        found = (new,)
    if len(found) == 1:
        file.replace(start, end, found[0][len(prefix) :])
        file.converted(start, text, "file")
    else:
        file.finding("HIP610", start, text, "no single name covers all of them")


def _new_folder(file: MakeFile, start: int, statement: Statement, word: str, mask: str) -> str | None:
    """The new name of a renamed folder, which may be one word after `-I`, `-C` or `cd`, or in a list of folders."""
    before = file.source.data[statement.start : start].split()[-1:]
    return new_folder_word(
        file.project,
        folder_of(file.source.path),
        word,
        mask,
        before=before[0].decode("utf-8", "replace") if before else "",
        is_folder=bool(statement.operator and _LIST.fullmatch(statement.name)),
    )
