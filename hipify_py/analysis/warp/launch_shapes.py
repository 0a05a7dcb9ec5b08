"""The shapes of the blocks that a unit launches, and the kernels whose blocks are rows of 32 threads."""

from __future__ import annotations

from functools import cached_property

from hipify_py.analysis.warp.thread_indices import thread_indices
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import bare, callee, cast_of, entries_of, name_in, text_of
from hipify_py.semantics.launches import Launch, launches_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 6
"""Variables that stand for one another."""
_WAVEFRONT = 64


class Block(NamedTuple):
    """The dimensions of a block as a launch gives them: the nodes of those that are given, each None if it is not."""

    x: Node
    y: Node | None = None
    z: Node | None = None


class NamedLaunch(NamedTuple):
    """A launch, the name of its kernel, and its block; None where its dimensions are not written in this unit."""

    kernel: bytes
    launch: Launch
    block: Block | None


class LaunchShapes:
    """The blocks that one unit launches. Found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._indices = thread_indices(unit)
        self._constants = constants_of(unit)
        self._names = names_of(unit)

    @cached_property
    def launches(self) -> list[NamedLaunch]:
        """The launches whose kernels have names, in the order of their places."""
        found = []
        for launch in launches_of(self._unit):
            if isinstance(launch, Launch):
                node = self._unit.tree.leaf(*launch.callee)
                leaf = _last_name(node) if node is not None else None
                if leaf is not None:
                    block = self._unit.tree.leaf(*launch.configuration[1])
                    found.append(NamedLaunch(text_of(leaf), launch, self._block(block)))
        return found

    @cached_property
    def single_warp_kernels(self) -> frozenset[bytes]:
        """Kernels that are launched with blocks of 32 threads in all, wherever this unit launches them."""
        return frozenset(name for name, blocks in self._by_kernel.items() if all(map(self._is_one_row, blocks)))

    @cached_property
    def row_kernels(self) -> frozenset[bytes]:
        """Kernels that are launched with blocks of several rows of 32 threads."""
        return frozenset(
            name
            for name, blocks in self._by_kernel.items()
            if name not in self.single_warp_kernels and all(map(self._has_rows, blocks))
        )

    @cached_property
    def partial_wavefront_kernels(self) -> frozenset[bytes]:
        """Kernels launched with blocks whose last wavefront of 64 lanes is not full: of 8, 16, 33, 48 threads, ….

        Of blocks whose size is not written in this unit nothing is said.
        """
        return frozenset(name for name, blocks in self._by_kernel.items() if any(map(self._leaves_lanes_idle, blocks)))

    @cached_property
    def _by_kernel(self) -> dict[bytes, list[Block | None]]:
        found: dict[bytes, list[Block | None]] = {}
        for kernel, _, block in self.launches:
            found.setdefault(kernel, []).append(block)
        return found

    def _has_rows(self, block: Block | None) -> bool:
        return block is not None and self._indices.counted_in(block.x) == THIRTY_TWO

    def _is_one_row(self, block: Block | None) -> bool:
        return block is not None and self._has_rows(block) and self._is_one(block.y) and self._is_one(block.z)

    def _is_one(self, node: Node | None) -> bool:
        return node is None or self._constants.value(node) == 1

    def _leaves_lanes_idle(self, block: Block | None) -> bool:
        threads = 1
        for node in block or ():
            value = self._constants.value(node) if node is not None else 1
            if value is None:
                return False
            threads *= value
        return block is not None and threads % _WAVEFRONT != 0

    def _block(self, node: Node | None, depth: int = 0) -> Block | None:
        """The dimensions in `dim3(x, y)`, in a variable that is set once, or in a plain number."""
        if node is None or depth > _DEEPEST:
            return None
        node = bare(node)
        if node.type in ("argument_list", "initializer_list"):
            return _of_entries(entries_of(node))
        if node.type == "compound_literal_expression":
            return self._block(node.child_by_field_name("value"), depth + 1)
        if node.type == "call_expression" and text_of(callee(node)) == b"dim3":
            return self._block(node.child_by_field_name("arguments"), depth + 1)
        cast = cast_of(node)
        if cast is not None:
            return self._block(cast.value, depth + 1)
        leaf = name_in(node)
        if leaf is not None and self._constants.value(node) is None and self._indices.counted_in(node) is None:
            definitions = [d for found in self._names.meant_by(leaf) for d in definitions_of(self._unit).of(found)]
            values = [definition.value for definition in definitions if definition.operator == "="]
            if len(definitions) != 1 or len(values) != 1 or values[0] is None:
                return None
            return self._block(_initialiser(values[0]), depth + 1)
        return Block(node)


def _initialiser(value: Node) -> Node:
    """All that a variable is initialised with: the list around the sole entry that a definition names."""
    parent = value.parent
    return parent if parent is not None and parent.type in ("argument_list", "initializer_list") else value


def _of_entries(entries: list[Node]) -> Block | None:
    return Block(*entries) if 1 <= len(entries) <= 3 else None


def _last_name(node: Node) -> Node | None:
    """The name of a kernel, without its scope and template arguments."""
    while node.type in ("template_function", "qualified_identifier", "parenthesized_expression", "field_expression"):
        inner = node.child_by_field_name("field" if node.type == "field_expression" else "name")
        if inner is None:
            return None
        node = inner
    return node if node.type in ("identifier", "field_identifier") else None


def launch_shapes(unit: Unit) -> LaunchShapes:
    """The shapes of the blocks that a unit launches."""
    return unit.analysis(LaunchShapes)
