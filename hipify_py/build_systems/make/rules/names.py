"""The names of renamed files: `convert --rename` gives sources other endings, and their references follow."""

from __future__ import annotations

import re

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.reader import Statement
from hipify_py.build_systems.renames import (
    FOLDER_OPTION,
    folder_of,
    masked,
    new_ending,
    new_folder,
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
    found = new_spellings(file.project, folder_of(file.source.path), word, mask)
    if found is None:
        made = new_output(file.project, folder_of(file.source.path), word, mask)
        if made is None:
            _folder(file, start, text, prefix, statement)
            return
        found = (made,)
    if len(found) == 1:
        file.replace(start, end, found[0][len(prefix) :])
        file.converted(start, text, "file")
    else:
        file.finding("HIP610", start, text, "no single name covers all of them")


def _folder(file: MakeFile, start: int, text: str, prefix: str, statement: Statement) -> None:
    """Write the new name of a renamed folder."""
    option = FOLDER_OPTION.match(text)
    at = option.end() if option else 0
    path = prefix + text[at:]
    if not ("/" in path.strip("/") or option or _is_folder(file, start, statement)):
        return
    new = new_folder(file.project, folder_of(file.source.path), path, masked(path, [(0, 1)] if prefix else []))
    if new is not None:
        file.replace(start + at, start + len(text.encode("utf-8", "surrogateescape")), new[len(prefix) :])
        file.converted(start + at, text[at:], "file")


def _is_folder(file: MakeFile, start: int, statement: Statement) -> bool:
    """Whether a word is a folder even if it has but one part: after `-I`, `-C` or `cd`, or in a list of folders."""
    if statement.operator and _LIST.fullmatch(statement.name):
        return True
    before = file.source.data[statement.start : start].split()[-1:]
    return bool(before) and (
        before[0] == b"cd" or FOLDER_OPTION.fullmatch(before[0].decode("utf-8", "replace")) is not None
    )
