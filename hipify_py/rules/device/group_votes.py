"""Gives the votes of cooperative groups the 32 bits that they have in CUDA, and reports those that a ROCm lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.decisions import keeps_32
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.translation import UNSUPPORTED, Reference
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.semantics.expressions import callee, is_same, name_in, operator_of, text_of
from hipify_py.semantics.group_types import TILES, VOTES, group_calls, is_group, may_use_groups
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_OF_LANES = frozenset({b"ballot", b"match_any", b"match_all"})
"""The votes that return lanes."""
_TILE = b"cooperative_groups::thread_block_tile"
_NARROW = frozenset({b"__popc", b"__brev"})
"""Functions with one overload, of 32 bits."""
_TRUTHS = frozenset({"&&", "||", "!"})


class GroupVotes(Rule):
    """`tile.ballot(p)` is an `unsigned int` in CUDA, and has 64 bits in HIP.

    A tile has at most 32 threads, so the value is the same. The type is not: `auto votes = tile.ballot(p)` makes
    `__ffs(votes)` ambiguous, and selects another overload of a project's own `popcount`. The vote is cast where its
    type matters. Met in cuCollections and in hash tables that probe by tiles. ROCm below 6.2 has no votes of tiles.
    """

    id = "group-votes"
    reports = ("HIP106",)
    triggers = words("ballot", "any", "all", "match_any", "match_all") & (
        texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES)
    )
    VALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n"
            "__device__ int f(cooperative_groups::thread_block_tile<32> t, int v) "
            "{ unsigned m = t.ballot(v); return m; }"
        ),
        Example("struct Poll { long ballot(int); };\n__device__ auto f(Poll p) { auto m = p.ballot(1); return m; }"),
    )
    INVALID = (
        Example(
            "#include <cooperative_groups.h>\n"
            "__device__ int f(cooperative_groups::thread_block_tile<8> t, int v) "
            "{ auto m = t.ballot(v); return __ffs(m); }",
            "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n#include <hip/hip_cooperative_groups.h>\n"
            "__device__ int f(cooperative_groups::thread_block_tile<8> t, int v) "
            "{ auto m = static_cast<unsigned>(t.ballot(v)); return __ffs(m); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        if unit.is_hip or not may_use_groups(unit):
            return
        names = names_of(unit)
        for call, group, name in group_calls(unit, VOTES):
            row = unit.catalog.member(_TILE, name)
            if row is not None and row.is_unsupported and is_group(names, group, TILES):
                yield Reference(call.start_byte, row.name, row.library, row.kind, UNSUPPORTED)
                yield unit.finding("HIP106", group.end_byte, name=row.name, library=row.library, detail=row.remedy)
            elif name not in _OF_LANES or not is_group(names, group):
                continue
            elif keeps_32(unit, call.start_byte) and _shows_type(names, call):
                yield Edit(call.start_byte, call.start_byte, b"static_cast<unsigned>(")
                yield Edit(call.end_byte, call.end_byte, b")")


def _shows_type(names: Names, call: Node) -> bool:
    """Whether another type than CUDA's would make a difference where a vote is used."""
    node, parent = call, call.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None or parent.type in ("condition_clause", "expression_statement", "cast_expression"):
        return False
    if operator_of(parent) in _TRUTHS or parent.type in ("if_statement", "while_statement"):
        return False
    if parent.type == "init_declarator" and is_same(parent.child_by_field_name("value"), node):
        declared = names.declared_in(parent)
        return declared is None or text_of(declared.type) == b"auto"
    if parent.type == "assignment_expression" and operator_of(parent) == "=":
        target = name_in(parent.child_by_field_name("left"))
        declarations = names.resolve(target) if target is not None else ()
        return not declarations or any(text_of(one.type) == b"auto" for one in declarations)
    if parent.type == "argument_list" and parent.parent is not None:
        return text_of(callee(parent.parent)) not in _NARROW
    return True
