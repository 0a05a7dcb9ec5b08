"""What a code cell of a notebook is: Python, a source of CUDA, another file, or a script; its first line says it.

IPython's documentation, Built-in magic commands; for `%%cu` and the like, nvcc4jupyter's README, of versions 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import basename
from typing import NamedTuple

_HEAD = re.compile(rb"\s*(?P<magic>%%(?P<name>[\w!]+))(?P<rest>[^\n]*)(?:\n|\Z)")
_OF_PYTHON = frozenset({b"capture", b"debug", b"prun", b"time", b"timeit", b"memit", b"mprun"})
"""Magics that run the rest of the cell as Python, as part of the program."""

_SCRIPTS = frozenset({b"bash", b"sh", b"system", b"sx", b"!"})
_SHELL = re.compile(rb"(?:.*/)?(?:ba|da|z)?sh")
_FILE = re.compile(
    rb"(?P<part>[ \t]+(?:-a|--append)(?=\s))?[ \t]+(?P<quote>['\"]?)(?P<name>[^\s'\"]+)(?P=quote)[ \t]*\Z"
)
_NVCC = re.compile(rb"nvcc|cu|cuda(?:_\w+)?")
_NAMED = re.compile(rb"[ \t](?:-n|--name)[ \t=]+['\"]?([^\s'\"]+)")

_COMMAND_OR_TEXT = re.compile(
    rb"^[ \t]*(?:[A-Za-z_][\w \t,.*\[\]]*=[ \t]*)?(?P<sign>!(?!=)|%(?=[\w%])|(?<![ \t])%)"
    rb"(?P<rest>(?:\\\r?\n|[^\n])*)"
    rb"|#[^\n]*|'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"",
    re.MULTILINE | re.DOTALL,
)
"""A line that IPython reads, not Python: `!nvcc a.cu`, `out = !nvcc a.cu`, `%timeit f()`; or a comment or a string."""

_FIRST_CHARACTERS = re.compile(rb"(?m)^([ \t]*)[^ \t\r\n]")

EXTENSION = re.compile(rb"(?m)^[ \t]*%(?:re)?load_ext[ \t]+(nvcc4jupyter|nvcc_plugin)\b")
"""What loads the extension whose cells nvcc compiles."""

PYTHON, SCRIPT, CUDA, FILE, OTHER = "Python", "script", "CUDA", "file", "other"


class CellKind(NamedTuple):
    """What a cell is.

    Attributes:
        kind: `PYTHON`, `SCRIPT` of a shell, `CUDA` for nvcc, `FILE` that it writes, or `OTHER`.
        magic: what says so (`%%cu`), empty for Python.
        place: where that is, in bytes of the cell.
        body: where the text begins that is of this kind.
        name: the name of the file, empty if it has none.
        is_part: whether the text is added to a file that has a beginning.
    """

    kind: str
    magic: str = ""
    place: int = 0
    body: int = 0
    name: str = ""
    is_part: bool = False


def kind_of_cell(text: bytes) -> CellKind:
    """What a cell is, by its first line, or by the line after those of `%%time` and the like."""
    place = 0
    while (head := _HEAD.match(text, place)) is not None and head["name"] in _OF_PYTHON:
        place = head.end()
    if head is None:
        return CellKind(PYTHON)
    name, rest = head["name"], head["rest"].rstrip()
    file = _FILE.fullmatch(rest)
    kind, path, is_part = OTHER, "", False
    if name in {b"writefile", b"file"} and file is not None:
        kind, path, is_part = FILE, file["name"].decode("utf-8", "replace"), file["part"] is not None
    elif _NVCC.fullmatch(name):
        named = _NAMED.search(rest)
        kind, path = CUDA, named[1].decode("utf-8", "replace") if named is not None else "kernel.cu"
    elif name in _SCRIPTS or (name == b"script" and _SHELL.fullmatch((rest.split() or [b""])[0])):
        kind = SCRIPT
    magic = head["magic"].decode()
    return CellKind(kind, magic, head.start("magic"), head.end(), basename(path), is_part)


def commands_of(text: bytes) -> Iterator[re.Match[bytes]]:
    """The lines of Python that IPython reads, as matches with the groups `sign` (`!` or `%`) and `rest`."""
    return (match for match in _COMMAND_OR_TEXT.finditer(text) if match["sign"] is not None)


def without_commands(text: bytes) -> bytes:
    """A program in which the notebook's own commands are comments; every other byte keeps its place."""
    made = bytearray(text)
    for line in commands_of(text):
        made[line.start() : line.end()] = _FIRST_CHARACTERS.sub(rb"\1#", line[0])
    return bytes(made)
