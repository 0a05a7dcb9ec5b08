"""The small CUDA programs that configure compiles, and the names that it makes compilers look for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hipify_py.build_systems.autoconf.reader import Call
from hipify_py.build_systems.file import BuildFile
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, occurrences, together
from hipify_py.core.options import Options
from hipify_py.core.translation import Translation

# The names that configure makes of others: macros of its header, and shell variables that store what it found.

_OTHERS = re.compile(rb"\W")


def macro(prefix: str, name: str) -> str:
    """The macro that configure defines for a function, a header, a library or a type."""
    return prefix + _word(name, "P").upper()


def variable(kind: str, name: str) -> str:
    """The variable in which configure stores what it found."""
    return f"ac_cv_{kind}_{_word(name, 'p')}"


def _word(name: str, pointer: str) -> str:
    """A name with each byte replaced that names cannot have, as Autoconf does it."""
    return _OTHERS.sub(b"_", name.replace("*", pointer).encode("utf-8", "surrogateescape")).decode("ascii")


Translate = Callable[[bytes, str, Options], Translation]
"""Translates a source, given its bytes, its name and the options."""

PLATFORM = "__HIP_PLATFORM_AMD__"
"""The macro that HIP's headers ask for if another compiler than HIP's reads them."""

_SOURCE = ((0,), "", "")
_FUNCTION = ((0, 1), "\nint main(void)\n{\n", "\n}\n")
_NAMES = ((3, 0), "\n", "\n")
_PROGRAMS: dict[str, tuple[tuple[int, ...], str, str]] = {
    "AC_LANG_PROGRAM": _FUNCTION,
    "AC_LANG_SOURCE": _SOURCE,
    "AC_TRY_COMPILE": _FUNCTION,
    "AC_TRY_LINK": _FUNCTION,
    "AC_TRY_RUN": _SOURCE,
    "AC_TRY_CPP": _SOURCE,
    "AC_TRY_LINK_FUNC": _SOURCE,
    "AC_LANG_CALL": ((0, 1), "\n", "\n"),
    "AC_EGREP_CPP": ((1,), "", ""),
    "AC_COMPUTE_INT": ((2, 1), "\n", "\n"),
    "AC_CHECK_SIZEOF": ((2, 0), "\n", "\n"),
    "AC_CHECK_ALIGNOF": ((1, 0), "\n", "\n"),
    **{f"AC_CHECK_{kind}{several}": _NAMES for kind in ("DECL", "TYPE", "MEMBER") for several in ("", "S")},
    **{f"AC_CHECK_{kind}": _SOURCE for kind in ("FUNC", "FUNCS", "FUNCS_ONCE", "DECLS_ONCE")},
}
"""By macro: which of its arguments are code, in the order of a program, and what is between and after them."""

_CHECKED = {
    "AC_CHECK_DECL": "have_decl",
    "AC_CHECK_TYPE": "type",
    "AC_CHECK_MEMBER": "member",
    "AC_CHECK_FUNC": "func",
    "AC_CHECK_SIZEOF": "sizeof",
    "AC_CHECK_ALIGNOF": "alignof",
}
"""Macros that look for a name, or for several with an S at the end: the kind of the variables that store the answer."""
_DEFINED = {
    "AC_CHECK_DECLS": "HAVE_DECL_",
    "AC_CHECK_TYPES": "HAVE_",
    "AC_CHECK_MEMBERS": "HAVE_",
    "AC_CHECK_FUNCS": "HAVE_",
    "AC_CHECK_SIZEOF": "SIZEOF_",
    "AC_CHECK_ALIGNOF": "ALIGNOF_",
}
"""Macros that define a macro for each name, and the prefix of that."""

_DEVICE_CODE = re.compile(rb"__global__|__device__|<<<")
_NAME = {True: re.compile(rb"[^\s,]+"), False: re.compile(rb"[^\s,](?:[^,\n]*[^\s,])?")}
"""One of the names that a macro gets: blanks separate the names of functions, commas those of the others."""
_INCLUDE = re.compile(rb"#[ \t]*include[ \t]*[<\"][^>\"]")


class Renamed(NamedTuple):
    """A renamed name that configure looks for, and the kind of variable that stores the answer."""

    kind: str
    was: str
    now: str


class _Piece(NamedTuple):
    """An argument of code: its place in the program that is made, and in the file."""

    at: int
    start: int
    end: int


def is_program(call: Call) -> bool:
    """Whether a macro's arguments are code."""
    return call.name in _PROGRAMS


def spans_of_code(call: Call) -> list[tuple[int, int]]:
    """Where a call's code is."""
    return [call.arguments[at] for at in _PROGRAMS[call.name][0] if at < len(call.arguments)]


def translate_program(file: BuildFile, call: Call, translate: Translate) -> list[Renamed]:
    """Translate the code of a call as a separate source, and define the macro that HIP's headers ask for.

    Returns the names that the call looks for and that have changed.
    """
    data, (_, between, behind) = file.source.data, _PROGRAMS[call.name]
    text = b""
    pieces: list[_Piece] = []
    for start, end in spans_of_code(call):
        if start < end:
            text += between.encode() if pieces else b""
            pieces.append(_Piece(len(text), start, end))
            text += data[start:end]
    if len(pieces) > 1:
        text += behind.encode()
    options = file.options._replace(implicit_runtime=False, support=False, annotate=False, fixes=frozenset())
    path = "conftest.cu" if _DEVICE_CODE.search(text) is not None else "conftest.cpp"
    done = translate(text, path, options)
    clipped = (_clipped(text, pieces, edit) for edit in done.edits)
    edits = [edit for edit in clipped if _is_given(pieces, edit.start, edit.end)]
    for edit in edits:
        start = _place(pieces, edit.start)
        file.edits.append(Edit(start, start + edit.end - edit.start, edit.text))
    for reference in done.references:
        if _is_given(pieces, reference.offset, reference.offset):
            file.references.append(reference._replace(offset=_place(pieces, reference.offset)))
    for found in done.findings:
        given = [each for each in occurrences(found) if _is_given(pieces, each.offset, each.offset)]
        if found.severity != "note" and given:
            file.findings.append(together([_in_file(each, file, pieces) for each in given]))
    included = next((edit for edit in edits if _is_included(text, edit)), None)
    if included is not None and PLATFORM.encode() not in text:
        piece = pieces[_piece_at(pieces, included.start)]
        file.insert_before(piece.start, [f"#define {PLATFORM} 1"])
    kind = _CHECKED.get(call.name.removesuffix("_ONCE").removesuffix("S"))
    return [] if kind is None else _renamed(file, call, kind, edits, pieces)


def _in_file(finding: Finding, file: BuildFile, pieces: Sequence[_Piece]) -> Finding:
    """A finding of the program at its place in the file."""
    place = _place(pieces, finding.offset)
    line, column = file.source.position(place)
    return finding._replace(offset=place, line=line, column=column, path=file.source.path, fix=None)


def _place(pieces: Sequence[_Piece], place: int) -> int:
    """The place in the file for a place in the program."""
    piece = pieces[_piece_at(pieces, place)]
    return piece.start + place - piece.at


def _piece_at(pieces: Sequence[_Piece], place: int) -> int:
    return bisect_right([piece.at for piece in pieces], place) - 1


def _is_given(pieces: Sequence[_Piece], start: int, end: int) -> bool:
    """Whether a range of the program is in the file, and not in the text that was put around the arguments."""
    return any(piece.at <= start and end - piece.at <= piece.end - piece.start for piece in pieces)


def _clipped(text: bytes, pieces: Sequence[_Piece], edit: Edit) -> Edit:
    """An edit without the line break that was put after an argument: the last line of one is taken out without it."""
    for piece in pieces:
        end = piece.at + piece.end - piece.start
        if piece.at <= edit.start < end < edit.end and not text[end : edit.end].strip():
            return edit._replace(end=end)
    return edit


def _is_included(text: bytes, edit: Edit) -> bool:
    """Whether an edit makes an include one of ROCm's headers."""
    line = text[text.rfind(b"\n", 0, edit.start) + 1 : edit.start] + edit.text
    return _INCLUDE.match(line.lstrip()) is not None


def _renamed(file: BuildFile, call: Call, kind: str, edits: Sequence[Edit], pieces: Sequence[_Piece]) -> list[Renamed]:
    """The names that have changed; reports each macro that configure defines for one."""
    data, found = file.source.data, list[Renamed]()
    defined = _DEFINED.get(call.name.removesuffix("_ONCE"))
    placed = sorted((_place(pieces, edit.start), edit.end - edit.start, edit.text) for edit in edits)
    at = 0
    for match in _NAME["_FUNC" in call.name].finditer(data, *call.arguments[0]):
        first, last = match.span()
        texts, copied = list[bytes](), first
        while at < len(placed) and placed[at][0] < last:
            start, length, text = placed[at]
            at += 1
            if start >= copied:
                texts += [data[copied:start], text]
                copied = start + length
        if texts:
            texts.append(data[copied:last])
            was, now = (text.decode("utf-8", "surrogateescape") for text in (match[0], b"".join(texts)))
            found.append(Renamed(kind, was, now))
            if defined is not None:
                macros = [macro(defined, name) for name in (was, now)]
                file.finding("HIP623", first, macros[0], f"configure defines {macros[1]} instead")
    return found
