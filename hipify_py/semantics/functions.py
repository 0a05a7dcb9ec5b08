"""The functions of a unit: their names, qualifiers, parameters and bodies.

Read from the syntax tree. Where a function's tree is broken (branches of an `#if` that do not balance, a missing
brace), its extent is read from the braces instead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.frontend.bodies import Bodies, Body
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import NAMES

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIES = {
    "function_definition": frozenset({"compound_statement", "try_statement"}),
    "lambda_expression": frozenset({"compound_statement"}),
}


class Function:
    """A function with a body, or a lambda outside of any function.

    Attributes:
        name: its name without scopes and template arguments; a lambda's is its variable's.
        head: the start of its declaration, template parameters included.
        start: the offset of the body's opening brace.
        end: the offset of its closing brace.
        node: its node in the syntax tree; None where the tree does not have it.
        body: the body's node; None likewise.
        is_kernel: its head has `__global__`.
        is_device: its head has `__global__` or `__device__`.
    """

    __slots__ = ("body", "end", "head", "is_device", "is_kernel", "name", "node", "start")

    def __init__(
        self,
        name: bytes,
        head: int,
        start: int,
        end: int,
        node: Node | None,
        body: Node | None,
        is_kernel: bool,
        is_device: bool,
    ) -> None:
        self.name = name
        self.head = head
        self.start = start
        self.end = end
        self.node = node
        self.body = body
        self.is_kernel = is_kernel
        self.is_device = is_device


class Functions:
    """The outermost functions of a unit in source order.

    Lambdas and the member functions of local classes belong to the function around them.
    """

    def __init__(self, unit: Unit) -> None:
        self._lexemes = unit.lexemes
        self._all = list(_functions(unit))
        self._heads = [function.head for function in self._all]

    def __iter__(self) -> Iterator[Function]:
        return iter(self._all)

    def at(self, offset: int) -> Function | None:
        """The function whose head or body contains an offset; None in the body of a macro."""
        index = bisect_right(self._heads, offset) - 1
        return self._all[index] if index >= 0 and offset <= self._all[index].end else None

    def named(self, name: bytes) -> list[Function]:
        """The functions of a name: overloads, and those in branches of an `#if`."""
        return self._by_name.get(name, [])

    @cached_property
    def _by_name(self) -> dict[bytes, list[Function]]:
        found: dict[bytes, list[Function]] = {}
        for function in self._all:
            found.setdefault(function.name, []).append(function)
        return found


def _functions(unit: Unit) -> Iterator[Function]:
    lexemes, tree = unit.lexemes, unit.tree
    if not tree.is_available:
        yield from (_functions_of_braces(lexemes, body) for body in Bodies(lexemes))
        return
    parsed: list[Function] = []

    def takes(node: Node) -> bool:
        function = _function(lexemes, node)
        if function is not None:
            parsed.append(function)
        return function is not None

    tree.outermost(_BODIES, takes)
    if not tree.root.has_error:
        yield from parsed
        return
    by_braces = {body.start: body for body in Bodies(lexemes)}
    yield from sorted(_merge_with_braces(lexemes, parsed, by_braces), key=lambda found: found.head)


def _merge_with_braces(lexemes: Lexemes, parsed: list[Function], by_braces: dict[int, Body]) -> Iterator[Function]:
    """The functions of a broken tree: a broken one ends at its closing brace, and lost ones are recovered."""
    remaining: list[Function] = []
    for function in parsed:
        body = by_braces.pop(function.start, None)
        if body is not None and function.node is not None and function.node.has_error:
            function.end = body.end
        if not remaining or function.head > remaining[-1].end:
            remaining.append(function)
    heads = [function.head for function in remaining]
    gone: set[int] = set()
    for body in by_braces.values():
        before = bisect_right(heads, body.start) - 1
        if before >= 0 and body.start <= remaining[before].end and remaining[before].head <= body.head:
            continue
        within = range(bisect_right(heads, body.head), bisect_right(heads, body.end))
        if any(not _is_lambda(remaining[at]) for at in within):
            continue  # a namespace or a class, which the braces alone do not distinguish from a function
        gone.update(within)
        yield _functions_of_braces(lexemes, body)
    yield from (function for at, function in enumerate(remaining) if at not in gone)


def _is_lambda(function: Function) -> bool:
    return function.node is not None and function.node.type == "lambda_expression"


def _functions_of_braces(lexemes: Lexemes, body: Body) -> Function:
    is_kernel, is_device = _qualifiers(lexemes, body.head, body.start)
    return Function(body.name, body.head, body.start, body.end, None, None, is_kernel, is_device)


def _function(lexemes: Lexemes, node: Node) -> Function | None:
    """The function that a node defines; None for one without a body, and for a lambda without a variable."""
    body, name = node.child_by_field_name("body"), _name(node)
    if body is None or body.type not in _BODIES[node.type]:
        return None
    if body.type == "try_statement":
        body = body.child_by_field_name("body")
    if body is None or not name:
        return None
    head = _head(node)
    qualifiers = _qualifiers(lexemes, head, body.start_byte)
    return Function(name, head, body.start_byte, body.end_byte - 1, node, body, *qualifiers)


def _head(node: Node) -> int:
    """The start of a function's declaration: of its template parameters, or of the type of a lambda's variable."""
    is_lambda = node.type == "lambda_expression"
    kinds: tuple[str, ...] = ("init_declarator", "declaration") if is_lambda else ("template_declaration",)
    parent = node.parent
    while parent is not None and parent.type in kinds:
        node, parent = parent, parent.parent
    return node.start_byte


def _name(node: Node) -> bytes:
    leaf: Node | None
    if node.type == "lambda_expression":
        parent = node.parent
        leaf = parent.child_by_field_name("declarator") if parent is not None else None
        return (leaf.text or b"") if leaf is not None and leaf.type in NAMES else b""
    leaf = node.child_by_field_name("declarator")
    while leaf is not None and leaf.type not in NAMES:
        if leaf.type in ("operator_name", "destructor_name", "operator_cast"):
            return b"operator" if leaf.type != "destructor_name" else leaf.text or b""
        inner = leaf.child_by_field_name("declarator") or leaf.child_by_field_name("name")
        leaf = inner if inner is not None else next(iter(leaf.named_children), None)
    return (leaf.text or b"") if leaf is not None else b""


def _qualifiers(lexemes: Lexemes, head: int, start: int) -> tuple[bool, bool]:
    """Whether a head has `__global__`, and whether it has that or `__device__`."""
    text = lexemes.code(head, start)
    is_kernel = b"__global__" in text
    return is_kernel, is_kernel or b"__device__" in text


def functions_of(unit: Unit) -> Functions:
    """The functions of a unit, read once."""
    return unit.analysis(Functions)
