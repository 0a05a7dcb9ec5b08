"""Widens lane masks to the 64 bits that they have in HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.dropped_masks import dropped_masks_of
from hipify_py.analysis.warp.emulate_warp32 import KEPT, is_emulated, masks_kept_narrow
from hipify_py.analysis.warp.inactive_lanes import inactive_lane_masks, inactive_lanes_of
from hipify_py.analysis.warp.masks.built_ins import GIVES_MASK, TAKES_MASK
from hipify_py.analysis.warp.masks.flow import Flow
from hipify_py.analysis.warp.pasted_built_ins import pasted_built_ins
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Once, Rule
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.semantics.calls import call_at, has_divided_arguments
from hipify_py.semantics.expressions import call_of, is_same, named_call, text_of
from hipify_py.unit import Unit, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(rb"[A-Za-z_]\w*")
_SETS_MASK = re.compile(rb"lanemask_|activemask|vote\.(?:sync\.)?ballot|match\.(?:any|all)")
_GROUP_GIVES = (b"ballot", b"match_any", b"match_all")
_ALL_LANES = re.compile(rb"0[xX][fF]{8}[uU]?|~0[uU]?")
_HOLDS_VALUES = frozenset({"argument_list", "template_argument_list", "return_statement"})
_VALUES = {"init_declarator": "value", "field_declaration": "default_value"}


class LaneMasks(Rule):
    """HIP's lane masks have 64 bits, one for each lane of a gfx9 wavefront.

    A mask of 32 bits fails a static assertion in the `_sync` built-ins of ROCm 7, and leaves the upper half of the
    wavefront out where it compiles. Literals, the constants and macros that stand for them, and the variables,
    members, parameters and functions that hold a ballot are widened where they are declared, and what counts their
    bits, compares or prints them follows. A mask that comes from elsewhere is cast, so that it compiles, and
    reported.
    """

    id = "HIP301"
    triggers = (
        words("*MASK*", "*ballot*", "__activemask")
        | texts("ballot", ".match_a", "lanemask", "0xffffffff", "0xFFFFFFFF", "~0")
        | facts(Fact.SYNC_WORDS, Fact.PROJECT_MASK_PARAMETERS, Fact.PROJECT_MASK_HELPERS)
    )
    fixes = NO_FIXES
    VALID = (
        Example("__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }"),
        Example("__device__ int f(unsigned v) { return __popc(v); }"),
    )
    INVALID = (
        Example(
            "__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }",
            "__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }",
        ),
        Example(
            "__device__ int f() { unsigned m = __activemask(); return __popc(m); }",
            "__device__ int f() { unsigned long long m = __activemask(); return __popcll(m); }",
        ),
        Example(
            "__device__ bool f(int v) { return __ballot_sync(~0u, v) == ~0u; }",
            "__device__ bool f(int v) { return __ballot_sync(0xffffffffffffffffull, v) =="
            " (0xffffffffffffffffull >> (64 - warpSize)); }",
        ),
        Example(
            "__device__ int f(S s, int v) { return __any_sync(s.mask, v); }",
            "__device__ int f(S s, int v) { return __any_sync(static_cast<unsigned long long>(s.mask), v); }",
            ("HIP301",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Once]:
        flow = Flow(unit, inactive_lanes_of(unit).are_missing, dropped_masks_of(unit).stays)
        flow.widen_macros()
        if not unit.is_hip:
            yield from _divided(unit)
        if unit.tree.is_available:
            self._follow_built_ins(unit, flow)
            self._follow_assembly(unit, flow)
            self._follow_groups(flow)
            self._follow_helpers(unit, flow)
            flow.follow_given()
            self._pass_on(unit, flow)
            flow.run()
        for found in flow.findings:
            yield Once(found, found.name) if found.id == "HIP323" else found
        if not unit.is_hip:
            yield from flow.edits()
        elif unit.tree.is_available and _SETS_MASK.search(unit.source.data):
            # What is HIP already is as its author, or an earlier run, left it; inline PTX in it is CUDA's still.
            flow = Flow(unit, inactive_lanes_of(unit).are_missing, dropped_masks_of(unit).stays)
            self._follow_assembly(unit, flow)
            flow.run()
            yield from flow.edits()

    def _follow_built_ins(self, unit: Unit, flow: Flow) -> None:
        narrow, idle, unused = masks_kept_narrow(unit), inactive_lane_masks(unit), dropped_masks_of(unit).names
        for use in unit.uses:
            if use.row.library != "device" or use.start in narrow:
                continue
            if TAKES_MASK.fullmatch(use.row.name.encode()):
                mask = _first_argument(unit, use)
                is_used = mask is not None and unit.source.data[slice(*mask)] not in unused
                if mask is not None and is_used and (use.start not in idle or _NAME.fullmatch(unit.source.data, *mask)):
                    flow.take(use.row.name, *mask)  # a constant that goes here is widened for its other uses
            if GIVES_MASK.fullmatch(use.row.name.encode()):
                flow.give(use.start, use.end)

        for mask in pasted_built_ins(unit).masks:
            flow.take("a pasted name", *mask)

    def _follow_assembly(self, unit: Unit, flow: Flow) -> None:
        """Variables that inline PTX puts a mask into."""
        data = unit.source.data
        if not _SETS_MASK.search(data) or is_emulated(unit):
            return
        from hipify_py.rules.ptx.rewriting import mask_outputs

        for place in mask_outputs(unit):
            operand = unit.tree.leaf(*place)
            if operand is not None:
                flow.set_by_assembly(operand)

    def _follow_groups(self, flow: Flow) -> None:
        """Ballots of cooperative groups, which HIP gives in 64 bits."""
        for name in _GROUP_GIVES:
            for leaf in flow.names.mentions(name):
                if leaf.type == "field_identifier" and call_of(leaf) is not None:
                    flow.give_group(leaf)

    def _follow_helpers(self, unit: Unit, flow: Flow) -> None:
        """Masks that functions of the project's headers return, whose types are widened there."""
        masks = unit.project.warp_helpers.masks
        asked = masks & warp_context(unit).asked_elsewhere if masks else frozenset()
        returned = {found.function for found in unit.project.mask_parameters if found.is_returned}
        for name in sorted(asked.union(name for name in returned if not flow.names.is_declared(name))):
            for leaf in flow.names.mentions(name):
                if leaf.type != "field_identifier":
                    flow.give(leaf.start_byte, leaf.end_byte)

    def _pass_on(self, unit: Unit, flow: Flow) -> None:
        """All lanes, passed to a function of another file that is called as if it takes them."""
        to_templates = not is_emulated(unit) and KEPT not in unit.source.data
        if not _ALL_LANES.search(unit.source.data):
            return
        bodies = [macro for macro in flow.macros.all() if _ALL_LANES.search(unit.source.data, macro.start, macro.end)]
        for within in (None, *(_root(unit, body.start, body.end) for body in bodies)):
            for node in unit.tree.nodes("number_literal", "unary_expression", within=within):
                if _ALL_LANES.fullmatch(text_of(node)) and _is_handed_on(node):
                    flow.pass_on(node, to_templates=to_templates)


def _divided(unit: Unit) -> Iterator[Finding]:
    """Operations with directives between their arguments: their masks are left as they are."""
    if not unit.lexemes.directives and not unit.lexemes.includes:
        return
    for use in unit.uses:
        name = use.row.name
        if use.row.library == "device" and TAKES_MASK.fullmatch(name.encode()) and has_divided_arguments(unit, use.end):
            target, detail = "stays as it is", "directives stand between them"
            yield unit.finding("HIP104", use.start, name=name, library="device", target=target, detail=detail)


def _is_handed_on(value: Node) -> bool:
    """A value that is an argument, that a variable begins with, or that a function returns."""
    parent = value.parent
    if parent is None or parent.type in _HOLDS_VALUES:
        return parent is not None
    return parent.type in _VALUES and is_same(parent.child_by_field_name(_VALUES[parent.type]), value)


def _root(unit: Unit, start: int, end: int) -> Node | None:
    """The root of a macro's body."""
    node = unit.tree.leaf(start, end)
    while node is not None and node.parent is not None:
        node = node.parent
    return node


def _first_argument(unit: Unit, use: Use) -> tuple[int, int] | None:
    """The place of a call's first argument: from the tree, or from the brackets where the tree is not sound."""
    call = named_call(unit.tree, use.start, use.end)
    if call is not None and not call.node.has_error:
        return (call.arguments[0].start_byte, call.arguments[0].end_byte) if call.arguments else None
    found = call_at(unit, use.end)
    return found.arguments[0] if found is not None and found.arguments else None
