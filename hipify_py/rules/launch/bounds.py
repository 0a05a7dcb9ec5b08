"""The second argument of `__launch_bounds__`, which counts something else in HIP."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER, serves_both
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, Rule, Support
from hipify_py.rules.collisions.functions import in_amd_branch
from hipify_py.rules.triggers import uses
from hipify_py.semantics.calls import Call, call_at
from hipify_py.semantics.constants import constants_of, number

_THREADS = 256
"""Those of one wavefront on each execution unit of a gfx9 compute unit: four of 64."""


class LaunchBounds(Rule):
    """The second argument of CUDA's `__launch_bounds__` is the minimum number of blocks per multiprocessor; HIP's is
    the minimum number of wavefronts per execution unit. hipify-py does not change it.

    AMD's porting rule, blocks times threads over 32, turns (256, 1) into 8. The compiler then reduces the registers of
    each thread until 8 wavefronts fit: one kernel went from 236 registers and no spills to 64 registers and 416 spills.
    By the compiler's own counts (clang 22, gfx942 and gfx1100, ten kernels in blocks of 64 to 1024 threads;
    benchmarks/launch_bounds.py repeats them), 1 costs no register, a number that the GPU cannot hold (above 8 and 16)
    is ignored, and a larger number in between takes away more registers. The rule's number is never below the original
    one, so it is worse wherever the GPU can hold it. The original number asks for as many threads as in CUDA if a block
    has 256 (gfx9: four execution units of 64 lanes), for fewer if it has more, and for more if it has fewer, which
    hipify-py reports. Leaving the argument out spills least, but gives up wavefronts that the kernel was written for.
    A third argument, the maximum number of blocks in a cluster, has no counterpart and is dropped; with `--dual`, nvcc
    still gets it.
    """

    id = "HIP123"
    triggers = uses("__launch_bounds__")
    VALID = (
        Example("__global__ void __launch_bounds__(256) k();"),
        Example("__global__ void __launch_bounds__(64, 1) k();"),
        Example("__global__ void __launch_bounds__(256, 4) k();"),
    )
    INVALID = (
        Example("__global__ void __launch_bounds__(64, 8) k();", None, ("HIP123",)),
        Example(
            "template <int T, int B> __global__ void __launch_bounds__(T, B + 1) k();",
            None,
            ("HIP123",),
        ),
        Example("__global__ void __launch_bounds__(256, 4, 2) k();", "__global__ void __launch_bounds__(256, 4) k();"),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit | DedupedFinding | Support]:
        if unit.is_hip:
            return
        for use in unit.uses:
            if use.row.name != "__launch_bounds__" or in_amd_branch(unit, use.start):
                continue
            call = call_at(unit, use.end)
            if call is None or len(call.arguments) < 2:
                continue
            if len(call.arguments) > 2 and not serves_both(unit, use):
                yield from _without_third(unit, use, call)
            detail = _asks_for_more(unit, call)
            if detail:
                found = unit.finding("HIP123", use.start, name="__launch_bounds__", library="device", detail=detail)
                yield DedupedFinding(found, detail)


def _without_third(unit: Unit, use: Use, call: Call) -> Iterator[CompositeEdit | Support]:
    """Keep the first two arguments; where the output serves both vendors, nvcc still gets all of them."""
    if not (unit.options.dual and unit.options.support):
        yield replaced(call.arguments[1][1], call.arguments[-1][1])
        return
    yield Support("either")
    whole, shorter = (use.start, call.closing + 1), (use.start, call.arguments[1][1])
    yield replaced(*whole, EITHER + b"(", whole, b", ", shorter, b"))")


def _asks_for_more(unit: Unit, call: Call) -> str:
    """The request to HIP if it is, or may be, for more than CUDA's; else empty."""
    blocks = _value(unit, *call.arguments[1])
    if blocks is not None and blocks <= 1:
        return ""
    threads = _value(unit, *call.arguments[0])
    if threads is not None and threads >= _THREADS:
        return ""
    if threads is None or blocks is None:
        return "more threads at a time than in CUDA if a block has fewer than 256"
    return f"{blocks * _THREADS} threads at a time on gfx9, but {blocks * threads} in CUDA"


def _value(unit: Unit, start: int, end: int) -> int | None:
    """The value of an argument; None where it is not a constant of this source."""
    literal = number(unit.source.data[start:end])
    if literal is not None:
        return literal
    node = unit.tree.leaf(start, end)
    is_whole = node is not None and (node.start_byte, node.end_byte) == (start, end)
    return constants_of(unit).value(node) if is_whole else None
