"""Writes the wide type where a mask is declared, also beside variables that are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hipify_py.analysis.warp.masks.literals import WIDE
from hipify_py.edits import Edit
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.integer_types import Spelling
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_SPLITTABLE = frozenset(
    {"compound_statement", "translation_unit", "declaration_list", "field_declaration_list", "case_statement"}
)


def split(unit: Unit, widened: Iterable[Declaration], spelling: Callable[[Declaration], Spelling]) -> Iterator[Edit]:
    """Widen the types of declarations; `int lane, mask;` becomes two where only one of them is a mask."""
    by_owner: dict[tuple[int, int], list[Declaration]] = {}
    for declaration in widened:
        owner = declaration.owner
        by_owner.setdefault((owner.start_byte, owner.end_byte), []).append(declaration)
    for declarations in by_owner.values():
        owner, type = declarations[0].owner, spelling(declarations[0])
        declarators = owner.children_by_field_name("declarator")
        masks = [any(_holds(node, found) for found in declarations) for node in declarators]
        is_statement = owner.parent is not None and owner.parent.type in _SPLITTABLE
        is_split = len(declarators) > 1 and not all(masks) and is_statement and owner.start_byte <= type.start
        if not is_split or masks[0]:
            yield Edit(type.start, type.end, WIDE)
        if is_split:
            data = unit.source.data
            head = data[owner.start_byte : type.start]
            narrow, rest = data[type.start : type.end], data[type.end : declarators[0].start_byte].strip()
            texts = [head + (WIDE if mask else narrow) + (b" " + rest if rest else b"") for mask in masks]
            for at, comma in enumerate(node for node in owner.children if node.type == ","):
                if at + 1 < len(masks) and masks[at] is not masks[at + 1]:
                    yield Edit(comma.start_byte, comma.end_byte, b"; " + texts[at + 1])


def _holds(declarator: Node, declaration: Declaration) -> bool:
    return declarator.start_byte <= declaration.place < declarator.end_byte
