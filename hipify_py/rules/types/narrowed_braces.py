"""Values in braces that do not fit the type of what they initialise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.arithmetic_types import arithmetic_type, canonical_number, narrows, rank_of
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.device_code import is_device_source
from hipify_py.semantics.expressions import callee, entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BRACES = lazy_pattern(
    rb"\b(?:char|short|int|unsigned|long|float|size_t|u?int\d+_t)\s+\w+\s*(?:\[[^\]]*\]\s*)*=?\s*\{(?:[^;]*?[{,\s(])?[A-Za-z_]"
)
"""Without one, the source need not be parsed."""
_DECLARATORS = frozenset({"array_declarator", "identifier"})


class NarrowedBraces(Rule):
    """`int n[] = {bytes / sizeof(float), 1};` narrows a `size_t`. nvcc and GCC warn of it, and clang refuses it.

    The value is cast to the type that it becomes anyway. (Learn-CUDA-Programming has such a list.)
    """

    id = "narrowed-braces"
    triggers = words("char", "short", "int", "unsigned", "long", "float", "size_t", "*int*_t")
    VALID = (
        Example("__global__ void k(int n, short s) { int a[] = {n, s, 3}; float f = {1.5}; unsigned u[] = {1, 2}; }"),
        Example("__device__ const int N = 8;\n__global__ void k() { unsigned u[2] = {N, 2 * N}; float f[] = {N}; }"),
        Example("__global__ void k(long n) { S s = {n}; int a = n; int b(n); int c[] = {f(n)}; }"),
    )
    INVALID = (
        Example(
            "__global__ void k(size_t n, int i, double d) { int a[][2] = {{n / 4, 1}, {i, i}}; float x{d}, y{i}; }",
            "__global__ void k(size_t n, int i, double d) { int a[][2] = {{static_cast<int>(n / 4), 1}, {i, i}}; "
            "float x{static_cast<float>(d)}, y{static_cast<float>(i)}; }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        is_cuda = is_device_source(unit) or (bool(unit.uses) and unit.source.suffix != ".c")
        if unit.is_hip or not is_cuda or _BRACES.search(unit.source.data) is None:
            return
        for declarator in unit.tree.nodes("init_declarator"):
            name, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            type = declarator.parent.child_by_field_name("type") if declarator.parent is not None else None
            if name is None or value is None or type is None or value.type != "initializer_list":
                continue
            target = canonical_number(text_of(type))
            if name.type in _DECLARATORS and rank_of(target) is not None and target is not None:
                yield from _cast(unit, value, target)


def _cast(unit: Unit, values: Node, target: bytes) -> Iterator[Edit]:
    """Casts of the values in braces that are no constants and narrow."""
    for value in entries_of(values):
        if value.type == "initializer_list":
            yield from _cast(unit, value, target)
        elif narrows(arithmetic_type(unit, value), target) and not (_is_constant(unit, value) or _is_count(value)):
            yield Edit(value.start_byte, value.start_byte, b"static_cast<" + target + b">(")
            yield Edit(value.end_byte, value.end_byte, b")")


def _is_constant(unit: Unit, value: Node) -> bool:
    return value.type in ("number_literal", "char_literal") or constants_of(unit).value(value) is not None


def _is_count(value: Node) -> bool:
    """Whether a value is a count of bits, which has another type in HIP: see `bit_counts`."""
    leaf = callee(value) if value.type == "call_expression" else None
    return leaf is not None and text_of(leaf) in (b"__popc", b"__popcll")
