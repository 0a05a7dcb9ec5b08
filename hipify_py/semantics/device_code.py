"""Tells device code from the host's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.macros import macros_of
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_DEVICE_WORD = re.compile(rb"\b__(?:device|global)__\b")
_UPPER_CASE = re.compile(rb"\b[A-Z_][A-Z0-9_]*\b")
_BRACES = re.compile(rb"[{}]")
_READ = 20_000  # bytes of a function's body
_PERHAPS_DEVICE = re.compile(rb"\b(?:__device__|__global__|[A-Z][A-Z0-9_]{2,})\b")
_DEVICE_ONLY = re.compile(
    rb"\b(?:threadIdx|blockIdx|__syncwarp|__syncthreads|__activemask|__(?:shfl|ballot|any|all)\w*)\b"
)


def in_device_code(unit: Unit, place: int) -> bool:
    """Inside the body of a `__global__` or `__device__` function (one that is not `__host__` as well).

    The brackets since the last such keyword rule it out nearly everywhere in host code; the tree has the last word.
    """
    if not _may_be_device_code(unit, place):
        return False
    node = unit.tree.leaf(place, place + 1)
    function = ancestor(node, "function_definition")
    body = function.child_by_field_name("body") if function is not None else None
    if function is None or body is None:
        return False
    head = unit.source.data[function.start_byte : body.start_byte]
    return b"__global__" in head or (b"__device__" in head and b"__host__" not in head)


def may_run_on_device(unit: Unit, place: int) -> bool:
    """In a function for the device, whether or not it is one for the host as well, or in a macro that one uses."""
    return _may_run_on_device(unit, place, set())


def _may_run_on_device(unit: Unit, place: int, macros: set[bytes]) -> bool:
    define = unit.lexemes.define_around(place)
    if define is not None:
        if define.text in macros:
            return False
        macros.add(define.text)
        uses = re.finditer(rb"\b" + re.escape(define.text) + rb"\b", unit.source.data)
        return any(
            use.start() != define.start
            and unit.lexemes.non_code_at(use.start()) is None
            and _may_run_on_device(unit, use.start(), macros)
            for use in uses
        )
    function = ancestor(unit.tree.leaf(place, place + 1), "function_definition", "lambda_expression")
    while function is not None:
        body = function.child_by_field_name("body")
        if body is not None and body.start_byte <= place and _names_device(unit, function.start_byte, body.start_byte):
            return True
        if function.has_error and _may_be_device_code(unit, place):
            return True  # the grammar does not read `[] __device__(int i) {…}`
        function = ancestor(function.parent, "function_definition", "lambda_expression")
    return False


def _names_device(unit: Unit, start: int, end: int) -> bool:
    """A function's head holds `__device__` or `__global__`, or a macro of the source that stands for one."""
    head = unit.lexemes.code(start, end)
    if _DEVICE_WORD.search(head) is not None:
        return True
    macros = macros_of(unit)
    return any(
        _DEVICE_WORD.search(unit.source.data, macro.start, macro.end) is not None
        for word in _UPPER_CASE.findall(head)
        for macro in macros.named(word)
    )


def in_kernel_body(unit: Unit, place: int) -> bool:
    """In the body of a `__global__` function itself, not in a lambda or a local class within it."""
    if not _may_be_device_code(unit, place):
        return False
    function = ancestor(unit.tree.leaf(place, place + 1), "function_definition", "lambda_expression")
    body = function.child_by_field_name("body") if function is not None else None
    if function is None or body is None or function.type == "lambda_expression":
        return False
    return b"__global__" in unit.source.data[function.start_byte : body.start_byte]


def is_surely_host_code(data: bytes, node: Node) -> bool:
    """In a function that says nothing of the device: no `__device__`, no macro that may stand for it.

    Nothing that only device code can call stands in it either, nor is the place in a lambda for the device.
    """
    function: Node | None = ancestor(node, "function_definition")
    if function is None:
        return False
    inner: Node | None = node
    while inner is not None and inner.id != function.id:
        if inner.type == "lambda_expression" and _tells_device(data, inner):
            return False
        inner = inner.parent
    return not _tells_device(data, function)


def _tells_device(data: bytes, function: Node) -> bool:
    body = function.child_by_field_name("body")
    head_end = body.start_byte if body is not None else function.end_byte
    if _PERHAPS_DEVICE.search(data, function.start_byte, head_end) is not None:
        return True
    end = min(function.end_byte, head_end + _READ)
    return _DEVICE_ONLY.search(data, function.start_byte, end) is not None


def _may_be_device_code(unit: Unit, place: int) -> bool:
    """More brackets open than close between the nearest `__global__` or `__device__` and the place."""
    data, lexemes = unit.source.data, unit.lexemes
    keyword = max(data.rfind(b"__global__", 0, place), data.rfind(b"__device__", 0, place))
    if keyword < 0:
        return False
    depth = 0
    for mark in _BRACES.finditer(data, keyword, place):
        if lexemes.non_code_at(mark.start()) is None:
            depth += 1 if mark[0] == b"{" else -1
            if depth == 0:
                return False  # the function's body has ended
    return depth > 0
