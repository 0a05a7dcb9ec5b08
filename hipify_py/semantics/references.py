"""Classifies the names that the lexical pass found: references, the user's own, and unknown symbols."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.catalog import Catalog, Row
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.brackets import template_end
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.unit import Unit, Use
from hipify_py.frontend.words import WORD_BYTES
from hipify_py.semantics.declared_names import KEYWORDS
from hipify_py.semantics.macro_arguments import only_named
from hipify_py.semantics.own_macros import own_macros
from hipify_py.semantics.own_namespaces import extended_namespaces, has_library, included_libraries
from hipify_py.semantics.redefinitions import declares_missing, is_without_counterpart
from hipify_py.semantics.shadowing import find_shadows

# Names that look like CUDA's but are in no table.

_BUILT_IN_TYPE = lazy_pattern(rb"void|bool|char|short|int|long|unsigned|float|double|u?int\d+_t|size_t")
_MACRO_LIKE = lazy_pattern(rb"[A-Z0-9_]+")


def sort_unknown_symbols(unit: Unit, unknown_symbols: list[Name], declared: set[str]) -> None:
    """Names in no table: the user's own where the source declares them, else unmapped_candidates."""
    lexemes = unit.lexemes
    own = {define.text for define in lexemes.defines} | extended_namespaces(unit)
    by_text: dict[bytes, list[Name]] = {}
    for name in unknown_symbols:
        by_text.setdefault(name.text, []).append(name)
    for text, names in by_text.items():
        if _is_check_macro(text):
            continue
        library = unit.catalog.candidate_library(text.decode())
        family = unit.catalog.family(text.decode())
        if family is None and library is None:
            continue
        names = [name for name in names if not _is_tested_or_pasted(lexemes, name)]
        # A library's own macro (`CUTE_HOST_DEVICE`) parses as a type, and the name after it as its variable.
        is_macro = library is None and text.isupper()
        if text in own or any(_is_own(unit, name, is_macro=is_macro) for name in names):
            declared.add(text.decode())
            continue
        owner = library or (family.library if family else "")
        if library is not None or owner not in included_libraries(unit):
            from hipify_py.semantics.type_queries import is_of_project

            names = [name for name in names if not is_of_project(unit, name)]
        unit.unmapped_candidates.extend((name.start, text.decode(), owner) for name in names)
    declared.update(known for name in own if _is_candidate(unit, known := name.decode(errors="replace")))


def _is_candidate(unit: Unit, text: str) -> bool:
    """Whether a name would be reported as CUDA's."""
    return unit.catalog.candidate_library(text) is not None or (
        unit.catalog.family(text) is not None and unit.catalog.row(text.encode()) is None
    )


def _is_own(unit: Unit, name: Name, *, is_macro: bool) -> bool:
    """Whether it is a declaration of the source, or a macro's parameter.

    After a built-in type, `name(` declares a function even where the tree is broken (`class EXPORT C : B {`).
    """
    from hipify_py.semantics.scopes import declares_name, is_enumerator

    lexemes = unit.lexemes
    if is_macro:
        return is_enumerator(unit, name)
    if declares_name(unit, name):
        return True
    if _follows_built_in_type(lexemes, name.start):
        following = lexemes.after(name.end)
        return lexemes.data[following : following + 1] == b"("
    define = lexemes.define_around(name.start)
    return define is not None and name.text in lexemes.parameters(define)


def _follows_built_in_type(lexemes: Lexemes, start: int) -> bool:
    place = lexemes.before(start)
    while place >= 0 and lexemes.data[place] in b"*&":
        place = lexemes.before(place)
    return _BUILT_IN_TYPE.fullmatch(lexemes.word_before(place + 1)) is not None


def _is_tested_or_pasted(lexemes: Lexemes, name: Name) -> bool:
    """Whether it is in the condition of an `#if`, where a name of no header is a build option, or before `##`."""
    following = lexemes.after(name.end)
    return lexemes.data[following : following + 2] == b"##" or lexemes.in_condition(name.start)


def _is_check_macro(name: bytes) -> bool:
    """Whether it is `CUBLAS_CHECK`, `NCCLCHECK` or the like: error checks that projects define, never libraries."""
    return _MACRO_LIKE.fullmatch(name) is not None and any(
        part in name
        for part in (b"CHECK", b"_CALL", b"_SAFE", b"_TRY", b"_ASSERT", b"_VERIFY", b"_RET", b"_THROW", b"_GUARD")
    )


_NO_LEAD = frozenset(b"(,;{}<&*!=[+-|^%~?")
"""What directly precedes most names, and is not part of a longer name."""
_AFTER_WORD = frozenset(WORD_BYTES + b"(,;{}<&*!=[+-|^%~?)]")
"""What precedes a blank before a name where neither `.`, `->`, `::` nor a comment ends."""


def resolve(unit: Unit) -> frozenset[str]:
    """Fill in the unit's `uses` and `unmapped_candidates`; return the CUDA-looking names that it declares itself."""
    shadows, macros = find_shadows(unit), own_macros(unit)
    unit.shadowed_names = [place for place, _ in (*macros.places, *shadows.declared)]
    declared: set[str] = set()
    missing: set[bytes] = set()
    unknown_symbols: list[Name] = []
    qualified: list[Name] = []
    data, lexemes, catalog = unit.source.data, unit.lexemes, unit.catalog
    nested, redefined = catalog.nested, shadows.redefined
    uses, done, has_macros = unit.uses, 0, bool(macros)
    uses.extend(macros.uses)
    for name in lexemes.names:
        start, end, text = name
        if start < done or (has_macros and macros.is_meant(name)):
            continue
        lead = _lead(lexemes, data, start)
        if lead == b"." or (lead == b"->" and not _may_be_return_type(catalog, text)):
            continue
        if text in nested:
            from hipify_py.semantics.qualified import qualified_use

            use = qualified_use(unit, name, lead)
            if use is not None:
                uses.append(use)
                done = use.end
            continue
        if lead == b"::" and not _is_of_api_scope(unit, name):
            if catalog.row(text) is not None:
                qualified.append(name)
            continue
        row = catalog.row(text)
        if row is None:
            unknown_symbols.append(name)
        elif is_without_counterpart(unit, row) and (start in redefined or declares_missing(unit, name)):
            unit.shadowed_names.append(start)
            if unit.inactive is None or start not in unit.inactive:
                missing.add(text)
        elif start in redefined:
            unit.redefinitions.append(Use(start, end, row))
        elif not row.is_standard and row.kind != "namespace" and not _is_own_template(lexemes, name, row):
            is_use = lead == b"::" or not shadows.contains(name)
            if lead != b"::" and shadows.are_ambiguous(name, row):
                from hipify_py.semantics.type_queries import is_of_api

                is_use = is_of_api(unit, name, otherwise=is_use)
            if is_use and not (row.is_unsupported and text in catalog.switches and not lexemes.in_condition(start)):
                uses.append(Use(start, end, row))
    if not catalog.switches.keys().isdisjoint(lexemes.words):
        from hipify_py.semantics.switches import switch_uses

        uses.extend(switch_uses(unit))
    if qualified:
        uses.extend(_reexported(unit, qualified))
    has_namespaces = b"namespace" in data
    if has_namespaces or unit.project.namespace_names:
        from hipify_py.semantics.qualified import alias_uses

        uses.extend(alias_uses(unit))
    if has_namespaces:
        from hipify_py.semantics.own_namespaces import own_namespaces

        declared.update(namespace.decode() + "::" for namespace in own_namespaces(unit))
    if unknown_symbols or lexemes.defines or has_namespaces:
        sort_unknown_symbols(unit, unknown_symbols, declared)
    if missing:
        declared.update(name.decode() for name in missing)
        own = {row.name for name in missing if (row := catalog.row(name)) and not has_library(unit, row.library)}
        unit.uses = uses = [use for use in uses if use.row.name not in own]
    if lexemes.defines and uses and (named := only_named(unit)):
        unit.uses = [use for use in uses if use.start not in named]
    unit.uses.sort(key=lambda use: use.start)
    return frozenset(declared)


def _reexported(unit: Unit, names: list[Name]) -> Iterator[Use]:
    """The uses among names of other scopes: those that a scope of the project re-exports from the API."""
    from hipify_py.semantics.reexports import is_reexported

    for name in names:
        row = unit.catalog.row(name.text)
        if row is not None and not row.is_standard and row.kind != "namespace":
            scope = _scope_before(unit.lexemes, name.start)
            if scope and is_reexported(unit, scope, name.text):
                yield Use(name.start, name.end, row)


def _scope_before(lexemes: Lexemes, start: int) -> bytes:
    """The scope that is written before a name, without blanks; empty where template arguments are part of it."""
    parts: list[bytes] = []
    while True:
        colons = lexemes.before(start)
        if lexemes.data[colons - 1 : colons + 1] != b"::":
            return b"::".join(reversed(parts))
        word = lexemes.word_before(colons - 1)
        if not word:
            return b"" if lexemes.data[lexemes.before(colons - 1)] == 0x3E else b"::".join(reversed(parts))
        parts.append(word)
        start = lexemes.before(colons - 1) + 1 - len(word)


def _lead(lexemes: Lexemes, data: bytes, start: int) -> bytes:
    """`.`, `->` or `::` directly before `start`, else nothing."""
    if start and (data[start - 1] in _NO_LEAD or (data[start - 1] == 0x20 and data[start - 2] in _AFTER_WORD)):
        return b""
    place = lexemes.before(start)
    if place < 0:
        return b""
    pair = data[place - 1 : place + 1] if place else data[:1]
    if pair == b"->" or pair == b"::":
        return pair
    return b"." if pair[-1:] == b"." and pair != b".." else b""


def _may_be_return_type(catalog: Catalog, text: bytes) -> bool:
    """`auto f() -> cudaError_t`: types and namespaces are not members."""
    row = catalog.row(text)
    return text in catalog.nested or (row is not None and row.kind == "type")


def _is_own_template(lexemes: Lexemes, name: Name, row: Row) -> bool:
    """`__shfl_xor<128>(v, 1)`: CUDA's built-in functions are not templates, so the project has one of that name."""
    data = lexemes.data
    if row.kind != "device function" or not name.text.startswith(b"__") or data[name.end : name.end + 1] != b"<":
        return False
    end = template_end(lexemes, name.end, len(data))
    return end is not None and data[lexemes.after(end) : lexemes.after(end) + 1] == b"("


def _is_of_api_scope(unit: Unit, name: Name) -> bool:
    """`::cudaMalloc` and `cudaMemcpyKind::cudaMemcpyDefault` are CUDA's, `my::cudaMalloc` is not.

    The enumerators of CUDA's types are CUDA's, other members are not: `&cudaDeviceProp::warpSize` is not the built-in
    variable.
    """
    lexemes, start = unit.lexemes, name.start
    colons = lexemes.before(start)
    scope = lexemes.word_before(colons - 1)
    if lexemes.data[colons - 2 : colons - 1].isspace() and colons + 1 == start:
        return True  # `const ::cudaError_t`: no scope is written apart from its colons
    if scope and scope not in KEYWORDS:
        row, member = unit.catalog.row(scope), unit.catalog.row(name.text)
        return row is not None and row.kind == "type" and (member is None or member.kind == "enumerator")
    if scope:
        return True
    from hipify_py.semantics.qualified import closes_template_arguments

    return not closes_template_arguments(unit, lexemes.before(colons - 1))
