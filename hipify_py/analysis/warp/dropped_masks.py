"""Names of lane masks that have no use left when the masks go which name lanes that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import KEPT, is_emulated, is_rewritten, is_vote
from hipify_py.analysis.warp.inactive_lanes import inactive_lane_masks
from hipify_py.analysis.warp.masks.built_ins import TAKES_MASK
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import bare, named_call, operator_of, sole_entry, text_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


_KEPT_CALL = re.compile(rb"\w+_sync")


class DroppedMasks:
    """The names of one unit that masks are given by, and what is left of their uses.

    A header's names may have uses elsewhere, so that nothing is known of them.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._gone: dict[bytes, set[int]] = {}
        self._narrow: dict[bytes, set[int]] = {}
        self._is_gathered = not unit.source.is_header and not unit.is_hip and unit.tree.is_available
        if self._is_gathered:
            self._gather()

    def _gather(self) -> None:
        dropped, narrow = set(inactive_lane_masks(self._unit)), set()
        if is_emulated(self._unit):
            for call in warp_context(self._unit).calls:
                if is_vote(call):
                    narrow.add(call.use.start)
                elif is_rewritten(self._unit, call):
                    dropped.add(call.use.start)
        for use in self._unit.uses:
            if use.row.library != "device" or not TAKES_MASK.fullmatch(use.row.name.encode()):
                continue
            places = self._narrow if use.start in narrow else self._gone
            if places is self._narrow or use.start in dropped or self._has_no_mask(use):
                asked = named_call(self._unit.tree, use.start, use.end)
                mask = asked.arguments[0] if asked is not None and asked.arguments else None
                if mask is not None and mask.type == "identifier":
                    places.setdefault(text_of(mask), set()).add(mask.start_byte)
        for mask in self._masks_kept():
            self._narrow.setdefault(text_of(mask), set()).add(mask.start_byte)

    def _masks_kept(self) -> Iterator[Node]:
        """The masks of 32 bits that an earlier translation left narrow: those of what `KEPT` has."""
        lexemes, data = self._unit.lexemes, self._unit.source.data
        for place in lexemes.places(KEPT.split(b"::")[1]):
            name = lexemes.after(lexemes.after(place + len(KEPT.split(b"::")[1])) + len(b"::"))
            called = _KEPT_CALL.match(data, name)
            call = named_call(self._unit.tree, *called.span()) if called is not None else None
            if call is not None and call.arguments and call.arguments[0].type == "identifier":
                yield call.arguments[0]

    def _has_no_mask(self, use: Use) -> bool:
        """The chosen ROCm has the built-in without a mask only."""
        return effective_row(self._unit, use).details.get("args", {}).get("0", "") is None

    @cached_property
    def names(self) -> frozenset[bytes]:
        """Those that stand for nothing but masks which go, or stay narrow."""
        return frozenset(
            name
            for name in self._gone.keys() | self._narrow.keys()
            if self._are_all(name, self._gone.get(name, set()) | self._narrow.get(name, set()))
        )

    def stays(self, name: bytes) -> bool:
        """What defines a mask of that name stays as it is: it is one of `names`, or has no use among warp operations.

        The second is what a translation that takes the masks away leaves. A source without warp operations defines
        its masks for others.
        """
        if not self._is_gathered:
            return False
        return name in self.names or (self._has_warp_operations and self._are_all(name, set()))

    @cached_property
    def _has_warp_operations(self) -> bool:
        return bool(warp_context(self._unit).calls) or KEPT in self._unit.source.data

    @cached_property
    def unused_variables(self) -> list[Declaration]:
        """Variables of functions whose every use goes, each declared alone and set to a constant."""
        names = names_of(self._unit)
        return [
            found
            for name, places in self._gone.items()
            if self._are_all(name, places)
            for found in names.declared(name)
            if _is_constant_of_block(found)
        ]

    def _are_all(self, name: bytes, places: set[int]) -> bool:
        """The places are all where a name stands, but for those where it is defined."""
        defined = {define.start for define in self._unit.lexemes.defines}
        return all(
            leaf.start_byte in places or leaf.start_byte in defined for leaf in names_of(self._unit).mentions(name)
        )


def dropped_masks_of(unit: Unit) -> DroppedMasks:
    """What a unit's masks that go leave behind."""
    return unit.analysis(DroppedMasks)


def _is_constant_of_block(found: Declaration) -> bool:
    owner = found.owner
    if found.kind != "variable" or owner.type != "declaration" or owner.parent is None or found.value is None:
        return False
    declarators = owner.children_by_field_name("declarator")
    return owner.parent.type == "compound_statement" and len(declarators) == 1 and _is_literal(found.value)


def _is_literal(node: Node) -> bool:
    node = bare(sole_entry(bare(node)))
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return operator_of(node) in ("~", "-") and argument is not None and _is_literal(argument)
    return node.type == "number_literal"
