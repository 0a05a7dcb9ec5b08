"""A local variable that is used for one thing after another, as the several variables that it stands for."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.masks.webs import JUMPS, Web, webs_of
from hipify_py.frontend.syntax import ancestor
from hipify_py.records import NamedTuple
from hipify_py.semantics.declarations import PARAMETERS, Declaration, record_name, type_name
from hipify_py.semantics.expressions import (
    argument_position,
    arguments_of,
    call_of,
    callee,
    entries_of,
    is_same,
    name_in,
    operator_of,
    text_of,
)
from hipify_py.semantics.integer_types import Spelling
from hipify_py.semantics.macros import Macros
from hipify_py.semantics.symbols import Names
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_BLOCKS = frozenset({"compound_statement"})
_SHARED = frozenset({b"static", b"extern", b"volatile", b"__shared__", b"thread_local", b"__device__", b"__constant__"})
_MOST_USES = 200


class Overload(NamedTuple):
    """A function with what tells it from others of its name: the type that it is a member of, its parameters' types."""

    declaration: Declaration
    owner: bytes
    types: tuple[bytes, ...]

    @property
    def key(self) -> tuple[bytes, tuple[bytes, ...]]:
        """The same for the prototypes and the definition of one function."""
        return self.owner, self.types


class NamedCall(NamedTuple):
    """A call by a name: its arguments, and the functions that it means where the object's type is known."""

    arguments: list[Node]
    meant: frozenset[Declaration]


class PartedNames(Names):
    """The names of a source, in which a plain local variable may stand for several: one for each of its webs.

    Every part is a declaration of its own, with the uses that belong to it. What cannot be told apart is one part.
    """

    def __init__(self, unit: Unit, names: Names, macros: Macros) -> None:
        self._unit = unit
        self._names = names
        self._overloads: dict[bytes, list[Overload]] = {}
        self._calls: dict[bytes, list[NamedCall]] = {}
        self._jumps: dict[int, list[int]] = {}
        self._macros = macros
        self._parts: dict[Declaration, tuple[Declaration, ...]] = {}
        self._part_at: dict[tuple[Declaration, int], Declaration] = {}
        self._uses: dict[Declaration, list[Node]] = {}
        self._whole: dict[Declaration, Declaration] = {}

    def parts(self, declaration: Declaration) -> tuple[Declaration, ...]:
        """The parts of a declared name: itself alone where it is used for one thing only."""
        whole = self.whole(declaration)
        if whole not in self._parts:
            self._parts[whole] = (whole,)  # while it is looked at
            self._parts[whole] = tuple(self._split(whole)) or (whole,)
        return self._parts[whole]

    def whole(self, part: Declaration) -> Declaration:
        """The declaration that a part is of."""
        return self._whole.get(part, part)

    def is_first_part(self, declaration: Declaration) -> bool:
        """The declaration, or the part of it that has its first value."""
        return self.parts(declaration)[0] is declaration or declaration in self._parts

    def _split(self, whole: Declaration) -> Iterator[Declaration]:
        webs = self._webs(whole)
        uses = {leaf.start_byte: leaf for leaf in self._names.uses(whole)}
        for web in webs or ():
            part = whole.with_value(whole.value if web.is_first else None)
            self._whole[part] = whole
            self._uses[part] = [uses[place] for place in sorted(web.leaves)]
            for place in web.leaves:
                self._part_at[whole, place] = part
            yield part

    def _webs(self, whole: Declaration) -> list[Web] | None:
        """The webs of a variable, where there are several."""
        leaves = self._names.uses(whole)
        owner = whole.owner
        if whole.kind not in ("variable", "parameter") or whole.shape != "value" or len(leaves) > _MOST_USES:
            return None
        if not any(is_set(leaf) for leaf in leaves) or any(
            self._macros.around(leaf.start_byte) is not None or _is_bound(leaf) or len(self._names.meant_by(leaf)) > 1
            for leaf in leaves
        ):
            return None
        if whole.kind == "variable":
            is_plain = owner.type == "declaration" and owner.parent is not None and owner.parent.type in _BLOCKS
            if not is_plain or any(text_of(node) in _SHARED for node in owner.children):
                return None
        function = ancestor(owner, "function_definition", "lambda_expression")
        body = function.child_by_field_name("body") if function is not None else None
        if body is None:
            return None
        declared = owner if whole.kind == "variable" else None
        has_value = whole.value is not None
        webs = webs_of(body, declared, whole.place, leaves, has_value, self._may_change, self._jumps_in(body))
        return webs if webs is not None and len(webs) > 1 else None

    def _jumps_in(self, body: Node) -> list[int]:
        known = self._jumps.get(body.start_byte)
        if known is None:
            found = self._unit.tree.nodes(*JUMPS, within=body)
            known = self._jumps[body.start_byte] = [node.start_byte for node in found]
        return known

    def _may_change(self, leaf: Node) -> bool:
        """A call may set the variable that is its argument, through a reference or a macro."""
        found = argument_position(leaf)
        name = callee(found[0]) if found is not None else None
        if found is None or name is None:
            return True
        text = text_of(name)
        if self._macros.named(text):
            return True
        functions = self._names.called(name)
        if not functions:
            return not text.startswith(b"__") and not text.startswith(b"atomic") and text not in _PURE
        taken = [parameters[found[1]] for parameters in functions if found[1] < len(parameters)]
        return any(parameter is None or parameter.shape not in ("value", "pointer") for parameter in taken)

    # -- the names of the source, in parts

    def meant_by(self, leaf: Node) -> tuple[Declaration, ...]:
        found = self._names.meant_by(leaf)
        if len(found) != 1 or found[0].kind not in ("variable", "parameter"):
            return found
        if self.parts(found[0])[0] is found[0]:
            return found
        return (self._part_at[found[0], leaf.start_byte],)

    def declaration_at(self, leaf: Node) -> Declaration | None:
        found = self._names.declaration_at(leaf)
        return None if found is None else self.parts(found)[0]

    def uses(self, declaration: Declaration) -> list[Node]:
        own = self._uses.get(declaration)
        return self._names.uses(declaration) if own is None else own

    def functions(self, name: bytes) -> list[Declaration]:
        return self._names.functions(name)

    def is_declared(self, name: bytes) -> bool:
        return self._names.is_declared(name)

    def alias(self, name: bytes) -> Spelling | None:
        return self._names.alias(name)

    def alias_type(self, name: bytes) -> Node | None:
        """The type that an alias of this source's is declared with."""
        for leaf in self._names.mentions(name):
            owner = leaf.parent
            if owner is None or owner.type not in ("alias_declaration", "type_definition"):
                continue
            field = "name" if owner.type == "alias_declaration" else "declarator"
            if is_same(owner.child_by_field_name(field), leaf):
                return owner.child_by_field_name("type")
        return None

    def template_arguments(self, parameter: Node) -> Iterator[Node]:
        return self._names.template_arguments(parameter)

    def type_parameter(self, declaration: Declaration) -> Node | None:
        return self._names.type_parameter(declaration)

    def overloads(self, name: bytes) -> list[Overload]:
        """The functions of a name, prototypes too."""
        if name not in self._overloads:
            self._overloads[name] = [_overload(found) for found in self._names.functions(name)]
        return self._overloads[name]

    def calls(self, name: bytes) -> list[NamedCall]:
        """The calls of what has a name."""
        if name not in self._calls:
            leaves = [(leaf, call_of(leaf)) for leaf in self._names.mentions(name)]
            calls = [(leaf, arguments_of(call)) for leaf, call in leaves if call is not None]
            self._calls[name] = [NamedCall(arguments, self._fitting(leaf, arguments)) for leaf, arguments in calls]
        return self._calls[name]

    def _fitting(self, leaf: Node, arguments: list[Node]) -> frozenset[Declaration]:
        """The functions that a call may mean, by the object's type or by the types of variables that it passes; empty
        where that says nothing."""
        meant, overloads = self._meant(leaf), self.overloads(text_of(leaf))
        if meant or not 1 < len(overloads) <= _MOST_OVERLOADS:
            return meant
        types = [self._type_of_variable(argument) for argument in arguments]
        fits = {
            found.declaration: [own == its for own, its in zip(found.types, types, strict=False) if its is not None]
            for found in overloads
            if takes(found.declaration, len(arguments))
        }
        best = max((sum(own) for own in fits.values()), default=0)
        return frozenset(found for found, own in fits.items() if best and sum(own) == best)

    def _type_of_variable(self, argument: Node) -> bytes | None:
        leaf = name_in(argument)
        found = self._names.meant_by(leaf) if leaf is not None else ()
        return text_of(found[0].type) if len(found) == 1 and found[0].type is not None else None

    def _meant(self, leaf: Node) -> frozenset[Declaration]:
        is_member = leaf.parent is not None and leaf.parent.type in _MEMBER_NAMES
        found = self._names.meant_by(leaf) if is_member else ()
        return frozenset(each for each in found if each.kind == "function")

    def called(self, leaf: Node) -> list[list[Declaration | None]]:
        """The parameters of all that a call of a name may mean; of a member function, of those of the object's type."""
        functions = self._names.functions(text_of(leaf))
        if len(functions) < 2:
            return [self._first_parts(parameters) for parameters in self._names.called(leaf)]
        meant = self._meant(leaf)
        call = call_of(leaf)
        count = len(arguments_of(call)) if call is not None else -1
        functions = [found for found in meant or functions if takes(found, count)]
        return [self.parameters(found.function) for found in functions if found.function is not None]

    def members(self, type: bytes) -> list[Declaration | None]:
        return self._names.members(type)

    def mentions(self, name: bytes) -> list[Node]:
        return self._names.mentions(name)

    def parameters(self, function: Node) -> list[Declaration | None]:
        return self._first_parts(self._names.parameters(function))

    def declared_in(self, declarator: Node) -> Declaration | None:
        found = self._names.declared_in(declarator)
        return None if found is None else self.parts(found)[0]

    def _first_parts(self, parameters: list[Declaration | None]) -> list[Declaration | None]:
        return [None if found is None else self.parts(found)[0] for found in parameters]


_MOST_OVERLOADS = 20
"""Overloads of a function that are told apart by what is passed."""
_MEMBER_NAMES = frozenset({"field_expression", "qualified_identifier"})
_PURE = frozenset({b"min", b"max", b"abs", b"printf", b"static_cast", b"sizeof", b"umin", b"umax", b"assert", b"clz"})
"""Functions that take their arguments by value."""


def takes(function: Declaration, count: int) -> bool:
    """A function can be called with so many arguments; -1 for any number."""
    declarator = function.function
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if parameters is None or function.kind != "function" or count < 0:
        return True
    entries = entries_of(parameters)
    if any(entry.type not in PARAMETERS for entry in entries):
        return True  # as many as there are
    return sum(entry.type == "parameter_declaration" for entry in entries) <= count <= len(entries)


def _overload(function: Declaration) -> Overload:
    name, declarator = function.leaf.parent, function.function
    is_qualified = name is not None and name.type == "qualified_identifier"
    scope = name.child_by_field_name("scope") if name is not None and is_qualified else None
    owner = record_name(function) or (type_name(scope) if scope is not None else None) or b""
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    entries = entries_of(parameters) if parameters is not None else []
    return Overload(function, owner, tuple(text_of(entry.child_by_field_name("type")) for entry in entries))


def is_set(leaf: Node) -> bool:
    """The name is assigned to, whatever it held."""
    parent = leaf.parent
    return (
        parent is not None
        and parent.type == "assignment_expression"
        and operator_of(parent) == "="
        and is_same(parent.child_by_field_name("left"), leaf)
    )


def _is_bound(leaf: Node) -> bool:
    """A reference is made to the variable."""
    parent = leaf.parent
    declarator = parent.child_by_field_name("declarator") if parent is not None else None
    return declarator is not None and declarator.type == "reference_declarator"
