"""Finds warp operations that name all lanes, while the lanes are divided among two branches that both have one."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.divergent_masks import divergent_full_masks
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words


class PartialMasks(Rule):
    """Lanes that meet in an operation from two branches do not meet on AMD GPUs.

    With independent thread scheduling, a lane that calls an operation with a mask waits until all lanes of the mask
    have called it, in whatever branch they are. AMD GPUs execute one branch after the other: a shuffle does not read
    the
    lanes in the other branch, a vote does not count them, and what they write before `__syncwarp` may come too late. A
    mask
    that names fewer lanes than call the operation is not such a case: the named lanes communicate with each other.
    """

    id = "HIP332"
    triggers = words("__syncwarp") | facts(Fact.SYNC_WORDS, Fact.PROJECT_WAITING_FUNCTIONS)
    VALID = (
        Example(
            "__global__ void k(volatile int *o) { if (threadIdx.x / 32 == 0) { o[0] = 1; __syncwarp(); o[1] = o[32]; }"
            " else { o[32] = 2; __syncwarp(); } }"
        ),
        Example("__global__ void k(int *o) { if (threadIdx.x % 32 < 9) { o[0] = 1; __syncwarp(); } }"),
    )
    INVALID = (
        Example(
            "__global__ void k(volatile int *o) { if (threadIdx.x % 32 < 9) { o[0] = 1; __syncwarp(); o[1] = o[32]; }"
            " else { o[32] = 2; __syncwarp(); } }",
            None,
            ("HIP332",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not unit.tree.is_available or unit.is_hip:
            return
        for divided in divergent_full_masks(unit):
            name, target = divided.name.decode(errors="replace"), divided.other.decode(errors="replace")
            yield unit.finding("HIP332", divided.place, name=name, library="device", target=target)
