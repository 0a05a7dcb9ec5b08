"""Finds launches that count warps otherwise than their kernels: with too little shared memory, or too few blocks."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.thread_indices import SIZE, WARP
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    NAMES,
    arguments_of,
    bare,
    callee,
    compact,
    entries_of,
    operator_of,
    parts_of,
    text_of,
)
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_SHARED_SIZE = 2
"""The place of the dynamic shared memory's size among a launch's settings."""

_WARP_SIZES = frozenset({b"warpSize", b"warp_size"})
_ATTRIBUTES = (b"cudaDevAttrWarpSize", b"hipDeviceAttributeWarpSize", b"CU_DEVICE_ATTRIBUTE_WARP_SIZE")
_DEEPEST = 3
"""Variables that stand for one another between a launch and where its settings are worked out."""


class LaunchCounts(Rule):
    """Shared memory for one value a warp, by the device's warp size, is too little for a kernel that counts in 32.

    A block of 256 threads has four wavefronts of 64 lanes, but eight warps of 32: with `threads / prop.warpSize`
    values the kernel writes behind its shared memory. NVIDIA GPUs have 32 in both places.
    """

    id = "HIP315"
    triggers = facts(Fact.LAUNCHES) & words("*warpSize*", "*WarpSize*")
    fixes = NO_FIXES
    VALID = (
        Example(
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }\n"
            "void run(float *x, int n, hipDeviceProp_t p) { k<<<1, n, n / p.warpSize * 4>>>(x); }",
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }\n"
            "void run(float *x, int n, hipDeviceProp_t p)"
            " { hipLaunchKernelGGL(k, dim3(1), dim3(n), n / p.warpSize * 4, 0, x); }",
            ("HIP315",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.constants.is_ported:
            return
        for name, launch, _ in context.launches.launches:
            for kernel in context.functions.named(name):
                grid = unit.tree.leaf(*launch.configuration[0])
                block = unit.tree.leaf(*launch.configuration[1]) if len(launch.configuration) > 1 else None
                if _takes_wavefronts(context, kernel) and (
                    _counts_in_32(context, grid) or _has_32_for_each(context, grid, block)
                ):
                    place = launch.configuration[0][0]
                    yield unit.finding("HIP318", place, name=name.decode(errors="replace"), library="device")
                if context.counts(kernel) != {THIRTY_TWO} or len(launch.configuration) <= _SHARED_SIZE:
                    continue
                size = unit.tree.leaf(*launch.configuration[_SHARED_SIZE])
                if _is_by_wavefronts(context, size):
                    place = launch.configuration[_SHARED_SIZE][0]
                    named = name.decode(errors="replace")
                    yield unit.finding("HIP315", place, name=named, library="device", fix=_by_32(context, size))


def _takes_wavefronts(context: WarpContext, kernel: Function) -> bool:
    """A kernel takes a wavefront for each item, and does not go on to further items."""
    is_by_warps = context.lanes.kinds(kernel)[WARP] == {FOLLOWS}
    return is_by_warps and b"gridDim" not in context.lexemes.code(kernel.start, kernel.end)


def _counts_in_32(context: WarpContext, root: Node | None) -> bool:
    """A number of threads or blocks is worked out with 32 for a warp: `rows * 32`, `threads / 32`."""
    for node in _parts(context, root):
        if node.type != "binary_expression" or operator_of(node) not in ("*", "/"):
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator_of(node) == "/":
            index = context.indices.of(left)
            if index is None or index.kind != SIZE:
                continue
        sides = (left, right) if operator_of(node) == "*" else (right,)
        if any(side is not None and context.indices.counted_in(side) == THIRTY_TWO for side in sides):
            return True
    return False


def _has_32_for_each(context: WarpContext, grid: Node | None, block: Node | None) -> bool:
    """A grid of `items / n` blocks of `n * 32` threads: by the same name, or by numbers."""
    constants = constants_of(context.unit)
    sizes = list(_sizes(context, block))
    for node in _parts(context, grid) if sizes else ():
        items = _divisor(node)
        if items is None:
            continue
        number, text = constants.value(items), compact(bare(items))
        for size in sizes:
            if number is not None and constants.value(size) == 32 * number:
                return True
            left, right = size.child_by_field_name("left"), size.child_by_field_name("right")
            if operator_of(size) != "*" or left is None or right is None:
                continue
            for one, other in ((left, right), (right, left)):
                if compact(bare(one)) == text and context.indices.counted_in(other) == THIRTY_TWO:
                    return True
    return False


def _divisor(node: Node) -> Node | None:
    """What a number of items is divided by, also in a call: `ceil_div(n, 4)`."""
    if operator_of(node) == "/":
        return node.child_by_field_name("right")
    given = arguments_of(node) if node.type == "call_expression" and text_of(callee(node)) != b"dim3" else []
    return given[1] if len(given) == 2 else None


def _sizes(context: WarpContext, root: Node | None) -> Iterator[Node]:
    """The number of threads in the first dimension of a block, by all that the variable for it is set to."""
    names, definitions = names_of(context.unit), definitions_of(context.unit)
    level = [root] if root is not None else []
    for _ in range(_DEEPEST + 1):
        following: list[Node] = []
        for node in map(bare, level):
            if node.type == "call_expression" and text_of(callee(node)) == b"dim3":
                following += arguments_of(node)[:1]
            elif node.type in ("argument_list", "initializer_list"):
                following += entries_of(node)[:1]
            else:
                yield node
            if node.type in NAMES:
                for declared in names.meant_by(node):
                    following += [found.value for found in definitions.of(declared) if found.value is not None]
        level = following


def _is_by_wavefronts(context: WarpContext, root: Node | None) -> bool:
    """A number of bytes is computed with a division by the device's warp size."""
    return any(_is_devices(context, divisor) for divisor in _divisors(context, root))


def _by_32(context: WarpContext, size: Node | None) -> list[Edit]:
    """The device's warp size as 32 where the size itself divides by it; nothing where a variable does.

    What a variable holds may be used elsewhere, and mean the wavefront there.
    """
    edits: dict[tuple[int, int], Edit] = {}
    for divisor in _divisors(context, size):
        if not _is_devices(context, divisor):
            continue
        division = divisor.parent
        if size is None or division is None or not size.start_byte <= division.start_byte < size.end_byte:
            return []
        if not _names_size(bare(divisor)):
            return []
        for node in parts_of(division):
            if _names_size(node):
                edits[node.start_byte, node.end_byte] = Edit(node.start_byte, node.end_byte, b"32")
    return [edits[place] for place in sorted(edits)]


def _names_size(node: Node) -> bool:
    """`prop.warpSize`"""
    return node.type == "field_expression" and text_of(node.child_by_field_name("field")) in _WARP_SIZES


def _divisors(context: WarpContext, root: Node | None) -> list[Node]:
    divisors = (node.child_by_field_name("right") for node in _parts(context, root) if operator_of(node) == "/")
    return [divisor for divisor in divisors if divisor is not None]


def _is_devices(context: WarpContext, divisor: Node | None) -> bool:
    """`prop.warpSize`, or a variable that holds it or was given the attribute of the device."""
    pending, depth = [divisor] if divisor is not None else [], 0
    while pending and depth < 20:
        node, depth = pending.pop(), depth + 1
        if _names_size(node):
            return True
        if node.type in NAMES:
            for declared in names_of(context.unit).meant_by(node):
                for use in names_of(context.unit).uses(declared):
                    if _asks_device(use):
                        return True
                values = (definition.value for definition in definitions_of(context.unit).of(declared))
                pending += [value for value in values if value is not None]
        elif node.type != "field_expression":
            pending += node.named_children
    return False


def _asks_device(use: Node) -> bool:
    """A variable is given by address to the call that asks the device for its warp size."""
    node, parent = use, use.parent
    while parent is not None and parent.type in ("pointer_expression", "argument_list", "cast_expression"):
        node, parent = parent, parent.parent
    return node.type == "argument_list" and any(name in text_of(node) for name in _ATTRIBUTES)


def _parts(context: WarpContext, root: Node | None) -> Iterator[Node]:
    """The parts of an expression, and of those that the variables in it are set to."""
    level = [root] if root is not None else []
    names, definitions = names_of(context.unit), definitions_of(context.unit)
    for _ in range(_DEEPEST + 1):
        following: list[Node] = []
        while level:
            node = level.pop()
            yield node
            if node.type in NAMES:
                for declared in names.meant_by(node):
                    following += [found.value for found in definitions.of(declared) if found.value is not None]
            level += node.named_children
        level = following
