"""The project's namespaces with the name of a library's: `namespace nvcomp { … }`, `namespace at::cuda { … }`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from hipify_py.catalog import Catalog
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import OwnName
from hipify_py.core.ranges import Range, Ranges
from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import is_local

_ONE_NAME = lazy_pattern(rb"\s+((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)\s*[;{]")
"""What follows most of the words `namespace`."""
_ENDS = frozenset((b";", b"{"))
BUILT_IN_LIBRARIES = frozenset({"runtime", "device", "math"})
"""What nvcc includes in every CUDA source, and almost every header of the other libraries includes."""


def own_namespaces(unit: Unit) -> frozenset[bytes]:
    """Those of the tables' namespaces without a counterpart that the source defines itself.

    A source that includes a header of the library adds to the library's namespace instead.
    """
    return unit.analysis(_find)


def _find(unit: Unit) -> frozenset[bytes]:
    words = unit.lexemes.words
    libraries = {name: _library(unit, name) for name in unit.catalog.nested if name in words}
    included = included_libraries(unit) if any(libraries.values()) else frozenset()
    wanted = {name for name, library in libraries.items() if library and library not in included}
    if not any(not wanted.isdisjoint(words) for _, words in namespace_words(unit)):
        return frozenset()
    from hipify_py.semantics.expressions import compact

    names = (node.child_by_field_name("name") for node in unit.tree.nodes("namespace_definition"))
    return frozenset(part for name in names for part in compact(name).split(b"::")) & wanted


def hiding_names(unit: Unit) -> frozenset[OwnName]:
    """The source's own namespaces in others, and aliases, that hide one of the tables': `namespace at::cuda {`.

    There and in what uses the namespace around it, `cuda::stream` is the project's. Those whose row has another name in
    HIP do not count: their definitions are renamed with their uses. The names that a namespace `cuda` of the source's
    own declares and libcu++ has, too, are among them.
    """
    return unit.analysis(_hiding)


def is_hidden(unit: Unit, namespace: bytes, place: int) -> bool:
    """Whether a namespace of the project's hides one of the tables' at a place, to names without a scope."""
    regions = unit.analysis(_hidden).get(namespace)
    return regions is not None and place in regions


def _hidden(unit: Unit) -> dict[bytes, Ranges]:
    found: dict[bytes, list[Range]] = {}
    for own in (*hiding_names(unit), *unit.project.own_names):
        if own.name in unit.catalog.nested and own.name in unit.lexemes.words:
            found.setdefault(own.name, []).extend(visible_regions(unit, own))
    return {name: Ranges(regions) for name, regions in found.items()}


def visible_regions(unit: Unit, own: OwnName) -> list[Range]:
    """Where a name of a class or namespace is visible."""
    if not own.scope:
        return [Range(0, len(unit.source.data))]
    from hipify_py.semantics.structure import structure_of

    structure = structure_of(unit)
    if own.is_member:
        return [*structure.record_regions(own.scope.rpartition(b"::")[2])]
    opened = structure.using_regions(own.scope) if not own.is_function else ()
    return [*structure.namespace_regions(own.scope), *opened]


def may_hide(catalog: Catalog, names: Iterable[bytes]) -> bool:
    """Whether one of some parts of namespaces' names may hide a namespace of the tables."""
    return any(name in catalog.nested and catalog.row(name) is None for name in names)


def _hiding(unit: Unit) -> frozenset[OwnName]:
    catalog = unit.catalog
    if not any(may_hide(catalog, words) for _, words in namespace_words(unit)):
        return frozenset()
    from hipify_py.semantics.structure import alias_of, namespace_of, scope_path

    found = set[OwnName]()
    for node in unit.tree.nodes("namespace_definition", "namespace_alias_definition"):
        if node.type == "namespace_alias_definition":
            name, target = alias_of(node)
            if may_hide(catalog, [name]) and target != name and target.partition(b"::")[0] not in catalog.nested:
                found.add(OwnName(scope_path(node), name, is_member=False, is_function=False))
            continue
        parts = namespace_of(node).split(b"::")
        found.update(
            OwnName(b"::".join(parts[:at]), part, is_member=False, is_function=False)
            for at, part in enumerate(parts)
            if at and may_hide(catalog, [part])
        )
    for namespace in own_namespaces(unit):
        found.update(_declared_in(unit, namespace))
    return frozenset(found)


def _declared_in(unit: Unit, namespace: bytes) -> Iterator[OwnName]:
    """What the source defines in a namespace under the name of one of the library's symbols there."""
    from hipify_py.semantics.declares_name import declaration_site
    from hipify_py.semantics.structure import scope_path

    prefix = namespace + b"::"
    for full in unit.catalog.names:
        name = full.removeprefix(prefix)
        if full.startswith(prefix) and name in unit.lexemes.words:
            leaves = (unit.tree.leaf(place, place + len(name)) for place in unit.lexemes.places(name))
            sites = [(leaf, declaration_site(leaf)) for leaf in leaves if leaf is not None]
            if any(
                site and site.is_definition and scope_path(leaf.parent) in (namespace, full) for leaf, site in sites
            ):
                yield OwnName(namespace, name, is_member=False, is_function=False)


def namespace_words(unit: Unit) -> list[tuple[int, list[bytes]]]:
    """Each offset of the word `namespace`, with the words after it, up to a brace or semicolon.

    Only where one of them matters is the tree needed to interpret them.
    """
    return unit.analysis(_written)


def extended_namespaces(unit: Unit) -> frozenset[bytes]:
    """The names of the namespaces that the source adds to, as they are written: `a`, `b` for `namespace a::b {`."""
    opened = (
        words
        for place, words in namespace_words(unit)
        if b"=" not in words and unit.lexemes.word_before(place) != b"using"
    )
    return frozenset(chain.from_iterable(opened))


def _written(unit: Unit) -> list[tuple[int, list[bytes]]]:
    return [(place, list(_words_after(unit, place))) for place in unit.lexemes.places(b"namespace")]


def _words_after(unit: Unit, place: int) -> Iterator[bytes]:
    start = place + len(b"namespace")
    name = _ONE_NAME.match(unit.source.data, start)
    if name is not None:
        yield from name[1].split(b"::")
        return
    for token in tokens(unit.lexemes, start, unit.lexemes.code_end(place)):
        if token.text in _ENDS:
            return
        yield token.text


def _library(unit: Unit, namespace: bytes) -> str:
    """The library of a namespace for which HIP has nothing."""
    row = unit.catalog.row(namespace)
    if row is not None:
        return row.library if row.is_unsupported else ""
    family = unit.catalog.family(namespace.decode() + "::")
    return family.library if family is not None else ""


def included_libraries(unit: Unit) -> frozenset[str]:
    """The libraries of which the source includes a header."""
    found: set[str] = set()
    for include in unit.lexemes.includes:
        if include.quoted and is_local(unit, include.path):
            continue
        found |= unit.catalog.libraries_of_header(include.path)
    return frozenset(found)


def has_library(unit: Unit, library: str) -> bool:
    """Whether the source itself includes a header of a library, or nvcc or other headers of CUDA's do for it."""
    included = included_libraries(unit)
    return library in included or (
        library in BUILT_IN_LIBRARIES and (bool(included) or unit.source.suffix in CUDA_SUFFIXES)
    )
