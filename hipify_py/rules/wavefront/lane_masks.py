"""Writes lane masks in the 64 bits that HIP requires, where warps are not kept at 32 lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.amd_branches import amd_branches
from hipify_py.analysis.warp.author_choices import author_names
from hipify_py.analysis.warp.decisions import AUTHOR, KEPT, warp_decisions, warp_uses
from hipify_py.analysis.warp.native_proof import is_full_mask
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.builtin_types import Width
from hipify_py.semantics.constants import number
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import call_of, callee, is_same, name_in, operator_of, strip_parentheses, text_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ALL = b"0xffffffffffffffffull"
_MASKS = re.compile(rb"__(?:ballot(?:_sync)?|activemask|match_(?:any|all)_sync)")
_GIVES_MASK = re.compile(r"__(?:ballot(?:_sync)?|activemask|match_(?:any|all)_sync)")
_IS_LONG = re.compile(rb"(?i:\d[0-9a-f]*u?ll?\b)|64|long long")
_WIDE_NUMBER = 0xFFFFFFFF


class LaneMasks(Rule):
    """HIP's lane masks have 64 bits, one for each lane of a gfx9 wavefront.

    A 32-bit mask fails a static assertion in the `_sync` built-ins of ROCm 7. Code whose warps are kept at 32 lanes
    has no such mask left. In code that works on any wavefront, or that is the author's own for AMD GPUs, hipify-py
    widens the literals for all lanes to 64 bits. The author has to widen any other mask, which hipify-py reports.
    """

    id = "HIP301"
    reports = ("HIP320",)
    triggers = facts(Fact.SYNC_WORDS, Fact.WARP_OPERATIONS)
    fixes = NO_FIXES
    VALID = (
        Example(
            "#include <hip/hip_runtime.h>\n__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }"
        ),
        Example(
            "#ifdef __HIP_DEVICE_COMPILE__\n#define ALL __activemask()\n#else\n#define ALL 0xffffffffu\n#endif\n"
            "__device__ int f(int v) { return __shfl_sync(ALL, v, 0); }"
        ),
    )
    INVALID = (
        Example(
            "__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }",
            "__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }",
            ("HIP305",),
        ),
        Example(
            "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__device__ int f(unsigned m, int v) { return __shfl_sync(m, v, threadIdx.x % WARP_SIZE); }",
            None,
            ("HIP301",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        if (
            unit.is_hip
            or unit.kept_warps.issuperset(use.start for use in warp_uses(unit))
            or not unit.tree.is_available
        ):
            return
        decisions, branches = warp_decisions(unit), amd_branches(unit)
        own = unit.overloads | {name.decode(errors="replace") for name in author_names(unit)}
        for call in warp_calls_of(unit):
            decision = decisions.outcome(call.use)
            is_left = call.use.start in branches.only_amd or call.use.start in branches.never_amd
            if decision == KEPT or is_left or call.name in own:
                continue
            if call.has_mask and call.nodes and effective_row(unit, call.use).is_native:
                yield from _in_64_bits(unit, call, call.nodes[0])
            if decision == AUTHOR and _GIVES_MASK.fullmatch(call.name) and (holder := _narrow_holder(unit, call)):
                yield unit.finding("HIP320", call.use.start, name=holder, library="device")


def _in_64_bits(unit: Unit, call: WarpCall, mask: Node) -> Iterator[Edit | Finding]:
    """The mask of a call, as HIP takes it."""
    if _is_wide(unit, mask) or _is_wide_macro(unit, mask):
        return
    if is_full_mask(unit, mask):
        yield Edit(mask.start_byte, mask.end_byte, _ALL)
        return
    value = number(text_of(strip_parentheses(mask)))
    if value is not None:
        yield Edit(mask.end_byte, mask.end_byte, b"ull")
    detail = " ".join(text_of(mask).decode(errors="replace").split())
    if value != 0:
        yield unit.finding("HIP301", call.use.start, name=call.name, library="device", detail=detail)


def _is_wide(unit: Unit, mask: Node) -> bool:
    """Whether a mask has 64 bits already: a number, a cast, a built-in's result, or a variable of a wide type."""
    node = strip_parentheses(mask)
    if (number(text_of(node)) or 0) > _WIDE_NUMBER or _IS_LONG.search(text_of(node)):
        return True
    if node.type == "call_expression" and _MASKS.fullmatch(text_of(callee(node))):
        return True
    if node.type == "call_expression":
        alias = names_of(unit).alias(text_of(callee(node)))
        return alias is not None and alias.width is not Width.NARROW
    leaf = name_in(node)
    declarations = names_of(unit).resolve(leaf) if leaf is not None else ()
    return bool(declarations) and all(one.spelling.width is not Width.NARROW for one in declarations)


def _is_wide_macro(unit: Unit, mask: Node) -> bool:
    """Whether a mask is a macro whose definitions for AMD GPUs all have 64 bits (CuPy's sparse matrices)."""
    name = text_of(strip_parentheses(mask))
    never_amd = amd_branches(unit).never_amd
    bodies = [
        unit.lexemes.code(define.end, unit.lexemes.logical_line_end(define.end))
        for define in unit.lexemes.definitions(name)
        if define.start not in never_amd
    ]
    return bool(bodies) and all(_IS_LONG.search(body) or _MASKS.search(body) for body in bodies)


def _narrow_holder(unit: Unit, call: WarpCall) -> str:
    """The 32-bit variable that a mask is stored in; empty where there is none."""
    leaf = unit.tree.leaf(call.use.start, call.use.end)
    node = call_of(leaf) if leaf is not None else None
    owner = node.parent if node is not None else None
    while owner is not None and owner.type == "parenthesized_expression":
        node, owner = owner, owner.parent
    if node is None or owner is None:
        return ""
    names = names_of(unit)
    if owner.type == "init_declarator" and is_same(owner.child_by_field_name("value"), node):
        declared = names.declared_in(owner)
        holders = [declared] if declared is not None else []
    elif owner.type == "assignment_expression" and operator_of(owner) == "=":
        target = name_in(owner.child_by_field_name("left"))
        holders = list(names.resolve(target)) if target is not None else []
    else:
        return ""
    narrow = [one for one in holders if one.type is not None and one.spelling.width is Width.NARROW]
    return narrow[0].name.decode(errors="replace") if narrow else ""
