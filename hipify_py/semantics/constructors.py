"""Which types of a source have a non-trivial default constructor, so that a variable of one is constructed.

nvcc leaves `__shared__` variables unconstructed, and warns at most; clang rejects them where the default constructor
is not empty, as the CUDA programming guide has it (E.2.3.1 of version 7.5, C++ classes as device variables).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import RECORDS, name_of_record, type_name
from hipify_py.semantics.expressions import compact, entries_of, text_of
from hipify_py.semantics.structure import structure_of
from hipify_py.semantics.symbols import names_of
from hipify_py.semantics.template_bindings import bindings_of, type_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 12
"""Members and bases of each other, and aliases; real code needs a handful."""
_FUNCTIONS = frozenset({"function_definition", "declaration", "field_declaration"})
_POINTERS = frozenset({"pointer_declarator", "reference_declarator", "function_declarator"})


class Constructors:
    """The types of one source by the effect of constructing a variable of them."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._structure = structure_of(unit)
        self._cache: dict[int, bool] = {}
        self._aliases: dict[bytes, Node | None] = {}

    def needs_construction(self, type: Node, *, library_only: bool = False) -> bool:
        """Whether a variable of a type would be constructed, as far as the source, its headers and the tables show.

        Args:
            type: the node of a type as it is written.
            library_only: test for what `__device__` variables cannot have and CUDA's own types do not have: a type of
                the tables, as a member or by itself.
        """
        return self._constructs(type, "device" if library_only else "shared", 0)

    def types(self) -> Iterator[bytes]:
        """The names of the classes and aliases of this source that are constructed."""
        for name, records in self._structure.records.items():
            if any(self._is_constructed(record.node, "shared", 0) for record in records):
                yield name
        for node in self._unit.tree.nodes("alias_declaration", "type_definition"):
            name = text_of(node.child_by_field_name("name" if node.type == "alias_declaration" else "declarator"))
            alias = self._alias(name)
            if alias is not None and self._constructs(alias, "shared", 0):
                yield name

    def _constructs(self, type: Node, where: str, depth: int) -> bool:
        if depth > _DEEPEST or type.type in ("primitive_type", "sized_type_specifier", "enum_specifier"):
            return False
        if type.type in RECORDS and type.child_by_field_name("body") is not None:
            return self._is_constructed(type, where, depth)
        type = _named(type)
        whole = _without_arguments(compact(type))
        if not whole:
            return False  # a member of a template instance
        if self._is_listed(whole, type, where):
            return True
        bare = type_name(type) or b""
        if self._is_array(whole):
            return self._of_argument(type, where, depth)
        records = self._structure.records.get(bare, ())
        if records:
            return any(self._is_constructed(record.node, where, depth + 1) for record in records)
        parameter = self._arguments_for(bare, type)
        if parameter is not None:
            return any(self._of_name(name, where, depth + 1) for name in parameter)
        alias = self._alias(bare)
        if alias is not None:
            return self._constructs(alias, where, depth + 1)
        return where == "shared" and bare in self._unit.project.constructed

    def _is_listed(self, whole: bytes, type: Node, where: str) -> bool:
        """Whether the tables have the type, by its full name or by what a `using` makes of a short one."""
        catalog = self._unit.catalog
        names = [whole]
        for using in self._structure.usings:
            if not using.region.start <= type.start_byte < using.region.end:
                continue
            if using.is_namespace:
                names.append(using.name + b"::" + whole)
            elif using.name.rpartition(b"::")[2] == whole:
                names.append(using.name)
        alias = self._structure.aliases.get(whole.partition(b"::")[0])
        if alias is not None:
            names.append(alias + b"::" + whole.partition(b"::")[2])
        for name in names:
            found = catalog.constructed.get(name) or _with_prefix(catalog.constructed, name)
            if found and (where == "shared" or found == "device"):
                return b"::" in name or not self._structure.records.get(name)
        return False

    @staticmethod
    def _is_array(whole: bytes) -> bool:
        return whole in (b"std::array", b"cuda::std::array", b"thrust::array")

    def _of_argument(self, type: Node, where: str, depth: int) -> bool:
        """Whether the element of an array class is constructed."""
        node: Node | None = type
        while node is not None and node.type == "qualified_identifier":
            node = node.child_by_field_name("name")
        arguments = node.child_by_field_name("arguments") if node is not None else None
        first = next(iter(entries_of(arguments)), None) if arguments is not None else None
        inner = first.child_by_field_name("type") if first is not None else None
        return inner is not None and self._constructs(inner, where, depth + 1)

    def _of_name(self, name: bytes, where: str, depth: int) -> bool:
        """Whether a class of this source or its headers is constructed, by its bare name."""
        records = self._structure.records.get(name, ())
        if records:
            return any(self._is_constructed(record.node, where, depth) for record in records)
        found = self._unit.catalog.constructed.get(name)
        if found is not None:
            return where == "shared" or found == "device"
        alias = self._alias(name) if depth <= _DEEPEST else None
        if alias is not None:
            return self._constructs(alias, where, depth + 1)
        return where == "shared" and name in self._unit.project.constructed

    def _arguments_for(self, name: bytes, place: Node) -> set[bytes] | None:
        """The arguments in this source for a template's parameter; None for what is not a parameter there."""
        node = ancestor(place, "template_declaration")
        while node is not None:
            if name in type_parameters(node):
                return {bound[name] for bound in bindings_of(names_of(self._unit), node) if name in bound}
            node = ancestor(node.parent, "template_declaration") if node.parent is not None else None
        return None

    def _alias(self, name: bytes) -> Node | None:
        """The type that a `using` or `typedef` of this source is an alias of."""
        if name not in self._aliases:
            self._aliases[name] = self._find_alias(name)
        return self._aliases[name]

    def _find_alias(self, name: bytes) -> Node | None:
        for leaf in names_of(self._unit).mentions(name):
            parent = leaf.parent
            if parent is None or parent.type not in ("alias_declaration", "type_definition"):
                continue
            field = "name" if parent.type == "alias_declaration" else "declarator"
            named = parent.child_by_field_name(field)
            type = parent.child_by_field_name("type")
            if named is not None and named.id == leaf.id and type is not None:
                inner = type.child_by_field_name("type") if type.type == "type_descriptor" else type
                return None if _points(type) else inner
        return None

    # -- classes

    def _is_constructed(self, record: Node, where: str, depth: int) -> bool:
        """Whether the default constructor of a class does something."""
        if where == "device":
            return self._has_constructed_parts(record, where, depth)
        cached = self._cache.get(record.id)
        if cached is None:
            self._cache[record.id] = False  # meanwhile, for a class within itself by a pointer
            cached = self._cache[record.id] = self._has_effect(record, depth)
        return cached

    def _has_effect(self, record: Node, depth: int) -> bool:
        is_union = record.type == "union_specifier"
        name = name_of_record(record) or b""
        found = [function for function in _functions(record) if _called(function) == name]
        default = next((function for function in found if _takes_nothing(function)), None)
        if default is None and found:
            return False  # no variable of it is made without arguments
        if default is not None and not self._is_empty(default, name, depth, is_union=is_union):
            return True
        if is_union:
            return False
        if any(_is_destructor(function) for function in _functions(record)):
            return True
        if any(child.type == "virtual" for function in _functions(record) for child in function.children):
            return True
        return self._has_constructed_parts(record, "shared", depth)

    def _has_constructed_parts(self, record: Node, where: str, depth: int) -> bool:
        """Whether a base or a member is constructed, or a member is initialized."""
        for base in _bases(record):
            if self._constructs(base, where, depth + 1):
                return True
        body = record.child_by_field_name("body")
        for field in entries_of(body) if body is not None else ():
            type = field.child_by_field_name("type")
            if field.type != "field_declaration" or type is None or _is_static(field):
                continue
            if where == "shared" and field.child_by_field_name("default_value") is not None:
                return True
            declarators = field.children_by_field_name("declarator")
            if any(not _points(declarator) for declarator in declarators) and self._constructs(type, where, depth + 1):
                return True
        return False

    def _is_empty(self, constructor: Node, name: bytes, depth: int, *, is_union: bool) -> bool:
        """Whether a default constructor is empty for clang: defined, without parameters, statements, initializers."""
        if any(child.type == "default_method_clause" for child in constructor.children):
            return True
        if any(child.type == "delete_method_clause" for child in constructor.children):
            return True  # no variable is made with it
        body = constructor.child_by_field_name("body")
        if body is None:
            outside = self._defined_outside(name)  # empty or not, its definition may come later for clang
            return outside is not None and any(child.type == "default_method_clause" for child in outside.children)
        if any(child.type != "comment" for child in body.named_children) or b";" in compact(body):
            return False
        if any(child.type == "ERROR" for child in constructor.children):
            return False  # initializers after a macro's word, which the grammar does not expect there
        parameters = _parameters(constructor)
        if parameters is None or entries_of(parameters) or not _is_for_devices(constructor):
            return False
        initialisers = next((node for node in constructor.children if node.type == "field_initializer_list"), None)
        return is_union or initialisers is None or self._names_empty_bases(initialisers, depth)

    def _names_empty_bases(self, initialisers: Node, depth: int) -> bool:
        """Whether all initializers are those of bases of this source, without arguments, that are not constructed."""
        for initialiser in entries_of(initialisers):
            base, *arguments = entries_of(initialiser)
            records = self._structure.records.get(type_name(base) or b"", ())
            if not records or any(entries_of(node) for node in arguments if node.type == "argument_list"):
                return False
            if any(self._is_constructed(record.node, "shared", depth + 1) for record in records):
                return False
        return True

    def _defined_outside(self, name: bytes) -> Node | None:
        """The out-of-class definition of a default constructor."""
        for leaf in names_of(self._unit).declared(name):
            declarator = leaf.leaf.parent
            scope = declarator.child_by_field_name("scope") if declarator is not None else None
            if scope is not None and type_name(scope) == name and _takes_nothing(leaf.owner):
                return leaf.owner
        return None


def constructors_of(unit: Unit) -> Constructors:
    """The constructed types of a unit, computed once."""
    return unit.analysis(Constructors)


def _functions(record: Node) -> Iterator[Node]:
    """The functions that a class declares, including templates."""
    body = record.child_by_field_name("body")
    for entry in entries_of(body) if body is not None else ():
        inner = entry.named_children[-1] if entry.type == "template_declaration" and entry.named_children else entry
        if inner.type in _FUNCTIONS and _declarator(inner) is not None:
            yield inner


def _is_destructor(function: Node) -> bool:
    """Whether this is a destructor that does something, which single variables cannot have either."""
    body = function.child_by_field_name("body")
    return _called(function).startswith(b"~") and body is not None and bool(body.named_children)


def _declarator(function: Node) -> Node | None:
    found = function.child_by_field_name("declarator")
    return found if found is not None and found.type == "function_declarator" else None


def _called(function: Node) -> bytes:
    declarator = _declarator(function)
    return text_of(declarator.child_by_field_name("declarator")) if declarator is not None else b""


def _parameters(function: Node) -> Node | None:
    declarator = _declarator(function)
    return declarator.child_by_field_name("parameters") if declarator is not None else None


def _takes_nothing(function: Node) -> bool:
    """Whether it can be called without arguments."""
    parameters = _parameters(function)
    return parameters is not None and all(
        entry.type in ("optional_parameter_declaration", "variadic_parameter") or text_of(entry) == b"void"
        for entry in entries_of(parameters)
    )


def _is_for_devices(constructor: Node) -> bool:
    """Whether it is a device function, by a word before it, which may be a macro's, or as `constexpr`."""
    start = constructor.start_byte
    declarator = _declarator(constructor)
    end = declarator.start_byte if declarator is not None else start
    before = (text_of(constructor)[: end - start]).split()
    return any(word not in (b"inline", b"explicit") for word in before)


def _bases(record: Node) -> Iterator[Node]:
    clause = next((child for child in record.named_children if child.type == "base_class_clause"), None)
    for entry in entries_of(clause) if clause is not None else ():
        if entry.type in ("type_identifier", "template_type", "qualified_identifier"):
            yield entry


def _is_static(field: Node) -> bool:
    return any(child.type == "storage_class_specifier" and text_of(child) == b"static" for child in field.children)


def _named(type: Node) -> Node:
    """The name in `struct P` and in `typename S::P`."""
    if type.type in RECORDS:
        return type.child_by_field_name("name") or type
    return type.named_children[0] if type.type == "dependent_type" and type.named_children else type


def _points(declared: Node) -> bool:
    """Whether a declarator or the type of an alias is a pointer, reference or function."""
    pending = [declared]
    while pending:
        node = pending.pop()
        if node.type in _POINTERS or node.type.startswith("abstract_pointer"):
            return True
        pending += [child for child in node.named_children if child.type.endswith("declarator")]
    return False


def _without_arguments(name: bytes) -> bytes:
    """A type's full name without leading colons and template arguments; empty where more follows them."""
    name = name.removeprefix(b"::")
    plain, bracket, _ = name.partition(b"<")
    if not bracket:
        return plain
    depth = 0
    for place, byte in enumerate(name):
        depth += (byte == 0x3C) - (byte == 0x3E)
        if byte == 0x3E and depth == 0:
            return plain if place == len(name) - 1 else b""
    return b""


def _with_prefix(listed: dict[bytes, str], name: bytes) -> str | None:
    """All entries whose names begin like one."""
    namespace = name.rpartition(b"::")[0]
    if not namespace:
        return None
    return next((where for key, where in listed.items() if key.endswith(b"*") and name.startswith(key[:-1])), None)
