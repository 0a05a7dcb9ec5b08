"""Constructors for the device that host code calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_surely_host_code
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.structure import structure_of

_CONSTRUCTOR = re.compile(
    rb"__device__\s+(?:\b(?:inline|__inline__|__forceinline__|explicit|constexpr)\s+)*"
    rb"(?:(?P<scope>\w+)\s*(?:<[^<>;{}()]*>)?\s*::\s*)?(?P<name>\w+)\s*\("
)
_CONSTRUCTS = re.compile(rb"\s*(?:<[^;{}()]*>)?\s*[\w({]")
"""What follows the name of a class where an object of it is made: a variable's name, or arguments."""
_OF_HOSTS = re.compile(rb"__host__[^;{}()]*\b(\w+)\s*\(")
"""Functions for hosts, by their names, constructors among them."""


class HostConstructors(Rule):
    """nvcc lets host code call a constructor that is only `__device__`, for instance to make a functor that a kernel
    gets as its argument. clang does not.

    Such a constructor becomes one for both sides, where the file's host code makes objects of its class. (The robust
    kernels of cuda-bundle-adjustment are such functors.)
    """

    id = "host-constructors"
    triggers = words("__device__") & words("struct", "class")
    VALID = (
        Example(
            "struct F { float s; __device__ F(float a) : s(a) {} };\n__device__ void f(F *p) { *p = F(1); }\n"
            "void g(F *p) { run(p); }\n"
        ),
        Example("struct F { __device__ F(int a) {} __host__ F(float a) {} };\nvoid g() { F f(1.0f); }\n"),
    )
    INVALID = (
        Example(
            "template <int N> struct F {\n  float s;\n  __device__ inline F(float a) : s(a) {}\n};\n"
            "template <int N> void g(float a) { const F<N> f(a); run(f); }\n",
            "template <int N> struct F {\n  float s;\n  __host__ __device__ inline F(float a) : s(a) {}\n};\n"
            "template <int N> void g(float a) { const F<N> f(a); run(f); }\n",
        ),
        Example(
            "struct F {\n  __device__ F(float a);\n};\ninline __device__ F::F(float a) {}\nvoid g() { F f(1); }\n",
            "struct F {\n  __host__ __device__ F(float a);\n};\n"
            "inline __host__ __device__ F::F(float a) {}\nvoid g() { F f(1); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip:
            return
        data, lexemes = unit.source.data, unit.lexemes
        found: dict[bytes, list[int]] = {}
        for place in lexemes.places(b"__device__"):
            match = _CONSTRUCTOR.match(data, place)
            is_constructor = match is not None and match["scope"] in (None, match["name"])
            if match is not None and is_constructor and lexemes.word_before(place) != b"__host__":
                found.setdefault(match["name"], []).append(place)
        of_hosts = frozenset(_OF_HOSTS.findall(data)) if found else frozenset()
        for name, places in found.items():
            if name in structure_of(unit).records and name not in of_hosts and _is_made(unit, name):
                yield from (Edit(place, place, b"__host__ ") for place in places)


def _is_made(unit: Unit, name: bytes) -> bool:
    """Whether host code makes objects of a class."""
    bodies = [*structure_of(unit).record_regions(name)]
    for place in unit.lexemes.places(name):
        if any(body.start <= place < body.end for body in bodies):
            continue
        leaf = unit.tree.leaf(place, place + len(name))
        makes = _CONSTRUCTS.match(unit.source.data, place + len(name)) is not None
        if makes and leaf is not None and _is_in_function(leaf.start_byte, unit) and is_surely_host_code(unit, leaf):
            return True
    return False


def _is_in_function(place: int, unit: Unit) -> bool:
    function = functions_of(unit).at(place)
    return function is not None and place >= function.start
