"""Translates the options that a Python program hands to a compiler or a linker with its sources."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.build_systems.expressions import ATTRIBUTE, CALL, LIST, NAME, STRING, TUPLE, Node, walk
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.python.rules import libraries
from hipify_py.build_systems.python.rules.options import translate_list
from hipify_py.build_systems.python.script import Script
from hipify_py.core.edits import apply
from hipify_py.embedded.packages import Constructor, given
from hipify_py.embedded.string_values import StringValues, Template, Text

_COUNTING = "nvrtcCompileProgram"
"""The function that gets the number of its options, too."""
_ARCHITECTURES = ("--gpu-architecture=", "-arch=", "--gpu-code=", "-code=")
_COMPUTED = "it names NVIDIA GPU architectures; leave it out: hipRTC compiles for the current device"
_LONGEST_CHAIN = 4


class CompilerOptions:
    """The options of one program; each list is translated once."""

    def __init__(self, file: Script, values: StringValues) -> None:
        self._file = file
        self._values = values
        self._seen: set[Node] = set()

    def translate(self, call: Node, constructor: Constructor) -> None:
        """Translate the options that a call gives a constructor."""
        for _, argument in given(call, constructor.options):
            for options in self._new(argument):
                before = len(self._file.finish())
                translate_list(self._file, options, for_cuda=True)
                if call.called == _COUNTING and len(self._file.finish()) != before:
                    self._count(call, argument, options)
                self._computed(options)
        for _, argument in given(call, constructor.linked):
            for options in self._new(argument):
                libraries.translate_list(self._file, options, is_linked=False)

    def _new(self, argument: Node) -> Iterator[Node]:
        """The lists that an argument stands for, and that are not translated yet."""
        for options in self._lists(argument):
            if options not in self._seen:
                self._seen.add(options)
                yield options

    def _lists(self, node: Node, depth: int = 0) -> Iterator[Node]:
        """The lists of literals that an expression stands for."""
        if node.kind in {LIST, TUPLE} and node.children:
            yield node
        elif node.kind in {NAME, ATTRIBUTE} and depth < _LONGEST_CHAIN:
            for value in self._values.assigned(node):
                yield from self._lists(value, depth + 1)
        elif node.kind == CALL and node.called in {"tuple", "list"}:
            for argument in node.arguments:
                yield from self._lists(argument, depth + 1)

    def _count(self, call: Node, argument: Node, options: Node) -> None:
        """Have a call count its options: there may be more or fewer of them now than the number that it says."""
        count = call.arguments[1] if len(call.arguments) > 1 else call
        if not self._file.text_of(count).isdigit():
            return
        if argument is not options:
            self._file.replace(count.start, count.end, f"len({self._file.text_of(argument)})")
            return
        inside = [edit for edit in self._file.finish() if options.start <= edit.start and edit.end <= options.end]
        moved = [edit._replace(start=edit.start - options.start, end=edit.end - options.start) for edit in inside]
        new = apply(self._file.source.data[options.start : options.end], moved)
        lists = [each for each in walk(read(new).root) if each.kind in {LIST, TUPLE}]
        self._file.replace(count.start, count.end, str(len(lists[0].children) if lists else 0))

    def _computed(self, options: Node) -> None:
        """Report options for NVIDIA's architectures that a program puts together."""
        for element in options.children:
            for value in self._values.of(element) if element.kind != STRING or element.references else ():
                literals = value.literals if isinstance(value, Text | Template) else ()
                name = next((one for one in _ARCHITECTURES for each in literals if each.text.startswith(one)), "")
                if name:
                    self._file.finding("HIP603", literals[0].start, name, _COMPUTED)
