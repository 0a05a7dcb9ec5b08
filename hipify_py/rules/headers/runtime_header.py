"""Whether a source needs the runtime's header, the place of the first header of HIP, and lines that are added there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipify_py.core.edits import Edit
from hipify_py.core.options import NVCC_HEADERS
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import has_file_ending
from hipify_py.core.source import BOM, KERNEL_SUFFIXES, UNIT_SUFFIXES
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.tokens import texts
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import (
    BARE_NAME,
    ORDINARY_NAME,
    RUNTIME,
    branches_at,
    brings_runtime,
    covers,
    guard_end,
    header_row,
    is_support_header,
    spans_rest_of_source,
)

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


_PRAGMA_ONCE = [b"#", b"pragma", b"once"]
_BRACES = frozenset({b"{", b"}"})
_CONDITIONS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"else"))
_FIRST_CODE = lazy_pattern(rb"\s*")
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
    first_bringing = _first_bringing(unit)
    early = (_first_own(unit), _first_bare_macro(unit), _first_use(unit))
    first_need = min((place for place in early if place is not None), default=None)
    if first_bringing is not None and (first_need is None or first_bringing < first_need):
        return False
    suffix = unit.source.suffix
    if suffix in KERNEL_SUFFIXES or unit.source.path.startswith("<"):
        if not uses_runtime:
            first_own = early[0]
            return suffix == ".cu" and first_own is not None and (not main or main[0].start > first_own)
        return not main or (first_need is not None and main[0].start > first_need)
    if main and suffix in UNIT_SUFFIXES:  # ccminer's host files define `min` before they include the runtime
        first_macro = early[1]
        return first_macro is not None and first_macro < main[0].start and _main_path(unit, main[0]) == RUNTIME
    if main or not uses_runtime or _serves_plain_compilers(unit):
        return False
    return _has_device_code(unit) if suffix == ".cuh" else _has_open_device_code(unit)


def _serves_plain_compilers(unit: Unit) -> bool:
    """Whether a header defines `__device__` away for other compilers, which find no header of HIP's (ssd-gpu-dma)."""
    return any(unit.lexemes.definitions(keyword.encode()) for keyword in _DEVICE_KEYWORDS)


def _has_converted_assembly(unit: Unit) -> bool:
    """Whether inline PTX becomes HIP that needs the declarations of the runtime's header."""
    if b"asm" not in unit.source.data:
        return False
    from hipify_py.rules.ptx.rewriting import converted_source

    return bool(converted_source(unit).converted)


def _first_own(unit: Unit) -> int | None:
    """The first of the project's headers that may rely on what nvcc includes before all others."""
    project = unit.project
    return next(
        (
            include.start
            for include in unit.lexemes.includes
            if _is_own(unit, include)
            and include.path not in project.plain_includes
            and include.path not in project.runtime_includes
            and not _includes_runtime(unit, include)
        ),
        None,
    )


def _first_bringing(unit: Unit) -> int | None:
    """The first header that brings the runtime's without being it, in all builds and outside of blocks."""
    bringing = [include.start for include in unit.lexemes.includes if _brings_runtime(unit, include)]
    for start, branch in zip(bringing, branches_at(unit, bringing), strict=True):
        if all(guard_end(unit, condition) for condition in branch) and not has_braces(unit, 0, start):
            return start
    return None


def _brings_runtime(unit: Unit, include: Include) -> bool:
    if is_support_header(include.path) or include.path in unit.project.runtime_includes:
        return True
    row = header_row(unit, include)
    if row is None:
        return not _is_own(unit, include) and brings_runtime(include.path)
    return row.hip not in (None, RUNTIME) and not row.details.get("drop") and brings_runtime(str(row.hip))


def _is_own(unit: Unit, include: Include) -> bool:
    """Whether a header may be the project's: quoted, or by its path a file of the project in any folder."""
    if header_row(unit, include) is not None or is_support_header(include.path):
        return False
    if include.quoted:
        return not brings_runtime(include.path)  # `"nccl.h"` becomes `"rccl/rccl.h"`
    folders = (f"{NVCC_HEADERS}/", f"{NVCC_HEADERS}/hipify_to_cuda/")
    if any(has_file_ending(unit.project, folder + include.path) for folder in folders):
        return False
    return has_file_ending(unit.project, include.path)


def _first_bare_macro(unit: Unit) -> int | None:
    """The first macro with a name that HIP's headers use themselves: `N` and `T` for template parameters, `min`.

    Before a source of its own, nvcc includes the runtime, and no macro of the source changes what is there.
    """
    names = ORDINARY_NAME if unit.source.suffix in KERNEL_SUFFIXES else BARE_NAME
    return next((define.start for define in unit.lexemes.defines if names.fullmatch(define.text)), None)


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
    path = _main_path(unit, include)
    return path == RUNTIME or (path == "hip/hip_runtime_api.h" and not _has_device_code(unit))


def _main_path(unit: Unit, include: Include) -> str | None:
    row = header_row(unit, include)
    return include.path if row is None or not row.details.get("main") else row.hip


def head_place(unit: Unit) -> int:
    """The offset of the first include that is in no condition, else after the file's head; above the comment there."""
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
            return _above_comment(unit, first)
    return _above_comment(unit, head)


_HEADS_INCLUDES = lazy_pattern(rb"(?i)\W*(?:[\w+.-]+[ \t]+){0,3}(?:includes?|headers?|imports?)\W*")
_LEGAL = lazy_pattern(rb"(?i)copyright|licen[cs]e|SPDX")


def _above_comment(unit: Unit, place: int) -> int:
    """The start of the comments that end on the line before a place, which are about what follows; else the place.

    The comments at the start of a file describe the file, except for a last line that is a title of the includes. A
    licence stays above all else.
    """
    data = unit.source.data
    if not data[place : unit.source.line_bounds(place)[1]].strip():
        return place
    start = last = place
    while (above := _comment_above(unit, start)) is not None:
        start, last = above, start
    if start <= _top(unit):
        about = data[last:place] if last < place else data[start:place]
        return place - len(about) if _HEADS_INCLUDES.fullmatch(about) else place
    return place if _LEGAL.search(data, start, place) else start


def _top(unit: Unit) -> int:
    return len(BOM) if unit.source.data.startswith(BOM) else 0


def _comment_above(unit: Unit, line: int) -> int | None:
    """The start of the lines that hold the comment right above a line and nothing else."""
    data, top = unit.source.data, _top(unit)
    if line <= top:
        return None
    begins = max(unit.source.line_bounds(line - 1)[0], top)
    last = begins + len(data[begins:line].rstrip()) - 1
    comment = unit.lexemes.non_code_at(last) if last >= begins else None
    if comment is None or data[comment[0] : comment[0] + 2] not in (b"//", b"/*"):
        return None
    begins = max(unit.source.line_bounds(comment[0])[0], top)
    return None if data[begins : comment[0]].strip() else begins


def has_braces(unit: Unit, start: int, end: int) -> bool:
    """Whether some block begins or ends in a range."""
    return not _BRACES.isdisjoint(texts(unit.lexemes, start, end))


def _head_end(unit: Unit) -> int:
    """The end of the leading comments, `#pragma once` and include guard."""
    place = _top(unit)
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
