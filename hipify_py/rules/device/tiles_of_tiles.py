"""Tiles that are cut out of tiles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.unit import Unit

_CUT = re.compile(rb"(?:\w+[ \t]*::[ \t]*)*tiled_partition(?=[ \t]*<[^<>;(){}]*>[ \t]*\([ \t]*(\w+)[ \t]*\))")
_TILE = re.compile(
    rb"\bthread_block_tile[ \t]*<[^;(){}]{0,120}>[ \t]*[&]?[ \t]*(\w+)"
    rb"|\bauto[ \t]*[&]{0,2}[ \t]*(\w+)[ \t]*=[ \t]*(?:\w+[ \t]*::[ \t]*)*(?:tiled_partition|divide_tile)[ \t]*<"
)


class TilesOfTiles(Rule):
    """HIP cuts tiles of a constant size out of a block only; CUDA cuts them out of tiles, too.

    The support header has a tile that consists of the same threads and counts its siblings within the tile.
    """

    id = "tiles-of-tiles"
    VALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n__device__ void f(cooperative_groups::thread_block b) "
            "{ auto t = cooperative_groups::tiled_partition<8>(b); }"
        ),
    )
    INVALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n__device__ void f(cooperative_groups::thread_block_tile<32> t) "
            "{ auto u = cooperative_groups::tiled_partition<8>(t); }",
            '#include "hipify_support.hpp"\n#include <hip/hip_cooperative_groups.h>\n'
            "__device__ void f(cooperative_groups::thread_block_tile<32> t) { auto u = hipify::divide_tile<8>(t); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Support]:
        data, lexemes = unit.source.data, unit.lexemes
        if not unit.options.support or b"cooperative_groups" not in data:
            return
        tiles = {match[1] or match[2] for match in _TILE.finditer(data)}
        for match in _CUT.finditer(data):
            if match[1] in tiles and lexemes.non_code_at(match.start()) is None:
                yield Edit(match.start(), match.end(), b"hipify::divide_tile")
                yield Support("cg_groups")
