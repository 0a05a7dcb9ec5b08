"""Rewrites kernel launches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.device_code import in_device_code
from hipify_py.semantics.launches import Launch, UnreadableLaunch, launches_of
from hipify_py.translation import CONVERTED, NATIVE, UNSUPPORTED, Reference
from hipify_py.unit import Unit

_CONFIGURATION_TYPES = (b"dim3", b"dim3", b"size_t", b"hipStream_t")
_DIM3 = re.compile(rb"dim3\s*[({]")


class Launches(Rule):
    """`k<<<g, b, shared, stream>>>(args)` becomes `hipLaunchKernelGGL(k, dim3(g), dim3(b), shared, stream, args)`.

    The rewrite touches the launch's own punctuation only, so that what stands between it, comments and
    line breaks included, stays. hipcc also compiles `<<<...>>>`; `--launch chevron` keeps it, and so does
    this rule where the macro could not stand: in an expression, or around a preprocessor directive.
    """

    id = "HIP108"
    VALID = (
        Example("bool f(S s) { return s << 3 >> 1; }"),
        Example("#include <hip/hip_runtime.h>\nvoid f() { k<<<1, 2>>>(a); }"),
    )
    INVALID = (
        Example("void f() { k<<<1, 2>>>(a, b); }", "void f() { hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, a, b); }"),
        Example("void f() { k<<<g, b, n, s>>>(); }", "void f() { hipLaunchKernelGGL(k, dim3(g), dim3(b), n, s); }"),
        Example(
            "void f() { k<T, 3><<<g, b>>>(a); }",
            "void f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, 3>), dim3(g), dim3(b), 0, 0, a); }",
        ),
        Example("int x = (k<<<1, 1>>>(), 0);", None, ("HIP108",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        is_hip = unit.is_hip
        for launch in launches_of(unit):
            place = launch.opening
            if unit.lexemes.word_before(place) == b"operator":
                continue
            if isinstance(launch, UnreadableLaunch):
                yield Reference(place, "<<<>>>", "runtime", "launch", NATIVE)
                yield unit.finding("HIP108", place, name="<<<>>>", library="runtime", detail=launch.why)
                continue
            if in_device_code(unit, place):
                yield Reference(place, "<<<>>>", "runtime", "launch", UNSUPPORTED)
                callee = unit.source.data[launch.callee[0] : launch.callee[1]].decode(errors="replace")
                yield unit.finding("HIP202", place, name=callee, library="runtime")
                continue
            if unit.options.launch == "chevron" or launch.obstacle or is_hip:
                yield from _as_chevrons(unit, launch)
                if launch.obstacle and not is_hip and unit.options.launch != "chevron":
                    yield unit.finding("HIP108", place, name="<<<>>>", library="runtime", detail=launch.obstacle)
                continue
            yield Reference(place, "<<<>>>", "runtime", "launch", CONVERTED)
            yield from _as_macro_call(unit, launch)


def _as_chevrons(unit: Unit, launch: Launch) -> Iterator[Edit | Reference]:
    """hipcc compiles chevrons too, but clang takes no bare braces between them."""
    edits = [
        Edit(start, start, _CONFIGURATION_TYPES[index])
        for index, (start, _) in enumerate(launch.configuration)
        if unit.source.data[start : start + 1] == b"{"
    ]
    yield Reference(launch.opening, "<<<>>>", "runtime", "launch", CONVERTED if edits else NATIVE)
    yield from edits


def _as_macro_call(unit: Unit, launch: Launch) -> Iterator[Edit]:
    """The edits from chevrons to `hipLaunchKernelGGL(...)`, each at one piece of the launch's punctuation."""
    data = unit.source.data
    start, end = launch.callee
    head, tail = (
        (b"hipLaunchKernelGGL(HIP_KERNEL_NAME(", b")") if launch.needs_kernel_name else (b"hipLaunchKernelGGL(", b"")
    )
    yield Edit(start, start, head)
    if launch.opening > end:
        yield Edit(end, end, tail + b",")
        yield Edit(launch.opening, launch.opening + 3, b"")
    else:
        apart = data[launch.opening + 3 : launch.opening + 4].isspace()
        yield Edit(launch.opening, launch.opening + 3, tail + (b"," if apart else b", "))
    for comma in launch.commas:
        if data[comma + 1 : comma + 2] not in (b" ", b"\t", b"\n", b"\r", b"\\"):
            yield Edit(comma, comma + 1, b", ")
    for index, (first, last) in enumerate(launch.configuration):
        head, tail = _around_configuration(data, index, first, last)
        if head:
            yield Edit(first, first, head)
            yield Edit(last, last, tail)
    defaults = b", 0" * (4 - len(launch.configuration))
    closing, paren = launch.closing, launch.arguments_opening
    if not launch.has_arguments:
        yield Edit(closing, closing + 3, defaults)
        yield Edit(paren, paren + 1, b"")
        return
    yield Edit(closing, closing + 3, defaults + b",")
    apart = paren > closing + 3 or data[paren + 1 : paren + 2] in (b" ", b"\t", b"\n", b"\r")
    cut = paren
    if data[paren + 1 : paren + 2] in (b"\n", b"\r") and data[closing + 3 : paren].isspace():
        cut = closing + 3  # the parenthesis had a line of its own
    yield Edit(cut, paren + 1, b"" if apart else b" ")


def _around_configuration(data: bytes, index: int, start: int, end: int) -> tuple[bytes, bytes]:
    """What a configuration argument needs around it: `dim3(...)` for grid and block, and a macro's commas hidden."""
    text = data[start:end]
    if text.startswith(b"{"):
        kind = _CONFIGURATION_TYPES[index]
        return (b"(" + kind, b")") if index < 2 else (kind, b"")
    if index >= 2:
        return (b"(", b")") if b"," in text and not _is_enclosed(text, b"") else (b"", b"")
    if _is_enclosed(text, b"{"):
        return (b"(", b")") if b"," in text else (b"", b"")
    return (b"", b"") if _is_enclosed(text, b"(") else (b"dim3(", b")")


def _is_enclosed(text: bytes, bracket: bytes) -> bool:
    """The whole text is `dim3` with one pair of such brackets, or just a pair of parentheses for `b""`."""
    opening = _DIM3.match(text) if bracket else re.match(rb"\(", text)
    if opening is None or (bracket and opening[0][-1:] != bracket) or text[-1:] not in (b")", b"}"):
        return False
    depth = 0
    for at in range(opening.end() - 1, len(text)):
        if text[at] in b"({":
            depth += 1
        elif text[at] in b")}":
            depth -= 1
            if depth == 0:
                return at == len(text) - 1
    return False
