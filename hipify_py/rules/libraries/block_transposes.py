"""CUB's transposes within warps, in blocks that hold no whole number of wavefronts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = (b"BlockLoad", b"BlockStore")
_ALGORITHMS = tuple(
    f"cub::BLOCK_{kind}_WARP_TRANSPOSE{suffix}" for kind in ("LOAD", "STORE") for suffix in ("", "_TIMESLICED")
)
_BLOCK = 1
"""The position of a block's size among the arguments of these classes."""
_WAVEFRONT = 64


class BlockTransposes(Rule):
    """hipCUB transposes within wavefronts where CUB does within warps, so blocks need a multiple of 64 threads.

    The transpose of the whole block moves the same items for any size. It is chosen where the size is known not to fit,
    and by the size itself where that is not known. (FZ-GPU's and cuSZ's blocks have 32 threads.)
    """

    id = "block-transposes"
    triggers = uses(*_ALGORITHMS)
    VALID = (Example("using namespace hipcub;\nusing L = BlockLoad<int, 32, 4, BLOCK_LOAD_WARP_TRANSPOSE>;"),)
    INVALID = (
        Example(
            "#include <cub/cub.cuh>\nusing L = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;",
            "#include <hipcub/hipcub.hpp>\n"
            "using L = hipcub::BlockLoad<int, 128, 4, hipcub::BLOCK_LOAD_WARP_TRANSPOSE>;",
        ),
        Example(
            "#include <cub/cub.cuh>\nusing S = cub::BlockStore<int, 32, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;",
            "#include <hipcub/hipcub.hpp>\nusing S = hipcub::BlockStore<int, 32, 4, hipcub::BLOCK_STORE_TRANSPOSE>;",
        ),
        Example(
            "#include <cub/cub.cuh>\ntemplate <int N> struct K {\n"
            "  using L = cub::BlockLoad<int, N / 2, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;\n};",
            "#include <hipcub/hipcub.hpp>\ntemplate <int N> struct K {\n"
            "  using L = hipcub::BlockLoad<int, N / 2, 4, ((N / 2) % 64 == 0 ? hipcub::BLOCK_LOAD_WARP_TRANSPOSE : "
            "hipcub::BLOCK_LOAD_TRANSPOSE)>;\n};",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        for use in unit.uses:
            size = _block_size(unit, use) if use.row.name in _ALGORITHMS else None
            if size is None:
                continue
            node, value = size
            if value is not None and value % _WAVEFRONT == 0:
                continue
            whole = _of_whole_block(unit, use)
            if value is not None:
                yield replaced(use.start, use.end, whole)
                continue
            text = text_of(node)
            number = text if text.replace(b"_", b"").isalnum() else b"(" + text + b")"
            test = b"(%b %% %d == 0 ? " % (number, _WAVEFRONT)
            yield replaced(use.start, use.end, test, (use.start, use.end), b" : " + whole + b")")


def _block_size(unit: Unit, use: Use) -> tuple[Node, int | None] | None:
    """The size of the block that an algorithm is chosen for, and its value; None where the choice is for no class."""
    arguments = ancestor(unit.tree.leaf(use.start, use.end), "template_argument_list")
    owner = arguments.parent.child_by_field_name("name") if arguments is not None and arguments.parent else None
    if arguments is None or owner is None or text_of(owner) not in _CLASSES:
        return None
    entries = entries_of(arguments)
    return (entries[_BLOCK], constants_of(unit).value(entries[_BLOCK])) if len(entries) > _BLOCK else None


def _of_whole_block(unit: Unit, use: Use) -> bytes:
    """The algorithm that transposes a block as a whole, in the scope that the source names."""
    scope, _, name = str(use.row.hip).rpartition("::")
    plain = name.removesuffix("_TIMESLICED").replace("_WARP", "").encode()
    return scope.encode() + b"::" + plain if b"::" in unit.source.data[use.start : use.end] else plain
