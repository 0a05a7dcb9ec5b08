"""Keeps a program's warps at 32 lanes, on GPUs with wavefronts of 64 lanes as well."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.amd_branches import amd_branches
from hipify_py.analysis.warp.author_choices import WARP_SIZE_NAME
from hipify_py.analysis.warp.census import warp_operations
from hipify_py.analysis.warp.decisions import KEPT, REPORTED
from hipify_py.analysis.warp.warp_calls import warp_calls_of
from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.core.findings import Finding
from hipify_py.core.options import WARPS
from hipify_py.core.translation import AppliedFix, WarpOutcome
from hipify_py.frontend.conditions import condition, sections
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import NO_FIXES, DedupedFinding, Example, Rule
from hipify_py.rules.triggers import ASSEMBLY, Fact, facts, texts, words

_SPANS = "spans the 64 lanes of a gfx9 wavefront, but a CUDA warp has 32"
_FIELD = "is 64 on gfx9, but 32 in CUDA"
_TESTED = "may be 64 in some builds, but the warps of this source are kept at 32 lanes"
_IS_64 = re.compile(rb"\b([A-Za-z_]\w*)\s*==\s*64\b")
_IN_BRANCH = "spans the wavefront in a branch for AMD GPUs, but the warps around it have 32 lanes"


class KeptWarps(Rule):
    """A CUDA warp has 32 lanes, and a gfx9 wavefront has 64: two warps, threads 0 to 31 and 32 to 63 of each 64.

    So shuffles get a width of 32, votes and masks are those of the own half, and `warpSize` is 32, also where the host
    reads it from the device. That is what CUDA has, and exact on every AMD GPU. The tables (`warp32` in `mappings/`)
    rewrite the names; this rule rewrites what the host reads, and reports what stays.

    With `--no-fix wavefront` the code stays as it is, and each operation is reported. Met in nearly every project that
    reduces within a warp: PyTorch extensions, CUDA samples, llama.cpp, gunrock.
    """

    id = "HIP305"
    _outside_ptx = (
        facts(Fact.WARP_OPERATIONS, Fact.PROJECT_GROUP_ALIASES)
        | words("warpSize")
        | texts("cooperative_groups", "##", "cub::Warp")
    )
    triggers = (_outside_ptx | words(*ASSEMBLY)) & (
        _outside_ptx
        | texts(
            "laneid", "lanemask", "warpid", "WARP_SZ", "vote.", "shfl.", "match.", "redux.", "activemask.", "elect."
        )
    )
    fixes = NO_FIXES
    VALID = (
        Example("#include <hip/hip_runtime.h>\n__device__ int f(int v) { return __shfl(v, 0); }"),
        Example("#include <hip/hip_runtime.h>\nint f(hipDeviceProp_t p) { return p.warpSize; }"),
    )
    INVALID = (
        Example(
            "__device__ int f(int v) { return __shfl_xor_sync(0xffffffff, v, 1); }",
            "__device__ int f(int v) { return __shfl_xor_sync(0xffffffffffffffffull, v, 1); }",
            ("HIP305",),
        ),
        Example(
            "__global__ void k(int *o) { o[threadIdx.x / 32] = __any(o[0]); }",
            None,
            ("HIP305",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding | DedupedFinding | AppliedFix | WarpOutcome]:
        operations = warp_operations(unit)
        if any(operation.outcome == KEPT for operation in operations):
            for place, name in _sizes_of_64(unit):
                yield unit.finding("HIP305", place, name=name, library="device", detail=_TESTED)
        for operation in operations:
            place, name, library = operation.offset, operation.name, operation.library
            yield WarpOutcome(place, operation.outcome)
            if operation.outcome == KEPT:
                if library != "cooperative_groups":
                    yield AppliedFix(place, WARPS)
                if operation.is_field:
                    yield _as_32(unit, place, operation.end)
            elif operation.outcome == REPORTED:
                detail = _FIELD if operation.is_field else _SPANS
                yield DedupedFinding(unit.finding("HIP305", place, name=name, library=library, detail=detail), name)
            elif operation.contradicts:
                fix = _within_32(unit, place)
                yield unit.finding("HIP305", place, name=name, library=library, detail=_IN_BRANCH, fix=fix)


def _sizes_of_64(unit: Unit) -> Iterator[tuple[int, str]]:
    """Where a source tests whether a warp size that only its build defines is 64: hypre's `HYPRE_WARP_SIZE`."""
    if b"64" not in unit.source.data:
        return
    own = {define.text for define in unit.lexemes.defines}
    branches = amd_branches(unit)
    for branch in (branch for section in sections(unit.lexemes) for branch in section):
        name = match[1] if (match := _IS_64.search(condition(unit.source.data, branch))) is not None else b""
        is_size = WARP_SIZE_NAME.fullmatch(name) is not None and name not in own
        if is_size and branch.start not in branches.only_amd and branch.start not in branches.never_amd:
            yield branch.start, name.decode()


def _within_32(unit: Unit, place: int) -> Iterator[Edit]:
    """The edits that keep a shuffle of a branch for AMD GPUs within 32 lanes; none for anything else."""
    call = next((call for call in warp_calls_of(unit) if call.use.start == place), None)
    if call is None or call.call is None or not call.is_shuffle or not call.is_complete or call.pack is not None:
        return
    arguments, end = call.call.arguments, place + len(call.name)
    if call.has_mask:
        yield Edit(end - len("_sync"), end, b"")
        yield Edit(arguments[0][0], arguments[1][0], b"")
    yield Edit(arguments[-1][1], arguments[-1][1], b", 32")


def _as_32(unit: Unit, start: int, end: int) -> Edit | CompositeEdit:
    """Replace a read by 32, including the API names in it."""
    holds_names = any(start <= use.start < end for use in unit.uses)
    return replaced(start, end, b"32") if holds_names else Edit(start, end, b"32")
