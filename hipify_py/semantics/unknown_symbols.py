"""Names that look like CUDA's but are in no table."""

from __future__ import annotations

import re

from hipify_py.core.unit import Unit
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.semantics.doubts import is_of_project
from hipify_py.semantics.own_namespaces import extended_namespaces, included_libraries
from hipify_py.semantics.scopes import is_enumerator

_BUILT_IN_TYPE = re.compile(rb"void|bool|char|short|int|long|unsigned|float|double|u?int\d+_t|size_t")
_MACRO_LIKE = re.compile(rb"[A-Z0-9_]+")


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
    from hipify_py.semantics.scopes import declares_name

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
