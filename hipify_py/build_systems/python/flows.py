"""Where the lists of a script go: the options that nvcc gets, the libraries that are linked.

A name represents everything that a file assigns to it, wherever that is: an option that one branch puts into a list is
an option in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    CALL,
    FUNCTION,
    KEYWORD,
    LIST,
    MAPPING,
    NAME,
    OPERATION,
    PAIR,
    RETURN,
    STRING,
    SUBSCRIPT,
    Node,
)

ADDING = frozenset({"append", "extend", "insert", "Append", "Prepend", "AppendUnique", "PrependUnique", "Replace"})
"""Methods that put their arguments into a list."""


def name_of(node: Node) -> str:
    """The name of a list: a name, an attribute, or the text of its key in a mapping."""
    if node.kind in {NAME, ATTRIBUTE}:
        return node.text
    if node.kind == SUBSCRIPT and len(node.children) == 2:
        return f"{name_of(node.children[0])}[{node.children[1].text}]"
    return ""


def receiver(call: Node) -> Node | None:
    """The object that a method is called on."""
    function = call.children[0] if call.children else None
    return function.children[0] if function is not None and function.kind == ATTRIBUTE and function.children else None


def added(call: Node) -> Sequence[Node]:
    """What a call of a list's method puts into it."""
    if call.called not in {"append", "extend", "insert"}:
        return ()
    return call.arguments[1:] if call.called == "insert" else call.arguments[:1]


class Flows:
    """The expressions whose values reach a place, by the nodes of a file.

    Args:
        nodes: all nodes of the file.
        is_sink: whether the value of a name, a key or a keyword argument reaches the place.
        further: other expressions whose values reach it.
    """

    def __init__(self, nodes: Sequence[Node], is_sink: Callable[[str], bool], further: Iterable[Node] = ()) -> None:
        self._is_sink = is_sink
        self._reached: set[Node] = set()
        self._names: set[str] = set()
        self._given: dict[str, list[Node]] = {}
        self._waiting: list[str] = []
        for node in nodes:
            self._collect(node)
        for node in nodes:
            self._seed(node)
        for node in further:
            self._reach(node)
        while self._waiting:
            for value in self._given.get(self._waiting.pop(), ()):
                self._reach(value)

    def __contains__(self, node: Node) -> bool:
        return node in self._reached

    def _collect(self, node: Node) -> None:
        """Note the values of names."""
        if node.kind == ASSIGNMENT and len(node.children) > 1:
            for target in node.children[:-1]:
                self._give(name_of(target), node.children[-1:])
        elif node.kind == CALL:
            on = receiver(node)
            if on is not None:
                self._give(name_of(on), added(node))
        elif node.kind == RETURN and node.children:
            function = next((above for above in node.above() if above.kind == FUNCTION), None)
            if function is not None:
                self._give(function.text, node.children)

    def _give(self, name: str, values: Iterable[Node]) -> None:
        if name:
            self._given.setdefault(name, []).extend(values)
            if self._is_sink(_last(name)):
                self._name(name)

    def _seed(self, node: Node) -> None:
        if node.kind == PAIR and len(node.children) == 2:
            if self._is_sink(node.children[0].text):
                self._reach(node.children[1])
        elif node.kind == KEYWORD and node.children and self._is_sink(node.text):
            self._reach(node.children[0])
        elif node.kind == CALL and self._is_for(node.keyword("language")):
            for argument in node.arguments:
                if argument.kind == LIST:
                    self._reach(argument)
        elif node.kind == OPERATION and node.text == "+" and any(map(self._is_named, node.children)):
            self._reach(node)

    def _is_for(self, language: Node | None) -> bool:
        """Whether the arguments of a call are only for a language that is a sink (`language: 'cuda'`)."""
        if language is not None and language.kind == LIST and len(language.children) == 1:
            language = language.children[0]
        return language is not None and language.kind == STRING and self._is_sink(language.text)

    def _is_named(self, node: Node) -> bool:
        return node.kind in {NAME, ATTRIBUTE} and self._is_sink(_last(node.text))

    def _name(self, name: str) -> None:
        if name not in self._names:
            self._names.add(name)
            self._waiting.append(name)

    def _reach(self, value: Node) -> None:
        stack = [value]
        while stack:
            node = stack.pop()
            if node in self._reached:
                continue
            self._reached.add(node)
            if node.kind in {NAME, ATTRIBUTE, SUBSCRIPT}:
                self._name(name_of(node))
            elif node.kind == CALL:
                if node.children[:1] and node.children[0].kind == NAME:
                    self._name(node.children[0].text)
                elif node.children[:1]:
                    stack += node.children[0].children
                stack += [argument for argument in node.arguments if argument.kind != KEYWORD]
            elif node.kind not in {MAPPING, KEYWORD}:
                stack += node.children


def _last(name: str) -> str:
    """The last part of a list's name: `c` of `a.b.c`, `b` of `a[b]`."""
    if name.endswith("]"):
        return name.rpartition("[")[2][:-1]
    return name.rpartition(".")[2]
