"""Texture references that a source binds to plain memory, with all their uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.analysis.preprocessor.compiled import inactive_ranges
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.calls import Call, call_at
from hipify_py.semantics.expressions import argument_position, callee, entries_of, operator_of, text_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TEXTURE = b"texture"
_ONE_DIMENSION = frozenset((b"", b"1", b"cudaTextureType1D"))
_AS_ELEMENTS = frozenset((b"", b"cudaReadModeElementType"))
FETCH, BIND, _UNBIND = b"tex1Dfetch", b"cudaBindTexture", b"cudaUnbindTexture"
_PLACES = {FETCH: 0, BIND: 1, _UNBIND: 0}  # of the texture among the arguments


class Texture(NamedTuple):
    """A texture reference: `[start, end)` is its declaration, `place` the offset of its name."""

    name: bytes
    type: bytes
    start: int
    end: int
    place: int


def fetches_through_pointers(unit: Unit) -> frozenset[int]:
    """The offsets of the fetches that become loads."""
    return frozenset(start for _, calls in texture_references(unit) for _, start, _ in calls or ())


def texture_references(unit: Unit) -> list[tuple[Texture, list[tuple[bytes, int, Call]] | None]]:
    """The texture references of a source that AMD GPUs compile.

    Each has its uses (the function, the offset of its name, the call); None where one of them is not a bind, an unbind
    or a fetch, or where several references have one name.
    """
    return unit.analysis(_collect)


def _collect(unit: Unit) -> list[tuple[Texture, list[tuple[bytes, int, Call]] | None]]:
    gone = inactive_ranges(unit)
    textures = [texture for texture in _declared_textures(unit) if texture.start not in gone]
    names = Counter(texture.name for texture in textures)
    return [(texture, _calls(unit, texture) if names[texture.name] == 1 else None) for texture in textures]


def _declared_textures(unit: Unit) -> Iterator[Texture]:
    """The textures outside of functions and types; those of a declaration with several have no type."""
    data, lexemes = unit.source.data, unit.lexemes
    for place in lexemes.places(_TEXTURE):
        after = lexemes.after(place + len(_TEXTURE))
        if data[after : after + 1] != b"<" or lexemes.define_around(place) is not None:
            continue
        leaf = unit.tree.leaf(place, place + len(_TEXTURE))
        type = leaf.parent if leaf is not None else None
        whole = type.parent if type is not None and type.type == "template_type" else None
        if type is None or whole is None or whole.type != "declaration":
            continue
        names = whole.children_by_field_name("declarator")
        for name in names:
            element = _element(whole, type) if len(names) == 1 else b""
            yield Texture(text_of(name), element, type.start_byte, whole.end_byte, name.start_byte)


def _element(whole: Node, type: Node) -> bytes:
    """The type of a texture's elements; empty unless it is one-dimensional, read as elements, and defined here."""
    arguments = entries_of(type.child_by_field_name("arguments") or type)
    texts = [b" ".join(text_of(argument).split()) for argument in arguments]
    dimension, mode = (*texts[1:], b"", b"")[:2]
    is_plain = dimension in _ONE_DIMENSION and mode in _AS_ELEMENTS and len(texts) <= 3
    is_elsewhere = any(text_of(child) == b"extern" for child in whole.children)
    is_value = bool(arguments) and arguments[0].child_by_field_name("declarator") is None
    return texts[0] if is_plain and is_value and not is_elsewhere else b""


def _calls(unit: Unit, texture: Texture) -> list[tuple[bytes, int, Call]] | None:
    """All uses of a texture: the function, the offset of its name, the call; None where one is something else."""
    found = []
    if not texture.type or texture.name in unit.project.shared_textures:
        return None
    for place in names_of(unit).places(texture.name):
        if place == texture.place or unit.lexemes.non_code_at(place) is not None:
            continue
        read = _call_around(unit, place, place + len(texture.name))
        if read is None:
            return None
        found.append(read)
    return found


def _call_around(unit: Unit, start: int, end: int) -> tuple[bytes, int, Call] | None:
    """The call that has the texture at a place as its argument, of those that need no texture."""
    leaf = unit.tree.leaf(start, end)
    if leaf is None or unit.lexemes.define_around(start) is not None:
        return None
    around = leaf.parent
    is_address = around is not None and around.type == "pointer_expression" and operator_of(around) == "&"
    position = argument_position(around if is_address and around is not None else leaf)
    if position is None:
        return None
    node, index = position
    name, function = callee(node), node.child_by_field_name("function")
    text = text_of(name)
    if name is None or function is None or _PLACES.get(text) != index:
        return None
    call = call_at(unit, function.end_byte)
    if call is None or len(call.arguments) <= max(index, {FETCH: 1, BIND: 2}.get(text, 0)):
        return None
    return text, function.start_byte, call
