"""The project's own macros with names of the tables, and the places where such a name means the macro."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.ranges import Range
from hipify_py.frontend.brackets import match_forward, pieces, template_end
from hipify_py.frontend.conditions import Branch, condition, sections
from hipify_py.frontend.lexer import Define, Lexemes, Name
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.macro_arguments import enclosing_call

_CAST = lazy_pattern(rb"\A(?:\([\w:*&]+\))?(?:\((\w+)\)|(\w+))\Z")
_BRIDGES = (b"hip", b"roc", b"miopen", b"rccl")
_RESERVED = lazy_pattern(rb"(?:__|_[A-Z])(?!\w*_[Hh]_*\Z)")
"""Names of the compiler and its headers. Who defines `__CUDACC__` imitates them, for an editor or another compiler.

A guard is no such name: who defines `__VECTOR_TYPES_H__` has a header of that name.
"""
_VERSION = lazy_pattern(rb"VER(?:SION)?(?:_|\Z)|_(?:MAJOR|MINOR|PATCHLEVEL|PATCH_NUMBER)\Z")
"""Numbers of the toolkit: `#ifndef CUDA_VERSION` defines one only where the toolkit does not."""
_MORE_THAN_A_NAME = ("args", "insert", "order", "by_arity", "by_type", "recall", "by_library", "support", "device")
_OTHER_FORMS = ("warp32", "experimental", "section", "legacy")


class _Definition(NamedTuple):
    """One definition of such a macro.

    Attributes:
        reach: the code that it may be seen in: the source, or a branch that AMD GPUs leave out.
        start: the offset from which on it holds; 0 for a definition of a header.
        end: the offset up to which it holds: that of an `#undef`, or the end of the source.
        body: the range in which its name is not expanded.
        is_function_like: whether it has a list of parameters.
    """

    reach: Range
    start: int
    end: int
    body: Range
    is_function_like: bool


class OwnMacros:
    """The macros of the tables' names that a unit, or a header that it includes, defines itself.

    A definition that only some builds have is renamed together with all uses, which mean CUDA's symbol in the other
    builds. Every other one keeps its name, and so do the places that mean it.

    Attributes:
        places: the name and offset of each definition in the source, renamed ones included.
        uses: the definitions and `#undef` lines that are renamed.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._lexemes = unit.lexemes
        self._branches: list[Branch] | None = None
        self._definitions: dict[bytes, list[_Definition]] = {}
        self.places: list[tuple[int, bytes]] = []
        self.uses: list[Use] = []
        found: dict[bytes, list[Define]] = {}
        for define in unit.lexemes.defines:
            row = unit.catalog.row(define.text)
            if row is not None and may_be_own(unit, row) and not _is_bridge(unit, define, row):
                found.setdefault(define.text, []).append(define)
                self.places.append((define.start, define.text))
        for undef in unit.lexemes.undefs:
            if undef.text in unit.project.renamed_macros:
                found.setdefault(undef.text, [])
        for name, defines in found.items():
            row = unit.catalog.row(name)
            if row is not None and self._are_renamed(row, defines):
                undefs = [undef for undef in unit.lexemes.undefs if undef.text == name]
                self.uses += [Use(define.start, define.end, row) for define in (*defines, *undefs)]
            else:
                self._definitions[name] = [self._definition(define) for define in defines]
        everywhere = Range(0, len(unit.source.data))
        for macro in unit.project.macros:
            row = unit.catalog.row(macro.name) if macro.name in unit.lexemes.words else None
            if row is not None and not self._are_renamed(row, []):
                end = self._end(macro.name, 0)
                seen = _Definition(everywhere, 0, end, Range(0, 0), macro.is_function_like)
                self._definitions.setdefault(macro.name, []).append(seen)

    def __bool__(self) -> bool:
        return bool(self._definitions or self.uses)

    def is_meant(self, name: Name) -> bool:
        """Whether a name means such a macro where it stands."""
        definitions = self._definitions.get(name.text)
        return definitions is not None and any(self._is_meant(name, definition) for definition in definitions)

    def _is_meant(self, name: Name, definition: _Definition) -> bool:
        lexemes, place = self._lexemes, name.start
        if not definition.reach.start <= place < definition.reach.end:
            return False
        if lexemes.in_defined(place):
            return True
        if definition.body.start <= place < definition.body.end:
            return False
        around = lexemes.define_around(place)  # a macro's body is expanded where the macro is used
        if around is None and not definition.start <= place < definition.end:
            return False
        return not definition.is_function_like or self._is_called(name, around)

    def _is_called(self, name: Name, around: Define | None) -> bool:
        """Whether a function-like macro is expanded: by its parentheses, or those that another macro may add."""
        lexemes = self._lexemes
        following = lexemes.after(name.end)
        if lexemes.data[following : following + 1] == b"(":
            return True
        if around is not None and following >= lexemes.body_end(around):
            return True
        call = enclosing_call(lexemes, name.start, name.end)
        return call is not None and any(
            lexemes.parameter_list(define) is not None for define in lexemes.definitions(call[0])
        )

    def _are_renamed(self, row: Row, defines: list[Define]) -> bool:
        """Whether a macro is renamed: HIP's name must be all that a use of CUDA's symbol needs."""
        unit = self._unit
        if row.hip is None or row.is_native or not row.hip.isidentifier():
            return False
        if any(key in row.details for key in (*_MORE_THAN_A_NAME, *_OTHER_FORMS)):
            return False
        if row.name.encode() in unit.project.renamed_macros:
            return True
        if (
            row.hip.encode() in self._lexemes.words
        ):  # HIP's name, where the source uses it, would mean the macro as well
            return False
        in_all = [define for define in defines if not self._is_inactive(define)]
        return bool(in_all) and all(define.start in unit.conditional for define in in_all)

    def _is_inactive(self, define: Define) -> bool:
        return self._unit.inactive is not None and define.start in self._unit.inactive

    def _definition(self, define: Define) -> _Definition:
        lexemes = self._lexemes
        reach = Range(0, len(lexemes.data))
        if self._is_inactive(define):
            around = [branch for branch in self._conditional_branches() if branch.body <= define.start < branch.end]
            inner = max(around, key=lambda branch: branch.body)
            reach = Range(inner.body, inner.end)
        body = Range(define.start, lexemes.body_end(define))
        is_function_like = lexemes.parameter_list(define) is not None
        return _Definition(reach, define.end, self._end(define.text, define.start), body, is_function_like)

    def _end(self, name: bytes, start: int) -> int:
        """The offset of the first `#undef` that certainly ends a definition; else that of the source's end."""
        for undef in self._lexemes.undefs:
            if undef.text == name and undef.start > start and self._ends(undef, start):
                return undef.start
        return len(self._lexemes.data)

    def _ends(self, undef: Define, start: int) -> bool:
        """Whether the definition at an offset reaches every branch around an `#undef`, apart from tests of the name."""
        for branch in self._conditional_branches():
            if branch.body <= undef.start < branch.end and not branch.body <= start < branch.end:
                words = condition(self._lexemes.data, branch).replace(b"(", b" ").replace(b")", b" ").split()
                if words != [b"defined", undef.text]:
                    return False
        return True

    def _conditional_branches(self) -> list[Branch]:
        if self._branches is None:
            self._branches = [branch for section in sections(self._lexemes) for branch in section]
        return self._branches


def own_macros(unit: Unit) -> OwnMacros:
    """The own macros of a unit, found once."""
    return unit.analysis(OwnMacros)


def may_be_own(unit: Unit, row: Row) -> bool:
    """Whether a definition of a name of the tables may be the project's own macro.

    Names of macros that the compiler defines, that headers read and that number the toolkit's version are not: their
    definitions imitate or set CUDA's own.
    """
    if row.kind != "macro":
        return row.kind != "header"
    name = row.name.encode()
    is_of_toolkit = _RESERVED.match(name) is not None or _VERSION.search(name) is not None
    return not is_of_toolkit and not row.is_native and name not in unit.catalog.switches


def _is_bridge(unit: Unit, define: Define, row: Row) -> bool:
    """Whether a macro means the API: `#define cudaFree hipFree` does, `#define cudaFree(p) hipSuccess` does not.

    Nor does a macro that expands to another function (`#define cudaMallocHost hipMallocManaged`), or that gives it
    arguments other than its own. A name of CUDA's counts as what it becomes, so that the output is read alike.
    """
    lexemes = unit.lexemes
    end, body = lexemes.body_end(define), define.end
    parameters = lexemes.parameters(define)
    has_parameters = lexemes.data[body : body + 1] == b"("
    if has_parameters:
        found = match_forward(lexemes, body, end)
        body = found[0] + 1 if found is not None else end
    first = next(tokens(lexemes, body, end), None)
    if first is None or row.hip is None or _hip_name(unit, first.text) != row.hip:
        return False
    return not has_parameters or _forwards_to_target(lexemes, first.end, end, parameters)


def _hip_name(unit: Unit, name: bytes) -> str | None:
    """HIP's name for a name: its own, or that of the tables; None for any other."""
    if name.startswith((*_BRIDGES, b"HIP")):
        return name.decode(errors="replace")
    row = unit.catalog.row(name)
    return row.hip if row is not None else None


def _forwards_to_target(lexemes: Lexemes, place: int, end: int, parameters: tuple[bytes, ...]) -> bool:
    """Whether a macro calls its target with its parameters in their order, perhaps cast, and perhaps with more."""
    opening = lexemes.after(place)
    if lexemes.data[opening : opening + 1] == b"<":
        opening = lexemes.after(template_end(lexemes, opening, end) or opening)
    found = match_forward(lexemes, opening, end) if lexemes.data[opening : opening + 1] == b"(" else None
    if found is None:
        return False
    arguments = [_without_cast(lexemes, *piece) for piece in pieces(opening, *found)]
    wanted = [name.removesuffix(b"...").strip() or b"__VA_ARGS__" for name in parameters if name]
    return arguments[: len(wanted)] == wanted


def _without_cast(lexemes: Lexemes, start: int, end: int) -> bytes:
    """`x` for `(x)`, `(T *)x` and `(T *)(x)`; other expressions as they are."""
    text = b"".join(token.text for token in tokens(lexemes, start, end))
    return _CAST.sub(rb"\1\2", text)
