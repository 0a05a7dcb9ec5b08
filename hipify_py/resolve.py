"""Which of the names in a source are references to CUDA symbols, and to which ones."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from hipify_py.catalog import Catalog, Row
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.scopes import KEYWORDS, Scope, declares, introduces, looks_like_check_macro
from hipify_py.unit import Unit, Use

_CHAIN = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_ALIAS = re.compile(rb"namespace\s+(\w+)\s*=\s*(?:::)?\s*([\w:]+)\s*;")
_USING = re.compile(rb"using\s+namespace\s+(?:::)?(\w+)\s*;")
_BRIDGE = re.compile(
    rb"(?:\([^()]*\))?[ \t]+(?:hip|HIP|roc|miopen|rccl)"
)  # `#define cudaFree hipFree`: the API after all
_BEFORE_USES = frozenset(b"(,!{;[.:")
_INSIDE_NAME = re.compile(rb"[\w.:>]")
_DECLARATOR_TAIL = re.compile(rb"\s*(?:[=;,)(\[{]|:(?!:)|/[/*])")


def resolve(unit: Unit) -> frozenset[str]:
    """Fill in the unit's `uses` and `suspects`; the result are the CUDA-looking names that it declares itself."""
    shadows = _shadows(unit)
    declared: set[str] = set()
    strangers: list[Name] = []
    data, lexemes, catalog = unit.source.data, unit.lexemes, unit.catalog
    nested = catalog.nested
    uses, done = unit.uses, 0
    for name in lexemes.names:
        start, end, text = name
        if start < done:
            continue
        lead = _lead(lexemes, data, start)
        if lead == b"." or (lead == b"->" and not _may_be_return_type(catalog, text)):
            continue
        if text in nested:
            use = _qualified_use(unit, name, lead)
            if use is not None:
                uses.append(use)
                done = use.end
            continue
        if lead == b"::" and not _names_api_scope(lexemes, catalog, start):
            continue
        row = catalog.row(text)
        if row is None:
            strangers.append(name)
        elif not row.is_standard and row.kind != "namespace" and (lead == b"::" or not shadows.cover(name)):
            uses.append(Use(start, end, row))
    uses.extend(_alias_uses(unit))
    _sort_strangers(unit, strangers, declared)
    uses.sort(key=lambda use: use.start)
    return frozenset(declared)


def _lead(lexemes: Lexemes, data: bytes, start: int) -> bytes:
    """`.`, `->` or `::` where one stands before `start`, else nothing."""
    tail = data[max(start - 80, 0) : start]
    code = tail.rstrip()
    if code[-1:] not in (b".", b">", b":", b"/", b"") and (
        b"\n" not in tail[len(code) :] or lexemes.skip_at(start - len(tail) + len(code) - 1) is None
    ):
        return b""  # what most names have in front of them; a comment's end says nothing, it is looked behind
    place = lexemes.before(start)
    if place < 0:
        return b""
    pair = data[place - 1 : place + 1] if place else data[:1]
    if pair == b"->" or pair == b"::":
        return pair
    return b"." if pair[-1:] == b"." and pair != b".." else b""


def _may_be_return_type(catalog: Catalog, text: bytes) -> bool:
    """`auto f() -> cudaError_t`: types and namespaces are no members."""
    row = catalog.row(text)
    return text in catalog.nested or (row is not None and row.kind == "type")


def _names_api_scope(lexemes: Lexemes, catalog: Catalog, start: int) -> bool:
    """`::cudaMalloc` and `cudaMemcpyKind::cudaMemcpyDefault` are CUDA's, `my::cudaMalloc` is not."""
    colons = lexemes.before(start)
    scope = lexemes.word_before(colons - 1)
    if lexemes.data[colons - 2 : colons - 1].isspace() and colons + 1 == start:
        return True  # `const ::cudaError_t`: no scope is written apart from its colons
    if scope and scope not in KEYWORDS:
        row = catalog.row(scope)
        return row is not None and row.kind == "type"
    before = lexemes.before(colons - 1)
    return bool(scope) or before < 0 or lexemes.data[before : before + 1] != b">"


class _Shadows:
    """Where declarations of the user's own take API names over; asked for each name, so by bisection."""

    def __init__(self) -> None:
        self._scopes: dict[bytes, list[Scope]] = {}
        self._reach: dict[bytes, list[int]] = {}

    def add(self, text: bytes, scope: Scope) -> None:
        self._scopes.setdefault(text, []).append(scope)

    def cover(self, name: Name) -> bool:
        """True where `name` stands in the scope of a declaration of the same name."""
        scopes = self._scopes.get(name.text)
        if scopes is None:
            return False
        reach = self._reach.get(name.text)
        if reach is None:
            scopes.sort()
            reach = self._reach[name.text] = [*accumulate((scope.end for scope in scopes), max)]
        at = bisect_right(scopes, name.start, key=lambda scope: scope.start) - 1
        return at >= 0 and name.start < reach[at]


def _shadows(unit: Unit) -> _Shadows:
    """Where the user's own declarations take API names over."""
    shadows = _Shadows()
    data, lexemes, tree, catalog = unit.source.data, unit.lexemes, unit.tree, unit.catalog
    everywhere = Scope(0, len(data))
    for define in lexemes.defines:
        row = catalog.row(define.text)
        if row is not None and row.kind != "macro" and not _BRIDGE.match(data, define.end):
            shadows.add(define.text, everywhere)
    for name in lexemes.names:
        start, end, text = name
        if start and data[start - 1] in _BEFORE_USES:
            continue
        if _DECLARATOR_TAIL.match(data, end) is None or not _may_be_shadowed(catalog.row(text), data, name):
            continue
        scope = declares(lexemes, tree, name)
        if scope is not None:
            shadows.add(text, scope)
    return shadows


def _qualified_use(unit: Unit, name: Name, lead: bytes) -> Use | None:
    """The use that begins with a namespace of the tables: the longest qualified name that some table has."""
    lexemes, data = unit.lexemes, unit.source.data
    if lead == b"::" and not _is_global_scope(lexemes, name.start):
        return None
    match = _CHAIN.match(data, name.start)
    if match is None:
        return None
    segments = [segment.strip() for segment in match[0].split(b"::")]
    if lexemes.word_before(name.start) == b"namespace" and _byte_at(data, lexemes.after(match.end())) == b"=":
        return None  # `namespace cub = hipcub;` is the user's own bridge
    if len(segments) == 1 and lexemes.word_before(name.start) != b"namespace" and not _ends_alias(lexemes, name):
        return None
    return _longest(unit, match.start(), segments, b"")


def _byte_at(data: bytes, place: int) -> bytes:
    return data[place : place + 1]


def _ends_alias(lexemes: Lexemes, name: Name) -> bool:
    """`namespace cg = cooperative_groups;`, `namespace cub = ::cub;`"""
    place = lexemes.before(name.start)
    if lexemes.data[place - 1 : place + 1] == b"::":
        place = lexemes.before(place - 1)
    if lexemes.data[place : place + 1] != b"=":
        return False
    line_start = lexemes.data.rfind(b"\n", 0, place) + 1
    return _ALIAS.search(lexemes.data, line_start, name.end + 80) is not None


def _may_be_shadowed(row: Row | None, data: bytes, name: Name) -> bool:
    """Nobody declares variables called like a keyword; names of the standard library are no references anyway.

    `2 * __ldg(p)` is the product that it looks like, not a declaration of a function returning a pointer.
    """
    if row is None or row.is_standard or row.kind == "macro":
        return False
    if row.kind == "type":
        following = data[name.end : name.end + 8].lstrip()[:1]
        return following != b"("
    return row.kind != "device function" or data[max(name.start - 8, 0) : name.start].rstrip()[-1:] not in (
        b"*",
        b"&",
        b">",
    )


def _is_global_scope(lexemes: Lexemes, start: int) -> bool:
    colons = lexemes.before(start)
    before = lexemes.before(colons - 1)
    return before < 0 or not (chr(lexemes.data[before]).isalnum() or lexemes.data[before] in b"_>")


def _longest(unit: Unit, start: int, segments: list[bytes], prefix: bytes) -> Use | None:
    """The use for the longest run of `segments` (after an alias's `prefix`) that a table or family knows."""
    full = prefix + b"::".join(segments)
    spare = full.count(b"::") - len(segments) + 1
    for length in range(len(segments), 0, -1):
        qualified = prefix + b"::".join(segments[:length])
        row = unit.catalog.row(qualified)
        if row is None:
            continue
        end = _segment_end(unit.source.data, start, length)
        missing = row.kind == "namespace" and length < len(segments)
        family = unit.catalog.family(full.decode()) if missing else None
        if family is not None:
            unit.suspects.append((start, full.decode(), family.library))
            return None
        if missing and length == 1 and not row.is_native and not row.is_unsupported and spare >= 0:
            unit.suspects.append((start, full.decode(), row.library))
        return Use(start, end, row)
    family = unit.catalog.family(full.decode())
    if family is not None:
        unit.suspects.append((start, full.decode(), family.library))
    return None


def _segment_end(data: bytes, start: int, count: int) -> int:
    match = re.compile(rb"\w+(?:\s*::\s*\w+){%d}" % (count - 1)).match(data, start)
    return match.end() if match is not None else start


def _alias_uses(unit: Unit) -> list[Use]:
    """Uses through `namespace cg = cooperative_groups;` and `using namespace nvcuda;`."""
    data, catalog = unit.source.data, unit.catalog
    if b"namespace" not in data:
        return []
    prefixes: dict[bytes, bytes] = {}
    for match in _ALIAS.finditer(data):
        if match[2].split(b"::")[0] in catalog.nested and match[1] not in catalog.nested:
            prefixes[match[1]] = match[2]
    for match in _USING.finditer(data):
        if match[1] in catalog.nested:
            for inner in catalog.inner_namespaces.get(match[1], ()):
                prefixes[inner] = match[1] + b"::" + inner
    if not prefixes:
        return []
    found = []
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, prefixes)) + rb")\s*::\s*[A-Za-z_]\w*(?:\s*::\s*\w+)*")
    for match in pattern.finditer(data):
        if (
            _INSIDE_NAME.match(data[max(match.start() - 1, 0) : match.start()]) is None
            and unit.lexemes.skip_at(match.start()) is None
        ):
            segments = [segment.strip() for segment in match[0].split(b"::")]
            use = _longest_alias(unit, match.start(), segments, prefixes[segments[0]])
            if use is not None:
                found.append(use)
    return found


def _longest_alias(unit: Unit, start: int, segments: list[bytes], target: bytes) -> Use | None:
    for length in range(len(segments), 0, -1):
        row = unit.catalog.row(b"::".join([target, *segments[1:length]]))
        if row is not None:
            return Use(start, _segment_end(unit.source.data, start, length), row)
    return None


def _sort_strangers(unit: Unit, strangers: list[Name], declared: set[str]) -> None:
    """Names in no table: the user's own where the source declares them, else suspects."""
    if not strangers:
        return
    lexemes, tree = unit.lexemes, unit.tree
    own = {define.text for define in lexemes.defines}
    by_text: dict[bytes, list[Name]] = {}
    for name in strangers:
        by_text.setdefault(name.text, []).append(name)
    for text, names in by_text.items():
        if looks_like_check_macro(text):
            continue
        library = unit.catalog.suspect_library(text.decode())
        family = unit.catalog.family(text.decode())
        if family is None and library is None:
            continue
        names = [name for name in names if not _is_tested_or_pasted(lexemes, name)]
        # A library's own macro (`CUTE_HOST_DEVICE`) reads as a type, and what it stands in front of as its variable.
        is_macro = library is None and text.isupper()
        if text in own or (not is_macro and any(introduces(lexemes, tree, name) for name in names)):
            declared.add(text.decode())
            continue
        owner = library or (family.library if family else "")
        unit.suspects.extend((name.start, text.decode(), owner) for name in names)
    declared.update(text.decode() for text in own if unit.catalog.suspect_library(text.decode(errors="replace")))


def _is_tested_or_pasted(lexemes: Lexemes, name: Name) -> bool:
    """In the condition of an `#if`, where a name of no header is a build option; or half of a name, before `##`."""
    following = lexemes.after(name.end)
    return lexemes.data[following : following + 2] == b"##" or lexemes.in_condition(name.start)
