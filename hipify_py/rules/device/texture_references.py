"""Texture references that are bound to plain memory."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.texture_references import BIND, FETCH, Texture, texture_references
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.calls import Call

_NOTHING = frozenset((b"0", b"NULL", b"nullptr"))


class TextureReferences(Rule):
    """`texture<float> t;`, bound with cudaBindTexture and read with tex1Dfetch, is a pointer with a cache before it.

    CUDA 12 has no texture references any more, and Instinct GPUs from MI300 on have no texture units, so the compiler
    rejects the fetches. Where a file declares a one-dimensional reference that returns elements as they are, and only
    binds, unbinds and fetches it, it becomes a pointer in device memory: binding sets it, fetching reads through it.
    All AMD GPUs cache such loads. (CUDA returns 0 beyond the end of the bound memory; a pointer does not.)
    """

    id = "HIP250"
    reports = ("HIP251",)
    triggers = words("texture")
    VALID = (
        Example("struct texture { int t; };\nint f(int t) { return t; }"),
        Example("#if 0 // before CUDA 12\ntexture<float> t;\n#endif\nint f();\n"),
    )
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
        for texture, calls in texture_references(unit):
            if calls is None or unit.project.is_run_time_source:  # what binds it is elsewhere
                yield unit.finding("HIP251", texture.place, name=texture.name.decode(), library="device")
                continue
            yield unit.finding("HIP250", texture.end, name=texture.name.decode(), library="device")
            pointer = b"const " + texture.type + b" *"
            yield replaced(texture.start, texture.end, b"__device__ " + pointer + texture.name + b";")
            for function, start, call in calls:
                yield _rewrite(unit, texture, function, start, call)


def _rewrite(unit: Unit, texture: Texture, function: bytes, start: int, call: Call) -> CompositeEdit:
    pieces: tuple[bytes | tuple[int, int], ...] = (b"hipSuccess",)
    if function == FETCH:
        pieces = (texture.name + b"[", call.arguments[1], b"]")
    elif function == BIND:
        pointer = b"const " + texture.type + b" *"
        offset = call.arguments[0]
        zero = (b"*(", offset, b") = 0; ") if unit.source.data[slice(*offset)] not in _NOTHING else ()
        pieces = (
            *(b"[&] { ", *zero, pointer, b"values = (", pointer, b")(", call.arguments[2], b"); "),
            b"return hipMemcpyToSymbol(HIP_SYMBOL(" + texture.name + b"), &values, sizeof(values)); }()",
        )
    return replaced(start, call.closing + 1, *pieces)
