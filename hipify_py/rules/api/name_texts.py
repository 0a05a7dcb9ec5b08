"""Finds tables with an API function and its name as a string."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from hipify_py.core.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import entries_of, text_of
from hipify_py.semantics.macro_arguments import MacroArguments, is_stringized
from hipify_py.semantics.name_lookups import has_name_lookups

if TYPE_CHECKING:
    from tree_sitter import Node


class NameTexts(Rule):
    """A table of functions by their names (`{"cudaFree", cudaFree}`) keeps its strings, as all string literals stay.

    A macro that stringizes the function's name produces HIP's. In either case whoever passes in a name must use the
    same
    one.
    """

    id = "HIP140"
    triggers = facts(Fact.USED_FUNCTIONS)
    VALID = (
        Example('Entry table[] = {{"free", hipFree}};'),
        Example("#define CHECK(x) check(x, #x)\nvoid f() { CHECK(hipFree(0)); }"),
    )
    INVALID = (
        Example('Entry table[] = {{"cudaFree", cudaFree}};', 'Entry table[] = {{"cudaFree", hipFree}};', ("HIP140",)),
        Example(
            "#define ENTRY(f) {#f, f}\nEntry table[] = {ENTRY(cudaFree)};",
            "#define ENTRY(f) {#f, f}\nEntry table[] = {ENTRY(hipFree)};",
            ("HIP140",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        texts, looked_up = _looked_up_places(unit)
        for use, macro, parameter in unit.analysis(MacroArguments).arguments:
            if use.start not in looked_up and _is_renamed(unit, use) and is_stringized(unit, macro, parameter):
                yield _finding(unit, use, f"becomes {effective_row(unit, use).hip} through a macro that makes it")
                break
        is_quoted = cache(lambda name: _quoted(name) in unit.source.data)
        for use in unit.uses:
            if use.row.kind != "function" or not is_quoted(use.row.name):
                continue
            if _is_renamed(unit, use) and _has_string_beside(unit, use, texts):
                yield _finding(unit, use, "stays as it is next to the function, which is renamed")
                break


def _looked_up_places(unit: Unit) -> tuple[set[int], set[int]]:
    """The offsets of the strings and of the uses that are looked up."""
    if not has_name_lookups(unit):
        return set(), set()
    from hipify_py.semantics.dlsym_names import DlsymNames

    names = unit.analysis(DlsymNames)
    return {text.start for text in names.texts}, {use.start for use in names.uses}


def _is_renamed(unit: Unit, use: Use) -> bool:
    return effective_row(unit, use).hip not in (None, use.row.name)


def _quoted(name: str) -> bytes:
    return b'"' + name.encode() + b'"'


def _has_string_beside(unit: Unit, use: Use, renamed: set[int]) -> bool:
    """Whether a string of the same name is in the same entry of a list, and is not renamed."""
    entry = ancestor(unit.tree.leaf(use.start, use.end), "initializer_list")
    texts: list[Node] = [] if entry is None else [one for one in entries_of(entry) if one.type == "string_literal"]
    quoted = _quoted(use.row.name)
    return any(text_of(text) == quoted and text.start_byte + 1 not in renamed for text in texts)


def _finding(unit: Unit, use: Use, detail: str) -> Finding:
    return unit.finding("HIP140", use.start, name=use.row.name, library=use.row.library, detail=detail)
