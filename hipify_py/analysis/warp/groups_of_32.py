"""Shuffles among 32 lanes whose distance is counted in `warpSize`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from hipify_py.analysis.warp.callers import Callers
from hipify_py.analysis.warp.shuffle_range import shuffle_ranges
from hipify_py.analysis.warp.single_warp_region import single_warp_region
from hipify_py.analysis.warp.thread_indices import thread_indices
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO, built_in_sizes, warp_constants
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import arguments_of, bare, call_of, name_in, operator_of, parts_of, whole_name
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_MEMBERS = (b"shfl", b"shfl_down", b"shfl_up", b"shfl_xor")
_DIVIDE = frozenset({"/", ">>"})
_DEEPEST = 4
"""How far a width is followed from one template or function to the next."""

_TILE, _COALESCED = b"thread_block_tile", b"coalesced_group"


class Size(NamedTuple):
    """A name that stands for `warpSize`, or for half of it, in the distance of shuffles; `number` is what it means."""

    start: int
    end: int
    number: bytes


class Shuffle(NamedTuple):
    """A shuffle, of the built-ins or of a cooperative group, whose distance is counted in `warpSize`.

    Attributes:
        place: where its name stands.
        name: of the built-in or the member.
        is_indexed: it names the lane that it reads.
        is_among_32: it stays among 32 lanes, by its width or group, or because no more than 32 threads reach it.
        unbounded: the end of its arguments, where a width has to be added to keep it among 32 lanes; None where not.
    """

    place: int
    name: str
    is_indexed: bool
    is_among_32: bool
    unbounded: int | None


class GroupsOf32:
    """The shuffles of one unit in which `warpSize` means 32, though a wavefront may have 64 lanes.

    Either their width says so, `__shfl_down_sync(mask, v, warpSize / 2, 32)`, or the tile whose members they are; or no
    more than 32 threads of a block reach them. On 64 lanes a distance of `warpSize / 2` is 32: it leaves the group, so
    that each lane reads its own value, or that of a lane which takes no part.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._functions = functions_of(unit)
        self._indices = thread_indices(unit)
        self._ranges = shuffle_ranges(unit)
        self._region = single_warp_region(unit)
        self._constants = constants_of(unit)
        self._definitions = definitions_of(unit)
        self._parameters: dict[tuple[Declaration, int], bool] = {}
        """Whether each parameter is 32, as far as it was followed."""

    @cached_property
    def _by_size(self) -> dict[Size, list[Shuffle]]:
        """The shuffles whose distance goes by `warpSize`, by the names that stand for it there."""
        found: dict[Size, list[Shuffle]] = {}
        for sizes, shuffle in (*self._of_built_ins(), *self._of_members()) if self._built_in else ():
            for size in sizes:
                found.setdefault(size, []).append(shuffle)
        return found

    @cached_property
    def _built_in(self) -> frozenset[int]:
        return frozenset(leaf.start_byte for leaf in built_in_sizes(self._unit))

    def _of_built_ins(self) -> Iterator[tuple[list[Size], Shuffle]]:
        for call in warp_calls_of(self._unit):
            if not call.is_shuffle or call.distance is None or call.call is None:
                continue
            place, end = call.use.start, None if call.has_width else call.call.arguments[-1][1]
            if call.is_indexed and call.has_width:
                sizes = self._divided(call.distance)
            else:
                sizes = self._sizes_of(call.distance, place, call.function, is_indexed=call.is_indexed)
            if sizes:
                yield sizes, Shuffle(place, call.name, call.is_indexed, self.has(call), end)

    def _of_members(self) -> Iterator[tuple[list[Size], Shuffle]]:
        for name in _MEMBERS:
            for leaf in self._names.mentions(name):
                call = call_of(leaf) if leaf.type == "field_identifier" else None
                arguments = arguments_of(call) if call is not None else []
                function, place = self._functions.at(leaf.start_byte), leaf.start_byte
                if len(arguments) != 2:
                    continue
                is_indexed = name == b"shfl"
                sizes = self._sizes_of(arguments[1], place, function, is_indexed=is_indexed)
                group = type_of(self._names, whole_name(leaf).child_by_field_name("argument")) if sizes else None
                if group in (_TILE, _COALESCED):
                    is_among_32 = group == _TILE or self._is_reached(place, function)
                    yield sizes, Shuffle(place, name.decode(), is_indexed, is_among_32, None)

    def _sizes_of(self, distance: Node, place: int, function: Function | None, *, is_indexed: bool) -> list[Size]:
        """What stands for `warpSize` in the distance of a shuffle, or in the loop over it."""
        within = self._named_in(distance)
        if within or is_indexed or self._ranges.of_distance(distance, place, function) != FOLLOWS:
            return within
        limit = self._ranges.limit(distance, place, function)
        return self._named_in(limit) if limit is not None else []

    def _named_in(self, node: Node) -> list[Size]:
        found = []
        for leaf in parts_of(node):
            if leaf.type != "identifier":
                continue
            if leaf.start_byte in self._built_in or self._indices.counted_in(leaf) == FOLLOWS:
                found.append(Size(leaf.start_byte, leaf.end_byte, b"32"))
            elif self._ranges.half(leaf) == FOLLOWS:
                found.append(Size(leaf.start_byte, leaf.end_byte, b"16"))
        return sorted(found)

    def _divided(self, lane: Node) -> list[Size]:
        """What stands for `warpSize` in parts of a lane's number that divide; the rest HIP takes modulo the width."""
        parts = [
            node for node in self._unit.tree.nodes("binary_expression", within=lane) if operator_of(node) in _DIVIDE
        ]
        return [
            size
            for size in self._named_in(lane)
            if any(part.start_byte <= size.start < part.end_byte for part in parts)
        ]

    @cached_property
    def sizes(self) -> list[tuple[Size, list[Shuffle]]]:
        """What stands for `warpSize` and means 32, with the shuffles that go by it: all of them stay among 32 lanes."""
        return sorted(
            (size, shuffles) for size, shuffles in self._by_size.items() if all(one.is_among_32 for one in shuffles)
        )

    @cached_property
    def mixed(self) -> list[Shuffle]:
        """The shuffles among 32 lanes that share a `warpSize` with others, which go over the wavefront."""
        known = {size for size, _ in self.sizes}
        shared = (shuffle for size, shuffles in self._by_size.items() if size not in known for shuffle in shuffles)
        return sorted({shuffle for shuffle in shared if shuffle.is_among_32})

    @cached_property
    def places(self) -> frozenset[int]:
        """The places of all the `warpSize` that mean 32, and of the shuffles that go by them."""
        sizes = {size.start for size, _ in self.sizes}
        return frozenset(sizes.union(shuffle.place for _, shuffles in self.sizes for shuffle in shuffles))

    def has(self, call: WarpCall) -> bool:
        """A shuffle stays among 32 lanes, by its width or because no more of them get to it."""
        if call.has_width:
            width = call.argument(call.first + 2)
            return width is not None and (self._is_32(width) or self._is_parameter_of_32(width))
        return self._is_reached(call.use.start, call.function)

    def _is_32(self, width: Node) -> bool:
        return self._constants.value(width) == 32 or self._indices.counted_in(width) == THIRTY_TWO

    def _is_parameter_of_32(self, width: Node, depth: int = 0) -> bool:
        """A parameter, of a template or a function, that is 32 unless a call says so, and that none gives more."""
        leaf = name_in(bare(width))
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        if len(declared) != 1 or depth == _DEEPEST or warp_constants(self._unit).is_ported:
            return False
        key = declared[0], depth
        if key not in self._parameters:
            self._parameters[key] = self._is_given_32(declared[0], depth)
        return self._parameters[key]

    def _is_given_32(self, parameter: Declaration, depth: int) -> bool:
        values = [] if parameter.value is None else [parameter.value]
        if parameter.is_template_parameter:
            values += map(_value_of, self._names.template_arguments(parameter.owner))
        elif parameter.kind == "parameter":
            values += self._definitions.arguments(parameter)
        else:
            return False
        wide = [value for value in values if (self._constants.value(value) or 32) >= 32]  # 16 and below are fine
        return bool(wide) and all(self._is_32(value) or self._is_parameter_of_32(value, depth + 1) for value in wide)

    def _is_reached(self, place: int, function: Function | None) -> bool:
        """No more than 32 threads of a block get to a place, or to any call of the function around it."""
        if function is None or self._region.reaches(place, function):
            return function is not None
        callers = [] if function.is_kernel or self._unit.source.is_header else self._callers.of(function.name)
        return bool(callers) and all(self._region.reaches(place, caller) for place, caller in callers)

    @cached_property
    def _callers(self) -> Callers:
        """Who calls the functions with shuffles."""
        places = [call.use.start for call in warp_calls_of(self._unit) if call.is_shuffle]
        places += [leaf.start_byte for name in _MEMBERS for leaf in self._names.mentions(name)]
        around = (self._functions.at(place) for place in places)
        return Callers(self._unit, {function.name for function in around if function is not None})


def _value_of(argument: Node) -> Node:
    """The value that a template's argument is; a name is a type to the grammar."""
    name = argument.child_by_field_name("type") if argument.type == "type_descriptor" else None
    return name if name is not None else argument


def groups_of_32(unit: Unit) -> GroupsOf32:
    """The shuffles of a unit in which `warpSize` means 32."""
    return unit.analysis(GroupsOf32)
