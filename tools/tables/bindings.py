"""Reads what ROCm's Python bindings declare in Cython (`.pxd`): functions, enumerations, structs, typedefs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.tables.signatures import split_arguments
from tools.tables.symbols import SurfaceError, Symbol

_FUNCTION = re.compile(
    r"cdef\s+(?P<result>[\w ][\w *]*?[\s*])(?P<name>\w+)\s*\((?P<parameters>.*)\)\s*(?:except|noexcept|nogil|$)"
)
_GROUP = re.compile(r"(?:cdef|ctypedef)\s+(?P<what>enum|struct|union)(?:\s+(?P<name>\w+))?(?:\s+\"[^\"]*\")?\s*:")
_POINTER_TYPE = re.compile(r"ctypedef\s+(?P<result>.+?)\s*\(\s*\*\s*(?P<name>\w+)\s*\)\s*\((?P<parameters>.*)\)")
_TYPEDEF = re.compile(r"ctypedef\s+(?P<target>[^:(]+?[\s*\]])(?P<name>\w+)\s*$")
_VARIABLE = re.compile(r"cdef\s+(?P<type>[\w ][\w *]*?[\s*])(?P<name>\w+)(?:\s+\"[^\"]*\")?\s*$")
_EXTERN = re.compile(r"cdef\s+extern\s+from\s+[\"'<*]+(?P<header>[^\"'>*]*)")
_FIELD = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
_ENUMERATOR = re.compile(r"(\w+)\s*(?:=\s*(.+))?$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMED = re.compile(r"(.*[\s*\]])(\w+)((?:\[[^\]]*\])*)$")
_NO_NAMES = ("int", "long", "char", "short", "void")
_IMPORT = re.compile(r"(from|cimport|import|include)\b")


class Bindings(NamedTuple):
    """What a folder of declarations declares, and of which libraries it has any."""

    symbols: list[Symbol]
    words: set[str]
    libraries: set[str]


def read_bindings(folder: Path) -> Bindings:
    """Read every low-level declaration file (`chip.pxd`, `cyhip.pxd` ...) of a folder.

    Raises:
        SurfaceError: for a file that is no text, or when the folder declares nothing.
    """
    found = Bindings([], set(), set())
    for path in sorted(folder.glob("*.pxd")):
        library = _library(path.name)
        if not library:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise SurfaceError(f"{path}: {error}") from error
        lines = [code for line in text.splitlines() if (code := line.partition("#")[0].rstrip())]
        found.libraries.add(library)
        found.symbols.extend(_symbols(lines, library))
        for line in lines:
            if not _IMPORT.match(line):
                found.words.update(_WORD.findall(line))
    if not found.symbols:
        raise SurfaceError(f"{folder}: there are no declarations in its .pxd files")
    return found


def _library(file_name: str) -> str:
    """The library of a low-level file, or nothing for the Python layer above it and its helpers."""
    match = re.match(r"c(?:y)?((?:hip|rccl|roctx|amdsmi)\w*)\.pxd$", file_name)
    return {"hipdnn_backend": "hipdnn"}.get(match[1], match[1]) if match else ""


def _symbols(lines: list[str], library: str) -> Iterator[Symbol]:
    header = ""
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        extern = _EXTERN.match(line)
        if extern:
            header = extern["header"]
            continue
        group = _GROUP.match(line)
        if group:
            body: list[str] = []
            depth = _indent(lines[number - 1])
            while number < len(lines) and _indent(lines[number]) > depth:
                body.append(lines[number].strip())
                number += 1
            yield from _group(group["what"], group["name"] or "", body, library, header)
            continue
        symbol = _plain(line, library, header)
        if symbol is not None:
            yield symbol


def _group(what: str, name: str, body: list[str], library: str, header: str) -> Iterator[Symbol]:
    if what == "enum":
        entries = [match for entry in body if entry != "pass" and (match := _ENUMERATOR.match(entry))]
        for entry in entries:
            yield Symbol(entry[1], "enumerator", library, header, value=_number(entry[2] or ""))
        fields = tuple(entry[1] for entry in entries)
    else:
        fields = tuple(match[1] for entry in body if entry != "pass" and (match := _FIELD.search(entry)))
    if name:
        yield Symbol(name, "type", library, header, value=what, fields=fields)


def _plain(line: str, library: str, header: str) -> Symbol | None:
    """A declaration of one line."""
    pointer = _POINTER_TYPE.match(line)
    if pointer:
        target = f"{pointer['result']} (*)({', '.join(_parameters(pointer['parameters'], named=False))})"
        return Symbol(pointer["name"], "type", library, header, alias_of=target)
    typedef = _TYPEDEF.match(line)
    if typedef:
        return Symbol(typedef["name"], "type", library, header, alias_of=typedef["target"].strip())
    function = _FUNCTION.match(line)
    if function:
        parameters = ", ".join(_parameters(function["parameters"], named=True))
        signature = f"{function['result'].strip()} ({parameters})"
        names = ",".join(map(_name, split_arguments(function["parameters"])))
        return Symbol(function["name"], "function", library, header, (signature,), parameters=(names,))
    variable = _VARIABLE.match(line)
    if variable:
        return Symbol(variable["name"], "macro", library, header)
    return None


def _parameters(text: str, named: bool) -> Iterator[str]:
    """The types of a parameter list."""
    for parameter in split_arguments(text):
        yield _type(parameter) if named else parameter


def _type(parameter: str) -> str:
    """A parameter without its name."""
    if "(" in parameter:
        return re.sub(r"\(\s*(\*+)\s*\w+\s*\)", r"(\1)", parameter, count=1)
    match = _NAMED.match(parameter)
    if not match or match[2] in _NO_NAMES:
        return parameter
    return match[1].strip() + match[3]


def _name(parameter: str) -> str:
    """The name of a parameter; nothing for one without."""
    if "(" in parameter:
        pointer = re.search(r"\(\s*\*+\s*(\w+)\s*\)", parameter)
        return pointer[1] if pointer else ""
    match = _NAMED.match(parameter)
    return match[2] if match and match[2] not in _NO_NAMES else ""


def _number(text: str) -> str:
    try:
        return str(int(text, 0))
    except ValueError:
        return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
