"""Constructors for the device that host code calls."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_surely_device_code, is_surely_host_code
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.structure import structure_of

_CONSTRUCTOR = lazy_pattern(
    rb"__device__\s+(?:\b(?:inline|__inline__|__forceinline__|explicit|constexpr)\s+)*"
    rb"(?:(?P<scope>\w+)\s*(?:<[^<>;{}()]*>)?\s*::\s*)?(?P<name>\w+)\s*\("
)
_CONSTRUCTS = lazy_pattern(rb"\s*(?:<[^;{}()]*>)?\s*[\w({]")
"""What follows the name of a class where an object of it is made: a variable's name, or arguments."""
_OF_HOSTS = lazy_pattern(rb"__host__[^;{}()]*\b(\w+)\s*\(")
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
        named: set[int] = set()
        for place in lexemes.places(b"__device__"):
            match = _CONSTRUCTOR.match(data, place)
            is_constructor = match is not None and match["scope"] in (None, match["name"])
            if match is not None and is_constructor and lexemes.word_before(place) != b"__host__":
                found.setdefault(match["name"], []).append(place)
                named.add(match.start("name"))
        for name, places in found.items():
            if not _may_be_made(unit, name, named):
                continue
            if name in structure_of(unit).records and not _has_host_constructor(data, name) and _is_made(unit, name):
                yield from (Edit(place, place, b"__host__ ") for place in places)


def _has_host_constructor(data: bytes, name: bytes) -> bool:
    return re.search(rb"__host__[^;{}()]*\b" + name + rb"\s*\(", data) is not None


def _may_be_made(unit: Unit, name: bytes, constructors: Container[int]) -> bool:
    """Whether a class of the source has a name, and something other than device code may make an object of it.

    Args:
        unit: the source.
        name: the name.
        constructors: where constructors have it.
    """
    data = unit.source.data
    return re.search(rb"\b(?:struct|class|union)\b[^;{}]{0,500}\b" + name + rb"\b", data) is not None and any(
        place not in constructors
        and _CONSTRUCTS.match(data, place + len(name)) is not None
        and not is_surely_device_code(unit, place)
        for place in unit.lexemes.places(name)
    )


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
