"""The literals that an expression of Python is made of.

A name stands for what the file assigns to it: in the function that uses it or around it, else at module level. A
parameter stands for what the file's own calls give. What is computed is not followed: its literals are a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    CALL,
    CONDITIONAL,
    FUNCTION,
    JOINED,
    KEYWORD,
    LIST,
    LOOP,
    MAPPING,
    NAME,
    OPERATION,
    OTHER,
    PAIR,
    RETURN,
    STRING,
    SUBSCRIPT,
    TUPLE,
    Node,
)
from hipify_py.build_systems.python.flows import name_of, receiver

_UNCHANGED = frozenset({"dedent", "cleandoc", "strip", "lstrip", "rstrip", "encode", "decode", "str", "bytes"})
"""Functions whose result has the lines of their argument."""
_READING = frozenset({"read", "read_text", "read_bytes", "readlines", "get_data"})
_TEMPLATES = {
    "format": ".format",
    "format_map": ".format",
    "substitute": "a string.Template",
    "safe_substitute": "a string.Template",
    "render": "a template engine",
    "replace": ".replace",
    "join": ".join",
    "Template": "a template",
    "sub": "a regular expression",
}
_PLAIN = frozenset({"=", ": ="})
_SOURCES = (".cu", ".cuh", ".cuda", ".h", ".hpp", ".c", ".cpp", ".cc")
_BLANK = re.compile(r"\s")
_DEEPEST = 100
_MOST_SEARCHED = 200


class Text(NamedTuple):
    """A whole value: the literals whose texts it is made of, side by side."""

    literals: tuple[Node, ...]


class Template(NamedTuple):
    """A value that is computed: the literals in it, how they are used, where that is, and the files read for it."""

    literals: tuple[Node, ...]
    how: str
    place: Node
    files: tuple[SourceFile, ...] = ()


class Elsewhere(NamedTuple):
    """A value that the file does not have, and the expression for it."""

    place: Node


class SourceFile(NamedTuple):
    """The content of a file that is named by a literal."""

    name: Node


Value = Text | Template | Elsewhere | SourceFile


class _Binding(NamedTuple):
    """What a file gives a name: the value, whether it replaces what the name had, and the function that does it."""

    value: Node
    is_plain: bool
    function: Node | None


class StringValues:
    """The values of a file's expressions."""

    def __init__(self, nodes: Sequence[Node], data: bytes) -> None:
        self._data = data
        self._known: dict[Node, Sequence[Value]] = {}
        self._open: set[Node] = set()
        self._assigned: dict[str, list[_Binding]] = {}
        self._calls: dict[str, list[Node]] = {}
        self._returned: dict[str, list[Node]] = {}
        self._functions: dict[str, Node] = {}
        for node in nodes:
            if node.kind == ASSIGNMENT and len(node.children) > 1:
                for target in node.children[:-1]:
                    self._bind(target, node.children[-1], is_plain=node.text in _PLAIN)
            elif node.kind == LOOP and len(node.children) > 1:
                self._bind_loop(node.children[0], node.children[1])
            elif node.kind == OTHER and [child.kind for child in node.children] == [CALL, OTHER]:
                for target in node.children[1].children:  # with open(...) as target
                    self._bind(target, node.children[0], is_plain=True)
            elif node.kind == CALL and node.called:
                self._calls.setdefault(node.called, []).append(node)
            elif node.kind == FUNCTION:
                self._functions.setdefault(node.text, node)
            elif node.kind == RETURN and node.children:
                function = _function_of(node)
                if function is not None:
                    self._returned.setdefault(function.text, []).append(node.children[0])

    def _bind(self, target: Node, value: Node, *, is_plain: bool) -> None:
        name = name_of(target)
        if name:
            self._assigned.setdefault(name, []).append(_Binding(value, is_plain, _function_of(target)))

    def _bind_loop(self, target: Node, iterated: Node) -> None:
        """What a loop gives its names: the elements of a list, or the values of a mapping."""
        on = receiver(iterated) if iterated.kind == CALL else None
        if on is not None and iterated.called in {"items", "values"}:
            name = target.children[-1] if target.kind in {TUPLE, OTHER} and target.children else target
            element = Node(SUBSCRIPT, on.start, on.end, "", on.parent)
            element.children = [on]
            self._bind(name, element, is_plain=True)
        elif target.kind == NAME and iterated.kind in {LIST, TUPLE}:
            self._bind(target, iterated, is_plain=True)

    def is_formatted(self, literal: Node) -> bool:
        """Whether a literal is an f-string, whose braces are not those of the value."""
        prefix = self._data[literal.start : literal.inner[0]].lower()
        return b"f" in prefix or b"t" in prefix

    def of(self, node: Node) -> Sequence[Value]:
        """The values that an expression may have; in a circle of names, what the circle gets from outside."""
        known = self._known.get(node)
        if known is not None:
            return known
        if node in self._open:
            return ()
        if len(self._open) > _DEEPEST:
            return (Elsewhere(node),)
        self._open.add(node)
        found = self._known[node] = tuple(dict.fromkeys(self._of(node)))
        self._open.remove(node)
        return found

    def _of(self, node: Node) -> Iterator[Value]:
        if node.kind == STRING and node.text.endswith(_SOURCES) and not _BLANK.search(node.text):
            yield SourceFile(node)
        elif node.kind == STRING:
            yield Template((node,), "an f-string", node) if self.is_formatted(node) else Text((node,))
        elif node.kind == JOINED:
            is_static = all(part.kind == STRING and not self.is_formatted(part) for part in node.children)
            literals = tuple(part for part in node.children if part.kind == STRING)
            yield Text(literals) if is_static else Template(literals, "an f-string", node)
        elif node.kind == OPERATION:
            yield from self._operation(node)
        elif node.kind == CONDITIONAL and len(node.children) == 3:
            yield from self.of(node.children[0])
            yield from self.of(node.children[2])
        elif node.kind in {LIST, TUPLE}:
            for child in node.children:
                yield from self.of(child)
        elif node.kind in {NAME, ATTRIBUTE}:
            yield from self._name(node)
        elif node.kind == CALL:
            yield from self._call(node)
        elif node.kind == SUBSCRIPT and node.children:
            yield from self._subscript(node)
        elif node.kind == OTHER and len(node.children) == 1:
            yield from self.of(node.children[0])
        else:
            yield Elsewhere(node)

    def assigned(self, node: Node) -> list[Node]:
        """What the file gives a name, as expressions."""
        return [binding.value for binding in self._bindings(node)]

    def of_module(self, name: str) -> list[Node]:
        """What the file gives a name at module level, as expressions."""
        return [binding.value for binding in self._assigned.get(name, []) if binding.function is None]

    def _operation(self, node: Node) -> Iterator[Value]:
        if node.text == "+":
            parts = [[*self.of(child)] for child in node.children]
            if all(len(values) == 1 and isinstance(values[0], Text) for values in parts):
                yield Text(tuple(literal for values in parts for literal in _literals(values)))
            else:
                yield _template([value for values in parts for value in values], "a sum", node)
        elif node.text == "%":
            yield _template([*self.of(node.children[0])], "%", node)
        elif node.text in {"or", "and"}:
            for child in node.children:
                yield from self.of(child)
        else:
            yield Elsewhere(node)

    def _name(self, node: Node) -> Iterator[Value]:
        bindings = self._bindings(node)
        if not all(each.is_plain for each in bindings):
            found = [value for each in bindings for value in self.of(each.value)]
            yield _template(found, "a sum", node)
            return
        for each in bindings:
            yield from self.of(each.value)
        if not bindings:
            given = self._given(node)
            if given is None:
                yield Elsewhere(node)
            for argument in given or ():  # what calls of other files give is theirs
                yield from self.of(argument)

    def _bindings(self, node: Node) -> list[_Binding]:
        """What the innermost function that assigns a name gives it; for an attribute, what the file gives it."""
        found = self._assigned.get(node.text, [])
        if node.kind == ATTRIBUTE:
            first, _, own = node.text.partition(".")
            if found or first not in {"self", "cls"}:
                return found
            return [each for each in self._assigned.get(own, []) if each.function is None]
        function = _function_of(node)
        while function is not None:
            inside = [each for each in found if each.function is function]
            if inside or node.text in _parameters(function):
                return inside
            function = _function_of(function)
        return [each for each in found if each.function is None]

    def _given(self, node: Node) -> list[Node] | None:
        """What the file's calls give for a parameter; None for any other name."""
        function = _function_of(node)
        while function is not None and node.text not in _parameters(function):
            function = _function_of(function)
        if function is None or node.kind != NAME:
            return None
        names = _parameters(function)
        at = names.index(node.text)
        name = function.text
        if names[0] in {"self", "cls"}:
            at -= 1
        found: list[Node] = []
        for call in self._calls.get(name, ()):
            keyword = call.keyword(node.text)
            positional = [each for each in call.arguments if each.kind != KEYWORD]
            if keyword is not None:
                found.append(keyword)
            elif 0 <= at < len(positional):
                found.append(positional[at])
        return found

    def _call(self, node: Node) -> Iterator[Value]:
        on, arguments = receiver(node), [each for each in node.arguments if each.kind != KEYWORD]
        if node.called in _UNCHANGED:
            takes_it = on is None or node.called in {"dedent", "cleandoc"} or on.text in {"str", "bytes"}
            inner = arguments[0] if arguments and takes_it else on
            yield from self.of(inner) if inner is not None else (Elsewhere(node),)
        elif node.called in _READING and on is not None:
            yield from self._files(node, [on, *arguments])
        elif node.called in _TEMPLATES:
            inside = [value for each in (on, *arguments) if each is not None for value in self.of(each)]
            yield _template(inside, _TEMPLATES[node.called], node)
        elif node.called in self._returned and node.called in self._functions:
            found = [each for value in self._returned[node.called] for each in self.of(value)]
            if all(isinstance(value, Elsewhere) for value in found):  # a file's name may be an argument
                found = [*self._files(node, arguments)]
            yield from found
        else:
            yield from self._files(node, arguments)

    def _files(self, node: Node, arguments: Sequence[Node]) -> Iterator[Value]:
        """The file that a call reads, if a literal in its arguments names one."""
        stack, seen = [*arguments], 0
        while stack and seen < _MOST_SEARCHED:
            each, seen = stack.pop(), seen + 1
            if each.kind == STRING and each.text.endswith(_SOURCES) and not _BLANK.search(each.text):
                yield SourceFile(each)
                return
            if each.kind in {NAME, ATTRIBUTE} and seen < _MOST_SEARCHED:
                stack += [binding.value for binding in self._bindings(each)]
            stack += each.children
        yield Elsewhere(node)

    def _subscript(self, node: Node) -> Iterator[Value]:
        """The values of a mapping, all of them: the key is not looked at."""
        holder = node.children[0]
        for binding in self._bindings(holder) if holder.kind in {NAME, ATTRIBUTE} else ():
            if binding.value.kind == MAPPING:
                for pair in binding.value.children:
                    if pair.kind == PAIR and len(pair.children) == 2:
                        yield from self.of(pair.children[1])
                return
        keyed = self._assigned.get(name_of(node), [])
        for binding in keyed:
            yield from self.of(binding.value)
        if not keyed:
            yield Elsewhere(node)


def _template(values: Sequence[Value], how: str, place: Node) -> Template:
    """What is computed of some values."""
    files = [value for value in values if isinstance(value, SourceFile)]
    files += [file for value in values if isinstance(value, Template) for file in value.files]
    return Template(tuple(_literals(values)), how, place, tuple(files))


def _literals(values: Sequence[Value]) -> Iterator[Node]:
    for value in values:
        if isinstance(value, Text | Template):
            yield from value.literals


def _function_of(node: Node) -> Node | None:
    return next((above for above in node.above() if above.kind == FUNCTION), None)


def _parameters(function: Node) -> list[str]:
    """The names of a function's parameters, in order."""
    if not function.children or function.children[0].kind != OTHER:
        return []
    names = []
    for child in function.children[0].children:
        name = child if child.kind == NAME else next(iter(child.children), child)
        if name.kind == NAME:
            names.append(name.text)
    return names
