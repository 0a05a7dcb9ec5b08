"""Texture references that are bound to plain memory."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.edits import CompositeEdit, replaced
from hipify_py.findings import Finding
from hipify_py.records import NamedTuple
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.calls import Call, call_at
from hipify_py.semantics.expressions import argument_position, callee, entries_of, operator_of, text_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARED = "(declaration type: (template_type name: (type_identifier) @type)) @whole"
_ONE_DIMENSION = frozenset((b"", b"1", b"cudaTextureType1D"))
_AS_ELEMENTS = frozenset((b"", b"cudaReadModeElementType"))
_NOTHING = frozenset((b"0", b"NULL", b"nullptr"))
_FETCH, _BIND, _UNBIND = b"tex1Dfetch", b"cudaBindTexture", b"cudaUnbindTexture"
_PLACES = {_FETCH: 0, _BIND: 1, _UNBIND: 0}  # of the texture among the arguments


class _Texture(NamedTuple):
    """A texture reference: `[start, end)` is its declaration, `place` where its name stands in it."""

    name: bytes
    type: bytes
    start: int
    end: int
    place: int


class TextureReferences(Rule):
    """`texture<float> t;`, bound with cudaBindTexture and read with tex1Dfetch, is a pointer with a cache in front.

    CUDA 12 has no texture references any more, and Instinct GPUs have no texture units, so that the compiler refuses
    the fetches. Where a file declares a one-dimensional reference that returns elements as they are, and does nothing
    with it but bind, unbind and fetch, it becomes a pointer in device memory: binding sets it, fetching reads through
    it. All AMD GPUs cache such loads. (CUDA gives 0 beyond the end of the bound memory; a pointer does not.)
    """

    id = "HIP250"
    triggers = words("texture")
    VALID = (Example("struct texture { int t; };\nint f(int t) { return t; }"),)
    INVALID = (
        Example(
            "texture<float> t;\n"
            "__global__ void k(float *o) { o[0] = tex1Dfetch(t, i + 1); }\n"
            "void f(float *p) { cudaBindTexture(0, t, p, 64); cudaUnbindTexture(t); }\n",
            "__device__ const float *t;\n"
            "__global__ void k(float *o) { o[0] = t[i + 1]; }\n"
            "void f(float *p) { [&] { const float *values = (const float *)(p); "
            "return hipMemcpyToSymbol(HIP_SYMBOL(t), &values, sizeof(values)); }(); hipSuccess; }\n",
            ("HIP250",),
        ),
        Example("texture<float, 2> t;\n__device__ float f() { return tex2D(t, 0, 0); }\n", None, ("HIP251",)),
    )

    def apply(self, unit: Unit) -> Iterator[Finding | CompositeEdit]:
        for texture, calls in unit.analysis(_read):
            if calls is None:
                yield unit.finding("HIP251", texture.place, name=texture.name.decode(), library="device")
                continue
            yield unit.finding("HIP250", texture.end, name=texture.name.decode(), library="device")
            pointer = b"const " + texture.type + b" *"
            yield replaced(texture.start, texture.end, b"__device__ " + pointer + texture.name + b";")
            for function, start, call in calls:
                yield _rewritten(unit, texture, function, start, call)


def fetches_through_pointers(unit: Unit) -> frozenset[int]:
    """Where the fetches stand that become loads."""
    return frozenset(start for _, calls in unit.analysis(_read) for _, start, _ in calls or ())


def _read(unit: Unit) -> list[tuple[_Texture, list[tuple[bytes, int, Call]] | None]]:
    textures = list(_declared(unit))
    names = [texture.name for texture in textures]
    return [(texture, _calls(unit, texture) if names.count(texture.name) == 1 else None) for texture in textures]


def _declared(unit: Unit) -> Iterator[_Texture]:
    """The textures outside of functions and types; those of which several are declared together have no type."""
    for whole in unit.tree.captures(_DECLARED).get("whole", ()):
        type = whole.child_by_field_name("type")
        if type is None or text_of(type.child_by_field_name("name")) != b"texture":
            continue
        names = whole.children_by_field_name("declarator")
        for name in names:
            element = _element(whole, type) if len(names) == 1 else b""
            yield _Texture(text_of(name), element, type.start_byte, whole.end_byte, name.start_byte)


def _element(whole: Node, type: Node) -> bytes:
    """The type of a texture's elements; empty unless it is of one dimension, as they are, and defined here."""
    arguments = entries_of(type.child_by_field_name("arguments") or type)
    texts = [b" ".join(text_of(argument).split()) for argument in arguments]
    dimension, mode = (*texts[1:], b"", b"")[:2]
    is_plain = dimension in _ONE_DIMENSION and mode in _AS_ELEMENTS and len(texts) <= 3
    is_elsewhere = any(text_of(child) == b"extern" for child in whole.children)
    is_value = bool(arguments) and arguments[0].child_by_field_name("declarator") is None
    return texts[0] if is_plain and is_value and not is_elsewhere else b""


def _calls(unit: Unit, texture: _Texture) -> list[tuple[bytes, int, Call]] | None:
    """Every use of a texture: the function, where its name begins, the call; None where one is something else."""
    found = []
    if not texture.type:
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
    if call is None or len(call.arguments) <= max(index, {_FETCH: 1, _BIND: 2}.get(text, 0)):
        return None
    return text, function.start_byte, call


def _rewritten(unit: Unit, texture: _Texture, function: bytes, start: int, call: Call) -> CompositeEdit:
    pieces: tuple[bytes | tuple[int, int], ...] = (b"hipSuccess",)
    if function == _FETCH:
        pieces = (texture.name + b"[", call.arguments[1], b"]")
    elif function == _BIND:
        pointer = b"const " + texture.type + b" *"
        offset = call.arguments[0]
        zero = (b"*(", offset, b") = 0; ") if unit.source.data[slice(*offset)] not in _NOTHING else ()
        pieces = (
            *(b"[&] { ", *zero, pointer, b"values = (", pointer, b")(", call.arguments[2], b"); "),
            b"return hipMemcpyToSymbol(HIP_SYMBOL(" + texture.name + b"), &values, sizeof(values)); }()",
        )
    return replaced(start, call.closing + 1, *pieces)
