"""Uses through namespaces: `cub::DeviceReduce`, and through the user's aliases of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hipify_py.catalog import Catalog, Row
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.semantics.own_namespaces import own_namespaces
from hipify_py.unit import Unit, Use

_CHAIN = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_ALIAS = re.compile(rb"namespace\s+(\w+)\s*=\s*(?:::)?\s*([\w:]+)\s*;")
_USING = re.compile(rb"using\s+namespace\s+(?:::)?(\w+)\s*;")
_BEFORE_CALLS = frozenset({b"return", b"else", b"do", b"case", b"and", b"or", b"not", b"co_return"})
_INSIDE_NAME = re.compile(rb"[\w.:>]")


def qualified_use(unit: Unit, name: Name, lead: bytes) -> Use | None:
    """The use that begins with a namespace of the tables: the longest qualified name that some table has."""
    lexemes, data = unit.lexemes, unit.source.data
    if lead == b"::" and not _is_global_scope(lexemes, name.start):
        return None
    match = _CHAIN.match(data, name.start)
    if match is None:
        return None
    segments = [segment.strip() for segment in match[0].split(b"::")]
    if segments[0] in own_namespaces(unit):
        return None
    if lexemes.word_before(name.start) == b"namespace" and _byte_at(data, lexemes.after(match.end())) == b"=":
        return None  # `namespace cub = hipcub;` is the user's own bridge
    if len(segments) == 1 and lexemes.word_before(name.start) != b"namespace" and not _ends_alias(lexemes, name):
        return None
    return _longest(unit, match.start(), segments)


def _byte_at(data: bytes, place: int) -> bytes:
    return data[place : place + 1]


def _ends_alias(lexemes: Lexemes, name: Name) -> bool:
    """`namespace cg = cooperative_groups;`, `namespace cub = ::cub;`"""
    place = lexemes.before(name.start)
    if lexemes.data[place - 1 : place + 1] == b"::":
        place = lexemes.before(place - 1)
    if lexemes.data[place : place + 1] != b"=":
        return False
    alias = lexemes.before(place) + 1 - len(lexemes.word_before(place))
    return lexemes.word_before(alias) == b"namespace"


def _is_global_scope(lexemes: Lexemes, start: int) -> bool:
    colons = lexemes.before(start)
    before = lexemes.before(colons - 1)
    if before < 0 or not (chr(lexemes.data[before]).isalnum() or lexemes.data[before] in b"_>"):
        return True
    return lexemes.ends_include(before + 1)


def _longest(unit: Unit, start: int, segments: list[bytes]) -> Use | None:
    """The use for the longest run of `segments` that a table knows; what only a family knows is a suspect."""
    full = b"::".join(segments)
    use = _longest_row(unit, start, segments)
    missing = use is None or (use.row.kind == "namespace" and full.count(b"::") > use.row.name.count("::"))
    family = unit.catalog.family(full.decode()) if missing and not _is_of_the_project(unit, segments) else None
    if family is not None:
        unit.unmapped_candidates.append((start, full.decode(), family.library))
        return None
    if use is not None and missing and "::" not in use.row.name and not (use.row.is_native or use.row.is_unsupported):
        unit.unmapped_candidates.append((start, full.decode(), use.row.library))
    return use


def _is_of_the_project(unit: Unit, segments: list[bytes]) -> bool:
    """Projects have a namespace `cuda` of their own (`at::cuda`): without a header of libcu++ it is none of CUDA's.

    None of theirs has a `std` in it: that is CUDA's whether or not its header was made one of the C++ standard's.
    """
    if segments[0] != b"cuda" or segments[1:2] == [b"std"]:
        return False
    return not any(header.startswith("cuda/") for header in unit.headers)


def _longest_row(unit: Unit, start: int, segments: list[bytes], target: bytes = b"") -> Use | None:
    """The row of the longest run of `segments`, the first of which may be an alias of `target`."""
    for length in range(len(segments), 0, -1):
        row = unit.catalog.row(b"::".join([target or segments[0], *segments[1:length]]))
        if row is not None:
            return Use(start, _segment_end(unit.source.data, start, length), row)
    return None


def _segment_end(data: bytes, start: int, count: int) -> int:
    match = re.compile(rb"\w+(?:\s*::\s*\w+){%d}" % (count - 1)).match(data, start)
    return match.end() if match is not None else start


def _bare_uses(unit: Unit, scope: bytes, start: int) -> Iterator[Use]:
    """Bare names behind `using namespace`: of those only what the support header has needs another spelling.

    A name that the source gives to a function or type of its own is not the namespace's.
    """
    data, lexemes = unit.source.data, unit.lexemes
    known = _supported_in(unit.catalog, scope) if unit.options.support else {}
    rows = {name: row for name, row in known.items() if name in lexemes.words}
    if not rows:
        return
    pattern = re.compile(rb"(?<![\w.:>])(?:" + b"|".join(map(re.escape, rows)) + rb")(?=\s*[<({])")
    places = [match.span() for match in pattern.finditer(data, start) if lexemes.non_code_at(match.start()) is None]
    own = {data[slice(*place)] for place in places if _is_declared(lexemes, place[0])}
    for first, end in places:
        if data[first:end] not in own:
            yield Use(first, end, rows[data[first:end]])


@lru_cache(maxsize=64)
def _supported_in(catalog: Catalog, scope: bytes) -> dict[bytes, Row]:
    """The rows of a namespace's own names that the support header has, by the names."""
    named = (name for name in catalog.names if name.startswith(scope + b"::") and name.count(b"::") == 1)
    return {name[len(scope) + 2 :]: row for name in named if (row := catalog.row(name)) and "support" in row.details}


def _is_declared(lexemes: Lexemes, start: int) -> bool:
    """A type stands in front of the name, or what declares one."""
    place = lexemes.before(start)
    if lexemes.data[place : place + 1] in (b"*", b"&"):
        return lexemes.data[place - 1 : place].isalnum() and start > place + 1
    word = lexemes.word_before(start)
    return bool(word) and not word.isdigit() and word not in _BEFORE_CALLS


def alias_uses(unit: Unit) -> list[Use]:
    """Uses through `namespace cg = cooperative_groups;` and `using namespace nvcuda;`."""
    data, catalog = unit.source.data, unit.catalog
    prefixes: dict[bytes, bytes] = {}
    found: list[Use] = []
    for match in _ALIAS.finditer(data):
        if match[2].split(b"::")[0] in catalog.nested and match[1] not in catalog.nested:
            prefixes[match[1]] = match[2]
    for match in _USING.finditer(data):
        if match[1] in catalog.nested:
            found += _bare_uses(unit, match[1], match.end())
            for inner in catalog.inner_namespaces.get(match[1], ()):
                prefixes[inner] = match[1] + b"::" + inner
    if not prefixes:
        return found
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, prefixes)) + rb")\s*::\s*[A-Za-z_]\w*(?:\s*::\s*\w+)*")
    for match in pattern.finditer(data):
        if (
            _INSIDE_NAME.match(data[max(match.start() - 1, 0) : match.start()]) is None
            and unit.lexemes.non_code_at(match.start()) is None
        ):
            segments = [segment.strip() for segment in match[0].split(b"::")]
            use = _longest_row(unit, match.start(), segments, prefixes[segments[0]])
            if use is not None:
                found.append(use)
    return found
