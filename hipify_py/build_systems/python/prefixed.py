"""Expressions whose values get an option before them: `['-l' + name for name in names]`, `' -l'.join(names)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify_py.build_systems.expressions import (
    CALL,
    JOINED,
    LAMBDA,
    LOOP,
    NAME,
    OPERATION,
    STRING,
    TUPLE,
    Node,
)
from hipify_py.build_systems.python.flows import receiver


def prefixed(nodes: Iterable[Node], option: str) -> Iterator[Node]:
    """The expressions that a file writes behind an option; for a name that a loop gives, what the loop goes through."""
    for node in nodes:
        for value in _behind(node, option):
            yield _bound(value)


def _behind(node: Node, option: str) -> Iterator[Node]:
    if node.kind == STRING and node.text.startswith(f"{option}{{") and len(node.references) == 1:  # f'-l{name}'
        yield from node.children[0].children[:1] if node.children else ()
    elif node.kind == OPERATION and len(node.children) == 2:
        first, second = node.children
        if node.text == "+" and _last(first).endswith(option):
            yield second
        elif node.text == "%" and first.kind == STRING and first.text == f"{option}%s":
            yield second.children[0] if second.kind == TUPLE and second.children else second
    elif node.kind == CALL and node.arguments:
        on = receiver(node)
        if node.called == "map" and len(node.arguments) == 2 and _formats(node.arguments[0], option):
            yield node.arguments[1]
        elif on is not None and on.kind == STRING and _writes(node.called, on.text, option):
            yield node.arguments[0]


def _writes(method: str, text: str, option: str) -> bool:
    """`'-l{}'.format` and `' -l'.join` write the option before what they are given."""
    return text.strip() == option if method == "join" else method == "format" and text in _fields(option)


def _fields(option: str) -> set[str]:
    return {f"{option}{{}}", f"{option}{{0}}"}


def _formats(function: Node, option: str) -> bool:
    """`'-l{}'.format` as a function."""
    on = function.children[0] if function.children else None
    return function.text == ".format" and on is not None and on.kind == STRING and on.text in _fields(option)


def _last(node: Node) -> str:
    """The text that an expression ends with; empty where that is no literal."""
    while node.children and (node.kind == JOINED or (node.kind == OPERATION and node.text == "+")):
        node = node.children[-1]
    return node.text if node.kind == STRING else ""


def _bound(value: Node) -> Node:
    """What a loop, a comprehension or `map` goes through, where the value is the name that it gives to each element."""
    if value.kind != NAME:
        return value
    for above in value.above():
        loops = [above, *above.children] if above.kind != LAMBDA else []
        for loop in loops:
            if loop.kind == LOOP and len(loop.children) > 1 and _is_name(loop.children[0], value.text):
                return loop.children[1]
        call = above.parent
        if above.kind == LAMBDA and call is not None and call.called == "map" and len(call.arguments) == 2:
            parameters = above.children[0].children
            if len(parameters) == 1 and _is_name(parameters[0], value.text):
                return call.arguments[1]
    return value


def _is_name(node: Node, name: str) -> bool:
    return node.kind == NAME and node.text == name
