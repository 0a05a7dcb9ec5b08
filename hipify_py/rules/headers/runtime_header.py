"""Whether a source needs the runtime's header, the place of the first header of HIP, and lines that are added there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hipify_py.core.edits import Edit
from hipify_py.core.project_context import has_file_ending
from hipify_py.core.source import BOM
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.tokens import texts
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import branches_at, covers, guard_end, header_row, spans_rest_of_source
from hipify_py.support_header import HEADER

# Lines that are added to a source.


def added_lines(unit: Unit, place: int, *lines: bytes) -> Edit:
    """Add lines, given without their newlines, before a place: the start of a line, or the end of the source."""
    data, newline = unit.source.data, unit.source.newline
    begins_line = place == 0 or data[place - 1 : place] == b"\n" or data[:place] == BOM
    return Edit(place, place, b"".join((b"" if begins_line else newline, *(line + newline for line in lines))))


def line_after(unit: Unit, place: int) -> int:
    """The start of the first line after a directive: after its continued lines, and a comment that begins on it."""
    return min(unit.lexemes.logical_line_end(place) + 1, len(unit.source.data))


def added_includes(unit: Unit, place: int, *headers: str) -> Edit:
    """Include headers before a place; see `added_lines`."""
    return added_lines(unit, place, *(b"#include <" + header.encode() + b">" for header in headers))


def includes_after(unit: Unit, others: Sequence[Include], *headers: str) -> Iterator[Edit]:
    """Include headers after the first of some others, and after each that is compiled where no earlier one may be."""
    reached: list[tuple[int, ...]] = []
    for other, branch in zip(others, branches_at(unit, [other.start for other in others]), strict=True):
        if not any(covers(earlier, branch) for earlier in reached):
            reached.append(branch)
            yield added_includes(unit, line_after(unit, other.start), *headers)


RUNTIME = "hip/hip_runtime.h"
_PRAGMA_ONCE = [b"#", b"pragma", b"once"]
_BRACES = frozenset({b"{", b"}"})
_CONDITIONS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"else"))
_BARE = re.compile(rb"[A-Za-z]\w?|min|max")
_FIRST_CODE = re.compile(rb"\s*")
_DEVICE_KEYWORDS = frozenset({"__global__", "__device__"})


def needs_runtime(unit: Unit) -> bool:
    """Whether the runtime's header is to be added before all others."""
    return unit.analysis(_needs_runtime)


def _needs_runtime(unit: Unit) -> bool:
    if not unit.options.implicit_runtime or unit.is_hip:
        return False
    uses_runtime = (
        bool(unit.lexemes.launches)
        or any(use.row.kind not in ("header", "namespace") for use in unit.uses)
        or _has_converted_assembly(unit)
    )
    includes = unit.lexemes.includes
    main = [include for include in includes if _includes_runtime(unit, include)]
    suffix = unit.source.suffix
    if suffix in (".cu", ".hip") or unit.source.path.startswith("<"):
        # An own header before the runtime's may rely on what nvcc included before both.
        first_own = next((i.start for i in includes if _is_own(unit, i) and not _includes_runtime(unit, i)), None)
        if not uses_runtime:
            return suffix == ".cu" and first_own is not None and (not main or main[0].start > first_own)
        early = (first_own, _first_bare_macro(unit), _first_use(unit))
        first = min((place for place in early if place is not None), default=None)
        return not main or (first is not None and main[0].start > first)
    if main or not uses_runtime:
        return False
    return _has_device_code(unit) if suffix == ".cuh" else _has_open_device_code(unit)


def _has_converted_assembly(unit: Unit) -> bool:
    """Whether inline PTX becomes HIP that needs the declarations of the runtime's header."""
    if b"asm" not in unit.source.data:
        return False
    from hipify_py.rules.ptx.rewriting import converted_source

    return bool(converted_source(unit).converted)


def _is_own(unit: Unit, include: Include) -> bool:
    """Whether a header may be the project's: quoted, or by its path a file of the project in any folder."""
    if include.quoted:
        return include.path.rpartition("/")[2] != HEADER  # ours includes the runtime itself
    return header_row(unit, include) is None and has_file_ending(unit.project, include.path)


def _first_bare_macro(unit: Unit) -> int | None:
    """The first macro with a name that HIP's headers use themselves: `N` and `T` for template parameters, `min`."""
    return next((define.start for define in unit.lexemes.defines if _BARE.fullmatch(define.text)), None)


def _first_use(unit: Unit) -> int | None:
    """The offset where code first names something of CUDA's; names in a macro count where the macro is used."""
    places = [use.start for use in unit.uses if use.row.kind not in ("header", "namespace")] + unit.lexemes.launches
    return next((place for place in sorted(places) if unit.lexemes.define_around(place) is None), None)


def _has_device_code(unit: Unit) -> bool:
    return bool(unit.lexemes.launches) or any(use.row.name in _DEVICE_KEYWORDS for use in unit.uses)


def _has_open_device_code(unit: Unit) -> bool:
    """Whether there is device code outside of macros and conditions: includers of such a header are compiled as CUDA.

    Where all of it is in an `#if` that is not an include guard, the header serves plain C and C++ sources too,
    which have no runtime.
    """
    places = [use.start for use in unit.uses if use.row.name in _DEVICE_KEYWORDS] + unit.lexemes.launches
    places = [place for place in sorted(places) if unit.lexemes.define_around(place) is None]
    return any(all(guard_end(unit, start) for start in branch) for branch in branches_at(unit, places))


def _includes_runtime(unit: Unit, include: Include) -> bool:
    """Whether it includes the runtime's header itself; for host code its API header is enough."""
    row = header_row(unit, include)
    path = include.path if row is None or not row.details.get("main") else row.hip
    return path == RUNTIME or (path == "hip/hip_runtime_api.h" and not _has_device_code(unit))


def head_place(unit: Unit) -> int:
    """The offset of the first include that is in no condition, else after the file's head."""
    head = _head_end(unit)
    includes = unit.lexemes.includes
    if includes:
        first = unit.lexemes.logical_line_start(includes[0].start)
        early = (_first_bare_macro(unit), _first_use(unit))
        if (
            first >= head
            and all(place is None or place > first for place in early)
            and not any(head <= place < first and word in _CONDITIONS for place, word in unit.lexemes.directives)
            and not has_braces(unit, head, first)
        ):
            return first
    return head


def has_braces(unit: Unit, start: int, end: int) -> bool:
    """Whether some block begins or ends in a range."""
    return not _BRACES.isdisjoint(texts(unit.lexemes, start, end))


def _head_end(unit: Unit) -> int:
    """The end of the leading comments, `#pragma once` and include guard."""
    place = len(BOM) if unit.source.data.startswith(BOM) else 0
    while (end := _next_head_end(unit, place)) > place:
        place = end
    return place


def _next_head_end(unit: Unit, place: int) -> int:
    """The end of the next comment, `#pragma once` or guard; `place` itself where code follows."""
    data = unit.source.data
    start = _FIRST_CODE.match(data, place).end()  # type: ignore[union-attr]  # it matches everywhere
    skip = unit.lexemes.non_code_at(start)
    if skip is not None and data[skip[0] : skip[0] + 2] in (b"//", b"/*"):
        newline = data.find(b"\n", skip[1])
        end = len(data) if newline < 0 else newline + 1
        return place if data[skip[1] : end].strip() else end
    line_start = max(data.rfind(b"\n", 0, start) + 1, place)
    is_directive = data[start : start + 1] == b"#" and not data[line_start:start].strip()
    head_end = _once_end(unit, start) if is_directive else None
    return place if head_end is None else min(head_end + 1, len(data))


def _once_end(unit: Unit, start: int) -> int | None:
    """The end of the `#pragma once` or include guard that begins at a place."""
    end = unit.lexemes.logical_line_end(start)
    if texts(unit.lexemes, start, end) == _PRAGMA_ONCE:
        return end
    guard = guard_end(unit, start)
    return guard if guard is not None and spans_rest_of_source(unit, start) else None
