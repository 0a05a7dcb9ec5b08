"""Saves a parsed unit as a precompiled header. Runs in the child process."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from typing import Any

from hipify_py.clang.messages import BUILTIN, header_missed

_TWICE = re.compile(r"redefinition|redeclar|conflicting types|previously declared")
_COMMENT = re.compile(
    rb"""
    ( R"([^()\\\s]{0,16})\(.*?(?:\)\2"|\Z) | "(?:[^"\\\n]|\\.)*"? | \b\d\w*(?:'\w+)+ | '(?:[^'\\\n]|\\.)*'? )
    | //[^\n]* | /\*.*?(?:\*/|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
"""A comment, or a literal, in which no comment begins. Wrongly matched literals only keep their words."""
_NAME = re.compile(rb"[A-Za-z_]\w*")


def answer(unit: Any, details: Any) -> dict[str, Any] | None:
    """Save the unit to the file `target` of the details; None if libclang cannot.

    Returns `files`, the files read except the main one and other precompiled headers, and `repeats`: whether the unit's
    headers may be included again. If they may not, nothing is saved. `missing` are the missing headers.

    With `ends` in the details, the last lines of the unit's entries, it is saved only if there are no errors. The
    result also has `wrong`, the first entry with an error or None, and `words`, all identifiers in the headers that
    each entry adds; those in the details' `had` were there before.
    """
    from clang.cindex import TranslationUnitSaveError

    inclusions = [*unit.get_includes()]
    files = dict.fromkeys(inclusion.include.name for inclusion in inclusions)
    errors = [diagnostic for diagnostic in unit.diagnostics if diagnostic.severity >= diagnostic.Error]
    texts = [diagnostic.spelling for diagnostic in errors]
    missing = dict.fromkeys(filter(None, map(header_missed, texts)))
    reply: dict[str, Any] = {"files": [file for file in files if not file.endswith(".pch")], "missing": [*missing]}
    if "ends" in details:
        entries = _Entries(unit.spelling, inclusions, details["ends"], details["had"])
        wrong = [entries.of(error.location) for error in errors if not BUILTIN.match(error.spelling)]
        reply |= {"repeats": not wrong, "wrong": wrong[0] if wrong else None, "words": entries.words()}
    else:
        reply["repeats"] = not any(map(_TWICE.search, texts))
    try:
        if reply["repeats"]:
            unit.save(os.fsencode(details["target"]))
    except TranslationUnitSaveError:
        return None
    return reply


class _Entries:
    """The entries of a unit that consists of includes inside conditions, written twice."""

    def __init__(self, main: str, inclusions: list[Any], ends: list[int], had: list[str]) -> None:
        before = {*had}
        self._main = main
        self._ends = ends
        self._files: list[list[str]] = [[] for _ in ends]
        self._first: dict[str, int] = {}
        for inclusion in inclusions:
            name = inclusion.include.name
            if name in self._first or name.endswith(".pch") or inclusion.source is None:
                continue
            entry = self._at(inclusion.source.name, inclusion.location.line)
            if entry is not None:
                self._first[name] = entry
                if name not in before:  # it may be read again, without effect
                    self._files[entry].append(name)

    def of(self, location: Any) -> int:
        """The entry that led to a place; the first one if that is unknown."""
        return (self._at(location.file.name, location.line) if location.file else None) or 0

    def words(self) -> list[str]:
        """The identifiers in the headers that each entry is the first to include, and the ends of their paths."""
        return [" ".join(sorted(self._words(files))) for files in self._files]

    def _at(self, file: str, line: int) -> int | None:
        if file != self._main:
            return self._first.get(file)
        return bisect_left(self._ends, (line - 1) % self._ends[-1] + 1)

    def _words(self, files: list[str]) -> set[str]:
        words: set[bytes] = set()
        for name in files:
            with open(name, "rb") as file:
                words.update(words_of(file.read()))
        ends = ("/".join(name.replace("\\", "/").rsplit("/", 2)[-2:]) for name in files)
        return {*(word.decode("ascii", "replace") for word in words), *(end for end in ends if " " not in end)}


def words_of(text: bytes) -> set[bytes]:
    """The identifiers in a header outside comments, including those in strings."""
    return {*_NAME.findall(_COMMENT.sub(rb"\1 ", text))}
