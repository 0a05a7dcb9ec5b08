"""Values in braces that do not fit the type of what they initialise."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_device_source

_BRACES = lazy_pattern(rb"\{(?<!\)\{)(?<!\) \{)(?:[^;]*?[{,\s(])?[A-Za-z_]")
"""Braces with a name in them that do not follow a parenthesis, as those of functions and statements do."""
_NUMBERS = lazy_pattern(rb"\b(?:char|short|int|unsigned|long|float|size_t|u?int\d+_t)\s+\w+\s*(?:\[[^\]]*\]\s*)*=?\s*$")
"""The declaration of a number, or of an array of them, before the braces."""
_LONGEST_DECLARATION = 300


class NarrowedBraces(Rule):
    """`int n[] = {bytes / sizeof(float), 1};` narrows a `size_t`. nvcc and GCC warn of it, and clang refuses it.

    The value is cast to the type that it becomes anyway. (Learn-CUDA-Programming has such a list.)
    """

    id = "narrowed-braces"
    triggers = words("char", "short", "int", "unsigned", "long", "float", "size_t", "*int*_t")
    VALID = (
        Example("__global__ void k(int n, short s) { int a[] = {n, s, 3}; float f = {1.5}; unsigned u[] = {1, 2}; }"),
        Example("__device__ const int N = 8;\n__global__ void k() { unsigned u[2] = {N, 2 * N}; float f[] = {N}; }"),
        Example("__global__ void k(int i) { const int sign{i & 1 ? -1 : 1}; }"),
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
        if unit.is_hip or not is_cuda or not _has_numbers(unit.source.data):
            return
        from hipify_py.semantics.narrowed_values import narrowed_values

        for value in narrowed_values(unit):
            yield Edit(value.start, value.start, b"static_cast<" + value.target + b">(")
            yield Edit(value.end, value.end, b")")


def _has_numbers(data: bytes) -> bool:
    """Whether braces with a name in them follow the declaration of numbers: else the source need not be parsed."""
    for brace in _BRACES.finditer(data):
        before = data[max(brace.start() - _LONGEST_DECLARATION, 0) : brace.start()]
        if _NUMBERS.search(before, max(map(before.rfind, (b";", b"{", b"}"))) + 1) is not None:
            return True
    return False
