"""Finds votes of a tile that some of its threads do not come to."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.partial_tiles import partial_tiles
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import text_of
from hipify_py.unit import Unit


class PartialTile(Rule):
    """A vote of a tile names all its threads, and HIP's check stops the kernel where some are not there.

    CUDA leaves out those that have returned, and is content with one thread of a tile whose others wait at nothing.
    HIP compares the mask of the whole tile with the lanes that are there, unless `NDEBUG` is defined.
    """

    id = "HIP329"
    triggers = words("tiled_partition*", "thread_block_tile") & words("any", "all", "ballot", "match_any", "match_all")
    VALID = (
        Example(
            "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n"
            "__global__ void k(int *o) { auto t = cooperative_groups::tiled_partition<8>("
            "cooperative_groups::this_thread_block()); int a = t.any(o[0]); if (t.thread_rank() == 0) o[1] = a; }"
        ),
    )
    INVALID = (
        Example(
            "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n"
            "__global__ void k(int *o) { auto t = cooperative_groups::tiled_partition<8>("
            "cooperative_groups::this_thread_block()); if (t.thread_rank() == 0) o[1] = t.any(o[0]); }",
            None,
            ("HIP329",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if unit.is_hip:
            return
        for vote in partial_tiles(unit).votes():
            detail = b" ".join(text_of(vote.condition).split())[:80].decode(errors="replace")
            yield unit.finding("HIP329", vote.place, name=vote.name.decode(), library="device", detail=detail)
