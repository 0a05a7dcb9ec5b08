"""Finds `warpSize` in kernels that run in rows of 32 threads."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.warp_constants import built_in_sizes
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_COUNTING = frozenset({"binary_expression", "assignment_expression", "init_declarator"})
_AROUND = frozenset({"parenthesized_expression", "cast_expression", "unary_expression"})


class RowsOf32(Rule):
    """Blocks of `dim3(32, n)` make each row of threads a warp; a 64-lane wavefront holds two of them.

    A kernel that steps through its row by `warpSize`, or shuffles from `warpSize / 2`, then skips every other element
    and adds two rows up. Without `--no-fix wavefront` its `warpSize` becomes the 32 that it is launched with, and its
    shuffles stay within the row. A kernel of such rows that counts in 32 itself is right where its shuffles have a
    width.
    """

    id = "HIP314"
    triggers = facts(Fact.LAUNCHES) & (words("warpSize") | facts(Fact.PROJECT_WAVEFRONT_NAMES))
    VALID = (
        Example("__global__ void k(float *x) { for (int i = threadIdx.x; i < 99; i += warpSize) x[i] = 0; }"),
        Example(
            "__global__ void k(float *x) { for (int i = threadIdx.x; i < 99; i += 32) x[i] = __shfl(x[i], 0, 32); }"
        ),
        Example(
            '__global__ void k() { printf("%d", (int)warpSize); }\n'
            "void run() { hipLaunchKernelGGL(k, dim3(1), dim3(32), 0, 0); }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(float *x) { for (int i = threadIdx.x; i < 99; i += warpSize) x[i] = 0; }\n"
            "void run(float *x) { k<<<1, dim3(32, 4)>>>(x); }",
            "__global__ void k(float *x) { for (int i = threadIdx.x; i < 99; i += warpSize) x[i] = 0; }\n"
            "void run(float *x) { hipLaunchKernelGGL(k, dim3(1), dim3(32, 4), 0, 0, x); }",
            ("HIP314",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.constants.is_ported or emulates_warp32(context):
            return
        told: set[int] = set()
        for leaf in built_in_sizes(unit):
            place = leaf.start_byte
            function = context.functions.at(place)
            if function is None or function.start in told:
                continue
            if _is_counted_in(leaf) and context.has_rows_of_32(place):
                told.add(function.start)
                name = function.name.decode(errors="replace")
                yield unit.finding("HIP314", place, name=name, library="device")


def _is_counted_in(leaf: Node) -> bool:
    """It stands in an operation or an assignment; a kernel may print it as it likes."""
    parent = leaf.parent
    while parent is not None and parent.type in _AROUND:
        parent = parent.parent
    return parent is not None and parent.type in _COUNTING
