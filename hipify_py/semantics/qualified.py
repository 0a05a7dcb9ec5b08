"""Uses through namespaces: `cub::DeviceReduce`, and through the user's aliases of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterator
from functools import lru_cache, partial

from hipify_py.catalog import Catalog, Row
from hipify_py.core.project_context import NamespaceName
from hipify_py.core.ranges import Ranges
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.declared_names import KEYWORDS
from hipify_py.semantics.headers import may_be_libcudacxx
from hipify_py.semantics.own_namespaces import extended_namespaces, is_hidden, namespace_words, own_namespaces
from hipify_py.semantics.scopes import declares_name
from hipify_py.semantics.structure import alias_of, scope_path, structure_of, using_of

_WORD = re.compile(rb"[A-Za-z_]\w*")
_OF_STANDARD_TEMPLATE = re.compile(rb"\bstd\s*::\s*\w+\s*<[^<>;{}()]*>$")
"""`std::numeric_limits<T>`, whose `<` compares nothing."""
_LONGEST_ARGUMENTS = 200
"""Bytes that such a name and its arguments have at most."""
_DEEPEST = 12
"""Segments of a qualified name that a table may have."""


def qualified_use(unit: Unit, name: Name, lead: bytes) -> Use | None:
    """The use that begins with a namespace of the tables: the longest qualified name that some table has."""
    lexemes, data = unit.lexemes, unit.source.data
    if lead == b"::" and not _is_global_scope(unit, name.start):
        return None
    if not lead and is_hidden(unit, name.text, name.start):
        return None
    segments = _chain(lexemes, name.start)
    if segments[0].text in own_namespaces(unit) or _is_own_of_header(unit, [segment.text for segment in segments]):
        return None
    in_front = lexemes.word_before(lexemes.before(name.start) - 1 if lead == b"::" else name.start)
    if in_front == b"namespace" and _byte_at(data, lexemes.after(segments[-1].end)) == b"=":
        return None  # `namespace cub = hipcub;` is the user's own bridge
    if len(segments) == 1 and in_front != b"namespace" and not _ends_alias(lexemes, name):
        return None
    return _longest(unit, segments)


def _is_own_of_header(unit: Unit, segments: list[bytes]) -> bool:
    """Whether a header's own namespace with the name of a library's declares a name that the library has, too."""
    return len(segments) > 1 and any(
        own.name == segments[1] and own.scope == segments[0] for own in unit.project.own_names
    )


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
    """Whether only the colons precede a name, without another scope."""
    lexemes = unit.lexemes
    colons = lexemes.before(start)
    scope = lexemes.word_before(colons - 1)
    if scope:
        return scope in KEYWORDS
    return not closes_template_arguments(unit, lexemes.before(colons - 1))


def closes_template_arguments(unit: Unit, place: int) -> bool:
    """Whether the `>` at `place` closes `X<T>::name`; that of `a > ::name` compares, `template <class T>` declares.

    Where the tree has no answer, blanks before the colons decide: nobody writes `X<T> ::name`.
    """
    data = unit.source.data
    if place < 0 or data[place] != 0x3E or unit.lexemes.ends_include(place + 1):
        return False
    if _OF_STANDARD_TEMPLATE.search(data, max(place - _LONGEST_ARGUMENTS, 0), place + 1) is not None:
        return True
    leaf = unit.tree.leaf(place, place + 1)
    parent = leaf.parent if leaf is not None else None
    if parent is None or parent.type == "ERROR":
        return not data[place + 1 : place + 2].isspace()
    return parent.type == "template_argument_list"


def _longest(unit: Unit, segments: list[Name]) -> Use | None:
    """The use for the longest run of `segments` that a table has; a name that only a family has is a suspect."""
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
    """Whether a namespace `cuda` is the project's own (`at::cuda`): without a header of libcu++ it is not CUDA's.

    None of theirs contains `std`: that is CUDA's, even if its header was replaced by one of the C++ standard.
    """
    if segments[0] != b"cuda" or segments[1:2] == [b"std"]:
        return False
    return not any(may_be_libcudacxx(unit, header) for header in unit.headers)


def _longest_row(unit: Unit, segments: list[Name], target: bytes = b"") -> Use | None:
    """The row of the longest run of `segments`, the first of which may be an alias of `target`."""
    texts = [target or segments[0].text, *(segment.text for segment in segments[1:])]
    if target and _is_own_of_header(unit, target.split(b"::") + texts[1:]):
        return None
    for length in range(min(len(segments), _DEEPEST), 0, -1):
        row = unit.catalog.row(b"::".join(texts[:length]))
        if row is not None:
            return Use(segments[0].start, segments[length - 1].end, row)
    return None


def _bare_uses(unit: Unit, scope: bytes, region: Callable[[], Ranges]) -> Iterator[Use]:
    """Bare names after a `using namespace`: names of the support header, and warp operations, need another spelling.

    A name that the source gives to a function or type of its own is not the namespace's. The `region` of the others is
    computed only where there is one.
    """
    data, lexemes = unit.source.data, unit.lexemes
    supported = _supported_in(unit.catalog, scope) if unit.options.support else {}
    if lexemes.words.isdisjoint(supported):
        return
    holds = region()
    for text, row in supported.items():
        if any(own.name == text and own.scope == scope for own in unit.project.own_names):
            continue
        names = [Name(place, place + len(text), text) for place in lexemes.places(text) if place in holds]
        if any(declares_name(unit, name) for name in names):
            continue
        for name in names:
            is_used = _byte_at(data, lexemes.after(name.end)) in (b"<", b"(", b"{")
            if is_used and not _is_part(lexemes, name.start):
                yield Use(name.start, name.end, row)


def _is_part(lexemes: Lexemes, start: int) -> bool:
    """Whether a name is that of a member, or follows a scope."""
    before = lexemes.before(start)
    lead = lexemes.data[max(before - 1, 0) : before + 1]
    return lead[-1:] == b"." or lead in (b"->", b"::")


_SPELLED = frozenset({"support", "warp32"})


@lru_cache(maxsize=64)
def _supported_in(catalog: Catalog, scope: bytes) -> dict[bytes, Row]:
    """The rows of a namespace's own names that the support header has, or that are warp operations, by name."""
    named = (name for name in catalog.names if name.startswith(scope + b"::") and name.count(b"::") == 1)
    return {
        name[len(scope) + 2 :]: row
        for name in named
        if (row := catalog.row(name)) and not _SPELLED.isdisjoint(row.details)
    }


def alias_uses(unit: Unit) -> list[Use]:
    """Uses through `namespace cg = cooperative_groups;` and `using namespace nvcuda;`, also those of headers."""
    catalog, lexemes = unit.catalog, unit.lexemes
    prefixes: dict[bytes, bytes] = {}
    found: list[Use] = []
    for place, words in [] if lexemes.words.isdisjoint(catalog.nested) else namespace_words(unit):
        if catalog.nested.isdisjoint(words) or _is_of_own(unit, place, words):
            continue
        if words[1:2] == [b"="]:
            alias, target = words[0], b"".join(words[2:]).removeprefix(b"::")
            if target.partition(b"::")[0] in catalog.nested and alias not in catalog.nested:
                prefixes[alias] = target
        elif len(names := [word for word in words if word not in (b"", b"::")]) == 1:
            scope = names[0]
            if lexemes.word_before(place) == b"using":
                found += _bare_uses(unit, scope, partial(_region, unit, place))
                for inner in catalog.inner_namespaces.get(scope, ()):
                    prefixes[inner] = scope + b"::" + inner
    for prefix, target in prefixes.items():
        found += _uses_with_alias(unit, prefix, target, lambda: _EVERYWHERE)
    return found + list(_uses_by_headers(unit, prefixes)) if unit.project.namespace_names else found


def _is_of_own(unit: Unit, place: int, words: list[bytes]) -> bool:
    """Whether an alias or `using` has the project's own namespace for its target."""
    target = words[words.index(b"=") + 1 :] if b"=" in words else words
    return bool(target) and (target[0] in own_namespaces(unit) or is_hidden(unit, target[0], place))


def _uses_with_alias(unit: Unit, prefix: bytes, target: bytes, region: Callable[[], Ranges]) -> Iterator[Use]:
    """The uses that begin with an alias of a namespace, where it holds."""
    lexemes = unit.lexemes
    chains = (_chain(lexemes, place) for place in lexemes.places(prefix) if not _is_part(lexemes, place))
    uses = [use for segments in chains if len(segments) > 1 and (use := _longest_row(unit, segments, target))]
    holds = region() if uses else _EVERYWHERE
    yield from (use for use in uses if use.start in holds)


def _uses_by_headers(unit: Unit, own: Container[bytes]) -> Iterator[Use]:
    """The uses through the headers' aliases of a namespace, except for the source's own names of namespaces."""
    catalog, lexemes = unit.catalog, unit.lexemes
    taken = {words[0] for _, words in namespace_words(unit) if words[1:2] == [b"="]} | extended_namespaces(unit)
    found: dict[int, Use] = {}
    for scope, alias, target in sorted(unit.project.namespace_names):
        region = partial(_visible_regions, unit, scope)
        prefixes = {alias: target} if alias else {}
        if not alias:
            found |= {use.start: use for use in _bare_uses(unit, target, region)}
            prefixes = {inner: target + b"::" + inner for inner in catalog.inner_namespaces.get(target, ())}
        for prefix, full in prefixes.items():
            if prefix in lexemes.words and not (prefix in own or prefix in taken or prefix in catalog.nested):
                found |= {use.start: use for use in _uses_with_alias(unit, prefix, full, region)}
    yield from found.values()


_EVERYWHERE = Ranges([(0, sys.maxsize)])


def _visible_regions(unit: Unit, scope: bytes) -> Ranges:
    """The regions where the names of a header's namespace are visible."""
    if not scope:
        return _EVERYWHERE
    structure = structure_of(unit)
    return Ranges([*structure.namespace_regions(scope), *structure.using_regions(scope)])


def _region(unit: Unit, place: int) -> Ranges:
    """Where a `using namespace` holds: in a function to the end of its block, elsewhere the rest of the source.

    A namespace may be reopened, and a macro is used elsewhere.
    """
    leaf = unit.tree.leaf(place, place + len(b"namespace"))
    if leaf is None or leaf.parent is None or leaf.parent.type != "using_declaration":
        return Ranges(())
    block = leaf.parent.parent
    is_local = block is not None and block.type == "compound_statement"
    end = using_of(leaf.parent).region.end if is_local else len(unit.source.data)
    return Ranges([(leaf.parent.start_byte, end)])


def namespace_names(unit: Unit) -> frozenset[NamespaceName]:
    """The names that scopes of the source, or its headers, give to namespaces of the tables.

    A function's own are for that function only.
    """
    nested = unit.catalog.nested
    targets = {name.alias: name.target for name in unit.project.namespace_names if name.alias}
    found = set()
    for node in unit.tree.nodes("namespace_alias_definition", "using_declaration"):
        if node.type == "namespace_alias_definition":
            alias, written = alias_of(node)
        else:
            using = using_of(node)
            alias, written = b"", using.name if using.is_namespace else b""
        first, colons, rest = written.partition(b"::")
        target = targets.get(first, first) + colons + rest
        if target.partition(b"::")[0] not in nested or alias in nested or ancestor(node, "compound_statement"):
            continue
        if alias:
            targets[alias] = target
        found.add(NamespaceName(scope_path(node), alias, target))
    return frozenset(found)


_NAMED = re.compile(rb"namespace\s+(?:(\w+)\s*=\s*)?(?:::\s*)?(\w+)")
"""An alias, a directive or a definition: a prefilter over many headers, of which only those that match are parsed."""


def may_name_namespaces(data: bytes, names: Container[bytes]) -> bool:
    """A prefilter: `namespace cg = NAME` or `using namespace NAME`, with one of some names."""
    return b"namespace" in data and any(
        match[2] in names and (match[1] or data[max(match.start() - 20, 0) : match.start()].rstrip().endswith(b"using"))
        for match in _NAMED.finditer(data)
    )
