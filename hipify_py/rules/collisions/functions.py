"""Functions that a source defines at file or namespace level: where they stand, their parameters and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward
from hipify_py.semantics.headers import branches_at
from hipify_py.unit import Unit

_LONGEST_HEAD = 1000  # bytes of template header, attributes and return type
_HEAD_ENDS = re.compile(rb"[;{}]")
_HEAD = re.compile(rb"[\w\s*&<>,:=\\]*(?:__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)[\w\s*&<>,:\\]*)*")
_NO_HEADS = frozenset({b"return", b"else", b"case", b"new", b"throw", b"using", b"goto", b"typedef", b"friend"})
_QUALIFIERS = re.compile(rb"\s*(?:(?:const|noexcept)\s*)*")
_OPENERS = re.compile(rb"[{}]")
_NAMESPACE = re.compile(rb"(?:\binline\s+)?\bnamespace\b[\w\s:]*$|\bextern\s*\"C(?:\+\+)?\"\s*$")
_AMD_CONDITION = re.compile(rb"__HIP|HIPCC|USE_ROCM|AMD")


class Parameter(NamedTuple):
    """A parameter: its type as written, without names of values, `const` of values and default arguments."""

    type: bytes
    name: bytes


class Function(NamedTuple):
    """A definition, or a declaration where `body` is -1. All places are byte offsets.

    `[start, end)` runs from the template header or first attribute to the closing brace or semicolon.
    """

    start: int
    name: int
    opening: int
    closing: int
    body: int
    end: int
    head: bytes
    parameters: tuple[Parameter, ...]

    @property
    def on_device(self) -> bool:
        return b"__device__" in self.head

    @property
    def on_host(self) -> bool:
        return b"__host__" in self.head or b"__device__" not in self.head

    @property
    def is_template(self) -> bool:
        return re.search(rb"\btemplate\b", self.head) is not None


def functions(unit: Unit, name: re.Pattern[bytes]) -> Iterator[Function]:
    """The functions of a name that a source defines or declares outside of classes, macros and AMD branches.

    Args:
        unit: the source.
        name: matches the whole name, with `operator` in front of a symbol.
    """
    found = [
        function
        for match in name.finditer(unit.source.data)
        if unit.lexemes.non_code_at(match.start()) is None and unit.lexemes.define_around(match.start()) is None
        if (function := _function_at(unit, match.start(), match.end())) is not None
    ]
    if not found:
        return
    levels = _levels(unit, [function.start for function in found])
    branches = branches_at(unit, [function.start for function in found])
    for function, is_outside, branch in zip(found, levels, branches, strict=True):
        if is_outside and not any(_is_amd(unit, place) for place in branch):
            yield function


def in_amd_branch(unit: Unit, place: int) -> bool:
    """Within a condition that names HIP or AMD: code that is meant as it stands."""
    return any(_is_amd(unit, directive) for directive in branches_at(unit, [place])[0])


def _is_amd(unit: Unit, directive: int) -> bool:
    line = unit.source.data[directive : unit.lexemes.logical_line_end(directive)]
    return _AMD_CONDITION.search(line) is not None


def _function_at(unit: Unit, start: int, end: int) -> Function | None:
    data, lexemes = unit.source.data, unit.lexemes
    opening = lexemes.after(end)
    if data[opening : opening + 1] != b"(":
        return None
    first = _head_start(unit, start)
    if first is None or first >= start:
        return None
    head = _code(unit, first, start)
    words = re.findall(rb"\w+", head)
    if not words or _NO_HEADS & set(words) or _HEAD.fullmatch(head) is None or head.rstrip()[-1:] in b":,=<":
        return None
    found = match_forward(lexemes, opening, len(data))
    if found is None:
        return None
    closing, commas = found
    place = lexemes.after(closing + 1)
    place = lexemes.after(_QUALIFIERS.match(data, place).end())  # type: ignore[union-attr]  # it matches everywhere
    ends = [*commas, closing]
    spans = [(begin + 1, stop) for begin, stop in zip([opening, *commas], ends, strict=True)]
    parameters = tuple(_parameter(_code(unit, *span)) for span in spans)
    if parameters in ((Parameter(b"", b""),), (Parameter(b"void", b""),)):
        parameters = ()
    if data[place : place + 1] == b";":
        return Function(first, start, opening, closing, -1, place + 1, head, parameters)
    body = match_forward(lexemes, place, len(data)) if data[place : place + 1] == b"{" else None
    if body is None:
        return None
    return Function(first, start, opening, closing, place, body[0] + 1, head, parameters)


def _head_start(unit: Unit, name: int) -> int | None:
    """Where the declaration begins that `name` stands in; None where a directive cuts through it."""
    data, lexemes = unit.source.data, unit.lexemes
    lowest = max(name - _LONGEST_HEAD, 0)
    start = lowest
    for mark in _HEAD_ENDS.finditer(data, lowest, name):
        if lexemes.non_code_at(mark.start()) is None:
            start = mark.end()
    if start == lowest and lowest:
        return None
    place = lexemes.after(start)
    while data[place : place + 1] == b"#" and place < name:
        place = lexemes.after(lexemes.logical_line_end(place))
    closing = data.rfind(b")\n", place, name)
    if closing >= 0 and lexemes.non_code_at(closing) is None and b"__attribute__" not in data[place:closing]:
        place = lexemes.after(closing + 1)  # a macro's call without a semicolon
    directive = data.find(b"\n#", place, name)
    return None if directive >= 0 and lexemes.non_code_at(directive + 1) is None else place


def _code(unit: Unit, start: int, end: int) -> bytes:
    """The bytes of a range with its comments blanked out."""
    pieces, at = [], start
    while at < end:
        slash = unit.source.data.find(b"/", at, end)
        if slash < 0:
            break
        pieces.append(unit.source.data[at:slash])
        skip = unit.lexemes.non_code_at(slash)
        pieces.append(b"/" if skip is None else b" ")
        at = slash + 1 if skip is None else skip[1]
    pieces.append(unit.source.data[at:end])
    return b"".join(pieces)


_TYPE_WORDS = frozenset(b"unsigned signed long short int char float double bool const volatile struct".split())
_TOKEN = re.compile(rb"[\w:]+|[*&<>,]|\[\]")


def _parameter(text: bytes) -> Parameter:
    """`const float *__restrict__ x = 0` has the type `const float*` and the name `x`."""
    text = text.split(b"=")[0]
    tokens = [token for token in _TOKEN.findall(text) if not token.startswith((b"__restrict", b"restrict"))]
    name = b""
    if len(tokens) > 1 and tokens[-1].isalnum() | (b"_" in tokens[-1]) and tokens[-1] not in _TYPE_WORDS:
        before = [token for token in tokens[:-1] if token not in (b"const", b"volatile", b"struct")]
        if before:
            name = tokens.pop()
    if not {b"*", b"&"} & set(tokens):
        tokens = [token for token in tokens if token != b"const"]
    elif b"const" in tokens[1:]:  # `float const &` is `const float &`
        at = tokens.index(b"const", 1)
        if at < min(tokens.index(mark) for mark in (b"*", b"&") if mark in tokens):
            tokens.insert(0, tokens.pop(at))
    words = [token for token in tokens if token not in (b"*", b"&", b"struct")]
    marks = b"".join(token for token in tokens if token in (b"*", b"&"))
    return Parameter(b" ".join(words) + marks, name)


def _levels(unit: Unit, places: list[int]) -> list[bool]:
    """For each of the places, in order: true outside of every brace but those of namespaces and `extern "C"`."""
    data, lexemes = unit.source.data, unit.lexemes
    result: list[bool] = []
    stack: list[bool] = []
    wanted = iter(places)
    place = next(wanted, None)
    for mark in _OPENERS.finditer(data):
        while place is not None and place <= mark.start():
            result.append(all(stack))
            place = next(wanted, None)
        if place is None:
            return result
        if lexemes.non_code_at(mark.start()) is not None or lexemes.define_around(mark.start()) is not None:
            continue
        if mark[0] == b"}":
            if stack:
                stack.pop()
        else:
            lead = data[max(mark.start() - 200, 0) : mark.start()]
            stack.append(_NAMESPACE.search(lead) is not None)
    while place is not None:
        result.append(all(stack))
        place = next(wanted, None)
    return result
