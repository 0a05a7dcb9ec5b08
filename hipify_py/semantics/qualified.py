"""Uses through namespaces: `cub::DeviceReduce`, and through the user's aliases of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hipify_py.catalog import Catalog, Row
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.ranges import Range
from hipify_py.semantics.declared_names import KEYWORDS
from hipify_py.semantics.own_namespaces import namespaces_written, own_namespaces
from hipify_py.semantics.scopes import introduces
from hipify_py.semantics.structure import Using, using_of
from hipify_py.unit import Unit, Use

_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEEPEST = 12
"""Segments of a qualified name that a table may know."""


def qualified_use(unit: Unit, name: Name, lead: bytes) -> Use | None:
    """The use that begins with a namespace of the tables: the longest qualified name that some table has."""
    lexemes, data = unit.lexemes, unit.source.data
    if lead == b"::" and not _is_global_scope(unit, name.start):
        return None
    segments = _chain(lexemes, name.start)
    if segments[0].text in own_namespaces(unit):
        return None
    in_front = lexemes.word_before(lexemes.before(name.start) - 1 if lead == b"::" else name.start)
    if in_front == b"namespace" and _byte_at(data, lexemes.after(segments[-1].end)) == b"=":
        return None  # `namespace cub = hipcub;` is the user's own bridge
    if len(segments) == 1 and in_front != b"namespace" and not _ends_alias(lexemes, name):
        return None
    return _longest(unit, segments)


def _chain(lexemes: Lexemes, start: int) -> list[Name]:
    """The parts of the qualified name that begins at a place."""
    found, data = [], lexemes.data
    while (match := _WORD.match(data, start)) is not None:
        found.append(Name(start, match.end(), match[0]))
        colons = match.end() if data.startswith(b"::", match.end()) else lexemes.after(match.end())
        if not data.startswith(b"::", colons):
            break
        start = lexemes.after(colons + 2)
    return found


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


def _is_global_scope(unit: Unit, start: int) -> bool:
    """Nothing but the colons stands in front of a name: no other scope."""
    lexemes = unit.lexemes
    colons = lexemes.before(start)
    scope = lexemes.word_before(colons - 1)
    if scope:
        return scope in KEYWORDS
    return not closes_template_arguments(unit, lexemes.before(colons - 1))


def closes_template_arguments(unit: Unit, place: int) -> bool:
    """What stands at `place` is the `>` of `X<T>::name`; that of `a > ::name` compares, `template <class T>` declares.

    Where the tree has no answer, blanks in front of the colons tell: nobody writes `X<T> ::name`.
    """
    data = unit.source.data
    if place < 0 or data[place] != 0x3E or unit.lexemes.ends_include(place + 1):
        return False
    leaf = unit.tree.leaf(place, place + 1)
    parent = leaf.parent if leaf is not None else None
    if parent is None or parent.type == "ERROR":
        return not data[place + 1 : place + 2].isspace()
    return parent.type == "template_argument_list"


def _longest(unit: Unit, segments: list[Name]) -> Use | None:
    """The use for the longest run of `segments` that a table knows; what only a family knows is a suspect."""
    start, texts = segments[0].start, [segment.text for segment in segments]
    full = b"::".join(texts)
    use = _longest_row(unit, segments)
    missing = use is None or (use.row.kind == "namespace" and full.count(b"::") > use.row.name.count("::"))
    family = unit.catalog.family(full.decode()) if missing and not _is_of_the_project(unit, texts) else None
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


def _longest_row(unit: Unit, segments: list[Name], target: bytes = b"") -> Use | None:
    """The row of the longest run of `segments`, the first of which may be an alias of `target`."""
    texts = [target or segments[0].text, *(segment.text for segment in segments[1:])]
    for length in range(min(len(segments), _DEEPEST), 0, -1):
        row = unit.catalog.row(b"::".join(texts[:length]))
        if row is not None:
            return Use(segments[0].start, segments[length - 1].end, row)
    return None


def _bare_uses(unit: Unit, scope: bytes, place: int) -> Iterator[Use]:
    """Bare names behind a `using namespace`: what the support header has, and warp operations, need another spelling.

    A name that the source gives to a function or type of its own is not the namespace's.
    """
    data, lexemes = unit.source.data, unit.lexemes
    supported = _supported_in(unit.catalog, scope) if unit.options.support else {}
    if lexemes.words.isdisjoint(supported):
        return
    leaf = unit.tree.leaf(place, place + len(b"namespace"))
    if leaf is None or leaf.parent is None or leaf.parent.type != "using_declaration":
        return
    region = _region(unit, using_of(leaf.parent))
    for text, row in supported.items():
        names = [Name(place, place + len(text), text) for place in lexemes.places(text) if place >= region.start]
        if any(introduces(unit, name) for name in names):
            continue
        for name in names:
            is_used = _byte_at(data, lexemes.after(name.end)) in (b"<", b"(", b"{")
            if is_used and name.start < region.end and not _is_part(lexemes, name.start):
                yield Use(name.start, name.end, row)


def _is_part(lexemes: Lexemes, start: int) -> bool:
    """A name is that of a member, or follows a scope."""
    before = lexemes.before(start)
    lead = lexemes.data[max(before - 1, 0) : before + 1]
    return lead[-1:] == b"." or lead in (b"->", b"::")


_SPELLED = frozenset({"support", "warp32"})


@lru_cache(maxsize=64)
def _supported_in(catalog: Catalog, scope: bytes) -> dict[bytes, Row]:
    """The rows of a namespace's own names that the support header has, or that are warp operations, by the names."""
    named = (name for name in catalog.names if name.startswith(scope + b"::") and name.count(b"::") == 1)
    return {
        name[len(scope) + 2 :]: row
        for name in named
        if (row := catalog.row(name)) and not _SPELLED.isdisjoint(row.details)
    }


def alias_uses(unit: Unit) -> list[Use]:
    """Uses through `namespace cg = cooperative_groups;` and `using namespace nvcuda;`."""
    catalog, lexemes = unit.catalog, unit.lexemes
    if lexemes.words.isdisjoint(catalog.nested):
        return []
    prefixes: dict[bytes, bytes] = {}
    found: list[Use] = []
    for place, words in namespaces_written(unit):
        if catalog.nested.isdisjoint(words):
            continue
        if words[1:2] == [b"="]:
            alias, target = words[0], b"".join(words[2:]).removeprefix(b"::")
            if target.partition(b"::")[0] in catalog.nested and alias not in catalog.nested:
                prefixes[alias] = target
        elif len(names := [word for word in words if word not in (b"", b"::")]) == 1:
            scope = names[0]
            if lexemes.word_before(place) == b"using":
                found += _bare_uses(unit, scope, place)
                for inner in catalog.inner_namespaces.get(scope, ()):
                    prefixes[inner] = scope + b"::" + inner
    for prefix, target in prefixes.items():
        for place in lexemes.places(prefix):
            segments = [] if _is_part(lexemes, place) else _chain(lexemes, place)
            use = _longest_row(unit, segments, target) if len(segments) > 1 else None
            if use is not None:
                found.append(use)
    return found


def _region(unit: Unit, using: Using) -> Range:
    """Where a `using` holds: in a function to the end of its block, elsewhere in the rest of the source.

    A namespace may be opened again, and a macro is used where others say.
    """
    block = using.node.parent
    is_local = block is not None and block.type == "compound_statement"
    return using.region if is_local else Range(using.node.start_byte, len(unit.source.data))
