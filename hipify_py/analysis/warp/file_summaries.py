"""What the other files of a project need of one file's warps, as plain data that `marshal` can write."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from hipify_py.analysis.warp.amd_branches import implied_macros, own_build_includes
from hipify_py.analysis.warp.author_choices import author_choices
from hipify_py.analysis.warp.census import warp_operations
from hipify_py.analysis.warp.decisions import KEPT, REPORTED, warp_decisions
from hipify_py.analysis.warp.native_proof import SIZE
from hipify_py.analysis.warp.warp_calls import BUILT_IN
from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macros import macros_of

_CLASSES = ("class_specifier", "struct_specifier")


class WarpReader:
    """Reads sources for the warp operations in them only."""

    def __init__(self, options: Options) -> None:
        catalog = self._catalog = load_catalog(options.targeting)
        self._options = options
        self._rows = {
            name: row
            for name in catalog.names
            if (name == SIZE or BUILT_IN.fullmatch(name.decode())) and (row := catalog.row(name)) is not None
        }
        self._lexer = Lexer(self._rows.keys())

    def __reduce__(self) -> tuple[Any, ...]:
        """A worker that is not a copy of this process loads the tables itself."""
        return WarpReader, (self._options,)

    def unit(self, data: bytes, path: str, project: ProjectContext, known: Unit | None = None) -> Unit:
        """A source with its warp operations only; `known` is an earlier unit of the same content."""
        lexemes = self._lexer.scan(data) if known is None else known.lexemes
        unit = Unit(Source(data, path), lexemes, self._catalog, self._options, project)
        if known is not None:
            unit.tree = known.tree
        unit.uses = [Use(name.start, name.end, self._rows[name.text]) for name in lexemes.names]
        return unit


def author_choices_in(unit: Unit) -> tuple[frozenset[bytes], frozenset[bytes], frozenset[bytes], bool]:
    """The names that are the author's own on AMD GPUs, and the functions that the author's own code calls.

    Then the warp sizes that branches of this file choose, and whether they choose sizes or types of masks at all.
    """
    choices = author_choices(unit)
    return choices.names, choices.called, choices.sizes, bool(choices.sizes or choices.masks)


def warp_functions_in(unit: Unit) -> frozenset[bytes]:
    """The functions and macros with warp operations of their own."""
    found = set()
    for use in unit.uses:
        macro = macros_of(unit).around(use.start)
        function = None if macro is not None else functions_of(unit).at(use.start)
        if macro is not None or function is not None:
            found.add(macro.name if macro is not None else function.name if function is not None else b"")
    return frozenset(found)


def size_readers_in(unit: Unit) -> frozenset[bytes]:
    """The functions that read the size of the device's warps on the host."""
    places = [operation.offset for operation in warp_operations(unit) if operation.is_on_host]
    found = map(functions_of(unit).at, places)
    return frozenset(function.name for function in found if function is not None)


def own_builds_in(unit: Unit) -> tuple[frozenset[tuple[str, bool]], frozenset[bytes]]:
    """What a file includes only in the project's own build for AMD GPUs, and the macros that it defines in any build.

    Each include has its path, and whether it is quoted.
    """
    includes = frozenset((include.path, include.quoted) for include in own_build_includes(unit))
    return includes, implied_macros(unit)


def functions_in(unit: Unit) -> frozenset[bytes]:
    """The names of the file's functions."""
    return frozenset(function.name for function in functions_of(unit))


def methods_in(unit: Unit, words: AbstractSet[bytes]) -> frozenset[bytes]:
    """Those of some words that are functions of the file's classes only."""
    found = {word: functions_of(unit).named(word) for word in words}
    return frozenset(
        word
        for word, functions in found.items()
        if functions and all(ancestor(one.node, *_CLASSES) is not None for one in functions)
    )


def is_kept_in(unit: Unit) -> bool:
    """Whether a warp operation of the file is kept at 32 lanes, or would be if that had been requested."""
    decisions = warp_decisions(unit)
    return any(decisions.at(use.start) in (KEPT, REPORTED) for use in unit.uses)
