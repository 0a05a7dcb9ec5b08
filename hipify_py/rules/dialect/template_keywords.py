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

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIED = "(qualified_identifier scope: (template_type)) @qualified"
_TEMPLATE = "template_type"
_MEMBER = re.compile(rb">\s*::\s*\w+\s*<")
"""Without one, the source need not be parsed."""


class TemplateKeywords(Rule):
    """nvcc and GCC accept `typename Traits<T>::rebind<U>` without the keyword `template` before the member template.
    clang requires it.

    After `typename`, what has template arguments is a member template, so the keyword is always right. (GPUSPH's
    options are such types.)
    """

    id = "template-keyword"
    triggers = words("typename")
    VALID = (
        Example("template <class T> __device__ typename A<T>::type f(typename B<T>::template C<int> x);"),
        Example("template <class T> __global__ void k(typename std::vector<T>::iterator i) {}"),
        Example("template <class T> __device__ void f(typename Size<(A<T>::value < B<T>::value)>::type x);"),
    )
    INVALID = (
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
        if unit.is_hip or _MEMBER.search(unit.source.data) is None or not is_device_source(unit):
            return
        for qualified in unit.tree.captures(_QUALIFIED).get("qualified", ()):
            member = qualified.child_by_field_name("name")
            if member is not None and member.type == "qualified_identifier":
                member = member.child_by_field_name("scope")
            if member is not None and member.type == _TEMPLATE and _follows_typename(qualified):
                yield Edit(member.start_byte, member.start_byte, b"template ")


def _follows_typename(qualified: Node) -> bool:
    """Whether `typename` begins the name that a part of it belongs to."""
    node = qualified
    while node.parent is not None and node.parent.type == "qualified_identifier":
        node = node.parent
    return node.parent is not None and node.parent.type == "dependent_type"
