"""Threads counted in 32 around matrix fragments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.decisions import AUTHOR, KEPT, warp_decisions
from hipify_py.core.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.expressions import (
    cast_value,
    entries_of,
    operator_of,
    strip_parentheses,
    subexpressions,
    text_of,
)
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.matrix_fragments import FRAGMENT
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ROW = 32
_OF_32 = {"/": 32, "%": 32, ">>": 5, "&": 31}
"""The expressions that divide threads by 32, by the operator."""
_BUILT_IN = frozenset((b"threadIdx", b"blockDim"))
_BY_NAME = re.compile(rb"tid|block|blocks|threads|block_?[dD]im|num_?[tT]hreads|BLOCK_?SIZE")
_BLOCK = re.compile(rb"(?:block|threads)\w*")
_WARP_SIZE = re.compile(rb"\w*(?:WARP|[wW]arp)_?(?:SIZE|[sS]ize)")


class FragmentThreads(Rule):
    """A fragment is held by all lanes of a wavefront, of which data-centre GPUs have 64 and not 32.

    Code that gives each 32 threads a tile of their own, or that launches blocks of 32 threads for one, computes
    something else there; so does `threadIdx.x / warpSize` where warps are kept at 32 lanes. There is one finding per
    expression. Met in NVIDIA's cuda-samples (tf32TensorCoreGemm).
    """

    id = "HIP503"
    triggers = uses(FRAGMENT)
    VALID = (
        Example("__device__ int f() { return threadIdx.x / 32; }"),
        Example(
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, int> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }"
        ),
    )
    INVALID = (
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }",
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }",
            ("HIP503",),
        ),
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / warpSize; }",
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }",
            ("HIP503",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not any(use.row.name == FRAGMENT for use in unit.uses):
            return
        decisions = warp_decisions(unit)
        for place, detail in sorted(
            {*_thread_divisions(unit), *_launch_sizes(unit), *_sizes(unit), *_warp_size_expressions(unit)}
        ):
            if decisions.at(place) == AUTHOR:
                continue
            yield unit.finding("HIP503", place, name=FRAGMENT, library="wmma", detail=_in_words(detail))


def _in_words(text: bytes) -> str:
    return " ".join(text.decode("utf-8", "replace").split())


def _thread_divisions(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The expressions that divide threads by 32."""
    bodies = (body for macro in macros_of(unit).all() if (body := macros_of(unit).body(macro)) is not None)
    in_macros = (part for body in bodies for part in subexpressions(body) if part.type == "binary_expression")
    for node in chain(unit.tree.nodes("binary_expression"), in_macros):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        wanted = _OF_32.get(operator_of(node))
        if left is None or right is None or wanted is None or number(text_of(strip_parentheses(right))) != wanted:
            continue
        if any(map(_is_thread, _terms(left))):
            yield node.start_byte, text_of(node)


def _terms(node: Node) -> Iterator[Node]:
    """The operands of an arithmetic expression."""
    node = strip_parentheses(node)
    value = cast_value(node)
    if value is not None:
        yield from _terms(value)
    elif node.type == "binary_expression":
        for side in node.children_by_field_name("left") + node.children_by_field_name("right"):
            yield from _terms(side)
    else:
        yield node


def _is_thread(node: Node) -> bool:
    """Whether it is a thread's index, or a block's size, by its name."""
    if node.type == "field_expression":
        owner, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        return text_of(field) == b"x" and (
            text_of(owner) in _BUILT_IN or _BY_NAME.fullmatch(text_of(owner)) is not None
        )
    return node.type == "identifier" and _BY_NAME.fullmatch(text_of(node)) is not None


def _launch_sizes(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The launches, and the sizes of blocks, of 32 threads."""
    for place in unit.lexemes.launches:
        node = ancestor(unit.tree.leaf(place, place + len(b"<<<")), "kernel_call_syntax")
        configuration = entries_of(node) if node is not None else []
        if node is not None and len(configuration) > 1 and number(text_of(strip_parentheses(configuration[1]))) == _ROW:
            yield node.start_byte, text_of(node)
    for node in unit.tree.nodes("init_declarator"):
        name, value, declaration = (
            node.child_by_field_name("declarator"),
            node.child_by_field_name("value"),
            node.parent,
        )
        type = declaration.child_by_field_name("type") if declaration is not None else None
        if text_of(type) != b"dim3" or type is None or value is None or not _BLOCK.fullmatch(text_of(name)):
            continue
        entries = entries_of(value) if value.type in ("argument_list", "initializer_list") else []
        if entries and number(text_of(strip_parentheses(entries[0]))) == _ROW:
            yield type.start_byte, b"dim3 " + text_of(name) + text_of(value)[:1] + text_of(entries[0]) + b", ...)"


def _warp_size_expressions(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The expressions with CUDA's `warpSize`, which becomes 32."""
    decisions = warp_decisions(unit)
    for use in unit.uses:
        if use.row.name == "warpSize" and decisions.outcome(use) == KEPT:
            node = ancestor(unit.tree.leaf(use.start, use.end), "binary_expression")
            yield (node.start_byte, text_of(node)) if node is not None else (use.start, b"warpSize")


def _sizes(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The constants that set the warp size to 32."""
    constants, names = constants_of(unit), names_of(unit)
    for macro in macros_of(unit).all():
        if _WARP_SIZE.fullmatch(macro.name) and constants.macro(macro) == _ROW:
            yield macro.place, b"define " + macro.name + b" 32"
    for name in names.words:
        for found in names.declared(name) if _WARP_SIZE.fullmatch(name) else ():
            if found.value is not None and found.type is not None and constants.value(found.value) == _ROW:
                yield found.type.start_byte, text_of(found.type) + b" " + name + b" = 32"
