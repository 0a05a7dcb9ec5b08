"""The macro without which the headers of ROCm 6.2 to 6.4 do not declare the `_sync` built-ins."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.targeting import WARP_SYNC_MACRO, gates_warp_sync, version
from hipify_py.frontend.unit import Unit, is_hip_header
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_lines, head_place
from hipify_py.rules.triggers import Fact, facts, texts
from hipify_py.semantics.calls import is_member_call
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.group_types import may_use_groups
from hipify_py.semantics.headers import header_row, is_local
from hipify_py.semantics.pointees import is_template_parameter, pointee
from hipify_py.semantics.symbols import names_of
from hipify_py.support_header import HEADER

_BUILT_IN = re.compile(r"__\w+_sync|__activemask")
_SHUFFLE = re.compile(r"__shfl_(?:up_|down_|xor_)?sync")
_BFLOAT16 = re.compile(rb"(?:__)?nv_bfloat162?|__hip_bfloat162?")
_VOTES = (b"ballot", b"any", b"all", b"match_any", b"match_all")
_FIRST = (6, 2)


class WarpSyncMacro(Rule):
    """ROCm 6.2 to 6.4 declare `__shfl_sync` and the like only where a macro is defined before HIP's headers.

    It is added with `--rocm 6.2` to `--rocm 6.4`, in sources that still use one of them when they are translated, or
    that include a header of the project, which may; ROCm 7 has them as they are.
    The votes of cooperative groups (`tile.ballot(p)`) and binary_partition are behind the same macro, in some
    headers of ROCm 7 still, and so are the shuffles of bfloat16 numbers: sources that use those get it whatever the
    version, unless that is below 6.2, and so do headers that include cooperative groups for others that vote (met in
    HierarchicalKV).
    """

    id = "warp-sync-macro"
    triggers = facts(Fact.TARGETS_ROCM, Fact.PROJECT_GROUP_ALIASES) | texts("cooperative_groups", "bfloat16")
    VALID = (Example("#include <hip/hip_runtime.h>\n__device__ int f(int v) { return __shfl_sync(~0ull, v, 0); }"),)

    def apply(self, unit: Unit) -> Iterator[Edit]:
        rocm = unit.options.targeting.rocm
        if (rocm and version(rocm) < _FIRST) or WARP_SYNC_MACRO in unit.source.data or unit.is_hip:
            return
        if (
            (gates_warp_sync(rocm) and (_uses_built_in(unit) or _includes_device_code(unit)))
            or _group_votes(unit)
            or (unit.project.group_votes and _includes_groups(unit))
            or _shuffles_bfloat16(unit)
        ):
            yield added_lines(unit, head_place(unit), b"#define " + WARP_SYNC_MACRO)


def _uses_built_in(unit: Unit) -> bool:
    """Whether the output calls one of them under HIP's name; where warps are kept at 32 lanes, most have another."""
    uses = (use for use in unit.uses if use.row.library == "device" and _BUILT_IN.fullmatch(use.row.name))
    return any(_BUILT_IN.fullmatch(effective_row(unit, use).hip or "") for use in uses)


def _includes_device_code(unit: Unit) -> bool:
    """Whether a CUDA source includes a header that may use them: the runtime comes before that header.

    For the headers of a project that is translated as a whole it is known whether any does.
    """
    if not unit.source.path.endswith((".cu", ".cuh")):
        return False
    may_use = bool(unit.project.author_names) or unit.project.native_warps
    return any(
        include.quoted
        and include.path.rpartition("/")[2] != HEADER  # ours does not need them
        and not is_hip_header(include.path)
        and header_row(unit, include) is None
        and (may_use or not is_local(unit, include.path))
        for include in unit.lexemes.includes
    )


def _includes_groups(unit: Unit) -> bool:
    return any(
        (row := header_row(unit, include)) is not None and row.library == "cooperative_groups"
        for include in unit.lexemes.includes
    )


def _group_votes(unit: Unit) -> bool:
    """Members that are votes of the threads of a group, or based on them."""
    names = {use.row.name for use in unit.uses if use.row.library == "cooperative_groups"}
    if "cooperative_groups::binary_partition" in names:
        return True
    if not may_use_groups(unit):
        return False
    return any(
        is_member_call(unit, place, place + len(vote)) and _may_be_group(unit, place, place + len(vote))
        for vote in _VOTES
        for place in unit.lexemes.places(vote)
    )


def _may_be_group(unit: Unit, start: int, end: int) -> bool:
    """Whether the object's type is none that this source defines itself."""
    leaf = unit.tree.leaf(start, end)
    member = leaf.parent if leaf is not None else None
    if member is None or member.type != "field_expression":
        return True
    names = names_of(unit)
    type = type_of(names, member.child_by_field_name("argument"))
    return not type or not names.is_declared(type)


def _shuffles_bfloat16(unit: Unit) -> bool:
    """Whether a shuffle is of bfloat16 numbers or pairs, or of a template's type in a source that has such numbers."""
    if b"bfloat16" not in unit.source.data:
        return False
    shuffles = [use for use in unit.uses if _SHUFFLE.fullmatch(use.row.name)]
    if not shuffles or not any(use.row.library == "bf16" and use.row.kind == "type" for use in unit.uses):
        return False
    names = names_of(unit)
    for use in shuffles:
        call = named_call(unit.tree, use.start, use.end)
        type = pointee(names, call.arguments[1]) if call is not None and len(call.arguments) > 1 else b""
        if call is not None and type and (_BFLOAT16.fullmatch(type) or is_template_parameter(type, call.name)):
            return True
    return False
