"""Finds groups of the active lanes whose size matters where lanes are counted in 32."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import call_of, callee, entries_of, name_in, operator_of, text_of, whole_name
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import Names, names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_HOLDS_GROUP = frozenset(
    {"init_declarator", "argument_list", "initializer_list", "assignment_expression", "return_statement"}
)
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
            call = call_of(leaf)
            groups = _groups(unit, call) if call is not None else ()
            if any(_tells_of_all(unit, node) and _is_among_32(context, node) for node in groups):
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


def _is_among_32(context: WarpContext, group: Node) -> bool:
    """A group stands in a function that counts its lanes in 32, and is run by more than one warp."""
    function = context.functions.at(group.start_byte)
    if function is None or not _counts_32(context, function):
        return False
    return not context.single_warp_region.reaches(group.start_byte, function) and not context.is_single_warp(function)


def _groups(unit: Unit, call: Node) -> Iterator[Node]:
    """The places where a group stands: the call that makes it, the uses of the variables that it is put into, and the
    calls of a function that returns it."""
    names, groups, seen = names_of(unit), [call], set[Declaration]()
    for group in groups:  # grows while it is gone through
        yield group
        for found in _put_into(names, group):
            if found not in seen:
                seen.add(found)
                uses = ((leaf, call_of(leaf)) for leaf in names.uses(found))
                groups += [made or whole_name(leaf) for leaf, made in uses if found.kind != "function" or made]


def _put_into(names: Names, group: Node) -> Iterator[Declaration]:
    """The variables that a group is put into, or the function that returns it."""
    owner = group.parent
    while owner is not None and owner.type in _HOLDS_GROUP:
        leaf: Node | None = None
        if owner.type == "init_declarator":
            leaf = name_in(_innermost(owner.child_by_field_name("declarator")))
            declared = names.declaration_at(leaf) if leaf is not None else None
            yield from [declared] if declared is not None else []
        elif owner.type == "assignment_expression" and operator_of(owner) == "=":
            leaf = name_in(owner.child_by_field_name("left"))
            yield from names.meant_by(leaf) if leaf is not None else ()
        elif owner.type == "return_statement":
            function = ancestor(owner, "function_definition", "lambda_expression")
            made = names.declared_in(function) if function is not None else None
            yield from [made] if made is not None and made.kind == "function" else []
        owner = owner.parent


def _innermost(declarator: Node | None) -> Node | None:
    while declarator is not None and declarator.type == "reference_declarator":
        declarator = next(iter(declarator.named_children), None)
    return declarator


def _tells_of_all(unit: Unit, group: Node) -> bool:
    """A group is asked for something about all of its lanes, other than to add it up, or is handed on."""
    parent = group.parent
    if parent is not None and parent.type == "argument_list":
        return True
    if parent is None or parent.type != "field_expression":
        return False
    return text_of(parent.child_by_field_name("field")) in _OF_ALL and not _is_added_up(unit, parent)


def _is_added_up(unit: Unit, asked: Node) -> bool:
    """What a group is asked for is given to atomic operations, by itself or in a variable that goes to nothing else."""
    if _is_in_atomic(asked):
        return True
    call = call_of(name) if (name := asked.child_by_field_name("field")) is not None else None
    owner = call.parent if call is not None else None
    declarator = owner.child_by_field_name("declarator") if owner is not None else None
    if owner is None or owner.type != "init_declarator" or declarator is None or declarator.type != "identifier":
        return False
    names = names_of(unit)
    declared = [found for found in names.declared(text_of(declarator)) if found.place == declarator.start_byte]
    uses = [leaf for found in declared for leaf in names.uses(found) if leaf.start_byte != declarator.start_byte]
    return bool(uses) and all(_is_in_atomic(leaf) for leaf in uses)


def _is_in_atomic(node: Node | None) -> bool:
    while node is not None and not node.type.endswith("statement"):
        name = callee(node) if node.type == "call_expression" else None
        if name is not None and text_of(name).startswith(b"atomic"):
            return True
        node = node.parent
    return False
