"""Member templates of dependent types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_device_source
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.structure import template_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIED = "(qualified_identifier scope: (template_type)) @qualified"
_TEMPLATE = "template_type"
_MEMBER = re.compile(rb">\s*::\s*\w+\s*<")
"""Without one, the source need not be parsed."""
_SCALAR = rb"(?:(?:unsigned|signed|long|short|int|char|float|double|bool)(?:\s+\w+)*|true|false|\d+[uU]?)"
_CALL = re.compile(rb"(?:->|\.)\s*(\w+)\s*<\s*(?:%b(?:\s*,\s*%b)*|\w+(?:\s*::\s*\w+)*)\s*>\s*\(" % (_SCALAR, _SCALAR))
"""A call of a member template whose arguments are no operands of comparisons: `a.x < b, c > (d)` is none."""


_OBJECT = re.compile(rb"(?<![.>\w])\s*\b([A-Za-z_]\w*)$")
"""A variable, not a member of something."""
_TYPE_BEFORE = re.compile(rb"\b([A-Za-z_]\w*)(?:[\s*&]|\bconst\b|\b__restrict__\b|\bvolatile\b)+$")
"""The last word of the type before what is declared."""
_LONGEST_TYPE = 120
"""Bytes between that word and the name at most."""
_PERHAPS_PARAMETER = re.compile(
    rb"\b(?:(?:typename|class)\s*(?:\.\.\.\s*)?(\w+)|using\s+(\w+)\s*=|typedef\b[^;{}]{0,1000}?\b(\w{1,100})\s*;)"
)


class TemplateKeywords(Rule):
    """nvcc and GCC accept `typename Traits<T>::rebind<U>` without the keyword `template` before the member template.
    clang requires it.

    After `typename`, what has template arguments is a member template, so the keyword is always right. (GPUSPH's
    options are such types.) So it is in a call of a member of a template's parameter, as in Ouroboros's queues.
    """

    id = "template-keyword"
    triggers = words("typename", "template")
    VALID = (
        Example("template <class T> __device__ void f(T *a) { a->template g<true>(); }"),
        Example("template <class T> __device__ bool f(T a, int b, int c) { return g(a.x < b, c > (3)); }"),
        Example("template <class T> __device__ void f(S<int> *a) { a->g<true>(); }"),
        Example("template <class T> __device__ typename A<T>::type f(typename B<T>::template C<int> x);"),
        Example("template <class T> __global__ void k(typename std::vector<T>::iterator i) {}"),
        Example("template <class T> __device__ void f(typename Size<(A<T>::value < B<T>::value)>::type x);"),
    )
    INVALID = (
        Example(
            "template <class T> __device__ void f(T *a) { a->g<true>(0); }",
            "template <class T> __device__ void f(T *a) { a->template g<true>(0); }",
        ),
        Example(
            "template <class T> __device__ void f(typename Traits<T>::rebind<int>::with<2> x);",
            "template <class T> __device__ void f(typename Traits<T>::template rebind<int>::template with<2> x);",
        ),
        Example(
            "template <class T> struct S {\n  using A = typename Traits<T>::rebind_alloc<int>;\n"
            "  __device__ int f();\n};",
            "template <class T> struct S {\n  using A = typename Traits<T>::template rebind_alloc<int>;\n"
            "  __device__ int f();\n};",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or not is_device_source(unit):
            return
        yield from _calls(unit)
        if _MEMBER.search(unit.source.data) is None:
            return
        for qualified in unit.tree.captures(_QUALIFIED).get("qualified", ()):
            member = qualified.child_by_field_name("name")
            if member is not None and member.type == "qualified_identifier":
                member = member.child_by_field_name("scope")
            if member is not None and member.type == _TEMPLATE and _follows_typename(qualified):
                yield Edit(member.start_byte, member.start_byte, b"template ")


def _calls(unit: Unit) -> Iterator[Edit]:
    """The keyword in calls of member templates of objects whose type is a parameter of a template."""
    data, lexemes = unit.source.data, unit.lexemes
    for match in _CALL.finditer(data):
        end = lexemes.before(match.start()) + 1
        object = _OBJECT.search(data, max(end - _LONGEST_TYPE, 0), end)
        if object is not None and not unit.analysis(_Parameters).may_declare(object[1]):
            continue
        leaf = unit.tree.leaf(end - 1, end)
        found = expression_types(unit).type_of(leaf)
        if leaf is not None and found is not None and found.name in template_parameters(leaf):
            yield Edit(match.start(1), match.start(1), b"template ")


class _Parameters:
    """The type parameters of a unit's templates, by the words alone."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        found = _PERHAPS_PARAMETER.finditer(unit.source.data)
        self._names = {match[1] or match[2] or match[3] for match in found} | {b"auto"}
        """With all names that stand for another type."""
        self._cache: dict[bytes, bool] = {}

    def may_declare(self, name: bytes) -> bool:
        """Whether something of a name may be declared with one of them, by the words before the name."""
        if name not in self._cache:
            data, places = self._unit.source.data, self._unit.lexemes.places(name)
            before = (_TYPE_BEFORE.search(data, max(place - _LONGEST_TYPE, 0), place) for place in places)
            self._cache[name] = any(match is not None and match[1] in self._names for match in before)
        return self._cache[name]


def _follows_typename(qualified: Node) -> bool:
    """Whether `typename` begins the name that a part of it belongs to."""
    node = qualified
    while node.parent is not None and node.parent.type == "qualified_identifier":
        node = node.parent
    return node.parent is not None and node.parent.type == "dependent_type"
