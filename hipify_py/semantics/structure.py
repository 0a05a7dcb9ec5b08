"""The named scopes of one source: its classes with their bases, its namespaces, and their out-of-class definitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.ranges import Range
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import RECORDS, TYPE_PARAMETERS, name_of_record, type_name
from hipify_py.semantics.expressions import compact, entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.semantics.containers import Type

_BLOCKS = ("compound_statement", "field_declaration_list", "declaration_list", "translation_unit")


class Record(NamedTuple):
    """A class, struct or union that the source defines.

    Attributes:
        name: its name, without template arguments.
        bases: the names of the bases that name lookup searches: without those that depend on its template
            parameters.
        node: its node.
        body: its braces.
    """

    name: bytes
    bases: tuple[bytes, ...]
    node: Node
    body: Range


class Using(NamedTuple):
    """A `using` of a name or namespace: its target, and where it holds.

    Attributes:
        name: the name as written, without blanks and leading colons.
        is_global: colons precede it.
        is_namespace: `using namespace`.
        node: its node.
        region: from it to the end of the scope around it.
    """

    name: bytes
    is_global: bool
    is_namespace: bool
    node: Node
    region: Range


class Structure:
    """The scopes of one source."""

    def __init__(self, unit: Unit) -> None:
        self._tree = unit.tree

    @cached_property
    def records(self) -> dict[bytes, list[Record]]:
        """The classes by their names."""
        found: dict[bytes, list[Record]] = {}
        for node in self._tree.nodes(*RECORDS):
            record = _record(node)
            if record is not None:
                found.setdefault(record.name, []).append(record)
        return found

    @cached_property
    def types(self) -> frozenset[bytes]:
        """The names of types that the source declares in any way."""
        return frozenset(text_of(leaf) for leaf in self._type_names() if leaf.type == "type_identifier")

    def _type_names(self) -> Iterator[Node]:
        for node in self._tree.nodes(*RECORDS, "enum_specifier", "alias_declaration"):
            yield from node.children_by_field_name("name")
        for node in self._tree.nodes("type_definition"):
            yield from node.children_by_field_name("declarator")
        for node in self._tree.nodes("type_parameter_declaration"):
            yield from node.named_children

    @cached_property
    def namespaces(self) -> dict[bytes, list[Range]]:
        """The bodies of each namespace, by its full name."""
        found: dict[bytes, list[Range]] = {}
        for node in self._tree.nodes("namespace_definition"):
            body = node.child_by_field_name("body")
            name = namespace_of(body) if body is not None else b""
            if name and body is not None:
                found.setdefault(name, []).append(Range(body.start_byte, body.end_byte))
        return found

    @cached_property
    def aliases(self) -> dict[bytes, bytes]:
        """The namespaces that `namespace a = b;` names, by the alias."""
        return dict(alias_of(node) for node in self._tree.nodes("namespace_alias_definition"))

    @cached_property
    def usings(self) -> list[Using]:
        """The `using` declarations and directives."""
        return [using_of(node) for node in self._tree.nodes("using_declaration")]

    def records_with_base(self, name: bytes) -> Iterator[Record]:
        """The classes that derive from a class, also indirectly."""
        pending, visited = [name], {name}
        while pending:
            for derived in self._derived.get(pending.pop(), ()):
                if derived not in visited:
                    visited.add(derived)
                    pending.append(derived)
                    yield from self.records[derived]

    @cached_property
    def _derived(self) -> dict[bytes, list[bytes]]:
        """The names of the classes that derive from a class directly."""
        found: dict[bytes, list[bytes]] = {}
        for records in self.records.values():
            for record in records:
                for base in record.bases:
                    found.setdefault(base, []).append(record.name)
        return found

    def bases(self, name: bytes) -> set[bytes]:
        """The classes that a class derives from, also indirectly, whether the source defines them or not."""
        pending, visited = [name], set[bytes]()
        while pending:
            for record in self.records.get(pending.pop(), ()):
                pending += (base for base in record.bases if base not in visited)
                visited |= set(record.bases)
        return visited

    def bindings(self, name: bytes, arguments: tuple[Type | None, ...]) -> dict[bytes, Type]:
        """The arguments of a class template's parameters in an instance of it."""
        if not arguments:
            return {}
        for record in self.records.get(name, ()):
            template = record.node.parent
            if template is not None and template.type == "template_declaration":
                parameters = template.child_by_field_name("parameters")
                names = [_parameter_name(entry) for entry in entries_of(parameters)] if parameters is not None else []
                return {name: type for name, type in zip(names, arguments, strict=False) if type is not None}
        return {}

    def record_regions(self, name: bytes) -> Iterator[Range]:
        """Where a class's member is visible by its bare name: in it, in its functions, and in derived classes."""
        for record in (*self.records.get(name, ()), *self.records_with_base(name)):
            yield record.body
        for owner in {name, *(record.name for record in self.records_with_base(name))}:
            yield from self._outside.get(owner, ())

    def namespace_regions(self, name: bytes) -> Iterator[Range]:
        """Where a name of a namespace is visible: in it, in namespaces within, and in its out-of-line functions."""
        yield from self._within.get(name, ())
        yield from self._outside.get(name.rpartition(b"::")[2], ())

    @cached_property
    def _within(self) -> dict[bytes, list[Range]]:
        """The bodies of each namespace and of those within it, by its full name."""
        found: dict[bytes, list[Range]] = {}
        for full, bodies in self.namespaces.items():
            parts = full.split(b"::")
            for count in range(1, len(parts) + 1):
                found.setdefault(b"::".join(parts[:count]), []).extend(bodies)
        return found

    def using_regions(self, name: bytes) -> Iterator[Range]:
        """The regions where `using namespace` makes the names of a namespace visible."""
        last = name.rpartition(b"::")[2]
        for using in self.usings:
            if using.is_namespace and using.name.rpartition(b"::")[2] == last:
                yield using.region

    @cached_property
    def _outside(self) -> dict[bytes, list[Range]]:
        """The functions that are defined outside their class or namespace, by the names of both."""
        found: dict[bytes, list[Range]] = {}
        for node in self._qualified_functions():
            function = ancestor(node, "function_definition", *_BLOCKS)
            if function is None or function.type != "function_definition":
                continue
            scoped: Node | None = node
            while scoped is not None and scoped.type == "qualified_identifier":
                name = type_name(scope) if (scope := scoped.child_by_field_name("scope")) is not None else None
                if name is not None:
                    found.setdefault(name, []).append(Range(node.start_byte, function.end_byte))
                scoped = scoped.child_by_field_name("name")
        return found

    def _qualified_functions(self) -> Iterator[Node]:
        """The names of functions that are declared with the scope that they belong to."""
        for declarator in self._tree.nodes("function_declarator"):
            name = declarator.child_by_field_name("declarator")
            if name is not None and name.type == "qualified_identifier":
                yield name


def structure_of(unit: Unit) -> Structure:
    """The scopes of a unit, computed once."""
    return unit.analysis(Structure)


def namespace_of(node: Node | None) -> bytes:
    """The full name of the namespace around a node; unnamed and inline ones count as the enclosing one."""
    parts: list[bytes] = []
    while node is not None:
        if node.type == "namespace_definition":
            name = node.child_by_field_name("name")
            if name is not None and all(child.type != "inline" for child in node.children):
                parts.append(b"".join(text_of(name).split()))
        node = node.parent
    return b"::".join(reversed(parts))


def scope_path(node: Node | None) -> bytes:
    """The full name of the namespace or class around a node."""
    record: list[bytes] = []
    while node is not None and node.type != "namespace_definition":
        if node.type in RECORDS and (name := name_of_record(node)) is not None:
            record.append(name)
        node = node.parent
    return b"::".join(filter(None, (namespace_of(node), *reversed(record))))


def _record(node: Node) -> Record | None:
    body, name = node.child_by_field_name("body"), name_of_record(node)
    if body is None or name is None:
        return None
    clause = next((child for child in node.named_children if child.type == "base_class_clause"), None)
    parameters = template_parameters(node)
    bases = tuple(
        found
        for base in (entries_of(clause) if clause is not None else ())
        if base.type in ("type_identifier", "template_type", "qualified_identifier")
        and not _mentions(base, parameters)
        and (found := type_name(base)) is not None
    )
    return Record(name, bases, node, Range(body.start_byte, body.end_byte))


def template_parameters(node: Node) -> set[bytes]:
    """The names of the template parameters around a node."""
    found: set[bytes] = set()
    outer: Node | None = node.parent
    while outer is not None:
        if outer.type == "template_declaration":
            parameters = outer.child_by_field_name("parameters")
            found.update(map(_parameter_name, entries_of(parameters) if parameters is not None else ()))
        outer = outer.parent
    return found


def _parameter_name(parameter: Node) -> bytes:
    leaf = parameter.child_by_field_name("name") or parameter.child_by_field_name("declarator")
    if leaf is None and parameter.type in TYPE_PARAMETERS:
        leaf = next(iter(parameter.named_children), None)
    return text_of(leaf)


def _mentions(node: Node, names: set[bytes]) -> bool:
    """Whether one of the names is in a node."""
    if not names:
        return False
    pending = [node]
    while pending:
        node = pending.pop()
        if node.child_count == 0 and node.text in names:
            return True
        pending += node.children
    return False


def alias_of(node: Node) -> tuple[bytes, bytes]:
    """The name of a namespace's alias, and its target, without leading colons."""
    name = node.child_by_field_name("name")
    target = next((child for child in reversed(node.named_children) if child.type != "comment"), None)
    return text_of(name), compact(target).removeprefix(b"::")


def using_of(node: Node) -> Using:
    """The target of a `using`."""
    words = [child for child in node.children if child.type not in ("using", "namespace", "typename", ";", "comment")]
    name = b"".join(map(compact, words))
    block = ancestor(node, *_BLOCKS)
    end = block.end_byte if block is not None else node.end_byte
    return Using(
        name.removeprefix(b"::"),
        name.startswith(b"::"),
        any(child.type == "namespace" for child in node.children),
        node,
        Range(node.start_byte, end),
    )
