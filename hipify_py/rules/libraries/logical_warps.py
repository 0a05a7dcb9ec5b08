"""Writes the width of CUB's logical warps out where it is left to its default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.analysis.warp.decisions import keeps_32
from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.expressions import entries_of, is_same

if TYPE_CHECKING:
    from tree_sitter import Node


class _Template(NamedTuple):
    """The position of a class template's width, and the argument for a parameter before it that is left out."""

    width: int
    between: bytes = b""


_TEMPLATES = {
    "cub::WarpReduce": _Template(1),
    "cub::WarpScan": _Template(1),
    "cub::WarpExchange": _Template(2),
    "cub::WarpMergeSort": _Template(2),
    "cub::WarpLoad": _Template(3, b", hipcub::WARP_LOAD_DIRECT"),
    "cub::WarpStore": _Template(3, b", hipcub::WARP_STORE_DIRECT"),
}


class LogicalWarps(Rule):
    """CUB's warp-wide classes work on 32 lanes by default; hipCUB's on a wavefront, which has 64 lanes on gfx9.

    `cub::WarpScan<float>` becomes `hipcub::WarpScan<float, 32>`, so that `temp[threadIdx.x / 32]` and the lane that
    holds the sum stay the same. The author's own code for AMD GPUs keeps the default.
    """

    id = "logical-warps"
    triggers = uses("cub::Warp*")
    VALID = (
        Example("#include <hipcub/hipcub.hpp>\nusing S = hipcub::WarpScan<float>;"),
        Example("template <template <class> class W> struct S;"),
    )
    INVALID = (
        Example(
            "#include <cub/cub.cuh>\nusing S = cub::WarpScan<float>;",
            "#include <hipcub/hipcub.hpp>\nusing S = hipcub::WarpScan<float, 32>;",
        ),
        Example(
            "#include <cub/cub.cuh>\nusing S = cub::WarpLoad<int, 4>;",
            "#include <hipcub/hipcub.hpp>\nusing S = hipcub::WarpLoad<int, 4, hipcub::WARP_LOAD_DIRECT, 32>;",
        ),
        Example(
            "#include <cub/cub.cuh>\nusing S = cub::WarpReduce<int, 16>;",
            "#include <hipcub/hipcub.hpp>\nusing S = hipcub::WarpReduce<int, 16>;",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for use in unit.uses:
            template = _TEMPLATES.get(use.row.name)
            arguments = _arguments(unit, use.end) if template is not None else None
            if template is None or arguments is None or not keeps_32(unit, use.start):
                continue
            entries = entries_of(arguments)
            if not entries or len(entries) > template.width:
                continue
            left_out = template.width - len(entries)
            if left_out == 0:
                text = b", 32"
            elif left_out == 1 and template.between:
                text = template.between + b", 32"
            else:
                continue
            yield Edit(entries[-1].end_byte, entries[-1].end_byte, text)


def _arguments(unit: Unit, name_end: int) -> Node | None:
    """The template arguments after a class's name."""
    leaf = unit.tree.leaf(name_end - 1, name_end)
    parent = leaf.parent if leaf is not None else None
    if parent is None or parent.type not in ("template_type", "template_function"):
        return None
    return parent.child_by_field_name("arguments") if is_same(parent.child_by_field_name("name"), leaf) else None
