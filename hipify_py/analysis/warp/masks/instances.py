"""Parameters of templates that stand for the type of masks in a source, and for nothing else of 32 bits.

A template that is written here is instantiated here: what stands in its angle brackets is the type of all that is
declared with the parameter, and of what other templates are given it for. Where all of that holds masks, writing 64
bits into the angle brackets widens it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipify_py.analysis.warp.masks.kinds import Kind, ValueKinds
from hipify_py.analysis.warp.masks.layout import Layout
from hipify_py.analysis.warp.masks.objects import type_parameter_named, typed_with
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.analysis.warp.masks.stores import Store, stores_of
from hipify_py.records import NamedTuple
from hipify_py.semantics.declarations import RECORDS, Declaration, templated_names
from hipify_py.semantics.expressions import (
    argument_position,
    bare,
    cast_of,
    entries_of,
    is_same,
    name_in,
    operator_of,
    text_of,
)
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_COMBINES = frozenset({"&", "|", "^"})
_OTHER_TYPES = frozenset({"primitive_type", "sized_type_specifier"})
_MOST = 20
"""Templates that hand a type on to one another."""


class Instances(NamedTuple):
    """What becomes masks of 64 bits together.

    Attributes:
        parameters: the templates' parameters.
        declared: all that is declared with them.
        is_narrow: some of them are written as a type of 32 bits.
    """

    parameters: Sequence[Node]
    declared: Sequence[Declaration]
    is_narrow: bool


class TemplateTypes:
    """The templates of one source, and what they are instantiated with."""

    def __init__(self, unit: Unit, names: PartedNames, kinds: ValueKinds, layout: Layout) -> None:
        self._is_header = unit.source.is_header
        self._names = names
        self._kinds = kinds
        self._layout = layout
        self._known: dict[int, Instances | None] = {}
        # what follows is asked for each place that a mask goes to, and would be sought anew each time
        self._widths: dict[int, set[Width]] = {}
        self._deduced: dict[int, bool] = {}
        self._parameters: dict[Declaration, Node | None] = {}

    def of(self, declaration: Declaration) -> Instances | None:
        """What is widened with a template's declaration; None where some of it may be no mask, or is out of sight."""
        parameter = self.parameter_of(declaration)
        if parameter is None or self._is_header:
            return None
        if declaration.kind == "function" and self.is_deduced(parameter):
            return None  # it returns what it is called with, now this, now that
        if parameter.start_byte not in self._known:
            self._known[parameter.start_byte] = self._together(parameter)
        return self._known[parameter.start_byte]

    def parameter_of(self, declaration: Declaration) -> Node | None:
        """The template's parameter that a declaration has for its type, by itself or by an alias in the template."""
        if declaration not in self._parameters:
            self._parameters[declaration] = self._parameter_of(declaration)
        return self._parameters[declaration]

    def _parameter_of(self, declaration: Declaration) -> Node | None:
        found = self._names.type_parameter(declaration)
        type = declaration.type
        if found is None and type is not None and type.type == "type_identifier":
            type = self._names.alias_type(text_of(type))
            named = type.child_by_field_name("type") if type is not None and type.type == "type_descriptor" else type
            found = type_parameter_named(named, text_of(named)) if named is not None else None
        return found

    def are_wide(self, parameter: Node) -> bool:
        """All that the source instantiates a template with has 64 bits, or is no integer."""
        written = self._written(parameter)
        return Width.WIDE in written and Width.NARROW not in written

    def are_narrow(self, parameter: Node) -> bool:
        """Something that the source instantiates a template with has 32 bits."""
        return Width.NARROW in self._written(parameter)

    def _written(self, parameter: Node) -> set[Width]:
        """How wide the types are that a template is instantiated with, by default too."""
        if parameter.start_byte not in self._widths:
            default = parameter.child_by_field_name("default_type")
            written = [*self._names.template_arguments(parameter), *([default] if default is not None else [])]
            self._widths[parameter.start_byte] = {spelling(text_of(argument)).width for argument in written}
        return self._widths[parameter.start_byte]

    # -- what has to be widened together

    def _together(self, first: Node) -> Instances | None:
        parameters, declared = [first], dict[Declaration, None]()
        for parameter in parameters:  # grows while it is gone through
            found = self._declared_with(parameter)
            more = self._linked(parameter)
            if found is None or more is None or len(parameters) > _MOST:
                return None
            declared.update(dict.fromkeys(found))
            parameters += [one for one in more if not any(is_same(one, other) for other in parameters)]
        is_narrow = any(self.are_narrow(one) for one in parameters)
        is_wide = any(self.is_deduced(one) or Width.WIDE in self._written(one) for one in parameters)
        if not (is_narrow or is_wide) or not all(self._holds_masks(found, declared) for found in declared):
            return None
        return Instances(parameters, [*declared], is_narrow)

    def is_deduced(self, parameter: Node) -> bool:
        """A function's template takes the type of what it is called with."""
        if parameter.start_byte not in self._deduced:
            self._deduced[parameter.start_byte] = self._is_deduced(parameter)
        return self._deduced[parameter.start_byte]

    def _is_deduced(self, parameter: Node) -> bool:
        name = text_of(next(iter(parameter.named_children), None))
        if any(node.type in RECORDS for node in _template_of(parameter).named_children):
            return False
        templates = templated_names(_template_of(parameter))
        functions = [found for template in templates for found in self._names.functions(template)]
        lists = [self._names.parameters(found.function) for found in functions if found.function is not None]
        return any(found is not None and text_of(found.type) == name for parameters in lists for found in parameters)

    def _declared_with(self, parameter: Node) -> list[Declaration] | None:
        """What has a parameter for its type; None where that is used in a way that is not followed."""
        found: list[Declaration] = []
        for leaf in self._mentions(parameter):
            owner = leaf.parent
            if (
                owner is not None
                and is_same(owner.child_by_field_name("type"), leaf)
                and owner.type != "type_descriptor"
            ):
                found += self._declared_by(owner)
            elif not self._converts(leaf) and self._given_to(leaf) is None:
                alias = self._alias(leaf)
                if alias is None or not self._stays_within(alias, _template_of(parameter)):
                    return None
                found += [each for typed in typed_with(self._names, alias) for each in self._declared_by(typed)]
        return found

    def _declared_by(self, owner: Node) -> Iterator[Declaration]:
        for declarator in owner.children_by_field_name("declarator"):
            found = self._names.declared_in(declarator)
            if found is not None:
                yield found

    def _mentions(self, parameter: Node) -> Iterator[Node]:
        """The uses of a parameter's name in its template."""
        own = next(iter(parameter.named_children), None)
        for leaf in self._names.mentions(text_of(own)):
            if not is_same(leaf, own) and is_same(type_parameter_named(leaf, text_of(leaf)), parameter):
                yield leaf

    def _converts(self, leaf: Node) -> bool:
        """`T(mask)`, `static_cast<T>(mask)`: converts a mask, or what masks may be."""
        node: Node | None = leaf.parent
        for _ in range(3):
            if node is None:
                return False
            if node.type in ("cast_expression", "call_expression"):
                cast = cast_of(node)
                values = [cast.value] if cast is not None else entries_of(node.child_by_field_name("arguments") or node)
                return not any(self._kinds.of(value) & Kind.DATA for value in values)
            node = (
                node.parent if node.type in ("type_descriptor", "template_argument_list", "template_function") else None
            )
        return False

    def _alias(self, leaf: Node) -> bytes | None:
        """`using M = T`."""
        owner = leaf.parent
        if owner is not None and owner.type == "type_descriptor":
            owner = owner.parent
        if owner is None or owner.type not in ("alias_declaration", "type_definition"):
            return None
        return text_of(owner.child_by_field_name("name" if owner.type == "alias_declaration" else "declarator"))

    def _stays_within(self, alias: bytes, template: Node) -> bool:
        """Nothing outside of a template names its alias."""
        return all(template.start_byte <= leaf.start_byte < template.end_byte for leaf in self._names.mentions(alias))

    def _given_to(self, leaf: Node) -> Node | None:
        """The parameter of another template of this source that is given a parameter: that of `Inner` in `Inner<T>`."""
        node = leaf.parent
        if node is not None and node.type == "type_descriptor":
            leaf, node = node, node.parent
        owner = node.parent if node is not None and node.type == "template_argument_list" else None
        if node is None or owner is None:
            return None
        position = next((at for at, entry in enumerate(entries_of(node)) if is_same(entry, leaf)), 0)
        for mention in self._names.mentions(text_of(owner.child_by_field_name("name"))):
            record = mention.parent
            template = record.parent if record is not None and record.type in RECORDS else None
            parameters = template.child_by_field_name("parameters") if template is not None else None
            if parameters is not None and position < len(entries := entries_of(parameters)):
                return entries[position]
        return None

    def _linked(self, parameter: Node) -> list[Node] | None:
        """The parameters of templates that are given the same type; None where it is not known what that is."""
        found = [given for leaf in self._mentions(parameter) if (given := self._given_to(leaf)) is not None]
        for argument in self._names.template_arguments(parameter):
            if _is_specialized(argument):
                return None
            type = argument.child_by_field_name("type") if argument.type == "type_descriptor" else argument
            name = text_of(type)
            outer = type_parameter_named(argument, name)
            if outer is not None:
                found.append(outer)
            elif spelling(name).width is Width.OTHER and (type is None or type.type not in _OTHER_TYPES):
                return None
        return found

    # -- what is stored

    def _holds_masks(self, declaration: Declaration, together: dict[Declaration, None]) -> bool:
        """A declaration holds masks alone, and nothing of another type is bound to it."""
        if declaration.shape == "other" or declaration.is_template_parameter:
            return False
        if declaration.kind == "field" and self._layout.is_in_counted_object(declaration):
            return False
        if any(bound is None or bound not in together for bound in self._layout.bindings(declaration)):
            return False
        stores = stores_of(self._names, self._layout, declaration)
        return all(self._is_mask(store, together) for store in stores)

    def _is_mask(self, store: Store, together: dict[Declaration, None]) -> bool:
        if store.copied is not None:
            return store.copied in together
        if store.value is None:
            return store.kind != "DATA"
        return self._is_of_another_instance(store) or self._is_made_of_masks(store.value, together)

    def _is_made_of_masks(self, value: Node, together: dict[Declaration, None]) -> bool:
        value = bare(value)
        if value.type == "binary_expression" and operator_of(value) in _COMBINES:
            sides = (value.child_by_field_name(side) for side in ("left", "right"))
            return all(side is not None and self._is_made_of_masks(side, together) for side in sides)
        leaf = name_in(value)
        meant = self._names.meant_by(leaf) if leaf is not None else ()
        if meant and all(found in together for found in meant):
            return True
        return not self._kinds.of(value) & Kind.DATA

    def _is_of_another_instance(self, store: Store) -> bool:
        """What is stored goes into an object whose type is written with something else than an integer of 32 bits."""
        target = store.target
        if target is None and store.value is not None:
            passed = argument_position(store.value)
            target = passed[0].child_by_field_name("function") if passed is not None else None
        if target is None or target.type not in ("field_expression", "subscript_expression"):
            return False
        leaf = name_in(target.child_by_field_name("argument"))
        types = [found.type for found in self._names.meant_by(leaf)] if leaf is not None else []
        written = [entries_of(found) for type in types if type is not None and (found := _arguments(type)) is not None]
        return bool(written) and all(
            spelling(text_of(entry)).width is not Width.NARROW for entries in written for entry in entries
        )


def _template_of(parameter: Node) -> Node:
    """The template whose parameter a node is."""
    parameters = parameter.parent
    template = parameters.parent if parameters is not None else None
    assert template is not None, "parameters stand in templates"
    return template


def _arguments(type: Node) -> Node | None:
    """What stands in the angle brackets of a type."""
    inner = type.child_by_field_name("name")
    while inner is not None and type.type == "qualified_identifier":
        type, inner = inner, inner.child_by_field_name("name")
    return type.child_by_field_name("arguments")


def _is_specialized(argument: Node) -> bool:
    """An argument stands in the head of a template's specialization."""
    named = argument.parent.parent if argument.parent is not None else None
    owner = named.parent if named is not None else None
    return owner is not None and owner.type in RECORDS and is_same(owner.child_by_field_name("name"), named)
