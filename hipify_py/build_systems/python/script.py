"""A script that the rules translate: its nodes, and where its lists go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from hipify_py.build_systems.expressions import (
    CALL,
    JOINED,
    LAMBDA,
    LOOP,
    NAME,
    OPERATION,
    OTHER,
    STATEMENT,
    STRING,
    TUPLE,
    Node,
    Read,
    walk,
)
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.python.flows import Flows, receiver
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source

# Expressions whose values get an option before them: `['-l' + name for name in names]`, `' -l'.join(names)`.


def prefixed(nodes: Iterable[Node], option: str) -> Iterator[Node]:
    """The expressions that a file writes after an option; for the name of a loop, what the loop goes through."""
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
    """Whether a call writes the option before its arguments, as `'-l{}'.format` and `' -l'.join` do."""
    return text.strip() == option if method == "join" else method == "format" and text in _fields(option)


def _fields(option: str) -> set[str]:
    return {f"{option}{{}}", f"{option}{{0}}"}


def _formats(function: Node, option: str) -> bool:
    """Whether it is `'-l{}'.format` as a function."""
    on = function.children[0] if function.children else None
    return function.text == ".format" and on is not None and on.kind == STRING and on.text in _fields(option)


def _last(node: Node) -> str:
    """The text that an expression ends with; empty if that is not a literal."""
    while node.children and (node.kind == JOINED or (node.kind == OPERATION and node.text == "+")):
        node = node.children[-1]
    return node.text if node.kind == STRING else ""


def _bound(value: Node) -> Node:
    """What a loop, a comprehension or `map` goes through, if the value is the name that it gives to each element."""
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


BAZEL = "bazel"
"""The kind under which the names of Bazel's files are counted."""


class Script(BuildFile):
    """A file in Python's syntax, or in one whose reader makes the same nodes.

    Attributes:
        project: what its project knows about the names of files.
        root: its tree.
        nodes: all nodes, in the order of the text.
        answered: the nodes of calls that ask nvcc for its version and are already handled.
        is_starlark: whether the file is Bazel's, whose lists have no `*`.
    """

    def __init__(self, source: Source, library: str, read: Read, options: Options, project: ProjectContext) -> None:
        super().__init__(source, library, options, read.comments, read.statements)
        self.project = project
        self.root = read.root
        self.broken = read.broken
        self.nodes: list[Node] = list(walk(read.root))
        self.answered: set[Node] = set()
        self.is_starlark = library == BAZEL
        self.script_facts = {key: frozenset(names) for key, names in table("python").items() if key != "source"}
        self.environment = self.facts.environment | self.script_facts["environment"]

    @cached_property
    def for_nvcc(self) -> Flows:
        """The nodes of what nvcc gets as options."""
        return Flows(self.nodes, self._is_for_nvcc)

    @cached_property
    def libraries(self) -> Flows:
        """The nodes of what is linked."""
        return Flows(self.nodes, self._names_libraries, prefixed(self.nodes, "-l"))

    def text_of(self, node: Node) -> str:
        """A node as it is written."""
        return self.source.data[node.start : node.end].decode("utf-8", "replace")

    def is_said(self, node: Node) -> bool:
        """Whether it is text for people, or a documentation string."""
        saying = self.script_facts["saying"]
        if node.parent is not None and node.parent.kind == STATEMENT:
            return True
        return any(
            (above.kind == CALL and above.called in saying) or (above.kind == OTHER and above.text in saying)
            for above in node.above()
        )

    def _is_for_nvcc(self, name: str) -> bool:
        return name in self.script_facts["option_names"] or "nvcc" in name.lower()

    def _names_libraries(self, name: str) -> bool:
        return name in self.script_facts["library_names"]
