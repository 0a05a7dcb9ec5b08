"""Names of the tables that a source looks up at run time: `dlsym(library, "cudaMalloc")`, tables of such names.

The libraries that it opens for that are also found by name: `dlopen("libcudart.so.12", RTLD_NOW)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.catalog import Row
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    cast_value,
    entries_of,
    is_same,
    name_in,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macro_arguments import MacroArgument, MacroArguments, is_stringized, passed_on
from hipify_py.semantics.name_lookups import LOOKUP_FUNCTIONS, has_name_lookups
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node
if TYPE_CHECKING:
    from tree_sitter import Node


# The sources of the strings that functions get: through variables, arrays, and parameters of functions around.

_NULLS = frozenset({"null", "nullptr"})
_LISTS = frozenset({"initializer_list", "argument_list"})
_VIEWS = frozenset({b"c_str", b"data"})
"""The members of a string that return its text."""


def string_sources(unit: Unit, sinks: Mapping[bytes, int]) -> list[Node]:
    """The string literals that functions get, and the expressions for which the string is unknown.

    Null pointers are left out, and so are calls in the bodies of macros.

    Args:
        unit: the source.
        sinks: the functions, each with the position of the argument.
    """
    return list(_Search(unit, sinks))


class _Search:
    """Follows the arguments back to their sources, each variable and parameter once."""

    def __init__(self, unit: Unit, sinks: Mapping[bytes, int]) -> None:
        self._names = names_of(unit)
        self._calls: dict[bytes, list[Node]] = {}
        for call in unit.tree.nodes("call_expression"):
            self._calls.setdefault(text_of(callee(call)), []).append(call)
        self._pending = [node for name, position in sinks.items() for node in self._arguments(name, position)]
        self._visited: set[int] = set()

    def __iter__(self) -> Iterator[Node]:
        while self._pending:
            node = strip_parentheses(self._pending.pop())
            cast = cast_value(node)
            if _is_null(node):
                continue
            if cast is not None:
                self._pending.append(cast)
            elif node.type in _LISTS:
                self._pending += entries_of(node)
            elif node.type == "conditional_expression":
                branches = map(node.child_by_field_name, ("consequence", "alternative"))
                self._pending += [branch for branch in branches if branch is not None]
            elif (inner := _within(node)) is not None:
                self._pending.append(inner)
            elif node.type == "identifier" or node.type == "qualified_identifier":
                yield from self._named(node)
            else:
                yield node

    def _arguments(self, name: bytes, position: int) -> list[Node]:
        argument_lists = [arguments_of(call) for call in self._calls.get(name, ())]
        return [arguments[position] for arguments in argument_lists if position < len(arguments)]

    def _named(self, node: Node) -> Iterator[Node]:
        leaf = name_in(node)
        declarations = self._names.resolve(leaf) if leaf is not None else ()
        if not declarations:
            yield node
        for declaration in declarations:
            if declaration.place in self._visited:
                continue
            self._visited.add(declaration.place)
            values = self._of_parameter(declaration) if declaration.kind == "parameter" else []
            values += self._values(declaration)
            if not any(value is not None and not _is_empty(value) for value in values):
                yield node  # it is filled in a way that is not followed
            for value in values:
                if value is None:
                    yield node
                else:
                    self._pending.append(value)

    def _of_parameter(self, declaration: Declaration) -> list[Node | None]:
        """The arguments of calls for a parameter."""
        entries = declaration.owner.parent
        function = entries.parent if entries is not None else None
        if entries is None or function is None or function.type != "function_declarator":
            return []
        position = next(at for at, entry in enumerate(entries_of(entries)) if is_same(entry, declaration.owner))
        name = name_in(function.child_by_field_name("declarator"))
        return [*self._arguments(text_of(name), position)] if name is not None else []

    def _values(self, declaration: Declaration) -> list[Node | None]:
        """The initializer of a declaration, and what is assigned to it; None for what changes the text."""
        values: list[Node | None] = [declaration.value] if declaration.value is not None else []
        if declaration.owner.type == "for_range_loop":
            values.append(declaration.owner.child_by_field_name("right"))
        for leaf in self._names.uses(declaration):
            assignment = leaf.parent
            if assignment is None or assignment.type != "assignment_expression":
                continue
            if is_same(assignment.child_by_field_name("left"), leaf):
                is_plain = operator_of(assignment) == "="
                values.append(assignment.child_by_field_name("right") if is_plain else None)
        return values


def _within(node: Node) -> Node | None:
    """The array of an element, and the string whose text is read."""
    if node.type == "subscript_expression":
        return node.child_by_field_name("argument")
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is not None and function.type == "field_expression" and text_of(callee(node)) in _VIEWS:
        return function.child_by_field_name("argument")
    return None


def _is_empty(value: Node) -> bool:
    """`{}`, `{0}`, a null pointer."""
    entries = entries_of(value) if value.type in _LISTS else [value]
    return all(map(_is_null, entries))


def _is_null(value: Node) -> bool:
    return value.type in _NULLS or text_of(value) in (b"0", b"NULL")


_LOADERS = {b"dlopen": 0, b"dlmopen": 1}
"""The functions that open a library by its name, each with the position of that argument."""

_FILE = re.compile(rb"(lib\w+)\.so(?:\.\d+)*")
_STRINGS = "(initializer_list (string_literal) @string)"
_IN_TABLE = _STRINGS + "(init_declarator value: (string_literal) @string)"
_ROUNDS = 4
"""Functions around a look-up, each calling the next; real code has one."""


class TextName(NamedTuple):
    """A name in a string literal: `[start, end)` is between its quotes."""

    start: int
    end: int
    row: Row


class FileName(NamedTuple):
    """The file name of a library, which `hip` replaces: `[start, end)` is between its quotes."""

    start: int
    end: int
    hip: str


class DlsymNames:
    """The names that one source looks up.

    Attributes:
        texts: those in string literals.
        uses: those that a macro makes a string of.
        own: those that a macro makes a string of and that are names of the source's own pointers, too.
        files: by library, the file names under which it is opened, where what is looked up in it is renamed.
        opened: the libraries for which every file that is opened is renamed, as far as this source shows.
        missing: by library, the first name looked up in it that is not simply renamed in HIP; then all names of that
            library stay unchanged.
        unchanged: the offsets of the uses that stay unchanged.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.texts: list[TextName] = []
        self.uses: list[Use] = []
        self.own: list[Use] = []
        if has_name_lookups(unit):
            functions, strings = self._reaching(LOOKUP_FUNCTIONS, _STRINGS)
            self.texts = sorted({text for string in strings if (text := self._text(string)) is not None}, key=_start)
            passed = unit.analysis(MacroArguments)
            self.uses = self._looked_up(passed.arguments, functions)
            self.own = self._looked_up(passed.own, functions)
        self.missing: dict[str, str] = {}
        for use in self.own:  # its pointers keep their names, and so do the strings that are made of them
            if not _is_renamed(use.row):
                self.missing.setdefault(library_of(use.row), use.row.name)
        rows = (*(text.row for text in self.texts), *(use.row for use in self.uses))
        for row in rows:
            if not _is_renamed(row):
                self.missing.setdefault(library_of(row), row.name)
        self.unchanged = frozenset(
            use.start for use in self.uses if library_of(use.row) in self.missing and _is_renamed(use.row)
        )
        self.files = self._files({library_of(row) for row in rows} - self.missing.keys())
        self.opened = frozenset(self._opened()) if self.files else frozenset()

    def _looked_up(self, arguments: Iterable[MacroArgument], functions: set[bytes]) -> list[Use]:
        """The arguments that some macro makes a string of and looks up with one of some functions."""
        unit, data = self._unit, self._unit.source.data
        return [
            one.use
            for one in arguments
            if any(
                is_stringized(unit, macro, parameter)
                and any(name in data[macro.start : macro.end] for name in functions)
                for macro, parameter in passed_on(unit, one.macro, one.parameter)
            )
        ]

    def _reaching(self, ends: frozenset[bytes], tables: str) -> tuple[set[bytes], list[Node]]:
        """The functions that pass a string on to one of some others, and the strings that may get there.

        Args:
            ends: those functions.
            tables: the query for strings in tables and variables. They count where some call gets an element of a
                table or a member; file names always count, since they mean nothing else.
        """
        names, found = names_of(self._unit), set(ends)
        calls = self._unit.tree.nodes("call_expression")
        is_table = tables == _IN_TABLE
        for _ in range(_ROUNDS):
            before = len(found)
            for call in calls:
                if text_of(callee(call)) not in found:
                    continue
                for argument in arguments_of(call):
                    leaf = name_in(strip_parentheses(argument))
                    declarations = names.resolve(leaf) if leaf is not None else ()
                    function = functions_of(self._unit).at(call.start_byte)
                    if (
                        any(one.kind == "parameter" and b"char" in text_of(one.type) for one in declarations)
                        and function
                    ):
                        found.add(function.name)
                    is_table |= argument.type in ("field_expression", "subscript_expression")
            if len(found) == before:
                break
        strings = [argument for call in calls if text_of(callee(call)) in found for argument in arguments_of(call)]
        return found, strings + (self._unit.tree.captures(tables).get("string", []) if is_table else [])

    def _files(self, libraries: set[str]) -> dict[str, list[FileName]]:
        """The names of files that libraries are opened by."""
        data = self._unit.source.data
        if not libraries or not any(name in data for name in _LOADERS):
            return {}
        found: dict[str, list[FileName]] = {}
        for string in self._reaching(frozenset(_LOADERS), _IN_TABLE)[1] + self._loaded:
            content = _content(string)
            library, hip = self._library(text_of(content))
            if content is not None and library in libraries and ancestor(string, "preproc_def") is None:
                found.setdefault(library, []).append(FileName(content.start_byte, content.end_byte, f"{hip}.so"))
        return {library: sorted(set(files)) for library, files in found.items()}

    def _library(self, name: bytes) -> tuple[str, str]:
        """The library whose file has a name, and the file's name in HIP, without its end; empty for other files."""
        file = _FILE.fullmatch(name)
        library, hip = self._unit.catalog.loaded.get(file[1].decode(), ("", "")) if file is not None else ("", "")
        return _lookup_library(library), hip

    @cached_property
    def _loaded(self) -> list[Node]:
        """The names that loaders get, and what is not known to be one."""
        return string_sources(self._unit, _LOADERS)

    def _opened(self) -> Iterator[str]:
        lexemes = self._unit.lexemes
        if any(lexemes.define_around(place) for name in _LOADERS for place in lexemes.places(name)):
            return  # the argument of such a macro is unknown
        contents = list(map(_content, self._loaded))
        for library, files in self.files.items():
            renamed = {file.start for file in files}
            found = [content is not None and content.start_byte in renamed for content in contents]
            if any(found) and all(map(or_, found, (self._is_of_another(node, library) for node in contents))):
                yield library

    def _is_of_another(self, content: Node | None, library: str) -> bool:
        """Whether a literal names the file of some other library, in any folder."""
        name = text_of(content).rpartition(b"/")[2]
        return _FILE.fullmatch(name) is not None and self._library(name)[0] != library

    def _text(self, string: Node) -> TextName | None:
        """The name in a string literal, if it is a function of the tables."""
        content = _content(string)
        row = self._unit.catalog.row(text_of(content)) if content is not None else None
        if content is None or row is None or row.kind != "function" or row.is_native or ancestor(string, "preproc_def"):
            return None
        return TextName(content.start_byte, content.end_byte, row)


def _content(string: Node) -> Node | None:
    """The content of a plain string literal."""
    return string.named_children[0] if string.type == "string_literal" and string.named_child_count == 1 else None


def library_of(row: Row) -> str:
    """The library that a function is looked up in."""
    return _lookup_library(row.library)


def _lookup_library(library: str) -> str:
    """HIP has one library for the runtime and the driver."""
    return "runtime" if library == "driver" else library


def _start(text: TextName) -> int:
    return text.start


def _is_renamed(row: Row) -> bool:
    """Whether HIP has the function under another name, and nothing else differs."""
    is_plain = not (row.edits_arguments or row.section or row.differs)
    return row.hip is not None and row.hip.isidentifier() and is_plain
