"""Which headers are CUDA's, which are the project's own, and the conditions around a place."""

from __future__ import annotations

import posixpath
from bisect import bisect_left

from hipify_py.catalog import Row
from hipify_py.core.options import SUPPORT_HEADER
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import has_file, has_file_ending
from hipify_py.core.targeting import support_form
from hipify_py.frontend.conditions import sections
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.tokens import texts, tokens
from hipify_py.frontend.unit import Unit

RUNTIME = "hip/hip_runtime.h"
BARE_NAME = lazy_pattern(rb"[A-Za-z]\w?|min|max")
"""A macro's name that HIP's headers use themselves: `N` and `T` for template parameters, `min`."""
ORDINARY_NAME = lazy_pattern(rb"[A-Za-z]\w?|[a-z]\w*")
"""A macro's name that any header may use for something else, as the C library's does `index`."""

# What `clang -M` shows of the headers of ROCm 6.4 and 7.1; hip_fp16.h and hipblas.h, for instance, do without it.
_BRINGERS = lazy_pattern(
    r"hip/hip_runtime\.h|hipblaslt/|hipcub/|hiprand/hiprand(?:_kernel)?\.h|hipsparse/|rccl/rccl\.h"
    r"|roc(?:blas|prim|rand|sparse)/"
)

_THRUST = lazy_pattern(r"thrust/(?!system/tbb/)")  # a project may have a copy of CUDA's


def brings_runtime(path: str) -> bool:
    """Whether the header of HIP's or AMD's that this path names includes `<hip/hip_runtime.h>` itself."""
    return _BRINGERS.match(path) is not None or _THRUST.match(path) is not None


def is_hips(path: str) -> bool:
    """Whether an include of this path means a header of HIP's or AMD's, whatever files the project has."""
    return path.startswith("hip/hip_") or _BRINGERS.match(path) is not None


def is_support_header(path: str) -> bool:
    """Whether an include of this path means the support header, in whatever folder."""
    return path.rpartition("/")[2] == SUPPORT_HEADER


def header_row(unit: Unit, include: Include) -> Row | None:
    """The row of an included CUDA header; None for the project's own files and for headers of no table."""
    if include.quoted and is_local(unit, include.path):
        return None
    row = unit.catalog.row(include.path.encode("utf-8", "surrogateescape")) or _copied(unit, include)
    if row is None or row.kind != "header":
        return None
    return support_form(row, unit.catalog.targeting) if unit.options.support else row


def _copied(unit: Unit, include: Include) -> Row | None:
    """The row of a header that the project has a copy of, by the path of the copy: `"third_party/cub/cub.cuh"`."""
    if not include.quoted or not _knows_files(unit) or has_file_ending(unit.project, include.path):
        return None  # other files are the project's own
    name = include.path.partition("/")[2]
    while "/" in name:
        row = unit.catalog.row(name.encode("utf-8", "surrogateescape"))
        if row is not None:
            return row
        name = name.partition("/")[2]
    return None


def libraries(unit: Unit) -> frozenset[str]:
    """The libraries whose headers a source includes."""
    rows = (header_row(unit, include) for include in unit.lexemes.includes)
    return frozenset(row.library for row in rows if row is not None)


def is_local(unit: Unit, path: str) -> bool:
    """Whether a path names a file of the project, relative to the including file's folder or to a root."""
    if not _knows_files(unit):
        return False
    folder = posixpath.dirname(unit.source.path.replace("\\", "/"))
    return has_file(unit.project, posixpath.normpath(posixpath.join(folder, path))) or has_file(unit.project, path)


def _knows_files(unit: Unit) -> bool:
    """Whether the names of the project's files are known, which is not so for a source by itself."""
    return bool(unit.project.local_headers) or unit.project.asked is not None


def guard_end(unit: Unit, start: int) -> int | None:
    """The end of the include guard's definition whose `#ifndef` is at a place; None where no guard begins there.

    `#ifndef A` or `#if !defined(A)`, and only comments before `#define A`.
    """
    lexemes = unit.lexemes
    line_end = lexemes.logical_line_end(start)
    condition = texts(lexemes, start, line_end)
    if condition[:2] == [b"#", b"ifndef"] and len(condition) == 3:
        name = condition[2]
    elif condition[:4] == [b"#", b"if", b"!", b"defined"]:
        name = b"".join(condition[4:]).removeprefix(b"(").removesuffix(b")")
    else:
        return None
    at = bisect_left(lexemes.defines, line_end, key=lambda define: define.start)
    define = lexemes.defines[at] if at < len(lexemes.defines) else None
    if define is None or define.text != name:
        return None
    between = texts(lexemes, line_end, define.start)
    return lexemes.body_end(define) if between == [b"#", b"define"] else None


def spans_rest_of_source(unit: Unit, start: int) -> bool:
    """Whether the condition that begins at a place has a single branch, with no code after it.

    This distinguishes an include guard from a default for a macro (`#ifndef INFINITY`), which begins in the same way.
    """
    lexemes = unit.lexemes
    section = next((section for section in sections(lexemes) if section[0].start == start), ())
    if len(section) != 1:
        return False
    rest = tokens(lexemes, lexemes.logical_line_end(section[0].end), len(unit.source.data))
    return next(rest, None) is None


def branches_at(unit: Unit, places: list[int]) -> list[tuple[int, ...]]:
    """For each of the sorted places, the conditional branches around it: their offsets, outermost first."""
    paths: list[tuple[int, ...]] = []
    stack: list[int] = []
    directives = iter(unit.lexemes.directives)
    upcoming = next(directives, None)
    for place in places:
        while upcoming is not None and upcoming[0] < place:
            offset, word = upcoming
            if word in (b"if", b"ifdef", b"ifndef"):
                stack.append(offset)
            elif word in (b"elif", b"else") and stack:
                stack[-1] = offset
            elif word == b"endif" and stack:
                stack.pop()
            upcoming = next(directives, None)
        paths.append(tuple(stack))
    return paths


def covers(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether an include in branch `first`, as from `branches_at`, holds wherever one in branch `second` would."""
    return second[: len(first)] == first


def may_be_libcudacxx(unit: Unit, path: str) -> bool:
    """Whether a path is that of a header of libcu++: one in the tables, or one without an ending, as nearly all are.

    Other libraries have a folder `cuda/`, too: `<cuda/api.hpp>` is cuda-api-wrappers'.
    """
    if not path.startswith("cuda/"):
        return False
    is_plain = "." not in posixpath.basename(path) or path.startswith("cuda/experimental/")
    return is_plain or unit.catalog.row(path.encode("utf-8", "surrogateescape")) is not None
