"""What a compilation database declares for each source: the folders, macros and standard of its command line.

A database is a file of the tree, so that nothing of it is ever passed on as an option: the known parts of a command
line are read from it, and options are built from those anew (`compile/driver.py`).
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

NVCCS_MACROS = ("__CUDA", "__NVCC")
"""Prefixes of the macros that nvcc itself defines, so that a parse of a source for HIP or by clang omits them."""

TOOLKIT_HEADER = "cuda_runtime_api.h"
"""The header by which a folder of CUDA's own headers is recognized."""

_FOLDERS = {"-I": "folders", "-isystem": "system", "-iquote": "quoted", "-idirafter": "system"}
_LONG = {
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--pre-include": "-include",
    "--std": "-std",
}
"""nvcc's long spellings, with what gcc and clang have for them."""

_WITH_VALUE = (*_FOLDERS, "-include", "-D", "-U")
_RESPONSE = ("--options-file", "-optf")
_MOST_NESTED = 4
_LARGEST_RESPONSE = 1 << 20


class Settings(NamedTuple):
    """How a source is compiled, as far as it matters to reading it.

    Attributes:
        quoted: folders of `-iquote`, absolute, as the others.
        folders: those of `-I`.
        system: those of `-isystem`.
        macros: the macros of `-D` with their values, and those of `-U` with None, in their order.
        included: the files of `-include`: as they are written, and as absolute paths.
        standard: the value of `-std`; empty if none is given.
    """

    quoted: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    macros: tuple[tuple[str, str | None], ...] = ()
    included: tuple[tuple[str, str], ...] = ()
    standard: str = ""

    @property
    def searched(self) -> tuple[str, ...]:
        """The folders in the order in which an include in quotes is looked for."""
        return (*self.quoted, *self.folders, *self.system)


Responses = Callable[[str], bytes]
"""Reads a file of options by its path; empty for a file that must not be read."""


def settings_in(data: bytes, response: Responses) -> dict[str, Settings]:
    """What a database declares, by the absolute paths of the sources; empty if the text is not a database.

    The first command for a source counts. `response` reads the files that command lines name for further options.
    """
    found: dict[str, Settings] = {}
    for entry in entries_of(data):
        directory, source = entry.get("directory", ""), entry.get("file")
        if not isinstance(directory, str) or not isinstance(source, str) or not os.path.isabs(directory):
            continue
        place = os.path.normpath(os.path.join(directory, source))
        if "\0" not in place and place not in found:
            words = words_of(entry)
            found[place] = _Reading(directory, response).settings(words[1:])
    return found


def entries_of(data: bytes) -> list[Mapping[str, object]]:
    """The entries of a database; none if the text is not one."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return []
    return [entry for entry in read if isinstance(entry, dict)] if isinstance(read, list) else []


def words_of(entry: Mapping[str, object]) -> list[str]:
    """The words of an entry's command, including the compiler's name; none if it has no command."""
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return [word for word in arguments if isinstance(word, str)]
    return _split(command) if isinstance(command, str) else []


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that never ends
        return []


class _Reading:
    """The reading of one command line."""

    def __init__(self, directory: str, response: Responses) -> None:
        self.directory = directory
        self.response = response
        self.lists: dict[str, list[str]] = {"quoted": [], "folders": [], "system": []}
        self.macros: list[tuple[str, str | None]] = []
        self.included: list[tuple[str, str]] = []
        self.standard = ""

    def settings(self, words: Sequence[str]) -> Settings:
        self._take(words, 0)
        lists = {name: tuple(dict.fromkeys(folders)) for name, folders in self.lists.items()}
        return Settings(macros=tuple(self.macros), included=tuple(self.included), standard=self.standard, **lists)

    def _take(self, words: Sequence[str], depth: int) -> None:
        rest = iter(words)
        for word in rest:
            if "\0" in word:
                continue
            name, equals, value = word.partition("=")
            if word in _RESPONSE or (word.startswith("@") and len(word) > 1):
                self._response(next(rest, "") if word in _RESPONSE else word[1:], depth)
            elif name in _RESPONSE and equals:
                self._response(value, depth)
            elif name == "-std" or name == "--std":
                self.standard = value if equals else next(rest, "")
            elif name in _LONG:
                self._option(_LONG[name], value if equals else next(rest, ""))
            else:
                self._short(word, rest)

    def _short(self, word: str, rest: Iterator[str]) -> None:
        option = next((option for option in _WITH_VALUE if word.startswith(option)), "")
        if not option:
            return
        value = word[len(option) :]
        if option in ("-include", "-isystem", "-iquote", "-idirafter", "-I"):
            if option == "-include" and value[:1] not in ("", "="):
                return  # another option that begins like it
            value = value.removeprefix("=")
        self._option(option, value or next(rest, ""))

    def _option(self, option: str, value: str) -> None:
        if not value:
            return
        if option in _FOLDERS:
            self.lists[_FOLDERS[option]].append(self._place(value))
        elif option == "-D":
            name, equals, text = value.partition("=")
            self.macros.append((name, text if equals else "1"))
        elif option == "-U":
            self.macros.append((value, None))
        elif option == "-include":
            self.included.append((value, self._place(value)))

    def _place(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.directory, path))

    def _response(self, path: str, depth: int) -> None:
        """Take the options from a separate file, as CMake writes them for nvcc."""
        if path and depth < _MOST_NESTED:
            text = self.response(self._place(path))[:_LARGEST_RESPONSE]
            self._take(_split(text.decode("utf-8", "surrogateescape")), depth + 1)
