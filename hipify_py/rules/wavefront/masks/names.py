"""What the names of one source mean: the declarations that a lane mask may come from, and their uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.rules.wavefront.masks.syntax import NAMES, entries_of, is_same
from hipify_py.rules.wavefront.masks.types import Spelling, Width, spelling
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(rb"[A-Za-z_]\w*")
_WRAPPERS = frozenset(
    {
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "function_declarator",
        "parenthesized_declarator",
        "init_declarator",
    }
)
_PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration"})
_DECLARATIONS = _PARAMETERS | {"declaration", "field_declaration", "function_definition", "for_range_loop"}
_BLOCKS = frozenset({"compound_statement", "for_statement", "if_statement", "while_statement", "lambda_expression"})
_RECORDS = frozenset({"struct_specifier", "class_specifier", "union_specifier"})
_DEEPEST = 60
"""Steps from a name up to its declaration, and from an object down to its type; real code needs a handful."""


@dataclass(eq=False, slots=True)
class Declaration:
    """A name that the source declares, and what is known of it.

    Attributes:
        name: the name.
        place: where the name stands.
        kind: `variable`, `parameter`, `field`, `function`, `enumerator`.
        owner: the node of the whole declaration.
        leaf: the node of the name.
        type: the node of the type; of a function, its return type. None for an enumerator.
        shape: `value`, `pointer`, `reference` or `array`; anything deeper is `other`.
        value: the node that it is initialised with, if it is.
        start: where the name begins to mean it.
        end: where it ends to.
    """

    name: bytes
    place: int
    kind: str
    owner: Node
    leaf: Node
    type: Node | None
    shape: str
    value: Node | None
    start: int
    end: int

    @property
    def spelling(self) -> Spelling:
        """The width of its type as written, with the place of the part that says so."""
        if self.type is None or self.type.text is None:
            return Spelling(Width.OTHER, 0, 0)
        width, start, end = spelling(self.type.text)
        return Spelling(width, self.type.start_byte + start, self.type.start_byte + end)

    @property
    def function(self) -> Node | None:
        """The function declarator of a function."""
        node: Node | None = self.leaf
        while node is not None and node.type != "function_declarator":
            node = node.parent if node.id != self.owner.id else None
        return node

    @property
    def record(self) -> Node | None:
        """The struct, class or union of a field."""
        parent = self.owner.parent
        return parent.parent if parent is not None and parent.parent and parent.parent.type in _RECORDS else None


@dataclass(eq=False, slots=True)
class _Meanings:
    """The declarations of one name, and what each of its uses means."""

    declared: dict[int, Declaration]
    uses: list[Node]
    meant: dict[int, tuple[Declaration, ...]]
    used: dict[Declaration, list[Node]] | None = None
    """The uses of each declaration, once one has been asked for."""


class Names:
    """The names of one source. Each is looked at when first asked for, and all its places at once."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._data = unit.source.data
        self._known: dict[bytes, _Meanings] = {}
        self.members: dict[bytes, list[Declaration | None]] = {}
        """The members of the types that were asked for, in order."""

    def meant_by(self, leaf: Node) -> tuple[Declaration, ...]:
        """The declarations that a name's use means: several where branches of an `#if` have one each."""
        parent = leaf.parent
        meanings = self._meanings(leaf.text or b"")
        if parent is not None and parent.type == "field_expression" and leaf.type == "field_identifier":
            return self._members(meanings, self._type_of(parent.child_by_field_name("argument")))
        if parent is not None and parent.type == "qualified_identifier":
            scope = parent.child_by_field_name("scope")
            found = self._members(meanings, scope.text if scope is not None else None)
            return found or tuple(d for d in meanings.declared.values() if d.kind != "field" and d.start == 0)
        return meanings.meant.get(leaf.start_byte, ())

    def declaration_at(self, leaf: Node) -> Declaration | None:
        """The declaration whose name a leaf is."""
        return self._meanings(leaf.text or b"").declared.get(leaf.start_byte)

    def uses(self, declaration: Declaration) -> list[Node]:
        """The uses of a declared name."""
        meanings = self._meanings(declaration.name)
        if meanings.used is None:
            meanings.used = {}
            for leaf in meanings.uses:
                for found in self.meant_by(leaf):
                    meanings.used.setdefault(found, []).append(leaf)
        return meanings.used.get(declaration, [])

    def functions(self, name: bytes) -> list[Declaration]:
        """The functions of a name, prototypes too."""
        return [found for found in self._meanings(name).declared.values() if found.kind == "function"]

    def is_declared(self, name: bytes) -> bool:
        """The source declares the name, a function's or a template's among others."""
        return bool(self._meanings(name).declared) or any(
            leaf.parent is not None and leaf.parent.type in _RECORDS for leaf in self.mentions(name)
        )

    def alias(self, name: bytes) -> Spelling | None:
        """The type that this source says a name is short for."""
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

    def template_arguments(self, parameter: Declaration) -> Iterator[Node]:
        """What this source's instantiations of a template give for its parameter."""
        parameters = parameter.owner.parent
        if parameters is None or parameters.type != "template_parameter_list" or parameters.parent is None:
            return
        position = next((at for at, node in enumerate(entries_of(parameters)) if node.id == parameter.owner.id), 0)
        for name in _templated(parameters.parent):
            for leaf in self.mentions(name):
                parent = leaf.parent
                if parent is None or parent.type not in ("template_function", "template_type", "template_method"):
                    continue
                found = parent.child_by_field_name("arguments")
                arguments = entries_of(found) if found is not None else []
                if position < len(arguments):
                    yield arguments[position]

    def called(self, leaf: Node) -> list[list[Declaration | None]]:
        """The parameters of all that a call of a name may mean: functions, and the lambda that a variable holds."""
        functions = [found.function for found in self.functions(leaf.text or b"")]
        values = [found.value for found in self.meant_by(leaf)]
        functions += [
            value.child_by_field_name("declarator")
            for value in values
            if value is not None and value.type == "lambda_expression"
        ]
        return [self.parameters(function) for function in functions if function is not None]

    def mentions(self, name: bytes) -> list[Node]:
        """Every place where a name stands and is not declared."""
        return self._meanings(name).uses

    def parameters(self, function: Node) -> list[Declaration | None]:
        """The parameters of a function's (or lambda's) declarator, or of a template's parameter list."""
        found = function if function.type == "template_parameter_list" else function.child_by_field_name("parameters")
        if found is None:
            return []
        return [self._parameter(node) for node in entries_of(found)]

    def _parameter(self, node: Node) -> Declaration | None:
        declarator = node.child_by_field_name("declarator") if node.type in _PARAMETERS else None
        return None if declarator is None else self.declared_in(declarator)

    def declared_in(self, declarator: Node) -> Declaration | None:
        """The declaration of the name in a declarator."""
        leaf: Node | None = declarator
        while leaf is not None and leaf.type not in NAMES:
            inner = leaf.child_by_field_name("declarator")
            leaf = inner if inner is not None else next(iter(leaf.named_children), None)
        return None if leaf is None else self.declaration_at(leaf)

    @cached_property
    def _places(self) -> dict[bytes, list[int]]:
        """Where each word stands; one pass for all of them."""
        places: dict[bytes, list[int]] = {}
        for match in _WORD.finditer(self._data):
            places.setdefault(match[0], []).append(match.start())
        return places

    def _meanings(self, name: bytes) -> _Meanings:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._find(name)
        return known

    def _find(self, name: bytes) -> _Meanings:
        declared: dict[int, Declaration] = {}
        uses: list[Node] = []
        for place in self._places.get(name, ()):
            if self._unit.lexemes.skip_at(place) is not None:
                continue
            leaf = self._unit.tree.leaf(place, place + len(name))
            if leaf is None or leaf.type not in NAMES or leaf.end_byte != place + len(name):
                continue
            declaration = _declaration(leaf, name, len(self._data))
            if declaration is None:
                uses.append(leaf)
            else:
                declared[place] = declaration
        return _Meanings(declared, uses, _meant(declared, uses))

    def _members(self, meanings: _Meanings, type: bytes | None) -> tuple[Declaration, ...]:
        """The fields of that name in a type; where the type is not known, those of the only one that has some."""
        fields = [found for found in meanings.declared.values() if found.kind == "field"]
        if not fields:
            return ()
        if type is not None:
            return tuple(field for field in fields if record_name(field) == type)
        return tuple(fields) if len({record_name(field) for field in fields}) == 1 else ()

    def _type_of(self, node: Node | None) -> bytes | None:
        """The name of an object's type, pointers and arrays looked through; None where it is not known."""
        for _ in range(_DEEPEST):
            if node is None:
                return None
            if node.type in ("parenthesized_expression",):
                node = next(iter(node.named_children), None)
            elif node.type in ("subscript_expression", "pointer_expression"):
                node = node.child_by_field_name("argument")
            elif node.type == "this":
                while node is not None and node.type not in _RECORDS:
                    node = node.parent
                name = node.child_by_field_name("name") if node is not None else None
                return name.text if name is not None else None
            else:
                break
        leaf = node.child_by_field_name("field") if node is not None and node.type == "field_expression" else node
        if leaf is None or leaf.type not in NAMES:
            return None
        for found in self.meant_by(leaf):
            if found.type is not None and found.spelling.width is not Width.DEDUCED:
                return _type_name(found.type)
        return None


def _meant(declared: dict[int, Declaration], uses: list[Node]) -> dict[int, tuple[Declaration, ...]]:
    """The innermost declarations around each use; one sweep, as scopes lie in each other."""
    waiting = sorted(declared.values(), key=lambda found: (found.start, -found.end), reverse=True)
    open: list[Declaration] = []
    meant: dict[int, tuple[Declaration, ...]] = {}
    for leaf in uses:
        place = leaf.start_byte
        while waiting and waiting[-1].start <= place:
            open.append(waiting.pop())
        while open and open[-1].end <= place:
            open.pop()
        if open:
            first = len(open) - 1
            while first and open[first - 1].end == open[-1].end:
                first -= 1
            meant[place] = tuple(open[first:])
    return meant


def _declaration(leaf: Node, name: bytes, size: int) -> Declaration | None:
    """The declaration that a name is the declared name of."""
    shapes: list[str] = []
    node, parent, value, is_function = leaf, leaf.parent, None, False
    for _ in range(_DEEPEST):
        if parent is None or parent.type not in _WRAPPERS:
            break
        if not _declares(parent, node):
            return None
        if parent.type == "init_declarator":
            value = parent.child_by_field_name("value")
        elif parent.type == "function_declarator":
            is_function, shapes = True, []  # what stands outside is its return type's
        elif parent.type != "parenthesized_declarator":
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
        is_function = False  # `unsigned m(expression);` read as a prototype
    if is_function:
        trailing = _trailing_type(leaf)
        type = type if trailing is None else trailing
    kind = (
        "function"
        if is_function
        else "parameter"
        if parent.type in _PARAMETERS
        else "field"
        if parent.type == "field_declaration"
        else "variable"
    )
    if value is None:
        value = parent.child_by_field_name("default_value")
    if value is None and parent.type == "declaration":
        value = parent.child_by_field_name("value")
    shape = (shapes[0] if len(shapes) == 1 else "other") if shapes else "value"
    return Declaration(name, leaf.start_byte, kind, parent, leaf, type, shape, value, *_scope(parent, kind, size))


def _declares(parent: Node, child: Node) -> bool:
    """`child` is what `parent` declares: its declarator or name, not its value or size."""
    if parent.type in ("reference_declarator", "parenthesized_declarator"):
        return True
    field = "name" if parent.type == "enumerator" else "declarator"
    return any(found.id == child.id for found in parent.children_by_field_name(field))


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
        return _parameter_scope(declaration)
    block = declaration if declaration.type == "for_range_loop" else declaration.parent
    if kind == "field":
        return (block.start_byte, block.end_byte) if block is not None else (0, size)
    while block is not None and block.type not in _BLOCKS and block.type != "for_range_loop":
        block = block.parent
    return (0, size) if block is None else (declaration.start_byte, block.end_byte)


def _parameter_scope(parameter: Node) -> tuple[int, int]:
    """The function, lambda or template whose parameter it is; a mere prototype's parameter list."""
    parameters = parameter.parent
    owner = parameters.parent if parameters is not None else None
    while owner is not None and (owner.type in _WRAPPERS or owner.type == "lambda_declarator"):
        owner = owner.parent
    if owner is None or owner.type not in ("function_definition", "lambda_expression", "template_declaration"):
        owner = parameters
    return (parameter.start_byte, owner.end_byte) if owner is not None else (parameter.start_byte, parameter.end_byte)


def _templated(template: Node) -> Iterator[bytes]:
    """The name of the function or type that a template declaration declares."""
    for node in template.named_children:
        if node.type in _RECORDS:
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
    if record is None:
        return None
    name = record.child_by_field_name("name")
    if name is None and record.parent is not None and record.parent.type == "type_definition":
        name = record.parent.child_by_field_name("declarator")
    return _type_name(name) if name is not None else None


def _type_name(type: Node) -> bytes | None:
    """The bare name of a type: without its scope and its template arguments."""
    for _ in range(_DEEPEST):
        inner = type.child_by_field_name("name")
        if inner is None:
            break
        type = inner
    return type.text
