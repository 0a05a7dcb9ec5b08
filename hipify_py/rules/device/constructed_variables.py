"""Variables of shared and device memory whose types have a constructor."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words

_SPACES = (b"__shared__", b"__device__", b"__constant__")
_BUILT_IN = lazy_pattern(
    rb"\s+(?:const\s+|volatile\s+)*(?:bool|char|short|int|long|unsigned|signed|float|double|u?int\d+_t|size_t)\s"
)
"""The types of most shared variables: they need no tree."""
_FUNCTION = lazy_pattern(rb"[\w\s*&:]{0,200}\b(?!__|alignas\b|decltype\b)\w{1,100}\s*\(")
"""What follows the qualifier of a function: the first bracket is that of its parameters."""


class ConstructedVariables(Rule):
    """nvcc accepts `__shared__` variables of a type with a constructor and never runs it; clang rejects them.

    An empty constructor is allowed, and so is an array without a size. Everything else gets the type
    `hipify::uninitialized` of the support header, which holds the object as it is and constructs nothing, and each use
    names the object in it. States of random numbers and some types of Thrust have constructors in HIP only, which
    `__device__` variables cannot have either.
    """

    id = "HIP226"
    triggers = words("__shared__") | (words("__device__", "__constant__") & words("curandState*", "thrust"))
    VALID = (
        Example("struct P { int a; P() = default; };\n__global__ void f() { __shared__ P p[2]; p[0].a = 1; }"),
        Example("struct P { int a; __device__ P() {} };\n__global__ void f() { __shared__ P p[2]; p[0].a = 1; }"),
        Example("struct P { int a = 1; };\n__global__ void f() { extern __shared__ P p[]; p[0].a = 1; }"),
    )
    INVALID = (
        Example(
            "struct P { int a = 1; };\n__global__ void f() { __shared__ P p[2], q; p[0].a = q.a; }",
            '#include "hipify_support.hpp"\n'
            "struct P { int a = 1; };\n__global__ void f() { __shared__ hipify::uninitialized<P[2]> p; "
            "__shared__ hipify::uninitialized<P> q; p.value[0].a = q.value.a; }",
        ),
        Example(
            "struct P { int a = 1; };\n#define FIRST p[0]\n__global__ void f() { __shared__ P p[2]; FIRST.a = 2; }",
            "struct P { int a = 1; };\n#define FIRST p[0]\n__global__ void f() { __shared__ P p[2]; FIRST.a = 2; }",
            ("HIP226",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding | Support]:
        if unit.is_hip:
            return
        places = list(_places(unit))
        if not places:
            return
        from hipify_py.rules.device.raw_variables import constructed_variables, raw_edits
        from hipify_py.semantics.expressions import text_of

        for declaration, type, word in constructed_variables(unit, places):
            edits = raw_edits(unit, declaration, type) if unit.options.support else None
            if edits is None:
                name = b" ".join(text_of(type).split()).decode(errors="replace")
                yield unit.finding("HIP226", declaration.start_byte, type=name, space=word.decode())
                continue
            yield from edits
            yield Support("uninitialized")


def _places(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The offsets of the words, except for variables of built-in types and those declared elsewhere."""
    data, lexemes = unit.source.data, unit.lexemes
    for word in _SPACES:
        for place in lexemes.places(word):
            end = place + len(word)
            if _BUILT_IN.match(data, end) or (word != b"__shared__" and _FUNCTION.match(data, end)):
                continue
            if lexemes.word_before(place) != b"extern":
                yield place, word
