"""Lane arithmetic: where a unit makes lanes, warps and numbers of warps, and what its functions count them in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from hipify_py.analysis.warp.thread_indices import COUNT, LANE, THREAD, WARP, Index, thread_indices
from hipify_py.project_context import LANE_OF, WARP_OF
from hipify_py.records import NamedTuple
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import NAMES, bare, callee, is_same, name_in, operator_of, text_of, whole_name
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_ARITHMETIC = frozenset({"&", "%", ">>", "/", "&=", "%=", ">>=", "/="})
_OPERATORS = (b"&", b"%", b">>", b"/")
_ENDS = frozenset({"assignment_expression", "init_declarator", "field_initializer", "compound_statement"})
_THROUGH = frozenset({"pointer_expression", "subscript_expression", "parenthesized_expression", "field_initializer"})
_GIVE_LANES = frozenset({LANE, WARP, LANE_OF, WARP_OF})
"""What the names are of other files by which lanes and warps get from one function into another."""
_DEEPEST = 3
"""Functions and members that hand a lane on to one another."""


class Site(NamedTuple):
    """Lane arithmetic at a place: `[start, end)` is the whole expression `node`."""

    start: int
    end: int
    kind: str
    counted_in: str
    node: Node


class Lanes:
    """The lane arithmetic of one unit. Found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._functions = functions_of(unit)
        self.indices = thread_indices(unit)
        self._kinds: dict[int, dict[str, frozenset[str]]] = {}

    @cached_property
    def sites(self) -> list[Site]:
        """The lane arithmetic of the unit, in macros too, in the order of the places."""
        nodes = [*self._arithmetic(), *(node for _, node in self._in_macros)]
        found = [(node, index) for node in nodes if (index := self.indices.made_by(node)) is not None]
        return sorted(
            (Site(node.start_byte, node.end_byte, index.kind, index.counted_in, node) for node, index in found),
            key=lambda site: site[:2],
        )

    @cached_property
    def _in_macros(self) -> list[tuple[Macro, Node]]:
        """The operators in the bodies of macros that may make lanes."""
        data, macros = self._unit.source.data, macros_of(self._unit)
        found = []
        for macro in macros.all():
            text = data[macro.start : macro.end]
            body = macros.body(macro) if any(operator in text for operator in _OPERATORS) else None
            if body is not None:
                found += [(macro, node) for node in self._arithmetic(body)]
        return found

    def _arithmetic(self, within: Node | None = None) -> Iterator[Node]:
        """The operators that may make lanes."""
        for node in self._unit.tree.nodes("binary_expression", "assignment_expression", within=within):
            if operator_of(node) in _ARITHMETIC:
                yield node

    @cached_property
    def _starts(self) -> list[int]:
        return [site.start for site in self.sites]

    def sites_in(self, function: Function) -> list[Site]:
        """The lane arithmetic of one function."""
        first, last = bisect_left(self._starts, function.head), bisect_right(self._starts, function.end)
        return self.sites[first:last]

    def counts(self, function: Function | None) -> frozenset[str]:
        """What a function counts lanes and warps in, by what stands in it and by what it asks for them."""
        if function is None:
            return frozenset()
        kinds = self.kinds(function)
        return kinds[LANE] | kinds[WARP]

    def kinds(self, function: Function) -> dict[str, frozenset[str]]:
        """What a function counts its lanes in, and what the warps of its block."""
        known = self._kinds.get(function.start)
        if known is None:
            found: dict[str, set[str]] = {LANE: set(), WARP: set()}
            for site in self.sites_in(function):
                if site.kind != COUNT and not self._is_of_lane(site):
                    found[site.kind].add(site.counted_in)
            for index in self._named_in(function):
                if index.kind in found:
                    found[index.kind].add(index.counted_in)
            known = self._kinds[function.start] = {kind: frozenset(counted) for kind, counted in found.items()}
        return known

    def _is_of_lane(self, site: Site) -> bool:
        """`(lane + 1) % 32`: what is made of a lane says nothing of how the lane itself was counted."""
        left = site.node.child_by_field_name("left")
        if site.kind != LANE or left is None or bare(left).type != "binary_expression":
            return False
        index = self.indices.of(left)
        lane = self.lane_in(left) if index is not None and index.kind == THREAD else None
        return lane is not None and lane.counted_in != site.counted_in

    def numbers_of_warps(self, function: Function) -> Iterator[tuple[Node, Index]]:
        """The names by which a function takes a block's number of warps from macros, functions and other files."""
        for name in sorted(self._giving_counts - {function.name}):
            for leaf in names_of(self._unit).mentions(name):
                index = self._of_name(leaf) if function.start <= leaf.start_byte <= function.end else None
                if index is not None and index.kind == COUNT:
                    yield leaf, index

    @cached_property
    def _giving_counts(self) -> frozenset[bytes]:
        """The names of macros, functions and variables outside of functions that may be a number of warps."""
        names = {name for site in self.sites if site.kind == COUNT for name in self._taken_by(site.node)}
        names |= {macro.name for macro, node in self._in_macros if self._may_make_lane(macro, node)}
        kinds = self._unit.project.wavefront_names
        return frozenset(names | {name for name, kind in kinds.items() if kind in (COUNT, WARP_OF)})

    def _named_in(self, function: Function) -> list[Index]:
        """The lanes and warps that a function takes from elsewhere: from members, macros, functions that it calls."""
        found = []
        for name in self._carriers - {function.name}:
            for leaf in names_of(self._unit).mentions(name):
                if function.start <= leaf.start_byte <= function.end:
                    index = self._of_name(leaf)
                    if index is not None and index.kind in (LANE, WARP):
                        found.append(index)
                    break
        return found

    @cached_property
    def _carriers(self) -> frozenset[bytes]:
        """The names by which lanes and warps get from one function into another."""
        found = {macro.name for macro, node in self._in_macros if self._may_make_lane(macro, node)}
        found |= {name for name, kind in self._unit.project.wavefront_names.items() if kind in _GIVE_LANES}
        fresh = [site.node for site in self.sites if site.kind != COUNT]
        for _ in range(_DEEPEST):
            names = {name for node in fresh for name in self._taken_by(node)} - found
            if not names:
                break
            found |= names
            fresh = [self._whole(leaf) for name in names for leaf in names_of(self._unit).mentions(name)]
        return frozenset(found)

    def _may_make_lane(self, macro: Macro, node: Node) -> bool:
        """A macro makes a lane or a warp of its argument, if that is a thread's index."""
        right = node.child_by_field_name("right")
        return bool(macro.parameters) and right is not None and self.indices.is_divisor(operator_of(node), right)

    def _taken_by(self, node: Node) -> Iterator[bytes]:
        """What takes a value out of the function that computes it: its result, a macro, a member, an argument."""
        macro = macros_of(self._unit).around(node.start_byte)
        if macro is not None:
            yield macro.name
            return
        parent: Node | None = node
        while parent is not None and parent.type not in _ENDS:
            if parent.type == "return_statement":
                function = self._functions.at(node.start_byte)
                if function is not None:
                    yield function.name
                return
            node, parent = parent, parent.parent
        target = parent if parent is not None and parent.type == "field_initializer" else None
        if parent is not None and parent.type == "assignment_expression":
            target = parent.child_by_field_name("left")
        elif parent is not None and parent.type == "init_declarator":
            target = parent.child_by_field_name("declarator")
        leaf = _target(target)
        declared = names_of(self._unit).declaration_at(leaf) if leaf is not None else None
        every = (declared,) if declared is not None else names_of(self._unit).meant_by(leaf) if leaf is not None else ()
        for each in every:
            if each.kind == "field" or each.start == 0:
                yield each.name
            elif each.kind == "parameter" and each.shape in ("pointer", "reference"):
                yield from self._given_by_callers(each)

    def _given_by_callers(self, parameter: Declaration) -> Iterator[bytes]:
        """The variables that callers have a function put its result into."""
        for argument in definitions_of(self._unit).arguments(parameter):
            leaf = _target(argument)
            if leaf is not None:
                yield text_of(leaf)

    def _whole(self, leaf: Node) -> Node:
        """The call of a function or macro, or the member access, that a name stands in."""
        node = whole_name(leaf)
        parent = node.parent
        return parent if parent is not None and parent.type == "call_expression" else node

    def _of_name(self, leaf: Node) -> Index | None:
        node = self._whole(leaf)
        is_callee = node.type != "call_expression" or is_same(callee(node), leaf)
        return self.indices.of(node if is_callee else whole_name(leaf))

    def has_lane(self, node: Node | None) -> bool:
        """An expression names or computes a lane."""
        return self._holds(node, LANE) is not None

    def has_warp(self, node: Node | None) -> bool:
        """An expression names or computes a warp's index within its block."""
        return self._holds(node, WARP) is not None

    def lane_in(self, node: Node | None) -> Index | None:
        """The first lane in an expression."""
        return self._holds(node, LANE)

    def _holds(self, root: Node | None, kind: str) -> Index | None:
        pending = [root] if root is not None else []
        while pending:
            node = pending.pop()
            if node.type in NAMES or node.type in ("binary_expression", "call_expression", "field_expression"):
                index = self.indices.of(node)
                if index is not None and index.kind == kind:
                    return index
            pending += reversed(node.named_children)
        return None


def _target(node: Node | None) -> Node | None:
    """The name of what is set, or given by address: elements and pointers looked through."""
    while node is not None and name_in(node) is None:
        if node.type not in _THROUGH:
            return None
        inner = node.child_by_field_name("argument")
        node = inner if inner is not None else next(iter(node.named_children), None)
    return name_in(node)


def text_at(unit: Unit, site: Site) -> bytes:
    """The text of a site, its blanks made one each."""
    return b" ".join(text_of(site.node).split())


def lanes_of(unit: Unit) -> Lanes:
    """The lane arithmetic of a unit."""
    return unit.analysis(Lanes)
