"""Objects whose bytes are counted, or seen, without their type: what they are made of cannot have another width."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.masks.objects import typed_with
from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import RECORDS, Declaration, name_of_record, type_name
from hipify_py.semantics.expressions import (
    argument_position,
    arguments_of,
    callee,
    ends_with,
    is_same,
    operator_of,
    parts_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width
from hipify_py.semantics.symbols import Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_COUNTS_BYTES = re.compile(
    rb"(?:cuda|cu|hip)(?:Malloc|Mem(?:cpy|set|Alloc|Host|Prefetch)|Host(?:Alloc|Malloc|Register))\w*"
    rb"|mem(?:cpy|set|move|cmp)|[mc]alloc|realloc|aligned_alloc|f(?:read|write)"
)
_PARTS_OF_A_TYPE = frozenset({"template_type", "qualified_identifier"})
_POINTS = frozenset({"parenthesized_expression", "pointer_expression"})
_NAMED_CASTS = frozenset({b"reinterpret_cast", b"static_cast", b"const_cast"})
_SHOWS_NOTHING = re.compile(rb"\b(?:void|char|byte|uint8_t)\b")
_MOST_STEPS = 4
"""Variables through which a size is followed."""


def is_seen_in_bytes(names: Names, record: bytes) -> bool:
    """Objects of a type, or of one that contains them, are as large as a number says, or are seen as another type."""
    records = [record]
    for each in records:  # grows while it is gone through
        for found in _objects(names, each):
            if any(_is_seen(names, use, each) for use in names.uses(found)) or _is_allocated(names, found, each):
                return True
        records += [outer for outer in _containing(names, each) if outer not in records]
    return False


def _objects(names: Names, record: bytes) -> Iterator[Declaration]:
    for typed in typed_with(names, record):
        for declarator in typed.children_by_field_name("declarator"):
            found = names.declared_in(declarator)
            if found is not None and found.kind != "function":
                yield found


def _containing(names: Names, record: bytes) -> Iterator[bytes]:
    """The types with members, or bases, of a type."""
    for leaf in names.mentions(record):
        owner = ends_with(leaf, _PARTS_OF_A_TYPE).parent
        if owner is None or owner.type not in ("field_declaration", "base_class_clause"):
            continue
        outer = ancestor(owner, *RECORDS)
        name = name_of_record(outer) if outer is not None else None
        if name is not None:
            yield name


def _is_seen(names: Names, use: Node, record: bytes) -> bool:
    """A use of an object, or of a pointer to one, counts its bytes, or sees it as something else."""
    node = whole_name(use)
    while (owner := node.parent) is not None:
        found = argument_position(node)
        function = found[0].child_by_field_name("function") if found is not None else None
        cast: Node | None = None
        if owner.type == "cast_expression":
            cast = owner.child_by_field_name("type")
        elif function is not None and text_of(function.child_by_field_name("name")) in _NAMED_CASTS:
            cast, owner = function.child_by_field_name("arguments"), found[0] if found is not None else owner
        elif found is not None:
            return _COUNTS_BYTES.fullmatch(text_of(callee(found[0]))) is not None and not _is_sized(
                names, found[0], record
            )
        is_element = owner.type == "subscript_expression" and is_same(owner.child_by_field_name("argument"), node)
        if cast is not None and not (_SHOWS_NOTHING.search(text_of(cast)) or _is_about(names, cast, record)):
            return b"*" in text_of(cast) or b"&" in text_of(cast)
        if cast is None and owner.type not in _POINTS and not is_element and operator_of(owner) not in ("+", "-"):
            return False
        node = owner
    return False


def _is_allocated(names: Names, pointer: Declaration, record: bytes) -> bool:
    """A pointer is set to memory of a size that does not follow its type."""
    values = [pointer.value] if pointer.value is not None else []
    for use in names.uses(pointer):
        owner = use.parent
        if owner is not None and owner.type == "assignment_expression" and is_same(owner.named_children[0], use):
            values += [value for value in [owner.child_by_field_name("right")] if value is not None]
    calls = (node for value in values for node in parts_of(value) if node.type == "call_expression")
    return any(
        _COUNTS_BYTES.fullmatch(text_of(callee(call))) is not None and not _is_sized(names, call, record)
        for call in calls
    )


def _is_sized(names: Names, call: Node, record: bytes) -> bool:
    """A call counts its bytes by `sizeof` a type, and has nothing to do with numbers of 32 bits."""
    arguments = arguments_of(call)
    sized = [each for each in arguments if _has_size(names, each, record)]
    others = [leaf for each in arguments if each not in sized for leaf in parts_of(each) if leaf.type == "identifier"]
    declared = [found for leaf in others for found in names.meant_by(leaf)]
    return bool(sized) and not any(
        found.shape in ("pointer", "array") and found.spelling.width is Width.NARROW for found in declared
    )


def _has_size(names: Names, value: Node, record: bytes, steps: int = 0) -> bool:
    for node in parts_of(value):
        if node.type == "sizeof_expression" and _is_about(names, node, record):
            return True
        if node.type == "identifier" and steps < _MOST_STEPS:
            values = [found.value for found in names.meant_by(node) if found.shape == "value"]
            if any(each is not None and _has_size(names, each, record, steps + 1) for each in values):
                return True
    return False


def _is_about(names: Names, node: Node, record: bytes) -> bool:
    """A type, or an expression in `sizeof`, names a type, or an object of it."""
    for leaf in parts_of(node):
        if leaf.type in ("type_identifier", "identifier", "field_identifier"):
            declared = [found.type for found in names.meant_by(leaf)]
            if text_of(leaf) == record or any(type is not None and type_name(type) == record for type in declared):
                return True
    return False
