"""Names of the tables that a source looks up while it runs: `dlsym(library, "cudaMalloc")`, tables of such names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.catalog import Row
from hipify_py.frontend.syntax import ancestor
from hipify_py.records import NamedTuple
from hipify_py.semantics.expressions import arguments_of, bare, callee, name_in, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macro_arguments import MacroArguments, makes_text
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit, Use

if TYPE_CHECKING:
    from tree_sitter import Node

LOOK_UPS = frozenset({b"dlsym", b"dlvsym", b"GetProcAddress", b"cuGetProcAddress", b"cudaGetDriverEntryPoint"})
"""The functions that find another one by its name."""

_STRINGS = "(initializer_list (string_literal) @string)"
_ROUNDS = 4
"""Functions around a look-up, each calling the next; real code has one."""


class TextName(NamedTuple):
    """A name in a string literal: `[start, end)` lies between its quotes."""

    start: int
    end: int
    row: Row


class LookedUpNames:
    """The names that one source looks up.

    Attributes:
        texts: those in string literals.
        uses: those that a macro makes a text of.
        missing: by the library that is asked, the first name that is not simply renamed in HIP; then all of that
            library's stay as they are.
        staying: the places of the uses that do.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.texts: list[TextName] = []
        self.uses: list[Use] = []
        data = unit.source.data
        if any(name in data for name in LOOK_UPS):
            functions = self._functions()
            given = unit.analysis(MacroArguments).given
            self.uses = [
                one.use
                for one in given
                if makes_text(unit, one.macro, one.parameter)
                and any(name in data[one.macro.start : one.macro.end] for name in functions)
            ]
        self.missing: dict[str, str] = {}
        for row in (*(text.row for text in self.texts), *(use.row for use in self.uses)):
            if not _is_renamed(row):
                self.missing.setdefault(library_of(row), row.name)
        self.staying = frozenset(
            use.start for use in self.uses if library_of(use.row) in self.missing and _is_renamed(use.row)
        )

    def _functions(self) -> set[bytes]:
        """The functions that look a name up; on the way, the texts that they are given."""
        names, found = names_of(self._unit), set(LOOK_UPS)
        calls = self._unit.tree.nodes("call_expression")
        is_table = False
        for _ in range(_ROUNDS):
            known = len(found)
            for call in calls:
                if text_of(callee(call)) not in found:
                    continue
                for argument in arguments_of(call):
                    leaf = name_in(bare(argument))
                    meant = names.meant_by(leaf) if leaf is not None else ()
                    function = functions_of(self._unit).at(call.start_byte)
                    if any(one.kind == "parameter" and b"char" in text_of(one.type) for one in meant) and function:
                        found.add(function.name)
                    is_table |= argument.type in ("field_expression", "subscript_expression")
            if len(found) == known:
                break
        strings = [argument for call in calls if text_of(callee(call)) in found for argument in arguments_of(call)] + (
            self._unit.tree.captures(_STRINGS).get("string", []) if is_table else []
        )
        self.texts = sorted({text for string in strings if (text := self._text(string)) is not None}, key=_start)
        return found

    def _text(self, string: Node) -> TextName | None:
        """The name that a string literal holds, if it is a function of the tables."""
        content = (
            string.named_children[0] if string.type == "string_literal" and string.named_child_count == 1 else None
        )
        row = self._unit.catalog.row(text_of(content)) if content is not None else None
        if content is None or row is None or row.kind != "function" or row.is_native or ancestor(string, "preproc_def"):
            return None
        return TextName(content.start_byte, content.end_byte, row)


def library_of(row: Row) -> str:
    """The library that has a function: HIP has one for the runtime and the driver."""
    return "runtime" if row.library == "driver" else row.library


def _start(text: TextName) -> int:
    return text.start


def _is_renamed(row: Row) -> bool:
    """HIP has the function under another name, and nothing else differs."""
    is_plain = not (row.edits_arguments or row.section or row.differs)
    return row.hip is not None and row.hip.isidentifier() and is_plain
