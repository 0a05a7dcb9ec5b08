"""Structured bindings of vector types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BINDING = re.compile(rb"\bauto\s*&{0,2}\s*\[")
"""Without one, the source need not be parsed."""


_SIZES = (b"1", b"2", b"3", b"4")


class VectorBindings(Rule):
    """`auto [x, y, z] = f();` takes an `int3` of CUDA apart, which is a plain struct. HIP's has a union as a member.

    The support header has what `std::tuple` has for such declarations. Where another file declares the function, it is
    included if the source names a vector type with that many elements. (niftyreg's kernels get their indices so.)
    """

    id = "vector-bindings"
    triggers = words("auto")
    VALID = (
        Example("__device__ std::pair<int, int> f();\n__device__ void g() { auto [x, y] = f(); }\n"),
        Example("__device__ void g(int2 a) { auto [x, y] = std::minmax(a.x, a.y); }\n"),
        Example("__device__ void g(int4 a) { auto [x, y] = f(a); }\n"),
        Example("__device__ void g(int2 a) { auto x = f(a); }\n"),
    )
    INVALID = (
        Example(
            "__device__ int2 f();\n__device__ void g() { auto [x, y] = f(); }\n",
            '#define HIPIFY_NEEDS_VECTORS\n#include "hipify_support.hpp"\n'
            "__device__ int2 f();\n__device__ void g() { auto [x, y] = f(); }\n",
        ),
        Example(
            "__device__ void g(int2 a) { const auto [x, y] = shifted<1>(a); }\n",
            '#define HIPIFY_NEEDS_VECTORS\n#include "hipify_support.hpp"\n'
            "__device__ void g(int2 a) { const auto [x, y] = shifted<1>(a); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Support]:
        if (
            not unit.options.support
            or unit.is_hip
            or _BINDING.search(unit.source.data) is None
            or not _has_vectors(unit)
        ):
            return
        for node in unit.tree.nodes("structured_binding_declarator"):
            value = node.parent.child_by_field_name("value") if node.parent is not None else None
            if value is not None and _is_vector(unit, value, len(entries_of(node))):
                yield Support("vector_bindings")
                return


def _has_vectors(unit: Unit) -> bool:
    """Whether the source names a vector type, or a function that makes one."""
    named = (
        word.removeprefix(b"make_").decode() for word in unit.lexemes.words if word.endswith(_SIZES) and word.isascii()
    )
    return any(vector(name) is not None for name in named)


def _is_vector(unit: Unit, value: Node, size: int) -> bool:
    """Whether a value may be a vector with a number of elements: it is none where its type is known to be another."""
    found = expression_types(unit).type_of(value)
    if found is not None:
        type = vector(found.name.decode(errors="replace")) if not found.pointers else None
        return type is not None and type.size == size
    function = value.child_by_field_name("function") if value.type == "call_expression" else None
    if function is None or function.type not in ("identifier", "template_function"):
        return False
    own = text_of(function.child_by_field_name("name") or function)
    vectors = (vector(word.decode()) for word in unit.lexemes.words if word.isascii())
    return own not in (b"tie", b"make_tuple", b"make_pair") and any(type and type.size == size for type in vectors)
