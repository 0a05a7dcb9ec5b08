"""Cooperative groups within one warp, by their types: tiles and coalesced groups, and aliases of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.project_context import calls_namespace
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.pointees import is_template_parameter
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

TILES = frozenset({b"thread_block_tile", b"tiled_partition", b"divide_tile", b"tile_of_tile"})
"""The type of a tile, and the functions whose results `auto` takes."""
WARP_GROUPS = TILES | {b"coalesced_group", b"coalesced_threads", b"labeled_partition", b"binary_partition"}
"""The types of all groups within one warp."""
VOTES = frozenset({b"ballot", b"any", b"all", b"match_any", b"match_all"})
"""The members of such groups that vote over all of their threads."""
_TYPES = (b"thread_block_tile", b"coalesced_group")


def is_group(names: Names, expression: Node, types: frozenset[bytes] = WARP_GROUPS) -> bool:
    """Whether an expression is a group of some types, by an alias of another file too; a template may leave it open."""
    type = type_of(names, expression)
    return type in types or type in names.unit.project.group_aliases or is_open(type, expression)


def is_open(type: bytes, expression: Node) -> bool:
    """Whether a template leaves a type open."""
    return bool(type) and is_template_parameter(type, expression)


def may_use_groups(unit: Unit) -> bool:
    """Whether the source uses cooperative groups, directly or by an alias of another file."""
    project, words = unit.project, unit.lexemes.words
    return (
        b"cooperative_groups" in unit.source.data
        or not project.group_aliases.isdisjoint(words)
        or calls_namespace(project, words, b"cooperative_groups")
    )


def group_aliases(unit: Unit) -> frozenset[bytes]:
    """The names that the source gives to types of such groups, also outside of functions and classes."""
    found = set()
    for node in unit.tree.nodes("alias_declaration", "type_definition"):
        leaf = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        if any(type in text_of(node.child_by_field_name("type")) for type in _TYPES):
            found.add(text_of(leaf))
    return frozenset(found)


def group_calls(unit: Unit, members: frozenset[bytes]) -> list[tuple[Node, Node, bytes]]:
    """The calls of some members of objects: each with the object, and the member's name."""
    found = []
    for name in sorted(members & unit.lexemes.words):
        for leaf in names_of(unit).mentions(name):
            access = leaf.parent
            call = access.parent if access is not None else None
            if access is None or access.type != "field_expression" or call is None or call.type != "call_expression":
                continue
            object = access.child_by_field_name("argument")
            if object is not None and leaf.type == "field_identifier":
                found.append((call, object, name))
    return found
