"""Tiles that are partitioned from tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.semantics.expressions import arguments_of, entries_of, is_same, text_of
from hipify_py.semantics.group_types import TILES, is_group, may_use_groups
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node


class TilesOfTiles(Rule):
    """HIP partitions only a block into tiles of a constant size; CUDA partitions tiles, too.

    The support header has a tile that consists of the same threads and counts its siblings within the tile. In a
    template that takes a group of any type it partitions blocks as well. Then the tile's type does not name the tile
    around it.
    """

    id = "tiles-of-tiles"
    triggers = words("tiled_partition", "thread_block_tile") & (
        texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES)
    )
    VALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n__device__ void f(cooperative_groups::thread_block b) "
            "{ auto t = cooperative_groups::tiled_partition<8>(b); }"
        ),
    )
    INVALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n__device__ void f(cooperative_groups::thread_block_tile<32> t) "
            "{ auto u = cooperative_groups::tiled_partition<8>(t); }",
            '#include "hipify_support.hpp"\n#include <hip/hip_cooperative_groups.h>\n'
            "__device__ void f(cooperative_groups::thread_block_tile<32> t) { auto u = hipify::divide_tile<8>(t); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Support]:
        if not unit.options.support or not may_use_groups(unit):
            return
        names = names_of(unit)
        for node in unit.tree.nodes("template_function"):
            name = node.child_by_field_name("name")
            if name is None or name.type != "identifier" or text_of(name) != b"tiled_partition":
                continue
            whole, call = _function(name)
            if call is not None and is_same(call.child_by_field_name("function"), whole) and _may_cut_tile(names, call):
                yield Edit(whole.start_byte, name.end_byte, b"hipify::divide_tile")
                yield Support("cg_groups")
        done = 0
        for tile in unit.tree.nodes("template_type"):
            if text_of(tile.child_by_field_name("name")) != b"thread_block_tile":
                continue
            entries = _entries(tile)
            if tile.start_byte >= done and len(entries) == 2 and _is_tile(entries[1]):
                done = tile.end_byte
                yield Edit(entries[0].end_byte, tile.end_byte - 1, b"")


def _function(name: Node) -> tuple[Node, Node | None]:
    """The whole name of a function, scopes and template arguments included, and the call of it."""
    node = name
    while node.parent is not None and node.parent.type in ("template_function", "qualified_identifier"):
        node = node.parent
    return node, node.parent if node.parent is not None and node.parent.type == "call_expression" else None


def _may_cut_tile(names: Names, call: Node) -> bool:
    """Whether what is partitioned is a tile, or of a type that a template leaves open."""
    arguments = arguments_of(call)
    if len(arguments) != 1:
        return False
    return is_group(names, arguments[0], TILES)


def _entries(tile: Node) -> list[Node]:
    arguments = tile.child_by_field_name("arguments")
    return [] if arguments is None else entries_of(arguments)


def _is_tile(argument: Node) -> bool:
    """Whether a template argument is the type of a tile."""
    type = argument.child_by_field_name("type") if argument.type == "type_descriptor" else argument
    while type is not None and type.type == "qualified_identifier":
        type = type.child_by_field_name("name")
    is_template = type is not None and type.type in ("template_type", "template_function")  # the grammar uses either
    return type is not None and is_template and text_of(type.child_by_field_name("name")) in TILES
