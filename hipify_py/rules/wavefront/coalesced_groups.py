"""Finds groups of the active lanes whose size matters where lanes are counted in 32."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import call_of, callee, entries_of, text_of, whole_name
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_OF_ALL = frozenset(b"size num_threads ballot any all match_any match_all".split())
"""Members that tell of all lanes of a group; its ranks, its leader and a lane's value do for any number of them."""


class CoalescedGroups(Rule):
    """`coalesced_threads()` holds the active lanes of a wavefront: of two warps of 32 where it has 64 lanes.

    What adds to a counter once for its group does so for 64 lanes as well. A function that counts its lanes in 32 and
    keeps a group's size or its votes gets those of two warps.
    """

    id = "HIP305"
    triggers = words("coalesced_threads")
    VALID = (
        Example(
            "__global__ void k(int *o) { auto g = cooperative_groups::coalesced_threads(); int lane = threadIdx.x % 32;"
            " if (g.thread_rank() == 0) atomicAdd(o + lane * 0, g.size()); }"
        ),
        Example("__global__ void k(int *o) { o[threadIdx.x] = cooperative_groups::coalesced_threads().size(); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { auto g = cooperative_groups::coalesced_threads();"
            " if (g.thread_rank() == 0) o[threadIdx.x / 32] = g.size(); }",
            None,
            ("HIP305",),
        ),
        Example(
            "using namespace cooperative_groups;\n"
            "__global__ void k(int *o) { auto w = tiled_partition<32>(this_thread_block());"
            " if (o[w.thread_rank()]) o[w.meta_group_rank()] = coalesced_threads().size(); }",
            None,
            ("HIP305",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.constants.is_ported or names_of(unit).is_declared(b"coalesced_threads"):
            return
        for leaf in names_of(unit).mentions(b"coalesced_threads"):
            function, call = context.functions.at(leaf.start_byte), call_of(leaf)
            if function is None or call is None or not _counts_32(context, function):
                continue
            if context.single_warp_region.reaches(leaf.start_byte, function) or context.is_single_warp(function):
                continue
            if any(_tells_of_all(node) for node in _groups(unit, call)):
                detail = "holds the active lanes of all 64 of a wavefront, but the lanes around it are counted in 32"
                yield unit.finding(
                    "HIP305", leaf.start_byte, name=text_of(leaf).decode(), library="device", detail=detail
                )


def _counts_32(context: WarpContext, function: Function) -> bool:
    """A function counts its lanes in 32 itself, or takes tiles of 32."""
    if THIRTY_TWO in context.lanes.counts(function):
        return True
    for leaf in names_of(context.unit).mentions(b"tiled_partition"):
        template = leaf.parent
        if context.functions.at(leaf.start_byte) == function and template is not None:
            given = template.child_by_field_name("arguments") if template.type == "template_function" else None
            if given is not None and [constants_of(context.unit).value(one) for one in entries_of(given)[:1]] == [32]:
                return True
    return False


def _groups(unit: Unit, call: Node) -> Iterator[Node]:
    """The places where a group stands: the call that makes it, and the uses of the variable that it is put into."""
    names, owner = names_of(unit), call.parent
    yield call
    while owner is not None and owner.type in ("init_declarator", "argument_list", "initializer_list"):
        name = owner.child_by_field_name("declarator")
        if name is not None:
            declared = [found for found in names.declared(text_of(name)) if found.place == name.start_byte]
            yield from (whole_name(leaf) for found in declared for leaf in names.uses(found))
        owner = owner.parent


def _tells_of_all(group: Node) -> bool:
    """A group is asked for something about all of its lanes, other than to add it up, or is handed on."""
    parent = group.parent
    if parent is not None and parent.type == "argument_list":
        return True
    if parent is None or parent.type != "field_expression":
        return False
    return text_of(parent.child_by_field_name("field")) in _OF_ALL and not _is_added_up(parent)


def _is_added_up(node: Node | None) -> bool:
    while node is not None and not node.type.endswith("statement"):
        name = callee(node) if node.type == "call_expression" else None
        if name is not None and text_of(name).startswith(b"atomic"):
            return True
        node = node.parent
    return False
