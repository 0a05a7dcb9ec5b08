"""Follows the lane masks of one source: from the built-ins that take and give them, through what is declared."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from weakref import proxy

from hipify_py.analysis.warp.drop_sync_mask import LANES_HERE
from hipify_py.analysis.warp.explicit_lane_masks import names_active_lanes
from hipify_py.analysis.warp.masks.callables import follow_callable
from hipify_py.analysis.warp.masks.casts import holds_data
from hipify_py.analysis.warp.masks.constants import is_used_as_data
from hipify_py.analysis.warp.masks.declarators import split
from hipify_py.analysis.warp.masks.destinations import into_target
from hipify_py.analysis.warp.masks.following import Confidence, Following
from hipify_py.analysis.warp.masks.foreign import given_parameters
from hipify_py.analysis.warp.masks.instances import Instances, TemplateTypes
from hipify_py.analysis.warp.masks.kinds import Kind, ValueKinds
from hipify_py.analysis.warp.masks.layout import Layout, calls_of, functions_of
from hipify_py.analysis.warp.masks.literals import (
    FULL,
    WHOLE,
    WIDE,
    is_all_lanes,
    is_called_full,
    is_cast_to_wide,
    is_wide,
    widened,
)
from hipify_py.analysis.warp.masks.losing_lanes import loses_lanes
from hipify_py.analysis.warp.masks.mask_definitions import MaskDefinitions, is_few
from hipify_py.analysis.warp.masks.mask_uses import MaskUses
from hipify_py.analysis.warp.masks.narrow_operands import narrow_parts
from hipify_py.analysis.warp.masks.objects import constructions, field_position, parts_taken, typed_with
from hipify_py.analysis.warp.masks.parts import PartedNames, is_set
from hipify_py.analysis.warp.masks.renames import renamed_parts
from hipify_py.analysis.warp.masks.stores import returned_by, stores_of
from hipify_py.analysis.warp.masks.widths import Widths
from hipify_py.analysis.warp.warp_constants import is_ported
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.semantics.calls import stands_for_several
from hipify_py.semantics.declarations import Declaration, type_name
from hipify_py.semantics.device_code import is_surely_host_code
from hipify_py.semantics.expressions import (
    bare,
    call_of,
    callee,
    is_same,
    name_in,
    operator_of,
    sole_entry,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_CALLED_MASK = re.compile(
    rb"(?:\w*_)?(?:full|all|warp|lanes?)_?(?:\w*_)?mask\w*|\w*mask_?(?:all|full)\w*", re.IGNORECASE
)
_MASK_WORDS = re.compile(rb"(?:full|all|warp|lanes?)_?mask", re.IGNORECASE)
_CALLED_WARP = re.compile(rb"warp|lane|shfl|shuffle|ballot|vote", re.IGNORECASE)
_WRITTEN_DOWN = frozenset({"number_literal", "true", "false"})
_TILE, _MAKES_TILE = b"thread_block_tile", b"tiled_partition"
_MOST_TILES = 20
"""Variables of a tile that are made of one another."""


class Flow(Following):
    """What is known of one source's masks so far: the edits, the findings, and what is still to be followed."""

    def __init__(
        self,
        unit: Unit,
        are_lanes_missing: Callable[[int], bool],
        stays: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        self.unit = unit
        self._are_lanes_missing = are_lanes_missing
        self._stays = stays
        """Says of the name of a mask that it has no use in the result."""
        self.data = unit.source.data
        self.macros = macros_of(unit)
        self.names = PartedNames(unit, names_of(unit), self.macros)
        self.findings: list[Finding] = []
        self._layout = Layout(unit, self.names)
        self.kinds = ValueKinds(self.names, self.macros, self._layout)
        self._given = list(given_parameters(unit, self.names))
        self.kinds.give(self._given)
        self._widths = Widths(unit, self.names)
        self._templates = TemplateTypes(unit, self.names, self.kinds, self._layout)
        own: Flow = proxy(self)  # what refers to itself would wait for the garbage collector, with the whole tree
        self._mask_definitions = MaskDefinitions(own)
        self._mask_uses = MaskUses(own)
        self._edits: dict[tuple[int, int], bytes] = {}
        self._confidence: dict[Declaration, Confidence] = {}
        self._taken: set[Declaration] = set()
        """Declarations that a built-in is given as its mask; what they are set to is reported where it is narrow."""
        self._pending: deque[Declaration] = deque()
        self._aliases: set[bytes] = set()
        """The aliases of this source that are widened themselves."""
        self._instances: list[Instances] = []
        """What was widened in templates, with what they are instantiated with."""
        self._reported: set[tuple[str, int]] = set()
        self._called: set[Declaration] = set()
        """The functions whose calls have been followed."""
        self._combined: list[Node] = []
        """What is combined with masks."""
        self._masks_only: dict[Declaration, bool] = {}
        self._data_constants: dict[bytes, bool] = {}

    # -- what the rule asks for

    def take(self, name: str, start: int, end: int) -> None:
        """The range is a mask that the built-in of a name is given."""
        for own in self.names.functions(name.encode()):
            first = next(iter(self.names.parameters(own.function)), None) if own.function is not None else None
            if first is not None:
                self.widen(first, taken=True)  # an overload of the source's
        if start >= end:
            return  # broken code: there is none
        text = self.data[start:end]
        node = self.unit.tree.leaf(start, end)
        if node is None or (node.start_byte, node.end_byte) != (start, end):
            confidence = self._take_text(start, end)
        else:
            confidence = self.require_wide(node, exact=True, taken=True)
        if confidence is Confidence.UNKNOWN and is_cast_to_wide(self.unit.lexemes.code(start, end)):
            confidence = Confidence.PARTIAL  # by the author, or an earlier run, where the tree is not sound
        if confidence in (Confidence.UNTYPED, Confidence.UNKNOWN) and not stands_for_several(text):
            self.put(start, start, b"static_cast<" + WIDE + b">(")
            self.put(end, end, b")")
        if confidence is Confidence.UNKNOWN and is_called_full(text):
            self.report("HIP326", start, text)
        elif confidence in (Confidence.PARTIAL, Confidence.UNKNOWN):
            self.report("HIP301", start, text, name)

    def give(self, start: int, end: int) -> None:
        """The range is the name of a built-in that returns a mask."""
        leaf = self.unit.tree.leaf(start, end)
        call = call_of(leaf) if leaf is not None else None
        if call is not None:
            self.propagate_wide(call)

    def follow_given(self) -> None:
        """Follow the parameters of this source's functions that other files give masks."""
        for parameter in self._given:
            type = self.names.type_parameter(parameter)
            if type is not None and self._widths.type_parameter(parameter) is None:
                if holds_data(self, type):
                    self.report("HIP320", parameter.place, parameter.name)
                    continue
                self.widen_type_parameter(type)
            if self.widen(parameter) is Confidence.UNKNOWN and self.may_be_narrow(parameter):
                self.report("HIP320", parameter.place, parameter.name)

    def give_group(self, leaf: Node) -> None:
        """The leaf is the name of a cooperative group's member function that returns a mask.

        A tile's mask fits in 32 bits, and stays where it is put in a type of those. Any other group may have as many
        threads as a wavefront.
        """
        member, call = whole_name(leaf), call_of(leaf)
        group = name_in(member.child_by_field_name("argument"))
        if call is None or group is None or self.names.functions(text_of(leaf)):
            return
        if not self._is_tile(group) or self._mask_uses.keeps_its_width(call):
            self.propagate_wide(call)

    def _is_tile(self, leaf: Node) -> bool:
        """A name is a tile's of a cooperative group wherever it is declared: by its type, or by what makes it."""
        for _ in range(_MOST_TILES):
            declared = [found for found in self.names.meant_by(leaf) if found.kind != "function"]
            if not declared:
                return False
            if all(found.type is not None and type_name(found.type) == _TILE for found in declared):
                return True
            values = [found.value for found in declared]
            calls = [callee(sole_entry(value)) if value is not None else None for value in values]
            if all(text_of(called) == _MAKES_TILE for called in calls):
                return True
            copied = name_in(sole_entry(values[0])) if len(values) == 1 and values[0] is not None else None
            if copied is None:
                return False
            leaf = copied
        return False

    def pass_on(self, node: Node, *, to_templates: bool) -> None:
        """A literal for all lanes that a function or template of another file is given, which by its name has warps.

        With `to_templates` False, those of templates stay: a parameter that is kept narrow takes no wide number.
        """
        start, end, entries = node.start_byte, node.end_byte, node.parent
        if entries is None or (start, end) in self._edits:
            return
        if entries.type in ("init_declarator", "return_statement", "field_declaration"):
            self._widen_by_name(entries)
            return
        owner = entries.parent
        wanted = ("argument_list", "template_argument_list") if to_templates else ("argument_list",)
        if owner is None or entries.type not in wanted:
            return
        leaf = callee(owner) if entries.type == "argument_list" else name_in(owner.child_by_field_name("name"))
        name = text_of(leaf)
        if leaf is None or not _CALLED_WARP.search(name) or self.macros.named(name) or self.names.is_declared(name):
            return
        named = owner.child_by_field_name("function" if entries.type == "argument_list" else "name")
        if not name.startswith(b"__") and not text_of(named).startswith(b"hipify::"):
            self.put(start, end, FULL)
            self.report("HIP323", start, self.data[start:end], name.decode())

    def _widen_by_name(self, owner: Node) -> None:
        """A constant or a function that is called a mask and is all lanes: other files of the project use it."""
        for _ in range(3 if owner.type == "return_statement" else 0):
            if owner.type != "function_definition" and owner.parent is not None:
                owner = owner.parent
        declarator = owner.child_by_field_name("declarator")
        found = self.names.declared_in(declarator) if declarator is not None else None
        if found is None or self._stays(found.name):
            return
        if _MASK_WORDS.search(found.name) or is_called_full(found.name):
            self.widen(found, taken=True)

    def set_by_assembly(self, output: Node) -> None:
        """The operand is one that an `asm` statement puts a mask into."""
        into_target(self, output, output)

    def widen_macros(self) -> None:
        """Macros that are called masks, used here or not: other files of the project include them."""
        for macro in self.macros.all():
            if macro.parameters is None and _CALLED_MASK.fullmatch(macro.name) and not self._stays(macro.name):
                self._mask_definitions.literal_macro(macro)

    def run(self) -> None:
        """Follow everything that was widened to where its value goes."""
        while self._pending:
            self._follow(self._pending.popleft())
        seen = set[int]()
        for node in self._combined:
            for part in narrow_parts(self, node, seen):
                self.report("HIP327", part.start_byte, text_of(part))
        for found in self._confidence:
            if found.kind == "variable" and self._is_cut_in_an_instance(found):
                self.report("HIP320", found.place, found.name)

    def _is_cut_in_an_instance(self, variable: Declaration) -> bool:
        """A mask is put into what has the type of a function's template, which a call writes down as one of 32 bits."""
        parameter = self._widths.type_parameter(variable)
        for argument in self.names.template_arguments(parameter) if parameter is not None else ():
            width, start, end = spelling(text_of(argument))
            place = argument.start_byte
            if width is Width.NARROW and (place + start, place + end) not in self._edits:
                return True
        return False

    def edits(self) -> Iterator[Edit]:
        """The edits, each once."""
        narrow = [found for found in self._confidence if self._widths.is_narrow(found)]
        widened = {self.names.whole(found): found for found in narrow}
        for whole in [whole for whole, found in widened.items() if found is not whole]:
            parts = [found for found in narrow if self.names.whole(found) is whole]
            renamed, is_widened = renamed_parts(self.unit, self.names, whole, parts)
            for edit in renamed:
                self.put(*edit)
            if not is_widened:
                del widened[whole]
        for edit in split(self.unit, widened, self._widths.spelling):
            self.put(*edit)
        gone = 0  # the end of the last text that is taken out, with all that was to be done in it
        for (start, end), text in sorted(self._edits.items(), key=lambda item: (item[0][0], item[0][0] != item[0][1])):
            if start >= gone:
                yield Edit(start, end, text)
                gone = end

    # -- what sources and sinks ask for; see `Following`

    def put(self, start: int, end: int, text: bytes) -> None:
        self._edits.setdefault((start, end), text)

    def require_wide(self, node: Node, *, exact: bool = False, taken: bool = False) -> Confidence:
        return self._mask_definitions.require_wide(node, exact=exact, taken=taken)

    def propagate_wide(self, node: Node) -> None:
        self._mask_uses.propagate_wide(node)

    def report(self, id: str, place: int, text: bytes, name: str = "", *, fix: Iterable[Edit] = ()) -> None:
        if id in ("HIP301", "HIP327") and is_ported(self.data):
            return  # whoever made branches for AMD GPUs chose the masks for them, too
        if id == "HIP301" and names_active_lanes(self.unit, place, text):
            return
        if (id, place) not in self._reported:
            self._reported.add((id, place))
            detail = b" ".join(text.split())[:80].decode(errors="replace")
            found = self.unit.finding(id, place, name=name or detail, library="device", detail=detail, fix=fix)
            self.findings.append(found)

    def widen_all(self, leaf: Node, *, taken: bool = False) -> Confidence | None:
        declarations = self.names.meant_by(leaf)
        if not declarations:
            return None
        return max(self.widen(found, taken=taken) for found in declarations)

    def widen(self, declaration: Declaration, *, taken: bool = False) -> Confidence:
        if declaration.kind == "enumerator":
            return self._widen_enumerator(declaration)
        is_new = declaration not in self._confidence
        if is_new and not self._may_widen(declaration):
            return Confidence.UNKNOWN
        if not is_new and (not taken or declaration in self._taken):
            return self._confidence[declaration]
        if taken:
            self._taken.add(declaration)
        self._confidence.setdefault(declaration, Confidence.SURE)
        self._confidence[declaration] = self._initialised(declaration, taken)
        for part in self.names.parts(declaration) if is_new else ():
            if part is not declaration and self._is_harmless(part):
                self.widen(part)  # one name for both
        if is_new and self._widths.type_parameter(declaration) is not None:
            self._widen_type_arguments(declaration)
        elif is_new and self._widths.has_masks_alias(declaration):
            self._widen_all_of(text_of(declaration.type))
        elif is_new:
            for bound in self._layout.bound_to(declaration):
                self.widen(bound, taken=taken)
        self._pending.append(declaration)
        return self._confidence[declaration]

    def is_widened(self, declaration: Declaration) -> bool:
        return not self._confidence.keys().isdisjoint(self.names.parts(self.names.whole(declaration)))

    def begin(self, declaration: Declaration, value: Node, *, is_initial: bool) -> None:
        if not self._is_all_lanes(sole_entry(value)) or not loses_lanes(self, declaration):
            return
        if is_surely_host_code(self.unit, value):
            self.report("HIP324", value.start_byte, text_of(value))
            return
        value = sole_entry(value)
        if is_initial and self._are_lanes_missing(value.start_byte):
            self.put(value.start_byte, value.end_byte, LANES_HERE)
        elif is_all_lanes(text_of(value)):
            self.put(value.start_byte, value.end_byte, WHOLE)
        else:
            self.put(value.start_byte, value.start_byte, b"(")
            self.put(value.end_byte, value.end_byte, b" >> (64 - warpSize))")

    def combine(self, node: Node) -> None:
        self._combined.append(node)

    def is_small(self, leaf: Node) -> bool:
        declared = {self.names.whole(found) for found in self.names.meant_by(leaf)}
        return bool(declared) and all(
            self._confidence.keys().isdisjoint(self.names.parts(found))
            and found.shape == "value"
            and self._widths.is_narrow(found)
            and self._sets_few(found)
            for found in declared
        )

    def _sets_few(self, declaration: Declaration) -> bool:
        if declaration.kind != "variable" or declaration.value is None or not is_few(declaration.value):
            return False
        for leaf in self.names.uses(declaration):
            parent = leaf.parent
            if parent is None or parent.type in ("pointer_expression", "update_expression"):
                return False
            if parent.type == "assignment_expression" and is_same(parent.child_by_field_name("left"), leaf):
                value = parent.child_by_field_name("right")
                if operator_of(parent) != "=" or value is None or not is_few(value, but=declaration.name):
                    return False
        return True

    def is_full(self, leaf: Node | None) -> bool:
        if leaf is None:
            return False
        declared = self.names.meant_by(leaf)
        if not declared:
            return self._is_full_macro(leaf)
        return all(found.kind != "parameter" and self._is_all_lanes(found.value) for found in declared)

    def _is_all_lanes(self, value: Node | None) -> bool:
        if value is None:
            return False
        if value.type == "initializer_list" and value.named_child_count == 1:
            value = value.named_children[0]
        return is_all_lanes(text_of(value)) or (value.type == "identifier" and self._is_full_macro(value))

    def _is_full_macro(self, leaf: Node) -> bool:
        macros = self.macros.named(text_of(leaf))
        return bool(macros) and all(is_all_lanes(self.data[macro.start : macro.end]) for macro in macros)

    def is_written(self, node: Node) -> bool:
        leaf = name_in(bare(node))
        return leaf is not None and any(
            found in self._taken
            and (found.kind == "parameter" or self._is_all_lanes(found.value))
            and not loses_lanes(self, found)
            for found in self.names.meant_by(leaf)
        )

    def may_be_narrow(self, declaration: Declaration) -> bool:
        if self._widths.spelling(declaration).width is Width.DEDUCED or self._widths.is_narrow(declaration):
            return True
        seen = self._widths.seen(declaration)
        if seen:
            return Width.NARROW.value in seen
        parameter = self._templates.parameter_of(declaration)
        return parameter is not None and not self._templates.are_wide(parameter)

    # -- declarations

    def _may_widen(self, declaration: Declaration) -> bool:
        width = self._widths.spelling(declaration).width
        if declaration.type is None:
            return False
        if width is Width.OTHER:
            return self._may_widen_instances(declaration)
        if (
            width is Width.WIDE
            or self._widths.type_parameter(declaration) is not None
            or self._widths.has_masks_alias(declaration)
        ):
            return True
        if width is Width.DEDUCED:
            measured = self._widths.measured(declaration)
            if measured is not None:
                return self.kinds.of(measured) & (Kind.DATA | Kind.MASK) == Kind.MASK
            return not self._is_deduced_from_data(declaration)
        return self._layout.may_widen(declaration) and self._holds_masks_only(declaration)

    def _may_widen_instances(self, declaration: Declaration) -> bool:
        """A template's declaration holds masks in all instances; where some are narrow, a compiler must see that."""
        found = self._templates.of(declaration)
        if found is None or (found.is_narrow and Width.NARROW.value not in self._widths.seen(declaration)):
            return False
        if found not in self._instances:
            self._instances.append(found)
            for parameter in found.parameters:
                self.widen_type_parameter(parameter)
            for each in found.declared:
                if each is not declaration:
                    self.widen(each)
        return True

    def _holds_masks_only(self, declaration: Declaration) -> bool:
        """Nothing that must have the type of a declaration holds anything but masks, and what masks may be."""
        if declaration not in self._masks_only:
            group = self._layout.group(declaration)
            holds = not any(self.kinds.of_declaration(found) & Kind.DATA for found in group)
            self._masks_only.update(dict.fromkeys(group, holds))
        return self._masks_only[declaration]

    def _is_deduced_from_data(self, declaration: Declaration) -> bool:
        """The type of an `auto` variable is that of a value which is no mask."""
        if declaration.kind != "variable" or declaration.value is None:
            return False
        return self.kinds.of(declaration.value) & (Kind.DATA | Kind.MASK) == Kind.DATA

    def _is_harmless(self, part: Declaration) -> bool:
        """A part of a variable holds small numbers that are written down and never read."""
        is_passed = part.kind == "parameter" and self.names.is_first_part(part)
        if is_passed or not all(is_set(leaf) for leaf in self.names.uses(part)):
            return False
        stores = list(stores_of(self.names, self._layout, part))
        values = [bare(store.value) for store in stores if store.value is not None]
        return all(value.type in _WRITTEN_DOWN and not is_all_lanes(text_of(value)) for value in values)

    def is_data_constant(self, leaf: Node) -> bool:
        """A name for all lanes is a number of 32 bits to other code of this source."""
        if not self.is_full(leaf):
            return False
        name = text_of(leaf)
        if name not in self._data_constants:
            self._data_constants[name] = is_used_as_data(self, leaf)
        return self._data_constants[name]

    def is_instantiated_narrow(self, declaration: Declaration) -> bool:
        parameter = self._templates.parameter_of(declaration)
        if parameter is None or self._templates.is_deduced(parameter):
            return False
        return self._templates.are_narrow(parameter)

    def type_parameter(self, declaration: Declaration) -> Node | None:
        return self._widths.type_parameter(declaration)

    def _widen_type_arguments(self, declaration: Declaration) -> None:
        """Where a template says what type its masks have: by default, and where the source instantiates it."""
        parameter = self._widths.type_parameter(declaration)
        if parameter is not None and b"mask" in text_of(parameter).lower():
            self.widen_type_parameter(parameter)

    def widen_type(self, type: Node | None) -> None:
        if type is not None:
            width, start, end = spelling(text_of(type))
            if width is Width.NARROW:
                self.put(type.start_byte + start, type.start_byte + end, WIDE)

    def widen_alias(self, name: bytes) -> bool:
        alias = self.names.alias(name)
        if alias is None or not self._widths.is_called_lanes(name):
            return False
        self.put(alias.start, alias.end, WIDE)
        self._widen_all_of(name)
        return True

    def widen_type_parameter(self, parameter: Node) -> None:
        self._widths.take_for_masks(parameter)
        self.widen_type(parameter.child_by_field_name("default_type"))
        for argument in self.names.template_arguments(parameter):
            self.widen_type(argument)

    def follow_calls(self, function: Declaration) -> None:
        if function in self._called:
            return
        self._called.add(function)
        for leaf in self.names.uses(function):
            if call_of(leaf) is None:
                follow_callable(self, leaf)
            else:
                self.give(leaf.start_byte, leaf.end_byte)

    def _widen_all_of(self, alias: bytes) -> None:
        """All that has an alias for its type is widened with it."""
        if alias in self._aliases:
            return
        self._aliases.add(alias)
        for typed in typed_with(self.names, alias):
            for declarator in typed.children_by_field_name("declarator"):
                found = self.names.declared_in(declarator)
                if found is not None:
                    self.widen(found)

    def _initialised(self, declaration: Declaration, taken: bool) -> Confidence:
        """How sure it is that a declaration is given a mask where it is initialised."""
        is_generic = self._widths.type_parameter(declaration) is not None
        exact = self._widths.spelling(declaration).width is Width.DEDUCED and not is_generic
        is_function = declaration.kind == "function"
        values = returned_by(declaration.owner) if is_function else [declaration.value]
        confidence = (
            Confidence.UNTYPED if taken and is_generic and not self._is_called(declaration) else Confidence.SURE
        )
        for value in values:
            if value is not None:
                self.begin(declaration, value, is_initial=True)
                found = self.require_wide(value, exact=exact, taken=taken)
                if found is Confidence.UNKNOWN:
                    found = Confidence.PARTIAL
                elif found is Confidence.UNTYPED and not exact:
                    found = Confidence.SURE  # the declaration gives it a type
                confidence = max(confidence, found)
        return confidence

    def _is_called(self, parameter: Declaration) -> bool:
        """The source calls the function that has the parameter, and so says what type it has."""
        return any(True for _ in calls_of(self.names, functions_of(self.names, parameter)))

    def _widen_enumerator(self, declaration: Declaration) -> Confidence:
        """An enumerator's number and its enumeration's type are widened; its own type is still no integer."""
        if declaration.value is not None:
            self.require_wide(declaration.value)
        enumeration = declaration.owner.parent.parent if declaration.owner.parent is not None else None
        base = enumeration.child_by_field_name("base") if enumeration is not None else None
        if base is not None and text_of(base) in (b"unsigned", b"unsigned int", b"uint32_t", b"std::uint32_t", b"int"):
            self.put(base.start_byte, base.end_byte, WIDE)
        return Confidence.UNTYPED

    def _follow(self, declaration: Declaration) -> None:
        """What is done with a widened declaration."""
        taken = declaration in self._taken
        if declaration.kind == "function":
            self.follow_calls(declaration)
            return
        for leaf in self.names.uses(declaration):
            self._mask_uses.used(leaf, declaration, taken=taken)
        if declaration.kind == "parameter" and self.names.is_first_part(declaration):
            self._callers(declaration, taken)
        elif declaration.kind == "field":
            self._aggregates(declaration, taken)

    def _callers(self, parameter: Declaration, taken: bool) -> None:
        """What calls and instantiations in this source pass for a parameter that was widened."""
        functions = functions_of(self.names, parameter)
        for found, position in functions:
            others = self.names.parameters(found.function) if found.function is not None else []
            other = others[position] if position < len(others) else None
            if other is not None and self._widths.spelling(other).width is Width.NARROW:
                self.widen(other, taken=taken)
        for position, arguments in calls_of(self.names, functions):
            if position < len(arguments):
                self._passed(arguments[position], parameter, taken)
        for argument in self.names.template_arguments(parameter.owner):
            self._passed(argument, parameter, taken)

    def _aggregates(self, field: Declaration, taken: bool) -> None:
        """What a widened member is initialised with where its object is a list of values."""
        found = field_position(self.names, field)
        for entries in constructions(self.names, found[0]) if found is not None else ():
            if found is not None and found[1] < len(entries):
                self._passed(entries[found[1]], field, taken)
        for part in parts_taken(self.names, *found) if found is not None else ():
            self.widen(part)

    def _passed(self, argument: Node, target: Declaration, taken: bool) -> None:
        is_generic = self._widths.type_parameter(target) is not None
        self.begin(target, argument, is_initial=False)
        if target.shape == "pointer" or (not taken and (is_generic or not is_all_lanes(text_of(argument)))):
            return
        is_full = is_all_lanes(text_of(argument)) or self.is_full(name_in(argument))
        if taken and is_full and self._are_lanes_missing(argument.start_byte):
            self.put(argument.start_byte, argument.end_byte, LANES_HERE)
            return
        confidence = self.require_wide(argument, exact=is_generic, taken=taken)
        if taken and confidence in (Confidence.PARTIAL, Confidence.UNKNOWN):
            self.report("HIP301", argument.start_byte, text_of(argument), f"the parameter {target.name.decode()}")

    def _take_text(self, start: int, end: int) -> Confidence:
        """A mask in a source that has no sound tree there: by its text alone."""
        text = self.data[start:end]
        wide = widened(text)
        if wide is None:
            macros = [self._mask_definitions.literal_macro(macro) for macro in self.macros.named(text)]
            if macros:
                return max(Confidence.UNKNOWN if found is None else found for found in macros)
            return Confidence.SURE if is_wide(text) or text == LANES_HERE else Confidence.UNKNOWN
        self.put(start, end, wide)
        return Confidence.SURE if is_all_lanes(text) else Confidence.PARTIAL
