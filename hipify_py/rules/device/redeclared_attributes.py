"""Writes `__host__` and `__device__` at each declaration of a function, as HIP's compiler requires."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.redeclarations import missing_attributes


class RedeclaredAttributes(Rule):
    """nvcc combines the `__host__` and `__device__` of all declarations of a function; HIP's compiler does not.

    It takes declarations that differ in them for overloads: `__host__ __device__` beside none does not compile, and
    `__device__` beside none leaves a function undefined. So each declaration gets the attributes of the others. A
    specialisation gets those of its template, without which clang takes it for another function's (cudaKDTree).
    """

    id = "redeclared-attributes"
    triggers = words("__device__") | facts(Fact.PROJECT_ATTRIBUTES)
    VALID = (
        Example("float f(float);\n__host__ __device__ float f(double x) { return x; }\n"),
        Example("__device__ float f(float x) { return x; }\nfloat f(float x) { return x; }\n"),
        Example(
            "template <class T> __device__ T f(T);\ntemplate <class T> __host__ __device__ T f(T *);\n"
            "template <> __device__ int f(int x) { return x; }\n"
        ),
        Example("template <class T> float f(T);\ntemplate <> __device__ float f(int x) { return x; }\n"),
    )
    INVALID = (
        Example(
            "float f(float);\n__host__ __device__ float f(float x) { return x; }\n",
            "__host__ __device__ float f(float);\n__host__ __device__ float f(float x) { return x; }\n",
        ),
        Example(
            "struct S { __device__ int f() const; };\nint S::f() const { return 1; }\n",
            "struct S { __device__ int f() const; };\n__device__ int S::f() const { return 1; }\n",
        ),
        Example(
            "template <class T> __host__ __device__ float f(T);\n"
            "template <> __device__ float f<int>(int x) { return x; }\n",
            "template <class T> __host__ __device__ float f(T);\n"
            "template <> __host__ __device__ float f<int>(int x) { return x; }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for place, attributes in missing_attributes(unit):
            yield Edit(place, place, attributes + b" ")
