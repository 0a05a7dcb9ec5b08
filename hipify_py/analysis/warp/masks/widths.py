"""How wide the types are that declarations of masks have."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.semantics.declarations import RECORDS, Declaration, type_name
from hipify_py.semantics.doubts import types_at
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.integer_types import Spelling, Width
from hipify_py.semantics.structure import structure_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_CALLED_LANES = re.compile(rb"mask|lanes|ballot|vote", re.IGNORECASE)
"""An alias that is called so is for masks: it is widened itself, and with it all that has its type."""
_ELSEWHERE = frozenset({"qualified_identifier", "dependent_type", "template_type"})
"""The nodes of types that other sources define, or instantiations."""


class Widths:
    """The widths of one source's declarations, aliases and templates' parameters looked through."""

    def __init__(self, unit: Unit, names: PartedNames) -> None:
        self._unit = unit
        self._names = names
        self._masks_types: set[int] = set()
        self._type_parameters: dict[Declaration, Node | None] = {}

    def spelling(self, declaration: Declaration) -> Spelling:
        """The width of a declaration's type; an alias of this source's that is called a mask stands for itself."""
        own = declaration.spelling
        if own.width is Width.OTHER and self.measured(declaration) is not None:
            return own._replace(width=Width.DEDUCED)
        if own.width is not Width.OTHER or declaration.type is None:
            return own
        if declaration.type.type != "type_identifier":
            return self._seen(declaration, own) if declaration.type.type in _ELSEWHERE else own
        if self.type_parameter(declaration) is not None:
            return own._replace(width=Width.DEDUCED)
        alias = self._names.alias(text_of(declaration.type))
        if alias is None or alias.width is Width.OTHER:
            return self._seen(declaration, own)
        if alias.width is Width.NARROW and not _CALLED_LANES.search(text_of(declaration.type)):
            return alias._replace(start=declaration.type.start_byte, end=declaration.type.end_byte)
        return alias

    def _seen(self, declaration: Declaration, own: Spelling) -> Spelling:
        """The width of a type that this source does not define, where a compiler's view of it tells.

        Only a local variable's type is written anew where it is narrow, in some instance of a template at least: what
        others see has to stay as they have it.
        """
        type = declaration.type
        if type is None or text_of(type) in structure_of(self._unit).types or self._is_record(type):
            return own
        widths = {type.width for type in types_at(self._unit, declaration.leaf)}
        if widths == {Width.WIDE.value}:
            return own._replace(width=Width.WIDE)
        is_local = declaration.kind == "variable" and declaration.start > 0
        if is_local and Width.NARROW.value in widths and widths <= {Width.NARROW.value, Width.WIDE.value}:
            return Spelling(Width.NARROW, type.start_byte, type.end_byte)
        return own

    def _is_record(self, type: Node) -> bool:
        """A type is an instance of a class template of this source."""
        name = type_name(type) if type.type == "template_type" else None
        owners = [leaf.parent for leaf in self._names.mentions(name)] if name is not None else []
        return any(owner is not None and owner.type in RECORDS for owner in owners)

    def seen(self, declaration: Declaration) -> frozenset[int]:
        """The bits that a type has in the instantiations that a compiler sees; none where it does not see it."""
        if declaration.spelling.width is not Width.OTHER:
            return frozenset()
        return frozenset(type.width for type in types_at(self._unit, declaration.leaf))

    def measured(self, declaration: Declaration) -> Node | None:
        """The expression whose type `decltype` gives a declaration, by itself or through an alias."""
        type = declaration.type
        if type is not None and type.type == "type_identifier":
            type = self._names.alias_type(text_of(type))
        while type is not None and type.type == "type_descriptor":
            type = type.child_by_field_name("type")
        return next(iter(type.named_children), None) if type is not None and type.type == "decltype" else None

    def is_called_lanes(self, alias: bytes) -> bool:
        """The alias is called as one for masks, and is one of 32 bits."""
        found = self._names.alias(alias)
        return found is not None and found.width is Width.NARROW and _CALLED_LANES.search(alias) is not None

    def type_parameter(self, declaration: Declaration) -> Node | None:
        """The template's parameter that a declaration has for its type, where that may be a mask's.

        A function's template takes the type of what it is called with. A type's template may hold anything, and
        what a function returns may be another call's: those are masks only where the parameter is called one.
        """
        if declaration not in self._type_parameters:
            found = self._names.type_parameter(declaration)
            is_masks = found is not None and found.start_byte in self._masks_types
            if found is not None and not is_masks and b"mask" not in text_of(found).lower():
                is_of_type = any(node.type in RECORDS for node in _templated(found))
                found = None if is_of_type or declaration.kind == "function" else found
            self._type_parameters[declaration] = found
        return self._type_parameters[declaration]

    def take_for_masks(self, parameter: Node) -> None:
        """A template's parameter stands for the type of masks wherever the template is instantiated."""
        self._masks_types.add(parameter.start_byte)
        self._type_parameters.clear()

    def has_masks_alias(self, declaration: Declaration) -> bool:
        """The declaration's type is this source's own name for that of masks."""
        found, type = self.spelling(declaration), declaration.type
        if type is None or found.width is not Width.NARROW:
            return False
        return not type.start_byte <= found.start < type.end_byte

    def is_narrow(self, declaration: Declaration) -> bool:
        """The type has 32 bits."""
        return self.spelling(declaration).width is Width.NARROW


def _templated(parameter: Node) -> list[Node]:
    """What a template's parameter is for: the template's parts."""
    template = parameter.parent.parent if parameter.parent is not None else None
    return template.named_children if template is not None else []
