"""The scopes in which the user's own declarations shadow API names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from hipify_py.catalog import Row
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.ranges import Range, Ranges
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.conditions import sections
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declared_names import may_declare
from hipify_py.semantics.own_namespaces import visible_regions

_OVERLOADED = lazy_pattern(rb"__(?:\w+_sync|shfl\w*)")
"""An overload of these for a type of the user's leaves the built-in function to all others."""
_NOT_SHADOWED = frozenset((b"__any", b"__all", b"__ballot", b"__activemask"))
"""What sources define for old GPUs with the built-in function's signature: calls reach HIP's (rule HIP120)."""
_BEFORE_USES = frozenset(b"(,!{;[.:")
# What follows a name, and what encloses lists: the tree is consulted only where a declaration is possible.
_INITIALISED = lazy_pattern(rb"\s*=(?!=)")
_DECLARATOR_TAIL = lazy_pattern(rb"\s*(?:[=;,)(\[{>]|:(?!:)|/[/*])")
_TYPE_TAIL = lazy_pattern(rb"\s*(?:[;{]|=(?!=)|/[/*])")
_LISTS = ((b"enum", b"{"), (b"auto", b"["))
"""What declares several names at once, enumerations and structured bindings: the word, and what opens the list."""
_PLAIN_HEAD = lazy_pattern(rb"(?:auto|enum)\b[\w\s:]{0,200}([;{()]|=(?!=))")
"""What precedes the first bracket after a word where that is a few words without comments."""
_PLAIN_USING = lazy_pattern(rb"using\s{1,20}(namespace\b)?[\w\s:]{0,200}?(?<!\w)(\w{1,100})\s{0,20}(;|=(?!=))")
"""A `using` without comments: whether it is a namespace's, the last word of its target, and what ends that."""
_AFTER_HEADS = frozenset((b"{", b"(", b")", b";", b"="))


class Shadows:
    """Scopes by the name that they shadow; queried for each name of a source, so by bisection."""

    def __init__(self) -> None:
        self._scopes: dict[bytes, list[Range]] = {}
        self._ranges: dict[bytes, Ranges] = {}
        self.redefined: set[int] = set()
        """Whether the source defines a type of that name for the whole file; its uses become the API's all the same."""
        self.declared: list[tuple[int, bytes]] = []
        """The names that the source declares, by offset."""
        self.of_headers: set[bytes] = set()
        """Names that classes and namespaces of the headers have."""
        self._overloaded: set[bytes] = set()
        self._places: set[int] = set()

    def declare(self, place: int, text: bytes, scopes: list[Range], *, is_overload: bool) -> None:
        """Add what the source declares at a place; with `is_overload`, the API's function may be meant, too."""
        self.add(text, scopes)
        self.declared.append((place, text))
        self._places.add(place)
        if is_overload:
            self._overloaded.add(text)

    def add(self, text: bytes, scopes: Iterable[Range]) -> None:
        self._scopes.setdefault(text, []).extend(scopes)

    def are_ambiguous(self, name: Name, row: Row) -> bool:
        """Whether a name may be the API's here or not: headers have it in their scopes, or it is overloaded.

        Declarations in scopes of the source itself are not ambiguous. A host function of the API that it defines is its
        own
        everywhere: another declaration of the same function, in any header, does not make it the API's.
        """
        if name.text in self.of_headers:
            return True
        return row.kind == "device function" and name.text in self._overloaded and name.start not in self._places

    def contains(self, name: Name) -> bool:
        """Whether `name` is in the scope of a declaration of the same name."""
        scopes = self._scopes.get(name.text)
        if scopes is None:
            return False
        ranges = self._ranges.get(name.text)
        if ranges is None:
            ranges = self._ranges[name.text] = Ranges(scopes)
        return name.start in ranges


def find_shadows(unit: Unit) -> Shadows:
    """Find the scopes in which the user's own declarations shadow API names; macros have none (see `own_macros`).

    In a branch that AMD GPUs leave out, a declaration holds in that branch only.
    """
    shadows = Shadows()
    everywhere = Range(0, len(unit.source.data))
    for place, text, scopes in _declarations(unit, shadows, everywhere):
        if unit.inactive is not None and place in unit.inactive:
            scopes = [_branch_around(unit.lexemes, place)]
        is_overload = everywhere in scopes and not _is_conditional(unit.lexemes, place)
        shadows.declare(place, text, scopes, is_overload=is_overload)
    if unit.project.own_names:
        _add_of_headers(unit, shadows)
    return shadows


def _add_of_headers(unit: Unit, shadows: Shadows) -> None:
    """Add the API names of classes and namespaces of the headers, which hold within them here as well."""
    texts = {name.text for name in unit.lexemes.names}
    for own in unit.project.own_names:
        if own.name not in texts:
            continue
        scopes = visible_regions(unit, own)
        if scopes or own.name != b"warpSize":
            shadows.of_headers.add(own.name)
        shadows.add(own.name, scopes)


def _declarations(unit: Unit, shadows: Shadows, everywhere: Range) -> Iterator[tuple[int, bytes, list[Range]]]:
    """The place, name and scopes of each."""
    data, lexemes, catalog = unit.source.data, unit.lexemes, unit.catalog
    for name in lexemes.names:
        start, end, text = name
        if start and data[start - 1] in _BEFORE_USES:
            continue
        if _DECLARATOR_TAIL.match(data, end) is None:
            continue
        row = catalog.row(text)
        if row is None or row.is_standard:
            continue  # names of the standard library are not references anyway
        if row.kind == "macro" and _INITIALISED.match(data, end) is None:
            continue  # `constexpr auto cudaStreamNonBlocking = hipStreamNonBlocking;` is all that may declare one
        if row.kind == "type":
            if _TYPE_TAIL.match(data, end) is not None and _is_definition(unit, name):
                found = _introduced(unit, name)
                if everywhere in found or not found:
                    shadows.redefined.add(start)
                else:
                    yield start, text, found
                continue
            if data[lexemes.after(end) : lexemes.after(end) + 1] == b"(":
                continue
        elif _is_factor(row, data, name, lexemes):
            continue
        scopes = _declared(unit, name) if may_declare(lexemes, name) else []
        if everywhere in scopes and row.kind == "type":
            continue  # a declaration of the API's own
        if everywhere in scopes and (text in _NOT_SHADOWED or _OVERLOADED.fullmatch(text)):
            if text not in _NOT_SHADOWED:
                unit.overloads.add(text.decode())
            scopes = [Range(start, end)]
        if scopes:
            yield start, text, scopes
    yield from _listed(unit, everywhere)
    yield from _used_names(unit)


def _declared(unit: Unit, name: Name) -> list[Range]:
    from hipify_py.semantics.scopes import declared_in

    return declared_in(unit, name)


def _introduced(unit: Unit, name: Name) -> list[Range]:
    from hipify_py.semantics.scopes import scopes_of

    return scopes_of(unit, name)


def _is_definition(unit: Unit, name: Name) -> bool:
    from hipify_py.semantics.redefinitions import is_definition

    return is_definition(unit, name)


def _is_factor(row: Row, data: bytes, name: Name, lexemes: Lexemes) -> bool:
    """Whether `2 * __ldg(p)` is the product that it looks like, not a declaration of a function returning a pointer.

    Nobody gives variables the name of a keyword; but `T *curand = p` can only declare, and so does what has a body.
    """
    if row.kind != "device function" or _INITIALISED.match(data, name.end) is not None:
        return False
    place = lexemes.before(name.start)
    return place >= 0 and data[place] in b"*&>" and not _has_body(lexemes, name)


def _has_body(lexemes: Lexemes, name: Name) -> bool:
    from hipify_py.semantics.scopes import is_defined_function

    return is_defined_function(lexemes, name)


def _listed(unit: Unit, everywhere: Range) -> Iterator[tuple[int, bytes, list[Range]]]:
    """API names in enumerations of the source's own, and in structured bindings."""
    data, lexemes = unit.source.data, unit.lexemes
    for start, end in _lists(lexemes):
        first = bisect_left(lexemes.names, start, key=lambda name: name.start)
        for name in lexemes.names[first : bisect_left(lexemes.names, end, key=lambda name: name.start)]:
            row = unit.catalog.row(name.text)
            if row is None or row.is_standard or data[lexemes.before(name.start)] not in b"{,[":
                continue
            scopes = _introduced(unit, name)
            if scopes and everywhere not in scopes:  # a stub's enumerators become HIP's, as its type's uses do
                yield name.start, name.text, scopes


def _lists(lexemes: Lexemes) -> Iterator[tuple[int, int]]:
    """The offsets where enumerations and structured bindings list their names."""
    for word, bracket in _LISTS:
        for place in lexemes.places(word):
            opening = _first_bracket(lexemes, place, bracket)
            if opening is not None:
                closing = match_forward(lexemes, opening, lexemes.code_end(place))
                if closing is not None:
                    yield opening, closing[0]


def _first_bracket(lexemes: Lexemes, place: int, bracket: bytes) -> int | None:
    """The offset of a bracket after a word, where none of the signs that end a head precedes it."""
    end = lexemes.code_end(place)
    plain = _PLAIN_HEAD.match(lexemes.data, place, end)
    if plain is not None:
        return plain.start(1) if plain[1] == bracket else None
    for token in tokens(lexemes, place, end):
        if token.text in _AFTER_HEADS or token.text == bracket:
            return token.start if token.text == bracket else None
    return None


def _used_names(unit: Unit) -> Iterator[tuple[int, bytes, list[Range]]]:
    """`using mine::cudaFree;`: the name is that of a scope of the source's own."""
    catalog = unit.catalog
    if not any((row := catalog.row(name)) is not None and not row.is_standard for name in _using_targets(unit.lexemes)):
        return
    from hipify_py.semantics.reexports import is_reexported
    from hipify_py.semantics.structure import structure_of

    for using in structure_of(unit).usings:
        scope, _, name = using.name.rpartition(b"::")
        if scope and not using.is_namespace and scope.partition(b"::")[0] not in catalog.nested:
            row = catalog.row(name)
            if row is not None and not _is_api_scope(unit, scope) and not is_reexported(unit, scope, name):
                yield using.node.start_byte, name, [using.region]


def _using_targets(lexemes: Lexemes) -> Iterator[bytes]:
    """The last words of what `using` may name in other scopes."""
    for place in lexemes.places(b"using"):
        plain = _PLAIN_USING.match(lexemes.data, place, lexemes.code_end(place))
        if plain is not None:
            if not plain[1] and plain[3] == b";" and b"::" in plain[0]:
                yield plain[2]
            continue
        last = b""
        for token in tokens(lexemes, place, lexemes.code_end(place)):
            if token.text in _AFTER_HEADS:
                break
            last = token.text
        yield last


def _is_api_scope(unit: Unit, scope: bytes) -> bool:
    row = unit.catalog.row(scope)
    return row is not None and row.kind in ("type", "namespace")


def _is_conditional(lexemes: Lexemes, place: int) -> bool:
    """Whether a macro, or a branch of an `#if`, makes the meaning differ from build to build."""
    if lexemes.define_around(place) is not None:
        return True
    if not lexemes.directives:
        return False
    return any(branch.body <= place < branch.end for section in sections(lexemes) for branch in section)


def _branch_around(lexemes: Lexemes, place: int) -> Range:
    """The innermost branch of an `#if` around a place."""
    around = [branch for section in sections(lexemes) for branch in section if branch.body <= place < branch.end]
    inner = max(around, key=lambda branch: branch.body)
    return Range(inner.body, inner.end)
