"""Members of cooperative groups that HIP spells differently or does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.targeting import support_form
from hipify_py.core.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.semantics.accesses import owner_at
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.declares_name import FUNCTION, declaration_site
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import callee, name_in, strip_parentheses, text_of
from hipify_py.semantics.group_types import VOTES, may_use_groups
from hipify_py.semantics.structure import structure_of
from hipify_py.semantics.symbols import names_of
from hipify_py.semantics.type_queries import is_elsewhere

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPE = b"cooperative_groups::"
_OF_BLOCKS_TOO = frozenset({b"thread_index", b"group_dim"})
"""Members that a block has as well, in HIP as in CUDA: only a grid's is rewritten."""


class GroupMembers(Rule):
    """A group is mostly an `auto` or a template's parameter, so its members are recognized by their names only.

    `num_threads()` is `size()` in every HIP. What HIP's grid lacks (`num_blocks()`, `block_rank()` ...) is a function
    of
    the support header that takes the group. HIP's own `group_dim()` of a grid is the size of a block, where CUDA's is
    the
    number of blocks.
    """

    id = "group-members"
    reports = ("HIP106",)
    triggers = words("num_*", "*dim*", "*_index", "*_rank") & (
        texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES)
    )
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
        if unit.is_hip or not may_use_groups(unit):
            return
        for name, row in _rows(unit).items():
            for place in () if _has_own(unit, name) else unit.lexemes.places(name):
                access = _access(unit, place, place + len(name))
                if access is not None and _may_be_group_member(unit, access, name):
                    yield from _replacement(access, row, unit)


class _Access(NamedTuple):
    """A call of a member without arguments: the ranges of its name and of the group, its end, its operator."""

    place: int
    name_end: int
    group: tuple[int, int]
    end: int
    is_arrow: bool
    node: Node | None
    """The group's expression; None in broken code."""


def _access(unit: Unit, start: int, end: int) -> _Access | None:
    call = call_at(unit, end)
    if call is None or call.arguments:
        return None
    leaf = unit.tree.leaf(start, end)
    member = leaf.parent if leaf is not None else None
    if member is not None and member.type == "field_expression":
        group = member.child_by_field_name("argument")
        if group is None or group.has_error:
            return None
        is_arrow = text_of(member.child_by_field_name("operator")) == b"->"
        return _Access(start, end, (group.start_byte, group.end_byte), call.closing + 1, is_arrow, group)
    return _access_in_broken_code(unit, start, end, call.closing + 1)


def _access_in_broken_code(unit: Unit, start: int, end: int, call_end: int) -> _Access | None:
    """The member access of a name with nothing else before it, by its tokens."""
    lexemes, data = unit.lexemes, unit.source.data
    dot = lexemes.before(start)
    is_arrow = data[max(dot - 1, 0) : dot + 1] == b"->"
    if not is_arrow and data[dot : dot + 1] != b".":
        return None
    group_end = lexemes.before(dot - is_arrow) + 1
    word = lexemes.word_before(group_end)
    if not word or data[lexemes.before(group_end - len(word))] in b".>:":
        return None
    return _Access(start, end, (group_end - len(word), group_end), call_end, is_arrow, None)


def _may_be_group_member(unit: Unit, access: _Access, name: bytes) -> bool:
    """Whether the member may be that of a group type whose member HIP lacks; `group_dim` only a grid's."""
    owner = owner_at(unit, access.place, access.name_end)
    if owner is not None and owner in structure_of(unit).records:
        return False  # the source's own
    struct = _SCOPE + owner if owner is not None and _SCOPE + owner in unit.catalog.members else None
    if struct is not None and unit.catalog.member(struct, name) is None:
        return False  # the group's own and HIP's, too
    if struct is None and is_elsewhere(unit, access.place, access.name_end):
        return False
    return name not in _OF_BLOCKS_TOO or struct == _SCOPE + b"grid_group" or _is_grid(unit, access.node)


def _is_grid(unit: Unit, node: Node | None) -> bool:
    """Whether an expression is `this_grid()`, or a variable that is set to it."""
    node = strip_parentheses(node) if node is not None else None
    if node is None or node.type == "call_expression":
        return node is not None and text_of(callee(node)) == b"this_grid"
    leaf = name_in(node)
    declared = names_of(unit).resolve(leaf) if leaf is not None else ()
    values = [found.value for declaration in declared for found in definitions_of(unit).lookup(declaration)]
    return any(value is not None and text_of(callee(strip_parentheses(value))) == b"this_grid" for value in values)


def _has_own(unit: Unit, name: bytes) -> bool:
    """Whether the source declares a function of the name itself."""
    leaves = unit.tree.index.names.get(name, ()) if name in unit.lexemes.words else ()
    return any((found := declaration_site(leaf)) is not None and found.kind == FUNCTION for leaf in leaves)


def _replacement(access: _Access, row: Row, unit: Unit) -> Iterator[Edit | Finding | Reference | Support]:
    place = access.place
    if row.is_unsupported or (row.section and access.is_arrow):
        yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
        yield unit.finding("HIP106", place, name=row.name, library=row.library, detail=row.remedy)
        return
    yield Reference(place, row.name, row.library, row.kind, CONVERTED)
    if row.section:
        start, end = access.group
        yield Edit(start, start, f"{row.hip}(".encode())
        yield Edit(end, access.end, b")")
        yield Support(row.section)
    else:
        yield Edit(place, access.name_end, str(row.hip).encode())


def _rows(unit: Unit) -> dict[bytes, Row]:
    """The rows of all members that are not HIP's, by the member's name; those of the support header come first."""
    found: dict[bytes, Row] = {}
    for struct, fields in unit.catalog.members.items():
        if not struct.startswith(_SCOPE):
            continue
        for field in fields:
            row = unit.catalog.member(struct, field)
            if row is None or field in VOTES:  # which take arguments
                continue
            if unit.options.support:
                row = support_form(row, unit.catalog.targeting)
            if not row.name.endswith(f".{row.hip}") and (field not in found or row.section):
                found[field] = row
    return found
