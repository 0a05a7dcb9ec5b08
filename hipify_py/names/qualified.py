"""Uses through namespaces: `cub::DeviceReduce`, and through the user's aliases of them."""

from __future__ import annotations

import re

from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.unit import Unit, Use

_CHAIN = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_ALIAS = re.compile(rb"namespace\s+(\w+)\s*=\s*(?:::)?\s*([\w:]+)\s*;")
_USING = re.compile(rb"using\s+namespace\s+(?:::)?(\w+)\s*;")
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


def alias_uses(unit: Unit) -> list[Use]:
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
