"""Rewrites kernel launches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.translation import CONVERTED, NATIVE, UNSUPPORTED, Reference
from hipify_py.frontend.chevrons import Closing, find_closing, opening_end
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.declared_names import KEYWORDS
from hipify_py.semantics.device_code import function_bodies, in_device_code
from hipify_py.semantics.launches import Launch, UnreadableLaunch, launches_of

_CONFIGURATION_TYPES = (b"dim3", b"dim3", b"size_t", b"hipStream_t")
_DIM3 = lazy_pattern(rb"dim3\s*[({]")
_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_ALIAS = lazy_pattern(rb"dim3(?:\s*;|(?<=typedef dim3)\b)")
_STATEMENT_SIGNS = lazy_pattern(rb"[;{}]")
_NUMBERS = frozenset(b"int unsigned long short char size_t int32_t int64_t uint32_t uint64_t".split())
_NO_NAME = lazy_pattern(rb"\(*\d")


class Launches(Rule):
    """`k<<<g, b, shared, stream>>>(args)` becomes `hipLaunchKernelGGL(k, dim3(g), dim3(b), shared, stream, args)`.

    What the source declares as a `dim3` needs none around it. The rewrite changes only the launch's own punctuation and
    the blanks beside it, so that everything between, comments and line breaks included, stays. hipcc also compiles
    `<<<...>>>`; `--launch chevron` keeps it, and so does this rule where the macro is not possible: in an expression,
    or
    around a preprocessor directive.
    """

    id = "chevrons"
    reports = ("HIP202",)
    triggers = facts(Fact.LAUNCHES)
    VALID = (
        Example("int x = (k<<<1, 1>>>(), 0);"),
        Example("bool f(S s) { return s << 3 >> 1; }"),
        Example("void f(S &s) { operator<< <T>(s, 1); }"),
        Example("#include <hip/hip_runtime.h>\nvoid f() { k<<<1, 2>>>(a); }"),
        Example("#define hipLaunchKernelGGL(f, g, b, s, t, ...) f<<<g, b, s, t>>>(__VA_ARGS__)\n"),
    )
    INVALID = (
        Example("void f() { k<<<1, 2>>>(a, b); }", "void f() { hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, a, b); }"),
        Example("void f() { k<<<g, b, n, s>>>(); }", "void f() { hipLaunchKernelGGL(k, dim3(g), dim3(b), n, s); }"),
        Example(
            "void f(dim3 g) { k <<< g , 256 >>> (a); }",
            "void f(dim3 g) { hipLaunchKernelGGL(k, g, dim3(256), 0, 0, a); }",
        ),
        Example("void f() { k << <1, 2 >> > (a); }", "void f() { hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, a); }"),
        Example(
            "void f() { k<T, 3><<<g, b>>>(a); }",
            "void f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, 3>), dim3(g), dim3(b), 0, 0, a); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        is_hip = unit.is_hip
        for launch in launches_of(unit):
            place = launch.opening
            if unit.lexemes.word_before(place) == b"operator":
                continue
            if isinstance(launch, UnreadableLaunch):
                joined = list(_join_chevrons(unit, place))
                yield Reference(place, "<<<>>>", "runtime", "launch", CONVERTED if joined else NATIVE)
                yield from joined
                continue
            if in_device_code(unit, place):
                yield Reference(place, "<<<>>>", "runtime", "launch", UNSUPPORTED)
                callee = b" ".join(unit.lexemes.code(*launch.callee).split()).decode(errors="replace")
                yield unit.finding("HIP202", place, name=callee, library="runtime")
                continue
            if unit.options.launch == "chevron" or launch.obstacle or is_hip or _defines_macro(unit, place):
                yield from _as_chevrons(unit, launch)
                continue
            yield Reference(place, "<<<>>>", "runtime", "launch", CONVERTED)
            yield from _as_macro_call(unit, launch)


def _defines_macro(unit: Unit, place: int) -> bool:
    """Whether a launch is in the source's own definition of the macro, for other builds than AMD's (cholla)."""
    define = unit.lexemes.define_around(place)
    return define is not None and define.text == b"hipLaunchKernelGGL"


def _as_chevrons(unit: Unit, launch: Launch) -> Iterator[Edit | Reference]:
    """hipcc compiles chevrons too, but clang accepts no bare braces between them, and no blanks within them."""
    edits = [*_join_chevrons(unit, launch.opening)]
    edits += [
        Edit(start, start, _CONFIGURATION_TYPES[index])
        for index, (start, _) in enumerate(launch.configuration)
        if unit.source.data[start : start + 1] == b"{"
    ]
    yield Reference(launch.opening, "<<<>>>", "runtime", "launch", CONVERTED if edits else NATIVE)
    yield from edits


def _join_chevrons(unit: Unit, opening: int) -> Iterator[Edit]:
    """Remove the blanks of `<< <` and `>> >`."""
    lexemes = unit.lexemes
    places = [(opening, opening_end(lexemes.data, opening))]
    closing = find_closing(lexemes, opening, lexemes.code_end(opening))
    if isinstance(closing, Closing):
        places.append((closing.start, closing.end))
    for start, end in places:
        if end - start > len(b"<<<"):
            yield Edit(start + 2, end - 1, b"")


def _as_macro_call(unit: Unit, launch: Launch) -> Iterator[Edit]:
    """The edits from chevrons to `hipLaunchKernelGGL(...)`, each at one piece of the launch's punctuation.

    They remove the blanks beside that; line breaks and comments stay.
    """
    data = unit.source.data
    start, end = launch.callee
    head, tail = (
        (b"hipLaunchKernelGGL(HIP_KERNEL_NAME(", b")") if launch.needs_kernel_name else (b"hipLaunchKernelGGL(", b"")
    )
    yield Edit(start, start, head)
    first, last = _blanks_before(data, launch.opening), _blanks_after(data, launch.opening_end)
    blank = b" "
    if _ends_line(data, last):
        blank, last = b"", launch.opening_end
    if _begins_line(data, first):
        blank, first = b"", launch.opening
    if first > end:
        yield Edit(end, end, tail + b",")
        yield Edit(first, last, blank)
    else:
        yield Edit(first, last, tail + b"," + blank)
    for comma in launch.commas:
        first = _blanks_before(data, comma)
        after = data[comma + 1 : comma + 2]
        if first < comma and not _begins_line(data, first):
            yield Edit(first, comma, b"")
        if after not in (b" ", b"\t", b"\n", b"\r", b"\\"):
            yield Edit(comma, comma + 1, b", ")
    for index, (first, last) in enumerate(launch.configuration):
        head, tail = _around_configuration(unit, index, first, last)
        if head:
            yield Edit(first, first, head)
            yield Edit(last, last, tail)
    yield from _arguments(data, launch)


def _arguments(data: bytes, launch: Launch) -> Iterator[Edit]:
    """The edits at `>>>(` and `)`."""
    defaults = b", 0" * (4 - len(launch.configuration))
    closing, closing_end, paren = launch.closing, launch.closing_end, launch.arguments_opening
    first = _blanks_before(data, closing)
    if _begins_line(data, first):
        first = closing
    cut, after = _blanks_before(data, paren), _blanks_after(data, paren + 1)
    blank = b" "
    if data[after : after + 1] in (b"\n", b"\r") and data[closing_end:paren].isspace():
        cut = closing_end  # the parenthesis had a line of its own
    elif _begins_line(data, cut):
        blank, cut = b"", paren
    last = _blanks_before(data, launch.end - 1)
    if not launch.has_arguments:
        yield Edit(first, closing_end, defaults)
        yield Edit(cut, launch.end - 1 if after == launch.end - 1 else paren + 1, b"")
        return
    yield Edit(first, closing_end, defaults + b",")
    if _ends_line(data, after):
        yield Edit(cut, paren + 1, b"")
        return
    yield Edit(cut, after, blank)
    if after > paren + 1 and last < launch.end - 1 and not _begins_line(data, last):
        yield Edit(last, launch.end - 1, b"")


def _blanks_before(data: bytes, place: int) -> int:
    """The start of the blanks that end at a place."""
    while data[place - 1 : place] in (b" ", b"\t"):
        place -= 1
    return place


def _blanks_after(data: bytes, place: int) -> int:
    """The end of the blanks that begin at a place."""
    while data[place : place + 1] in (b" ", b"\t"):
        place += 1
    return place


def _begins_line(data: bytes, place: int) -> bool:
    return data[place - 1 : place] == b"\n"


def _ends_line(data: bytes, place: int) -> bool:
    """Whether a line ends there, in a macro's body too."""
    return data[place : place + 1] in (b"\n", b"\r") or data[place : place + 2] in (b"\\\n", b"\\\r")


def _around_configuration(unit: Unit, index: int, start: int, end: int) -> tuple[bytes, bytes]:
    """What a configuration argument needs around it: `dim3(...)` for the numbers of a grid or block, and parentheses
    for commas that the macro would take for its own.
    """
    text = unit.source.data[start:end]
    if text.startswith(b"{"):
        kind = _CONFIGURATION_TYPES[index]
        return (b"(" + kind, b")") if index < 2 else (kind, b"")
    if index >= 2 or _is_dim3(unit, start, end):
        return (b"(", b")") if _has_bare_comma(text) else (b"", b"")
    return b"dim3(", b")"


def _is_dim3(unit: Unit, start: int, end: int) -> bool:
    """Whether the expression is written as a `dim3`, or declared as one."""
    text = unit.source.data[start:end]
    if _DIM3.match(text) is not None and _is_one_pair(text[text.index(b"dim3") + 4 :].lstrip()):
        return True
    if _NO_NAME.match(text) is not None or not unit.analysis(_names_dim3):
        return False
    if _NAME.fullmatch(text) is not None and (known := unit.analysis(_Dim3Variables).has(text, start)) is not None:
        return known
    from hipify_py.semantics.expression_types import type_of
    from hipify_py.semantics.symbols import names_of

    node = unit.tree.leaf(start, end)
    is_whole = node is not None and (node.start_byte, node.end_byte) == (start, end)
    return is_whole and type_of(names_of(unit), node) == b"dim3"


class _Dim3Variables:
    """The variables of a unit that are a `dim3` by the words before their names."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._has_alias = _ALIAS.search(unit.source.data) is not None
        self._cache: dict[bytes, list[int] | None] = {}

    def has(self, name: bytes, place: int) -> bool | None:
        """Whether a name means one of them at a place; None where the tree has to tell."""
        if name not in self._cache:
            self._cache[name] = None if self._has_alias else self._declarations(name)
        declared = self._cache[name]
        if not declared:
            return None if declared is None else False
        function = function_bodies(self._unit).at(place)
        return True if function is not None and any(function.head < at < place for at in declared) else None

    def _declarations(self, name: bytes) -> list[int] | None:
        """The places of `dim3 name`; None where something else may declare the name as well."""
        data, lexemes = self._unit.source.data, self._unit.lexemes
        found, is_number = [], False
        for at in lexemes.places(name):
            before, word = lexemes.before(at), lexemes.word_before(at)
            if word == b"dim3" and data[lexemes.after(at + len(name))] != 0x5B:
                found.append(at)
            elif word in _NUMBERS:
                is_number = True
            elif (word and word not in KEYWORDS) or data[before : before + 1] in (b"*", b"&", b">"):
                return None
            elif (
                data[before : before + 1] == b"," and b"dim3" in _STATEMENT_SIGNS.split(data[max(at - 300, 0) : at])[-1]
            ):
                return None  # `dim3 grid(4), block(32);`, perhaps
        return None if found and is_number else found


def _names_dim3(unit: Unit) -> bool:
    """Whether the source contains `dim3`: only then can a name of its own be one."""
    return b"dim3" in unit.source.data


def _is_one_pair(text: bytes) -> bool:
    """Whether the text is a pair of brackets with their contents, and nothing after them."""
    depth = 0
    for at, byte in enumerate(text):
        depth += (byte in b"({") - (byte in b")}")
        if depth <= 0:
            return at == len(text) - 1
    return False


def _has_bare_comma(text: bytes) -> bool:
    """Whether the text has a comma outside of parentheses, which would split a macro's argument."""
    depth = 0
    for byte in text:
        depth += (byte in b"(") - (byte in b")")
        if byte in b"," and depth == 0:
            return True
    return False
