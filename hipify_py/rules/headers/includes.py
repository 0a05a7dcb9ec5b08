"""Rewrites includes of CUDA headers."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import chain

from hipify_py.catalog import Row
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import has_file_ending, new_name, renamed_endings
from hipify_py.core.source import BOM
from hipify_py.core.translation import CONVERTED, NATIVE, UNKNOWN, UNSUPPORTED, Reference
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule, mapping_note, unsupported_symbol
from hipify_py.rules.headers.runtime_header import added_includes, needs_runtime
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.headers import RUNTIME, branches_at, covers, header_row, is_local, may_be_libcudacxx

# Moves an include out of the braces of `extern "C"`.

_EXTERN_C = lazy_pattern(rb'[ \t]*extern\s+"C"\s*\{[ \t]*\r?\n')
_GUARD = lazy_pattern(
    rb"[ \t]*#[ \t]*if(?:def[ \t]+__cplusplus|[ \t]+defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?)[ \t]*\r?\n"
)
_END = lazy_pattern(rb"[ \t]*#[ \t]*endif\b[^\n]*\n")
_INCLUDED = lazy_pattern(rb"[ \t]*#[ \t]*include[ \t]*<[^>\n]*>[ \t]*\r?\n")


def before_linkage(unit: Unit, include: Include, brace: int) -> list[Edit]:
    """The edits that put an include's line before the linkage specification around it, which begins with a brace.

    None where anything but comments and includes of system headers is between: what is defined there may be meant for
    the
    header. None also where a condition holds only the include.
    """
    data, (start, end) = unit.source.data, unit.source.line_bounds(include.start)
    line = data[start:end]
    if not line.endswith(b"\n") or b"/*" in line or line.rstrip().endswith(b"\\"):
        return []
    if unit.lexemes.logical_line_start(include.start) != start:
        return []
    opening = _opening(unit, brace)
    if opening is None:
        return []
    place, after = opening
    outside, inside = branches_at(unit, [place, include.start])
    if outside != inside or not _holds_includes_alone(unit, after, start):
        return []
    return [Edit(place, place, line), Edit(start, end, b"")]


def _opening(unit: Unit, brace: int) -> tuple[int, int] | None:
    """The start of a brace's linkage specification, with the condition around the brace, and the end of its line."""
    data = unit.source.data
    start = unit.source.line_bounds(data.rfind(b"extern", 0, brace))[0]
    found = _EXTERN_C.match(data, start)
    if found is None or not start < brace < found.end() or unit.lexemes.non_code_at(found.end() - 1) is not None:
        return None
    place, after = found.span()
    guard = unit.source.line_bounds(place - 1)[0] if place else 0
    end = _END.match(data, after)
    if end is not None and place and _GUARD.match(data, guard, place) is not None:
        return guard, end.end()
    return place, after


def _holds_includes_alone(unit: Unit, start: int, end: int) -> bool:
    """Whether there are only comments and includes of system headers between two places."""
    place = start
    while True:
        place = unit.lexemes.after(place)
        if place >= end:
            return True
        line = unit.source.line_bounds(place)[0]
        found = _INCLUDED.match(unit.source.data, line)
        if found is None:
            return False
        place = found.end()


_TESTED = lazy_pattern(rb"""__has_include(?:_next)?\s*\(\s*[<"]([\w./-]+)[>"]""")
_NAMED = lazy_pattern(rb"""[ \t]+<([\w./-]+)[>"]""")
_RUNTIME_API = "hip/hip_runtime_api.h"
_LEGACY_CUBLAS = "cublas.h"
_WITHOUT_HANDLES = "It is included for functions without a handle; move them to those of cublas_v2.h first."
_CUDA_FOLDERS = ("cub/", "cuda/", "cudnn_frontend", "nvtx3/", "nvToolsExt", "cooperative_groups/")


class Includes(Rule):
    """Each CUDA header becomes the HIP header that declares the same; several that become one are merged.

    The project's own files stay, whatever their names: a quoted path that names a file of the project,
    and every path that is in no mapping table.
    """

    id = "HIP107"
    reports = ("HIP102", "HIP108", "HIP111")
    triggers = facts(Fact.INCLUDES, Fact.DEFINES) | words("__has_include*")
    VALID = (
        Example('#include "my-cuda.h"\nint cudaFooBar;'),
        Example('#include "cuda_helpers.h"\n#include <vector>'),
    )
    INVALID = (
        Example("#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>"),
        Example("#include <cuda.h>\n#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
        Example('#  include "cufft.h" // FFT', '#  include "hipfft/hipfft.h" // FFT'),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | DedupedFinding | Reference]:
        included: dict[str, tuple[int, ...]] = {RUNTIME: ()} if needs_runtime(unit) else {}
        of_tables = {*included}
        branches = branches_at(unit, [include.start for include in unit.lexemes.includes])
        for include, branch in zip(unit.lexemes.includes, branches, strict=True):
            renamed = renamed_include(unit, include)
            if renamed is not None:
                yield Edit(include.start + 1, include.end - 1, renamed.encode())
                continue
            row = header_row(unit, include)
            if row is None:
                yield from _unmapped_header(unit, include)
                included.setdefault(include.path, branch)
                continue
            if row.name == _LEGACY_CUBLAS and _needs_legacy_header(unit):
                row = Row(row.name, row.library, row.kind, None, {"unsupported": True, "advice": _WITHOUT_HANDLES})
            yield from self._convert(unit, include, row, included, of_tables, branch)
        yield from self._mentions(unit)

    @staticmethod
    def _mentions(unit: Unit) -> Iterator[Edit]:
        """Headers that are tested for or named without being included: `__has_include(<cub/cub.cuh>)`."""
        data, lexemes = unit.source.data, unit.lexemes
        tests = (match for match in _TESTED.finditer(data) if lexemes.non_code_at(match.start()) is None)
        named = (_NAMED.match(data, define.end) for define in lexemes.defines)
        for match in filter(None, chain(tests, named)):
            renamed = _renamed_path(unit, match[1].decode())
            row = unit.catalog.row(match[1])
            if renamed is not None:
                yield Edit(*match.span(1), renamed.encode())
            elif row is not None and row.kind == "header" and row.hip:
                yield Edit(*match.span(1), row.hip.encode())

    def _convert(
        self,
        unit: Unit,
        include: Include,
        row: Row,
        included: dict[str, tuple[int, ...]],
        of_tables: set[str],
        branch: tuple[int, ...],
    ) -> Iterator[Edit | Finding | DedupedFinding | Reference]:
        place = include.start
        if row.is_unsupported:
            yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
            yield unsupported_symbol(unit, place, row)
            return
        yield Reference(place, row.name, row.library, row.kind, NATIVE if row.is_native else CONVERTED)
        if row.note:
            yield DedupedFinding(mapping_note(unit, place, row), row.note)
        is_there = row.hip in included and covers(included[str(row.hip)], branch) and not _has_code_after(unit, include)
        if row.details.get("drop") or is_there:
            yield _removal(unit, include)
            return
        if row.hip in unit.catalog.demands and unit.source.data.find(b"{", 0, place) >= 0:
            before = [path for path in of_tables if covers(included[path], branch)]
            yield from _refusal(unit, include, row, before)
        needed = row.details.get("needs")
        if needed is not None and not any(
            covers(included[path], branch) for path in _providers(needed) if path in included
        ):
            yield added_includes(unit, unit.lexemes.logical_line_start(place), needed)
            included[needed] = branch
        included[str(row.hip)] = branch
        of_tables.add(str(row.hip))
        if not row.is_native:
            yield Edit(include.start + 1, include.end - 1, str(row.hip).encode())


def _needs_legacy_header(unit: Unit) -> bool:
    from hipify_py.semantics.legacy_cublas import needs_legacy_header

    return needs_legacy_header(unit)


def _providers(header: str) -> tuple[str, ...]:
    """The headers that include what one declares: itself, and the runtime's with device code for its API."""
    return (header, RUNTIME) if header == _RUNTIME_API else (header,)


def _refusal(unit: Unit, include: Include, row: Row, before: list[str]) -> Iterator[Finding]:
    """The finding for an include within braces where HIP's header is rejected, after other headers of HIP."""
    from hipify_py.rules.headers.enclosed import rejecting_braces

    around = rejecting_braces(unit, include.start, str(row.hip), before)
    if around is None:
        return
    fix: list[Edit] = []
    if around.has_c_linkage and around.is_alone:
        fix = before_linkage(unit, include, around.opening)
    name = f"<{row.name}>"
    yield unit.finding("HIP111", include.start, name=name, library=row.library, detail=around.inside, fix=fix)


def renamed_include(unit: Unit, include: Include) -> str | None:
    """The new spelling of an include whose file the project renames; None where it keeps its name."""
    return None if header_row(unit, include) is not None else _renamed_path(unit, include.path)


def _renamed_path(unit: Unit, path: str) -> str | None:
    """The new spelling of a path to a file that the project renames; None for any other."""
    project = unit.project
    if posixpath.splitext(path)[1] not in renamed_endings(project):
        return None
    folder = posixpath.dirname(unit.source.path.replace("\\", "/"))
    new = new_name(project, posixpath.normpath(posixpath.join(folder, path)), posixpath.normpath(path))
    if new is None:
        return None
    parts = path.split("/")
    places = [at for at, part in enumerate(parts) if part not in ("", ".", "..")]
    for at, part in zip(reversed(places), reversed(new.split("/")), strict=False):
        parts[at] = part
    found = "/".join(parts)
    return None if found == path else found


def _unmapped_header(unit: Unit, include: Include) -> Iterator[Finding | Reference]:
    """Headers of libraries without a counterpart, and CUDA-looking ones in no table."""
    if include.quoted and is_local(unit, include.path):
        return
    if include.path.startswith("cuda/") and has_file_ending(unit.project, include.path):
        return  # cuBool has `<cuda/backend.hpp>` in a folder of its own
    family = unit.catalog.family(include.path, header=True)
    if family is not None and family.library == "libcudacxx" and not may_be_libcudacxx(unit, include.path):
        family = None  # `"cuda/scatter.h"` is in the user's folder
    if family is not None:
        yield Reference(include.start, include.path, family.library, "header", UNSUPPORTED)
        yield unit.finding(
            "HIP107", include.start, name=f"<{include.path}>", library=family.library, detail=f": {family.advice}"
        )
    elif not include.quoted and include.path.startswith(_CUDA_FOLDERS):
        library = include.path.partition("/")[0]
        yield Reference(include.start, include.path, library, "header", UNKNOWN)
        yield unit.finding("HIP102", include.start, name=f"<{include.path}>", library=library)


def _has_code_after(unit: Unit, include: Include) -> bool:
    """Whether more than a comment follows on the line: without the include it would begin a line."""
    return unit.lexemes.after(include.end) < unit.source.line_bounds(include.start)[1]


def _removal(unit: Unit, include: Include) -> Edit:
    """Removes the include: the whole line, without a comment before or after it.

    Compilers ignore anything else after it, which would begin a line of its own.
    """
    data, lexemes, end = unit.source.data, unit.lexemes, unit.source.line_bounds(include.end)[1]
    start = lexemes.logical_line_start(include.start)
    first = lexemes.after(len(BOM) if not start and data.startswith(BOM) else start)
    is_alone = not data[start:first].strip()
    start = start if is_alone else first
    rest = data[include.end : end].strip()
    if not rest.startswith((b"//", b"/*")):
        after = lexemes.logical_line_end(include.end)
        return Edit(start, unit.source.line_bounds(after)[1] if is_alone else after - (data[after - 1] == 0x0D), b"")
    after = include.end + len(data[include.end : end]) - len(data[include.end : end].lstrip())
    return Edit(start, after, b"")
