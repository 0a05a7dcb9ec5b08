"""Texture references that are bound to plain memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hipify_py.edits import CompositeEdit, replaced
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.calls import Call, call_at
from hipify_py.unit import Unit

_DECLARATION = re.compile(
    rb"\btexture[ \t]*<\s*([A-Za-z_][\w: \t]{0,60}?)\s*(?:,\s*(\w+)\s*(?:,\s*(\w+)\s*)?)?>\s*([A-Za-z_]\w*)\s*;"
)
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
        for texture, calls in _read(unit):
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
    return frozenset(start for _, calls in _read(unit) for _, start, _ in calls or ())


@lru_cache(maxsize=2)
def _read(unit: Unit) -> list[tuple[_Texture, list[tuple[bytes, int, Call]] | None]]:
    textures = list(_declared(unit))
    names = [texture.name for texture in textures]
    return [(texture, _calls(unit, texture) if names.count(texture.name) == 1 else None) for texture in textures]


def _declared(unit: Unit) -> Iterator[_Texture]:
    data = unit.source.data
    for match in _DECLARATION.finditer(data):
        if unit.lexemes.non_code_at(match.start()) is not None or unit.lexemes.define_around(match.start()) is not None:
            continue
        type = match[1].strip() if _is_plain(unit, match) else b""
        yield _Texture(match[4], type, match.start(), match.end(), match.start(4))


def _is_plain(unit: Unit, match: re.Match[bytes]) -> bool:
    """One dimension, elements as they are, defined here."""
    return (
        (match[2] or b"") in _ONE_DIMENSION
        and (match[3] or b"") in _AS_ELEMENTS
        and unit.lexemes.word_before(match.start()) != b"extern"
    )


def _calls(unit: Unit, texture: _Texture) -> list[tuple[bytes, int, Call]] | None:
    """Every use of a texture: the function, where its name begins, the call; None where one is something else."""
    data, found = unit.source.data, []
    if not texture.type:
        return None
    for match in re.finditer(rb"\b" + re.escape(texture.name) + rb"\b", data):
        if match.start() == texture.place or unit.lexemes.non_code_at(match.start()) is not None:
            continue
        before = unit.lexemes.before(match.start())
        if data[before : before + 1] == b"&":
            before = unit.lexemes.before(before)
        read = _call_around(unit, match.start(), before)
        if read is None:
            return None
        found.append(read)
    return found


def _call_around(unit: Unit, place: int, before: int) -> tuple[bytes, int, Call] | None:
    """The call that has the texture at `place` as its argument, of those that need no texture."""
    data, lexemes = unit.source.data, unit.lexemes
    opening = before
    if data[before : before + 1] == b",":  # cudaBindTexture(offset, texture, ...)
        opening = data.rfind(b"(", max(before - 80, 0), before)
    if opening < 0 or data[opening : opening + 1] != b"(":
        return None
    function = lexemes.word_before(opening)
    if function not in _PLACES or lexemes.define_around(place) is not None:
        return None
    end = lexemes.before(opening) + 1
    call = call_at(unit, end)
    index = _PLACES[function]
    if call is None or len(call.arguments) <= max(index, {_FETCH: 1, _BIND: 2}.get(function, 0)):
        return None
    start = call.arguments[index][0]
    return (function, end - len(function), call) if start <= place < call.arguments[index][1] else None


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
