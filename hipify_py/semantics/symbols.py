"""Name resolution in one source: the declarations of its names, and the uses of each."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.builtin_types import Spelling, Width, spelling
from hipify_py.semantics.declarations import (
    PARAMETERS,
    RECORDS,
    Declaration,
    declaration_of,
    record_name,
    type_name,
)
from hipify_py.semantics.expressions import NAMES, entries_of, is_same, text_of
from hipify_py.semantics.functions import functions_of

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = lazy_pattern(rb"[A-Za-z_]\w*")
_IN_WORD = lazy_pattern(rb"\w")
_SEARCHES = 64
"""Words that the source is searched for; with more of them, the places of all are indexed."""
_FEW_NAMES = 16
"""Names that are looked up one by one; with more of them, all names of the tree are indexed."""
_FEW_PLACES = 64
"""Places of such a name: a look-up visits all siblings of a place in a list."""
_DEEPEST = 60
"""Steps from an object down to its type; real code needs a handful."""


if TYPE_CHECKING:
    _Leaves = tuple[list[tuple[int, Node]], AbstractSet[int]]
    """The leaves of a name with their places, and where a declaration may have its own."""


class _Resolution:
    """The declarations of one name, and the meaning of each of its uses."""

    __slots__ = ("declared", "fields", "meant", "members", "used", "uses")

    def __init__(
        self,
        declared: dict[int, Declaration],
        uses: list[Node],
        meant: dict[int, tuple[Declaration, ...]],
        used: dict[Declaration, list[Node]] | None = None,
    ) -> None:
        self.declared = declared
        self.uses = uses
        self.meant = meant
        self.used = used
        """The uses of each declaration, computed on first use."""
        self.fields = tuple(found for found in declared.values() if found.record is not None)
        """The members of types."""
        self.members: dict[bytes | None, tuple[Declaration, ...]] = {}
        """The members of each type, filled on demand; by None, those of the only type that has some."""


class Names:
    """The names of one source. Each is resolved on first use, and all its places at once."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._data = unit.source.data
        self._cache: dict[bytes, _Resolution] = {}
        self._resolved: dict[int, tuple[Declaration, ...]] = {}
        self._declared: dict[bytes, bool] = {}
        self._members_of: dict[bytes, list[Declaration | None]] = {}
        self._searches = 0
        self._left = _FEW_NAMES
        """The number of names that may still be looked up one by one."""
        self._aliases: dict[bytes, Spelling | None] = {}

    def resolve(self, leaf: Node) -> tuple[Declaration, ...]:
        """The declarations that a name's use means: several where branches of an `#if` have one each."""
        cached = self._resolved.get(leaf.id)
        if cached is None:
            cached = self._resolved[leaf.id] = self._resolve(leaf)
        return cached

    def _resolve(self, leaf: Node) -> tuple[Declaration, ...]:
        name = leaf.text or b""
        if not self._may_be_declared(name):
            return ()
        parent = leaf.parent
        meanings = self._meanings(name)
        if parent is not None and parent.type == "field_expression" and leaf.type == "field_identifier":
            return self._members_named(meanings, self._type_of(parent.child_by_field_name("argument")))
        if parent is not None and parent.type == "qualified_identifier":
            scope = parent.child_by_field_name("scope")
            found = self._members_named(meanings, type_name(scope) if scope is not None else None)
            return found or tuple(d for d in meanings.declared.values() if d.kind != "field" and d.start == 0)
        return (
            meanings.meant.get(leaf.start_byte)
            or self._own_members(meanings, leaf)
            or self._in_broken_function(meanings, leaf)
        )

    def _in_broken_function(self, meanings: _Resolution, leaf: Node) -> tuple[Declaration, ...]:
        """The variables of a function whose tree ends before its closing brace, as seen after that end.

        Macros that hide a brace or a semicolon (`CHECK_BEGIN { … } CHECK_END;`) end it so.
        """
        function = functions_of(self.unit).at(leaf.start_byte)
        if function is None or function.node is None or leaf.start_byte < function.node.end_byte:
            return ()
        around = function.node.start_byte, function.node.end_byte
        return tuple(
            found
            for found in meanings.declared.values()
            if found.kind in ("variable", "parameter") and around[0] <= found.start and found.end == around[1]
        )

    def _own_members(self, meanings: _Resolution, leaf: Node) -> tuple[Declaration, ...]:
        """The members that a name means in a member function which is defined outside its type."""
        if not meanings.fields:
            return ()
        node: Node | None = leaf
        while node is not None and node.type != "function_definition":
            node = node.parent
        while node is not None and node.type != "qualified_identifier":
            node = node.child_by_field_name("declarator")
        scope = node.child_by_field_name("scope") if node is not None else None
        return self._members_named(meanings, type_name(scope)) if scope is not None else ()

    def declaration_at(self, leaf: Node) -> Declaration | None:
        """The declaration whose name is a leaf."""
        name = leaf.text or b""
        return self._meanings(name).declared.get(leaf.start_byte) if self._may_be_declared(name) else None

    def uses(self, declaration: Declaration) -> list[Node]:
        """The uses of a declared name."""
        meanings = self._meanings(declaration.name)
        if meanings.used is None:
            meanings.used = {}
            for leaf in meanings.uses:
                for found in self.resolve(leaf):
                    meanings.used.setdefault(found, []).append(leaf)
        return meanings.used.get(declaration, [])

    def functions(self, name: bytes) -> list[Declaration]:
        """The functions of a name, including prototypes."""
        return [found for found in self.declared(name) if found.kind == "function"]

    def declared(self, name: bytes) -> list[Declaration]:
        """All declarations of a name, in source order."""
        return list(self._meanings(name).declared.values()) if self._may_be_declared(name) else []

    def is_record(self, name: bytes) -> bool:
        """Whether the source declares a class of this name."""
        return any(leaf.parent is not None and leaf.parent.type in RECORDS for leaf in self.mentions(name))

    def is_declared(self, name: bytes) -> bool:
        """Whether the source declares the name, also as a function or a template."""
        cached = self._declared.get(name)
        if cached is None:
            cached = self._declared[name] = bool(self._meanings(name).declared) or self.is_record(name)
        return cached

    def alias(self, name: bytes) -> Spelling | None:
        """The type that a name is an alias of in this source."""
        if name not in self._aliases:
            self._aliases[name] = self._find_alias(name)
        return self._aliases[name]

    def _find_alias(self, name: bytes) -> Spelling | None:
        for leaf in self.mentions(name):
            parent = leaf.parent
            if parent is None or parent.type not in ("alias_declaration", "type_definition"):
                continue
            field = "name" if parent.type == "alias_declaration" else "declarator"
            if is_same(parent.child_by_field_name(field), leaf):
                type = parent.child_by_field_name("type")
                if type is not None and type.text is not None:
                    width, start, end = spelling(type.text)
                    return Spelling(width, type.start_byte + start, type.start_byte + end)
        return None

    def callee_parameters(self, leaf: Node) -> list[list[Declaration | None]]:
        """The parameters of all callees of a name: functions, and the lambda that a variable holds."""
        functions = [found.function for found in self.functions(leaf.text or b"")]
        values = [found.value for found in self.resolve(leaf)]
        functions += [
            value.child_by_field_name("declarator")
            for value in values
            if value is not None and value.type == "lambda_expression"
        ]
        return [self.parameters(function) for function in functions if function is not None]

    def members(self, type: bytes) -> list[Declaration | None]:
        """The members of a type of this source, in order; None for those that are not plain variables."""
        cached = self._members_of.get(type)
        if cached is None:
            cached = self._members_of[type] = list(self._find_members(type))
        return cached

    def _find_members(self, type: bytes) -> Iterator[Declaration | None]:
        for leaf in self.mentions(type):
            record = leaf.parent
            if record is None or not record.type.endswith("_specifier"):
                continue
            body = record.child_by_field_name("body")
            for field in entries_of(body) if body is not None else ():
                if field.type == "field_declaration" and not text_of(field).startswith(b"static"):
                    for declarator in field.children_by_field_name("declarator"):
                        yield self.declared_in(declarator)

    def mentions(self, name: bytes) -> list[Node]:
        """Every place where a name is used, not declared."""
        return self._meanings(name).uses

    @cached_property
    def words(self) -> dict[bytes, None]:
        """The words of the source, also of comments and strings, in the order of their first places."""
        return dict.fromkeys(_WORD.findall(self._data))

    def places(self, name: bytes) -> Iterator[int]:
        """The places of a word, also in comments and strings."""
        if self._searches == _SEARCHES:
            yield from self._all_places.get(name, ())
            return
        self._searches += 1
        data = self._data
        place = data.find(name) if _WORD.fullmatch(name) else -1
        while place >= 0:
            end = place + len(name)
            if not _IN_WORD.match(data, end) and _begins_word(data, place):
                yield place
            place = data.find(name, end)

    @cached_property
    def _all_places(self) -> dict[bytes, list[int]]:
        """The places of all words: faster than searching the source for each of very many."""
        places: dict[bytes, list[int]] = {}
        for match in _WORD.finditer(self._data):
            places.setdefault(match[0], []).append(match.start())
        return places

    def occurs(self, name: bytes) -> bool:
        """Whether the name is somewhere in the code."""
        return any(self.unit.lexemes.non_code_at(place) is None for place in self.places(name))

    def parameters(self, function: Node) -> list[Declaration | None]:
        """The parameters of a function's (or lambda's) declarator, or of a template's parameter list."""
        found = function if function.type == "template_parameter_list" else function.child_by_field_name("parameters")
        if found is None:
            return []
        return [self._parameter(node) for node in entries_of(found)]

    def _parameter(self, node: Node) -> Declaration | None:
        declarator = node.child_by_field_name("declarator") if node.type in PARAMETERS else None
        return None if declarator is None else self.declared_in(declarator)

    def declared_in(self, declarator: Node) -> Declaration | None:
        """The declaration of the name in a declarator."""
        leaf: Node | None = declarator
        while leaf is not None and leaf.type not in NAMES:
            inner = leaf.child_by_field_name("declarator")
            leaf = inner if inner is not None else next(iter(leaf.named_children), None)
        return None if leaf is None else self.declaration_at(leaf)

    @cached_property
    def _places_in_macros(self) -> dict[bytes, list[int]]:
        """The places of each word in the bodies of macros, which the file's tree holds as text."""
        places: dict[bytes, list[int]] = {}
        for body in self.unit.tree.index.of_kind("preproc_arg"):
            for match in _WORD.finditer(self._data, body.start_byte, body.end_byte):
                places.setdefault(match[0], []).append(match.start())
        return places

    def _may_be_declared(self, name: bytes) -> bool:
        """Whether something of the name may be declared; most names need no search for declarations."""
        return self._left > 0 or name in self._cache or name in self._declarable

    @cached_property
    def _declarable(self) -> frozenset[bytes]:
        """The names at places where something is declared."""
        found = set(self.unit.tree.index.declared.values())
        for define in self.unit.lexemes.defines:
            found.update(_WORD.findall(self._data, define.end, self.unit.lexemes.body_end(define)))
        return frozenset(found)

    def _meanings(self, name: bytes) -> _Resolution:
        cached = self._cache.get(name)
        if cached is None:
            cached = self._cache[name] = self._find(name)
        return cached

    def _find(self, name: bytes) -> _Resolution:
        found = self._find_individually(name)
        leaves, where_declared = found if found is not None else self._find_in_index(name)
        declared: dict[int, Declaration] = {}
        uses: list[Node] = []
        for place, leaf in leaves:
            declaration = declaration_of(leaf, name, len(self._data)) if place in where_declared else None
            if declaration is None:
                uses.append(leaf)
            else:
                declared[place] = declaration
        return _Resolution(declared, uses, _innermost_declarations(declared, uses) if declared else {})

    def _find_individually(self, name: bytes) -> _Leaves | None:
        """The leaves of a name, looked up one by one: for a few names that is faster than an index of all."""
        if not self._left or not _WORD.fullmatch(name):
            return None
        self._left -= 1
        places = list(islice(self.unit.lexemes.places(name), _FEW_PLACES + 1))
        if len(places) > _FEW_PLACES:
            return None
        found = []
        for place in places:
            leaf = self.unit.tree.leaf(place, end := place + len(name))
            if leaf is not None and leaf.type in NAMES and leaf.start_byte == place and leaf.end_byte == end:
                found.append((place, leaf))
        return found, frozenset(places)

    def _find_in_index(self, name: bytes) -> _Leaves:
        """The leaves of a name by the index of all names."""
        index, non_code_at = self.unit.tree.index, self.unit.lexemes.non_code_at
        in_macros = self._in_macros(name)
        leaves = [(place, leaf) for leaf in index.names.get(name, ()) if non_code_at(place := leaf.start_byte) is None]
        if not in_macros:
            return leaves, index.declared.keys()
        return sorted(leaves + in_macros, key=itemgetter(0)), index.declared.keys() | {place for place, _ in in_macros}

    def _in_macros(self, name: bytes) -> list[tuple[int, Node]]:
        """The leaves of a name in the bodies of macros, with their places."""
        found = []
        for place in self._places_in_macros.get(name, ()):
            if self.unit.lexemes.non_code_at(place) is None:
                leaf = self.unit.tree.leaf(place, place + len(name))
                if leaf is not None and leaf.type in NAMES and leaf.end_byte == place + len(name):
                    found.append((place, leaf))
        return found

    def _members_named(self, meanings: _Resolution, type: bytes | None) -> tuple[Declaration, ...]:
        """The members of that name in a type; where the type is unknown, those of the only one that has some."""
        fields = meanings.fields
        if not fields:
            return ()
        if type not in meanings.members:
            if type is not None:
                found = tuple(field for field in fields if record_name(field) == type)
            else:
                found = fields if len({record_name(field) for field in fields}) == 1 else ()
            meanings.members[type] = found
        return meanings.members[type]

    def _type_of(self, node: Node | None) -> bytes | None:
        """The name of an object's type, through pointers and arrays; None where it is unknown."""
        for _ in range(_DEEPEST):
            if node is None:
                return None
            if node.type in ("parenthesized_expression",):
                node = next(iter(node.named_children), None)
            elif node.type in ("subscript_expression", "pointer_expression"):
                node = node.child_by_field_name("argument")
            elif node.type == "this":
                while node is not None and node.type not in RECORDS:
                    node = node.parent
                name = node.child_by_field_name("name") if node is not None else None
                return name.text if name is not None else None
            else:
                break
        leaf = node.child_by_field_name("field") if node is not None and node.type == "field_expression" else node
        if leaf is None or leaf.type not in NAMES:
            return None
        for found in self.resolve(leaf):
            if found.type is not None and found.spelling.width is not Width.DEDUCED:
                return type_name(found.type)
        return None


def _begins_word(data: bytes, place: int) -> bool:
    """Whether a word begins at a place: only digits, or nothing of a word, precede it."""
    while place and data[place - 1 : place].isdigit():
        place -= 1
    return not place or not (data[place - 1 : place].isalpha() or data[place - 1] == 0x5F)


def _innermost_declarations(declared: dict[int, Declaration], uses: list[Node]) -> dict[int, tuple[Declaration, ...]]:
    """The innermost declarations around each use; one sweep, as scopes are nested."""
    waiting = sorted(declared.values(), key=lambda found: (found.start, -found.end), reverse=True)
    open: list[Declaration] = []
    resolved: dict[int, tuple[Declaration, ...]] = {}
    innermost: tuple[Declaration, ...] = ()
    for leaf in uses:
        place = leaf.start_byte
        is_same_scope = bool(innermost)
        while waiting and waiting[-1].start <= place:
            open.append(waiting.pop())
            is_same_scope = False
        while open and open[-1].end <= place:
            open.pop()
            is_same_scope = False
        if is_same_scope:
            resolved[place] = innermost
        elif open:
            first = len(open) - 1
            while first and open[first - 1].end == open[-1].end:
                first -= 1
            resolved[place] = innermost = tuple(open[first:])
        else:
            innermost = ()
    return resolved


def names_of(unit: Unit) -> Names:
    """The names of a unit, resolved once for all rules."""
    return unit.analysis(Names)
