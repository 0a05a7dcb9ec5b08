"""Members of cooperative groups that HIP spells differently or does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.catalog import Row
from hipify_py.catalog.targeting import supported
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import texts, words
from hipify_py.semantics.accesses import owner_at
from hipify_py.semantics.structure import structure_of
from hipify_py.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.unit import Unit

_SCOPE = b"cooperative_groups::"
_GROUP = rb"((?:\w+[ \t]*::[ \t]*)*\w+(?:\([ \t]*\))?)[ \t]*"
_CALL = rb"\([ \t]*\)"
_GRID = re.compile(rb"(?:(\w+)[ \t]*=[ \t]*)?(?:\w+[ \t]*::[ \t]*)*this_grid[ \t]*\(")
_OF_BLOCKS_TOO = frozenset({b"thread_index", b"group_dim"})
"""What a block has as well, in HIP as in CUDA: only a grid's is rewritten."""


class GroupMembers(Rule):
    """A group is mostly an `auto` or a template's parameter, so its members are known by their names alone.

    `num_threads()` is `size()` in every HIP. What HIP's grid lacks (`num_blocks()`, `block_rank()` ...) is a
    function of the support header that takes the group. HIP's own `group_dim()` of a grid is the size of a
    block, where CUDA's is the number of blocks.
    """

    id = "group-members"
    triggers = words("num_*", "*dim*", "*_index", "*_rank") & texts("cooperative_groups")
    VALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\nstruct P { int num_threads(); };\n"
            "int f(P p) { return p.num_threads(); }"
        ),
        Example("unsigned f(Pool &p) { return p.num_threads(); }"),
    )
    INVALID = (
        Example(
            "#include <cooperative_groups.h>\ntemplate <class G> __device__ int f(G g) { return g.num_threads(); }",
            "#include <hip/hip_cooperative_groups.h>\ntemplate <class G> __device__ int f(G g) { return g.size(); }",
        ),
        Example(
            "#include <cooperative_groups.h>\n__device__ auto r = cooperative_groups::this_grid().block_rank();",
            '#include "hipify_support.hpp"\n#include <hip/hip_cooperative_groups.h>\n'
            "__device__ auto r = hipify::block_rank(cooperative_groups::this_grid());",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference | Support]:
        if unit.is_hip or b"cooperative_groups" not in unit.source.data:
            return
        data, lexemes = unit.source.data, unit.lexemes
        rows = {name: row for name, row in _rows(unit).items() if name in lexemes.words}
        if not rows:
            return
        names = b"|".join(sorted(rows))
        own = {match[1] for match in re.finditer(rb"[\w>*&][ \t]+(" + names + rb")[ \t]*\(", data)}
        grids = {match[1] for match in _GRID.finditer(data)} if b"this_grid" in data else set[bytes]()
        for match in re.finditer(_GROUP + rb"(\.|->)[ \t]*(" + names + rb")[ \t]*" + _CALL, data):
            place = match.start(3)
            owner = owner_at(unit, *match.span(3))
            if owner is not None and owner in structure_of(unit).records:
                continue  # the source's own
            struct = _SCOPE + owner if owner is not None and _SCOPE + owner in unit.catalog.members else None
            row = rows[match[3]]
            if struct is not None and unit.catalog.member(struct, match[3]) is None:
                continue  # the group's own and HIP's, too
            if match[3] in _OF_BLOCKS_TOO and not (
                struct == _SCOPE + b"grid_group" or match[1] in grids or _GRID.match(match[1])
            ):
                continue
            if lexemes.non_code_at(place) is not None or match[3] in own:
                continue
            if row.is_unsupported or (row.section and match[2] == b"->"):
                yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
                yield unit.finding("HIP106", place, name=row.name, library=row.library, detail=row.remedy)
                continue
            yield Reference(place, row.name, row.library, row.kind, CONVERTED)
            if row.section:
                yield Edit(match.start(1), match.start(1), f"{row.hip}(".encode())
                yield Edit(match.end(1), match.end(), b")")
                yield Support(row.section)
            else:
                yield Edit(place, match.end(3), str(row.hip).encode())


def _rows(unit: Unit) -> dict[bytes, Row]:
    """The rows of all members that are not HIP's, by the member's name; what the support header has comes first."""
    found: dict[bytes, Row] = {}
    for struct, fields in unit.catalog.members.items():
        if not struct.startswith(_SCOPE):
            continue
        for field in fields:
            row = unit.catalog.member(struct, field)
            if row is None:
                continue
            if unit.options.support:
                row = supported(row, unit.catalog.targeting)
            if not row.name.endswith(f".{row.hip}") and (field not in found or row.section):
                found[field] = row
    return found
