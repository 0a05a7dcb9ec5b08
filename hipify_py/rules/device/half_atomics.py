"""Atomic additions of numbers of 16 bits and of pairs of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import callee, named_call, text_of
from hipify_py.semantics.pointees import is_template_parameter, pointee
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = rb"(?:__half|half|(?:__)?nv_half|(?:__)?nv_bfloat16|__hip_bfloat16)2?"
_HALF = re.compile(_NUMBER)
_ARGUMENT = re.compile(rb"<[^<>;(){}]{0,80}\b" + _NUMBER + rb"\b")
_ALIAS = re.compile(
    rb"using\s+(\w+)\s*=\s*" + _NUMBER + rb"\s*;|typedef\s+" + _NUMBER + rb"\s+(\w+)\s*;|"
    rb"define\s+(\w+)[ \t]+" + _NUMBER + rb"\s*$",
    re.MULTILINE,
)
_MAKES_HALF = re.compile(rb"__(?:float|double)s?2(?:half|bfloat16)\w*|__half(?:s2half2|2half2)|make_half2|__halves2\w+")
_ADDITION = "hipify::atomic_add"


class HalfAtomics(Rule):
    """CUDA adds `__half`, `__half2` and the bfloat16 types with `atomicAdd`; HIP has it for them under another name,
    for the pairs and, in recent versions, for the single numbers.

    The tables see to variables of those types. Here is what an address tells otherwise: `&p[i]`, a cast, a member, an
    alias of the type. `hipify::atomic_add` of the support header takes all of them, and hands every other type on to
    `atomicAdd`; so it also stands in templates of which the source makes one for half precision.
    """

    id = "HIP254"
    VALID = (
        Example("__device__ void f(float *p) { atomicAdd(p, 1.0f); }"),
        Example("template <class T> __device__ void f(T *p, T x) { atomicAdd(p, x); }"),
    )
    INVALID = (
        Example(
            "__device__ void f(__half *p, int i, float x) { atomicAdd(&p[i], __float2half(x)); }",
            '#include "hipify_support.hpp"\n'
            "__device__ void f(__half *p, int i, float x) { hipify::atomic_add(&p[i], __float2half(x)); }",
        ),
        Example(
            "__device__ void f(float *p, int i) { atomicAdd(reinterpret_cast<__half2 *>(p), g(i)); }",
            '#include "hipify_support.hpp"\n'
            "__device__ void f(float *p, int i) { hipify::atomic_add(reinterpret_cast<__half2 *>(p), g(i)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        names = names_of(unit)
        if names.functions(b"atomicAdd"):
            return  # an overload of the user's
        aliases = {name for found in _ALIAS.findall(unit.source.data) for name in found if name}
        in_templates = _ARGUMENT.search(unit.source.data) is not None
        for use in unit.uses:
            if use.row.name != "atomicAdd" or unit.source.data[use.start : use.end] != b"atomicAdd":
                continue
            call = named_call(unit.tree, use.start, use.end)
            if call is None or len(call.arguments) != 2:
                continue
            address, value = call.arguments
            type = pointee(names, address)
            if effective_row(unit, use).hip != "atomicAdd":
                continue  # the tables see the type
            is_half = _HALF.fullmatch(type) is not None or type in aliases or (not type and _makes_half(value))
            if not is_half and not (in_templates and _may_be_parameter(type, call.name)):
                continue
            if unit.options.support:
                yield Edit(use.start, use.end, _ADDITION.encode())
                yield Support("half")
            elif is_half:
                yield unit.finding("HIP254", use.start, name=use.row.name, library=use.row.library)


def _may_be_parameter(type: bytes, place: Node) -> bool:
    """The type is a template's parameter, or cannot be told where braces in `#if` branches have broken the tree."""
    if type:
        return is_template_parameter(type, place)
    return ancestor(place, "ERROR") is not None and ancestor(place, "template_declaration") is None


def _makes_half(value: Node) -> bool:
    if value.type != "call_expression":
        return False
    return _MAKES_HALF.fullmatch(text_of(callee(value))) is not None
