"""Atomic additions of numbers of 16 bits and of pairs of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import uses, words
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import callee, named_call, text_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.pointees import is_template_parameter, pointee
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_HALF = re.compile(rb"(?:__half|half|(?:__)?nv_half|(?:__)?nv_bfloat16)2?")
"""CUDA's names only: of HIP's types, a translation has left what it cannot add."""
_MAKES_HALF = re.compile(rb"__(?:float|double)s?2(?:half|bfloat16)\w*|__half(?:s2half2|2half2)|make_half2|__halves2\w+")
_ADDITION = "hipify::atomic_add"


class HalfAtomics(Rule):
    """CUDA adds `__half`, `__half2` and the bfloat16 types with `atomicAdd`; HIP does so under another name,
    for the pairs and, in recent versions, for the single numbers.

    The tables handle variables of those types. This rule handles addresses whose type follows otherwise: `&p[i]`, a
    cast,
    a member, an alias of the type. `hipify::atomic_add` of the support header takes all of them, and passes every other
    type on to `atomicAdd`; so it is also used in templates that the source instantiates for half precision.
    """

    id = "HIP254"
    triggers = uses("atomicAdd") & words("*half*", "*bfloat16*")
    VALID = (
        Example("__device__ void f(float *p) { atomicAdd(p, 1.0f); }"),
        Example("template <class T> __device__ void f(T *p, T x) { atomicAdd(p, x); }"),
    )
    INVALID = (
        Example(
            "__device__ void f(__half *p, int i, float x) { atomicAdd(&p[i], __float2half(x)); }",
            '#define HIPIFY_NEEDS_FP16\n#include "hipify_support.hpp"\n'
            "__device__ void f(__half *p, int i, float x) { hipify::atomic_add(&p[i], __float2half(x)); }",
        ),
        Example(
            "__device__ void f(float *p, int i) { atomicAdd(reinterpret_cast<__half2 *>(p), g(i)); }",
            '#define HIPIFY_NEEDS_FP16\n#include "hipify_support.hpp"\n'
            "__device__ void f(float *p, int i) { hipify::atomic_add(reinterpret_cast<__half2 *>(p), g(i)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        names = names_of(unit)
        if names.functions(b"atomicAdd"):
            return  # an overload of the user's
        spelled = [leaf for leaf in _mentions(unit) if leaf.parent is not None]
        aliases = {name for leaf in spelled if (name := _alias(leaf))} | _macros(unit)
        in_templates = any(ancestor(leaf, "template_argument_list") is not None for leaf in spelled)
        for use in unit.uses:
            if use.row.name != "atomicAdd" or unit.source.data[use.start : use.end] != b"atomicAdd":
                continue
            call = named_call(unit.tree, use.start, use.end)
            if call is None or len(call.arguments) != 2:
                continue
            address, value = call.arguments
            type = pointee(names, address)
            if effective_row(unit, use).hip != "atomicAdd":
                continue  # the tables handle the type
            is_half = _HALF.fullmatch(type) is not None or type in aliases or (not type and _makes_half(value))
            if not is_half and not (in_templates and _may_be_parameter(type, call.name)):
                continue
            if unit.options.support:
                yield Edit(use.start, use.end, _ADDITION.encode())
                yield Support("half")
            elif is_half:
                yield unit.finding("HIP254", use.start, name=use.row.name, library=use.row.library)


def _mentions(unit: Unit) -> Iterator[Node]:
    """The offsets where a source names a type of 16 bits, or a pair of them."""
    names = names_of(unit)
    for word in names.words:
        if _HALF.fullmatch(word) is None:
            continue
        for place in names.places(word):
            leaf = unit.tree.leaf(place, place + len(word)) if unit.lexemes.non_code_at(place) is None else None
            if leaf is not None:
                yield leaf


def _alias(leaf: Node) -> bytes:
    """The name that `using` or `typedef` gives a type there; empty where none does."""
    node = leaf.parent
    if node is not None and node.type == "type_descriptor":
        node = node.parent if node.child_by_field_name("declarator") is None else None
    if node is None or node.type not in ("alias_declaration", "type_definition"):
        return b""
    name = node.child_by_field_name("name" if node.type == "alias_declaration" else "declarator")
    return text_of(name) if name is not None and name.type == "type_identifier" and name.id != leaf.id else b""


def _macros(unit: Unit) -> set[bytes]:
    """The macros that expand to such a type."""
    data = unit.source.data
    return {
        macro.name
        for macro in macros_of(unit).all()
        if macro.parameters is None and _HALF.fullmatch(data, macro.start, macro.end) is not None
    }


def _may_be_parameter(type: bytes, place: Node) -> bool:
    """Whether the type is a template's parameter, or unknown because braces in `#if` branches have broken the tree."""
    if type:
        return is_template_parameter(type, place)
    return ancestor(place, "ERROR") is not None and ancestor(place, "template_declaration") is None


def _makes_half(value: Node) -> bool:
    if value.type != "call_expression":
        return False
    return _MAKES_HALF.fullmatch(text_of(callee(value))) is not None
