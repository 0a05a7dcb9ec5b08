"""Finds barriers that only the first warp of a block reaches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.ranges import Ranges
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.open_branches import is_surely_in_no_branch
from hipify_py.unit import Unit

_BARRIERS = (b"__syncthreads", b"__syncthreads_and", b"__syncthreads_or", b"__syncthreads_count")


class PartialBarriers(Rule):
    """`__syncthreads()` in the branch of one warp waits for wavefronts that never come.

    NVIDIA GPUs count the warps that arrive, so that barriers in different branches can meet. On AMD GPUs the two
    warps of a 64-lane wavefront run one branch after the other, and the wavefront arrives once for each.
    """

    id = "HIP310"
    triggers = words("__syncthreads*")
    VALID = (
        Example("__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 1; } __syncthreads(); }"),
        Example("__global__ void k(int *o) { if (threadIdx.x >= 32) return; __syncthreads(); o[0] = 1; }"),
        Example("__global__ void k(int n) { if (n < 32) { __syncthreads(); } }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 1; __syncthreads(); } }",
            None,
            ("HIP310",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        used = [name for name in _BARRIERS if name in unit.lexemes.words]
        if not any(_may_stand_in_if(unit, place) for name in used for place in unit.lexemes.places(name)):
            return
        from hipify_py.semantics.expressions import call_of
        from hipify_py.semantics.symbols import names_of

        ifs = Ranges((node.start_byte, node.end_byte) for node in unit.tree.nodes("if_statement"))
        barriers = [(name, leaf) for name in used for leaf in names_of(unit).mentions(name) if leaf.start_byte in ifs]
        if not barriers:
            return
        from hipify_py.analysis.warp.context import warp_context

        context = warp_context(unit)
        for name, leaf in barriers:
            function = context.functions.at(leaf.start_byte)
            if function is None or call_of(leaf) is None or context.is_single_warp(function):
                continue
            if context.single_warp_region.branches_to(leaf.start_byte, function):
                detail = "the first 32 threads of a block"
                yield unit.finding("HIP310", leaf.start_byte, name=name.decode(), library="device", detail=detail)


def _may_stand_in_if(unit: Unit, place: int) -> bool:
    """False for nearly all barriers; where a macro is used is not looked for here."""
    if unit.lexemes.define_around(place) is not None:
        return True
    if is_surely_in_no_branch(unit, place):
        return False
    return ancestor(unit.tree.leaf(place, place + 1), "if_statement") is not None
