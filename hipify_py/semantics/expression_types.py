"""Local type inference for expressions: through `auto`, members, elements and smart pointers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Define
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.containers import Type, element, first_argument, get, method, part, pointee_type, subscripted
from hipify_py.semantics.declarations import Declaration, record_name, type_name
from hipify_py.semantics.expressions import (
    NAMES,
    arguments_of,
    callee,
    entries_of,
    is_same,
    operator_of,
    text_of,
)
from hipify_py.semantics.structure import structure_of
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 24
"""Steps from an expression to its type, of which real code needs a few; variables may be set from each other."""
_MAKERS = frozenset({b"make_unique", b"make_shared", b"make_optional", b"allocate_shared"})
_SAME = frozenset({b"move", b"forward", b"ref", b"cref", b"as_const", b"exchange"})
_CASTS = frozenset({b"static_cast", b"const_cast", b"reinterpret_cast", b"dynamic_cast", b"bit_cast"})
_GROUPS = {
    b"this_grid": b"grid_group",
    b"this_multi_grid": b"multi_grid_group",
    b"this_cluster": b"cluster_group",
    b"this_thread_block": b"thread_block",
    b"coalesced_threads": b"coalesced_group",
    b"labeled_partition": b"coalesced_group",
    b"binary_partition": b"coalesced_group",
    b"tiled_partition": b"thread_block_tile",
    b"divide_tile": b"tile_of_tile",
}
"""The groups that functions of cooperative groups, and of the support header, return."""
_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_NO_TYPES: Mapping[bytes, Type] = {}


def type_of(names: Names, expression: Node | None) -> bytes:
    """The name of an expression's type, with aliases resolved; empty where it is unknown.

    Pointers and arrays have none: only what they point to has.
    """
    found = expression_types(names.unit).type_of(expression)
    return found.name if found is not None and found.pointers == 0 else b""


def pointee_of(names: Names, address: Node | None) -> bytes:
    """The name of the type that an address points to, or of an array's elements; else empty."""
    found = expression_types(names.unit).type_of(address)
    return found.name if found is not None and found.pointers == 1 else b""


def resolve_alias(names: Names, type: bytes) -> bytes:
    """The type that a name is an alias of in its source, or the name itself."""
    found = expression_types(names.unit).alias(type) if type else None
    return found.name if found is not None else type


def expression_types(unit: Unit) -> ExpressionTypes:
    """The types of a unit's expressions."""
    return unit.analysis(ExpressionTypes)


class ExpressionTypes:
    """The types of one source's expressions, each inferred on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._declaration_cache: dict[Declaration, Type | None] = {}
        self._aliased: dict[bytes, tuple[Node | None, int] | None] = {}

    def type_of(self, expression: Node | None, depth: int = 0) -> Type | None:
        """The type of an expression; None where it is unknown."""
        if expression is None or depth == _DEEPEST:
            return None
        node, depth = expression, depth + 1
        match node.type:
            case "identifier" | "field_identifier":
                return self._name_type(node, depth)
            case "field_expression":
                return self._member(node, depth)
            case "qualified_identifier" | "dependent_name":
                return self.type_of(_last(node), depth)
            case "parenthesized_expression" | "initializer_list" | "argument_list":
                entries = entries_of(node)
                return self.type_of(entries[0], depth) if len(entries) == 1 else None
            case "subscript_expression":
                return subscripted(self.type_of(node.child_by_field_name("argument"), depth))
            case "pointer_expression":
                inner = self.type_of(node.child_by_field_name("argument"), depth)
                if operator_of(node) == "*":
                    return pointee_type(inner)
                return inner._replace(pointers=inner.pointers + 1) if inner is not None else None
            case "cast_expression" | "compound_literal_expression":
                return self.type_of_node(node.child_by_field_name("type"), depth)
            case "new_expression":
                made = self.type_of_node(node.child_by_field_name("type"), depth)
                return made._replace(pointers=made.pointers + 1) if made is not None else None
            case "call_expression":
                return self._call(node, depth)
            case "conditional_expression":
                types = (self.type_of(node.child_by_field_name(way), depth) for way in ("consequence", "alternative"))
                return _common_type(list(types))
            case "assignment_expression":
                return self.type_of(node.child_by_field_name("left"), depth)
            case "comma_expression":
                return self.type_of(node.child_by_field_name("right"), depth)
            case "update_expression":
                return self.type_of(node.child_by_field_name("argument"), depth)
            case "binary_expression" if operator_of(node) in ("+", "-"):
                return self._sum(node, depth)
            case "this":
                name = self.record_around(node)
                return Type(name, 1) if name is not None else None
        return None

    def types_in_branches(self, name: Node) -> list[Type]:
        """The types of a variable, which may have one in each branch of an `#if`."""
        found = (self.declared_type(declaration) for declaration in self._names.resolve(name))
        return [type for type in found if type is not None]

    def declared_type(self, declaration: Declaration, depth: int = 0) -> Type | None:
        """The type of a declared name; of a function, its return type."""
        if declaration not in self._declaration_cache:
            self._declaration_cache[declaration] = None  # meanwhile: set from itself
            self._declaration_cache[declaration] = self._find(declaration, depth + 1)
        return self._declaration_cache[declaration]

    def type_of_node(
        self, node: Node | None, depth: int = 0, bindings: Mapping[bytes, Type] = _NO_TYPES, pointers: int = 0
    ) -> Type | None:
        """The type that a type's node names, with aliases resolved.

        Args:
            node: the node of a type, with or without what makes it a pointer or array.
            depth: the steps that led to it.
            bindings: the arguments of the parameters of the template around it.
            pointers: the number of pointers and arrays around it.
        """
        if node is None or depth == _DEEPEST:
            return None
        depth += 1
        if node.type == "type_descriptor":
            pointers += _abstract_pointers(node)
            return self.type_of_node(node.child_by_field_name("type"), depth, bindings, pointers)
        if node.type == "decltype":
            found = self.type_of(next(iter(node.named_children), None), depth)
            return found._replace(pointers=found.pointers + pointers) if found is not None else None
        arguments: tuple[Type | None, ...] = ()
        while node.type in ("qualified_identifier", "template_type", "template_function", "dependent_type"):
            if node.type.startswith("template"):
                argument_list = node.child_by_field_name("arguments")
                arguments = tuple(
                    self.type_of_node(entry, depth, bindings)
                    for entry in (argument_list.named_children if argument_list is not None else ())
                )
            inner = node.child_by_field_name("name") or next(iter(node.named_children), None)
            if inner is None:
                return None
            node = inner
        if node.type.endswith("_specifier") and node.type not in ("sized_type_specifier", "placeholder_type_specifier"):
            name = node.child_by_field_name("name")
            return Type(text_of(name), pointers) if name is not None else None
        if node.type in ("placeholder_type_specifier", "auto"):
            return None
        text = text_of(node)
        if text in bindings:
            return bindings[text]._replace(pointers=bindings[text].pointers + pointers)
        return self.alias(text, depth, pointers) or Type(text, pointers, arguments)

    def alias(self, text: bytes, depth: int = 0, pointers: int = 0) -> Type | None:
        """The type that a name is an alias of by `using`, `typedef` or `#define`; None for a type of its own."""
        if text not in self._aliased:
            self._aliased[text] = self._find_aliased(text)
        target = self._aliased[text]
        if target is not None:
            type, count = target
            return self.type_of_node(type, depth, pointers=pointers + count)
        define = self._macros.get(text)
        if define is None:
            return None
        body = self._unit.source.data[define.end : self._unit.lexemes.body_end(define)].strip()
        return Type(body, pointers) if _NAME.fullmatch(body) and body != text else None

    def _find_aliased(self, name: bytes) -> tuple[Node | None, int] | None:
        """The node of the type that a name is defined as, and the number of pointers and arrays around it."""
        for leaf in self._names.mentions(name):
            parent = leaf.parent
            if parent is None:
                continue
            if parent.type == "alias_declaration" and is_same(parent.child_by_field_name("name"), leaf):
                return parent.child_by_field_name("type"), 0
            declarator, count = _defining_declarator(leaf)
            if declarator is not None and declarator.type == "type_definition":
                type = declarator.child_by_field_name("type")
                if type is not None and type.child_by_field_name("body") is None:
                    return type, count
        return None

    @cached_property
    def _macros(self) -> dict[bytes, Define]:
        return {define.text: define for define in self._unit.lexemes.defines}

    def _find(self, declaration: Declaration, depth: int) -> Type | None:
        if declaration.type is None:
            return None
        if declaration.type.type != "placeholder_type_specifier":
            return self.type_of_node(declaration.type, depth, pointers=_pointers(declaration))
        owner = declaration.owner
        if owner.type == "for_range_loop":
            value = element(self.type_of(owner.child_by_field_name("right"), depth))
        elif declaration.kind == "variable" and (whole := _initialiser(declaration)) is not None:
            value = self.type_of(whole, depth)
        else:
            return None
        position = _binding_position(declaration)
        return value if position is None else self._part(value, position, depth)

    def _part(self, whole: Type | None, position: int, depth: int) -> Type | None:
        """The type of a part that a structured binding names."""
        found = part(whole, position)
        if found is not None or whole is None or whole.pointers:
            return found
        members = self._names.members(whole.name)
        member = members[position] if position < len(members) else None
        return self.declared_type(member, depth) if member is not None else None

    def _name_type(self, leaf: Node, depth: int) -> Type | None:
        own = self._names.declaration_at(leaf)
        declarations = self._names.resolve(leaf) if own is None else (own,)
        if not declarations and (record := self.record_around(leaf)) is not None:
            return self._field(Type(record), leaf, depth)  # a base's
        return _common_type([self.declared_type(found, depth) for found in declarations if found.kind != "function"])

    def _member(self, node: Node, depth: int) -> Type | None:
        leaf = node.child_by_field_name("field")
        while leaf is not None and leaf.type != "field_identifier":
            leaf = leaf.child_by_field_name("name")
        if leaf is None:
            return None
        whole = self.object_type(node, depth)
        found = part(whole, {b"first": 0, b"second": 1}.get(text_of(leaf), -1))
        return found or self._field(whole, leaf, depth)

    def object_type(self, field_expression: Node, depth: int = 0) -> Type | None:
        """The type of the object of a member access by `.`, or through a pointer by `->`."""
        whole = self.type_of(field_expression.child_by_field_name("argument"), depth)
        return pointee_type(whole) if operator_of(field_expression) == "->" else whole

    def _field(self, whole: Type | None, leaf: Node, depth: int) -> Type | None:
        """The type of a member of a class that the source defines, or of one of its bases."""
        if whole is None or whole.pointers:
            return self._name_type(leaf, depth) if whole is None else None
        structure = structure_of(self._unit)
        owners = {whole.name} | structure.bases(whole.name)
        fields = [
            field
            for field in self._names.declared(text_of(leaf))
            if field.kind == "field" and record_name(field) in owners
        ]
        return _common_type([self._in_instance(field, whole, depth) for field in fields])

    def _in_instance(self, member: Declaration, whole: Type | None, depth: int) -> Type | None:
        """The type of a member in an instance of a class template."""
        bindings = structure_of(self._unit).bindings(whole.name, whole.arguments) if whole is not None else {}
        if not bindings:
            return self.declared_type(member, depth)
        return self.type_of_node(member.type, depth, bindings, _pointers(member))

    def _call(self, call: Node, depth: int) -> Type | None:
        function, leaf, arguments = call.child_by_field_name("function"), callee(call), arguments_of(call)
        if function is None or leaf is None:
            return None
        name = text_of(leaf)
        template_arguments = _template_arguments(function)
        if name in _CASTS:
            return self.type_of_node(template_arguments[0], depth) if template_arguments else None
        if name in _MAKERS:
            made = self.type_of_node(template_arguments[0], depth) if template_arguments else None
            return made._replace(pointers=made.pointers + 1) if made is not None else None
        if name in _SAME and arguments:
            return self.type_of(arguments[0], depth)
        if name == b"get" and template_arguments and arguments:
            return get(self.type_of(arguments[0], depth), template_arguments[0])
        whole = None
        if function.type == "field_expression":
            whole = self.object_type(function, depth)
            found = method(whole, name)
            if found is not None or (whole is not None and first_argument(whole) is not None):
                return found
        functions = [found for found in self._names.resolve(leaf) if found.kind == "function"]
        functions = functions or (self._names.functions(name) if function.type != "field_expression" else [])
        if functions and not any(record_name(found) == found.name for found in functions):  # else constructors
            return _common_type([self._in_instance(found, whole, depth) for found in functions])
        if name in _GROUPS:
            return Type(_GROUPS[name] if template_arguments or name != b"tiled_partition" else b"thread_group")
        return self.type_of_node(function, depth) if self._is_type(name) else None

    def _is_type(self, name: bytes) -> bool:
        """Whether a call of the name makes a value of a type."""
        row = self._unit.catalog.row(name)
        return (row is not None and row.kind == "type") or name in structure_of(self._unit).types

    def _sum(self, node: Node, depth: int) -> Type | None:
        """The type of a pointer plus an offset; None for numbers."""
        left = self.type_of(node.child_by_field_name("left"), depth)
        if left is not None and left.pointers:
            return left
        right = self.type_of(node.child_by_field_name("right"), depth) if operator_of(node) == "+" else None
        return right if right is not None and right.pointers else None

    def record_around(self, node: Node) -> bytes | None:
        """The class that a place is in, or whose member function's definition it is in."""
        outer: Node | None = node
        while outer is not None:
            if outer.type in ("struct_specifier", "class_specifier", "union_specifier"):
                name = outer.child_by_field_name("name")
                return type_name(name) if name is not None else None
            if outer.type == "function_definition":
                declarator = outer.child_by_field_name("declarator")
                while declarator is not None and declarator.type != "qualified_identifier":
                    declarator = declarator.child_by_field_name("declarator")
                scope = declarator.child_by_field_name("scope") if declarator is not None else None
                if scope is not None:
                    return type_name(scope)
            outer = outer.parent
        return None


def _common_type(types: list[Type | None]) -> Type | None:
    """The type that all of them are; None where they differ, or one is unknown."""
    found = set(types)
    return found.pop() if len(found) == 1 else None


def _last(node: Node) -> Node | None:
    inner: Node | None = node
    while inner is not None and inner.type not in NAMES:
        inner = inner.child_by_field_name("name")
    return inner


def _template_arguments(function: Node) -> list[Node]:
    node: Node | None = function
    while node is not None and node.type not in ("template_function", "template_method"):
        node = node.child_by_field_name("field" if node.type == "field_expression" else "name")
    arguments = node.child_by_field_name("arguments") if node is not None else None
    return arguments.named_children if arguments is not None else []


def _abstract_pointers(descriptor: Node) -> int:
    declarator, count = descriptor.child_by_field_name("declarator"), 0
    while declarator is not None:
        count += declarator.type in ("abstract_pointer_declarator", "abstract_array_declarator")
        inner = declarator.child_by_field_name("declarator")
        declarator = inner if inner is not None else next(iter(declarator.named_children), None)
    return count


def _pointers(declaration: Declaration) -> int:
    """The number of dereferences from what is declared to an object of the type that is written there."""
    node, count = declaration.leaf, 0
    while node.parent is not None and not is_same(node, declaration.owner):
        count += node.type in ("pointer_declarator", "array_declarator")
        node = node.parent
    return count


def _defining_declarator(leaf: Node) -> tuple[Node | None, int]:
    """The `typedef` that may define a name, and the number of pointers and arrays around it."""
    node, count = leaf.parent, 0
    while node is not None and node.type in ("pointer_declarator", "array_declarator", "parenthesized_declarator"):
        count += node.type != "parenthesized_declarator"
        node = node.parent
    if node is None or not any(found.end_byte == leaf.end_byte for found in node.children_by_field_name("declarator")):
        return None, 0
    return node, count


def _initialiser(declaration: Declaration) -> Node | None:
    """The initializer of a variable's declaration; of a structured binding, the whole of it."""
    if declaration.value is not None:
        return declaration.value
    node: Node | None = declaration.leaf
    while node is not None and not is_same(node, declaration.owner):
        if node.type == "init_declarator":
            return node.child_by_field_name("value")
        node = node.parent
    return None


def _binding_position(declaration: Declaration) -> int | None:
    """The position of a name in its structured binding; None for any other variable."""
    binding = declaration.leaf.parent
    if binding is None or binding.type != "structured_binding_declarator":
        return None
    return next(at for at, leaf in enumerate(binding.named_children) if is_same(leaf, declaration.leaf))
