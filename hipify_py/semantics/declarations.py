"""Declarations, read from the syntax tree around the name that they declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.semantics.builtin_types import Spelling, Width, spelling
from hipify_py.semantics.expressions import NAMES, ends_with, is_in_field

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset(
    {
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "function_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "structured_binding_declarator",
    }
)
_QUALIFIED = frozenset({"qualified_identifier"})
PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration"})
"""The nodes of one parameter each."""
_DECLARATIONS = PARAMETERS | {"declaration", "field_declaration", "function_definition", "for_range_loop"}
_WITH_PARAMETERS = frozenset({"function_definition", "lambda_expression", "template_declaration", "catch_clause"})
_BLOCKS = frozenset({"compound_statement", "for_statement", "if_statement", "while_statement", "lambda_expression"})
TYPE_PARAMETERS = frozenset(
    {"type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration"}
)
"""The nodes of one type parameter of a template each."""
RECORDS = frozenset({"struct_specifier", "class_specifier", "union_specifier"})
"""The nodes that have members."""
_DEEPEST = 60
"""Steps from a name up to its declaration, and into the parts of a type's name; real code needs a handful."""


class Declaration:
    """A name that the source declares, with its properties.

    Attributes:
        name: the name.
        place: the offset of the name.
        kind: `variable`, `parameter`, `field`, `function`, `enumerator`.
        owner: the node of the whole declaration.
        leaf: the node of the name.
        type: the node of the type; of a function, its return type. None for an enumerator.
        shape: `value`, `pointer`, `reference` or `array` (of any number of dimensions); anything deeper is `other`.
        value: the node of its initializer, if it has one.
        start: the start of its scope.
        end: the end of its scope.
    """

    __slots__ = ("end", "kind", "leaf", "name", "owner", "place", "shape", "start", "type", "value")

    def __init__(
        self,
        name: bytes,
        place: int,
        kind: str,
        owner: Node,
        leaf: Node,
        type: Node | None,
        shape: str,
        value: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.place = place
        self.kind = kind
        self.owner = owner
        self.leaf = leaf
        self.type = type
        self.shape = shape
        self.value = value
        self.start = start
        self.end = end

    def with_value(self, value: Node | None) -> Declaration:
        """A copy of the declaration with another initializer; the copy compares as different."""
        return Declaration(
            self.name,
            self.place,
            self.kind,
            self.owner,
            self.leaf,
            self.type,
            self.shape,
            value,
            self.start,
            self.end,
        )

    @property
    def spelling(self) -> Spelling:
        """The width of its type as written, with the position of the part that determines it."""
        if self.type is None or self.type.text is None:
            return Spelling(Width.OTHER, 0, 0)
        width, start, end = spelling(self.type.text)
        return Spelling(width, self.type.start_byte + start, self.type.start_byte + end)

    @property
    def is_constant(self) -> bool:
        """Whether it is an enumerator, or a `const` or `constexpr` value that is initialized where it is declared."""
        if self.kind == "enumerator":
            return True
        if self.value is None or self.shape != "value" or self.kind not in ("variable", "field"):
            return False
        words = (child.text for child in self.owner.children if child.type == "type_qualifier")
        return any(word in (b"const", b"constexpr", b"constinit") for word in words)

    @property
    def is_template_parameter(self) -> bool:
        """Whether it is a parameter of a template, not of a function."""
        parent = self.owner.parent
        return parent is not None and parent.type == "template_parameter_list"

    @property
    def function(self) -> Node | None:
        """The function declarator of a function."""
        node: Node | None = self.leaf
        while node is not None and node.type != "function_declarator":
            node = node.parent if node.id != self.owner.id else None
        return node

    @property
    def record(self) -> Node | None:
        """The struct, class or union of a field, or of a function that is declared in it."""
        parent = self.owner.parent
        if parent is not None and parent.type == "template_declaration":
            parent = parent.parent
        return parent.parent if parent is not None and parent.parent and parent.parent.type in RECORDS else None


def declaration_of(leaf: Node, name: bytes, size: int) -> Declaration | None:
    """The declaration whose declared name is this leaf."""
    shapes: list[str] = []
    node, parent, value, is_function = leaf, leaf.parent, None, False
    if parent is not None and parent.type == "qualified_identifier":
        node, parent = _member_defined(leaf)
    for _ in range(_DEEPEST):
        if parent is None or parent.type not in _WRAPPERS:
            break
        if not _declares(parent, node):
            return None
        if parent.type == "init_declarator":
            value = parent.child_by_field_name("value")
        elif parent.type == "function_declarator":
            is_function, shapes = True, []  # further declarators belong to its return type
        elif parent.type not in ("parenthesized_declarator", "structured_binding_declarator"):
            shapes.append(parent.type.removesuffix("_declarator"))
        node, parent = parent, parent.parent
    if parent is None:
        return None
    if parent.type == "enumerator" and _declares(parent, node):
        return Declaration(
            name,
            leaf.start_byte,
            "enumerator",
            parent,
            leaf,
            None,
            "value",
            parent.child_by_field_name("value"),
            0,
            size,
        )
    if parent.type not in _DECLARATIONS or not _declares(parent, node):
        return None
    type = parent.child_by_field_name("type")
    if is_function and parent.type == "declaration" and parent.parent and parent.parent.type == "compound_statement":
        is_function = False  # `unsigned m(expression);` parsed as a prototype
    if is_function:
        trailing = _trailing_type(leaf)
        type = type if trailing is None else trailing
    kind = (
        "function"
        if is_function
        else "parameter"
        if parent.type in PARAMETERS
        else "field"
        if parent.type == "field_declaration"
        else "variable"
    )
    if value is None:
        value = parent.child_by_field_name("default_value")
    if value is None and parent.type == "declaration":
        value = parent.child_by_field_name("value")
    shape = (shapes[0] if len(shapes) == 1 or set(shapes) == {"array"} else "other") if shapes else "value"
    if leaf.parent is not None and leaf.parent.type == "structured_binding_declarator":
        shape, value = "value", None  # one part of the value, as it is
    return Declaration(name, leaf.start_byte, kind, parent, leaf, type, shape, value, *_scope(parent, kind, size))


def _member_defined(leaf: Node) -> tuple[Node, Node | None]:
    """The name that `unsigned V::mask() {…}` defines, scopes included, with the declarator around it."""
    node = ends_with(leaf, _QUALIFIED)
    return (
        (node, node.parent) if node.parent is not None and node.parent.type == "function_declarator" else (leaf, None)
    )


def _declares(parent: Node, child: Node) -> bool:
    """Whether `child` is what `parent` declares: its declarator or name, not its value or size."""
    if parent.type in ("reference_declarator", "parenthesized_declarator", "structured_binding_declarator"):
        return True
    return is_in_field(parent, "name" if parent.type == "enumerator" else "declarator", child)


def _trailing_type(leaf: Node) -> Node | None:
    declarator = leaf.parent
    if declarator is None:
        return None
    trailing = next((node for node in declarator.named_children if node.type == "trailing_return_type"), None)
    found = next(iter(trailing.named_children), None) if trailing is not None else None
    return found.child_by_field_name("type") if found is not None else None


def _scope(declaration: Node, kind: str, size: int) -> tuple[int, int]:
    if kind == "function":
        return 0, size
    if kind == "parameter":
        return parameter_scope(declaration)
    block = declaration if declaration.type == "for_range_loop" else declaration.parent
    if kind == "field":
        return (block.start_byte, block.end_byte) if block is not None else (0, size)
    while block is not None and block.type not in _BLOCKS and block.type != "for_range_loop":
        block = block.parent
    return (0, size) if block is None else (declaration.start_byte, block.end_byte)


def parameter_scope(parameter: Node) -> tuple[int, int]:
    """The function, lambda or template whose parameter it is; of a mere prototype, its parameter list."""
    parameters = parameter.parent
    owner = parameters.parent if parameters is not None else None
    while owner is not None and (owner.type in _WRAPPERS or owner.type == "lambda_declarator"):
        owner = owner.parent
    if owner is None or owner.type not in _WITH_PARAMETERS:
        owner = parameters
    return (parameter.start_byte, owner.end_byte) if owner is not None else (parameter.start_byte, parameter.end_byte)


def templated_names(template: Node) -> Iterator[bytes]:
    """The name of the function or type that a template declaration declares."""
    for node in template.named_children:
        if node.type in RECORDS:
            name = node.child_by_field_name("name")
            if name is not None and name.text is not None:
                yield name.text
        elif node.type in ("function_definition", "declaration"):
            leaf: Node | None = node.child_by_field_name("declarator")
            while leaf is not None and leaf.type not in NAMES:
                inner = leaf.child_by_field_name("declarator") or leaf.child_by_field_name("name")
                leaf = inner if inner is not None else next(iter(leaf.named_children), None)
            if leaf is not None and leaf.text is not None:
                yield leaf.text


def record_name(field: Declaration) -> bytes | None:
    """The name of the type that a field belongs to, in either way of naming it."""
    record = field.record
    while record is not None and _is_part_of_its_scope(record):
        record = _ancestor_record(record.parent)
    return name_of_record(record) if record is not None else None


def _is_part_of_its_scope(record: Node) -> bool:
    """Whether this is an anonymous struct or union, whose members are those of the enclosing type."""
    around = record.parent
    return (
        record.child_by_field_name("name") is None
        and around is not None
        and around.type == "field_declaration"
        and around.child_by_field_name("declarator") is None
    )


def _ancestor_record(node: Node | None) -> Node | None:
    while node is not None and node.type not in RECORDS:
        node = node.parent
    return node


def name_of_record(record: Node) -> bytes | None:
    """The name of a class, struct or union: its own, or that of the `typedef` that defines it."""
    name = record.child_by_field_name("name")
    if name is None and record.parent is not None and record.parent.type == "type_definition":
        name = record.parent.child_by_field_name("declarator")
    return type_name(name) if name is not None else None


def type_name(type: Node) -> bytes | None:
    """The bare name of a type: without its scope and its template arguments."""
    for _ in range(_DEEPEST):
        inner = type.child_by_field_name("name")
        if inner is None:
            break
        type = inner
    return type.text
