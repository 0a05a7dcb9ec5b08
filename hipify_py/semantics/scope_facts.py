"""The API names that a header's classes and namespaces declare or re-export, for the files that include it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.catalog import Catalog
from hipify_py.core.project_context import NamespaceName, OwnMacro, OwnName
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declares_name import FUNCTION, declaration_site
from hipify_py.semantics.own_macros import own_macros
from hipify_py.semantics.own_namespaces import hiding_names, may_hide
from hipify_py.semantics.qualified import may_name_namespaces, namespace_names
from hipify_py.semantics.reexports import Reexport, may_reexport, reexports
from hipify_py.semantics.shadowing import find_shadows
from hipify_py.semantics.structure import scope_path, structure_of

if TYPE_CHECKING:
    from tree_sitter import Node

# Prefilters over many headers, of which only those that match are parsed: they may match too much.
_LISTS = re.compile(rb"\benum\b[^;{}()]*\{([^;]*)|\bauto\b[^;{}()=]*\[([^;]*)")
_API_NAME = re.compile(rb"cu(?<=\bcu)\w*")
_CALLED = re.compile(rb"(?<![\w.>:])(cu[A-Za-z]\w*)\s*\(")
_DEFINED = re.compile(rb"\b(?:struct|class|union|enum)\s+(cu\w+)\s*[{:]")
_MACRO = re.compile(rb"define[ \t]+(\w+)")
_WARP_SIZE = re.compile(rb"warpSize(?<=[\w*&][ \t]warpSize)(?<!return[ \t]warpSize)\s*[=;{]")
_WORD = re.compile(rb"\w+")
_NAMESPACE = re.compile(rb"\bnamespace\s+([\w:]+)\s*[{=]")
_BEFORE_CALLS = re.compile(rb"(?:^|[^\w>*&\s])\s*\Z|\b(?:return|else|do|case|throw|co_return)\s*\Z")
_IN_SCOPES = ("field_declaration_list", "declaration_list", "compound_statement")


class ScopeFacts(NamedTuple):
    """The API names in the scopes of one source: their own, and those from the API.

    Attributes:
        own_names: the names that its classes and namespaces declare themselves.
        reexports: the names that they re-export from the API.
        namespace_names: their names for namespaces of the tables.
        macros: its macros with API names.
    """

    own_names: frozenset[OwnName] = frozenset()
    reexports: frozenset[Reexport] = frozenset()
    namespace_names: frozenset[NamespaceName] = frozenset()
    macros: frozenset[OwnMacro] = frozenset()


NOTHING = ScopeFacts()


def scope_facts(unit: Unit, is_sure: Callable[[int], bool] = lambda _: False) -> ScopeFacts:
    """The facts of a source, and what it derives from those of others, without theirs.

    Macros count where `is_sure` returns that a place is compiled for AMD GPUs.
    """
    own = {*_derived(unit), *hiding_names(unit)}
    for place, text in find_shadows(unit).declared:
        leaf = unit.tree.leaf(place, place + len(text))
        body = ancestor(leaf.parent, *_IN_SCOPES) if leaf is not None else None
        scope = scope_path(body)
        if leaf is None or body is None or body.type == "compound_statement" or not scope or not _is_visible(leaf):
            continue
        found = declaration_site(leaf)
        is_function = found is not None and found.kind == FUNCTION
        is_member = body.type == "field_declaration_list"
        own.add(OwnName(scope, text, is_member, is_function))
        if is_member:
            derived = structure_of(unit).records_with_base(scope.rpartition(b"::")[2])
            own.update(OwnName(record.name, text, is_member, is_function) for record in derived)
    return ScopeFacts(
        frozenset(own),
        reexports(unit) - unit.project.reexports,
        namespace_names(unit) if b"namespace" in unit.source.data else frozenset(),
        frozenset(_macros(unit, is_sure)),
    )


def _derived(unit: Unit) -> Iterator[OwnName]:
    """What the classes of a source inherit from those of others."""
    for name in unit.project.own_names:
        if name.is_member:
            for record in structure_of(unit).records_with_base(name.scope.rpartition(b"::")[2]):
                yield name._replace(scope=record.name)


def _macros(unit: Unit, is_sure: Callable[[int], bool]) -> Iterator[OwnMacro]:
    """The macros that whoever includes the source has, too."""
    undefined = {define.text for define in unit.lexemes.undefs}
    for place, text in own_macros(unit).places:
        if text not in undefined and is_sure(place):
            yield OwnMacro(text, unit.lexemes.data[place + len(text) : place + len(text) + 1] == b"(")


def may_inherit_facts(data: bytes, facts: ScopeFacts) -> bool:
    """A prefilter: a source may have a class or a namespace that has what these facts are about as well."""
    return (
        any(name.is_member and name.scope.rpartition(b"::")[2] in data for name in facts.own_names)
        or any(name in data and scope.rpartition(b"::")[2] in data for scope, name in facts.reexports)
        or may_name_namespaces(data, {name.alias for name in facts.namespace_names})
    )


def may_have_facts(catalog: Catalog, data: bytes) -> bool:
    """A prefilter: a class, a namespace or a macro may have an API name, or a namespace of the tables."""
    if may_define_macros(catalog, data) or may_name_namespaces(data, catalog.nested):
        return True
    if b"namespace" in data and any(may_hide(catalog, name.split(b"::")) for name in _NAMESPACE.findall(data)):
        return True
    if b"namespace" not in data and b"class" not in data and b"struct" not in data:
        return False
    if may_reexport(catalog, data) or _WARP_SIZE.search(data) is not None:
        return True
    api_names = {name for name in set(_API_NAME.findall(data)) if _is_api(catalog, name)}
    return bool(api_names) and not api_names.isdisjoint(_declared(data))


def may_define_macros(catalog: Catalog, data: bytes) -> bool:
    """A prefilter: a macro may have an API name."""
    return any(_is_api(catalog, name) for name in _MACRO.findall(data))


def _is_api(catalog: Catalog, name: bytes) -> bool:
    row = catalog.row(name)
    return row is not None and not row.is_standard


def _declared(data: bytes) -> list[bytes]:
    """Names that the bytes before them may declare."""
    names = [match[1] for match in _DEFINED.finditer(data)]
    for match in _LISTS.finditer(data):
        names += [word for word in _WORD.findall(match[match.lastindex or 0]) if word.startswith(b"cu")]
    for match in _CALLED.finditer(data):
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if line.strip() and _BEFORE_CALLS.search(line) is None:
            names.append(match[1])
    return names


def _is_visible(leaf: Node) -> bool:
    """Whether name lookup finds it: not an enumerator of a scoped enumeration, nor what a function declares."""
    listed = ancestor(leaf.parent, "enumerator_list", *_IN_SCOPES)
    if listed is None or listed.type != "enumerator_list" or listed.parent is None:
        return True
    return all(child.type not in ("class", "struct") for child in listed.parent.children)
