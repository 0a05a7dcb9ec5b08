"""Reports definitions of the user's own with the name of an API type."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import Fact, facts


class Redefinitions(Rule):
    """Stubs and bridges (`typedef __hip_bfloat16 __nv_bfloat16;`) define an API type's name themselves.

    The definition stays, because renaming it would make it collide with HIP's own. The uses become HIP's type all the
    same, as in every other file. A type that HIP lacks keeps its name everywhere, and is the project's own.
    """

    id = "HIP113"
    triggers = facts(Fact.REDEFINITIONS)
    VALID = (Example("typedef struct Mine *Handle;\nint cudaX;"),)
    INVALID = (
        Example("typedef int CUdevice;\nCUdevice d;", "typedef int CUdevice;\nhipDevice_t d;", ("HIP113",)),
        Example("enum cudaMemPoolAttr {};\n", None, ("HIP113",)),
        Example("typedef struct CUstream_st *cudaStream_t;", "typedef struct ihipStream_t *hipStream_t;"),
    )

    def apply(self, unit: Unit) -> Iterator[DedupedFinding]:
        for use in unit.redefinitions:
            row = use.row
            if row.hip is not None and not row.is_native and not _names_hips_type(unit, use):
                target = f"become {row.hip}"
                found = unit.finding("HIP113", use.start, name=row.name, library=row.library, target=target)
                yield DedupedFinding(found)  # for all of them


def _names_hips_type(unit: Unit, use: Use) -> bool:
    """`using __nv_bfloat16 = __hip_bfloat16;`: the name is HIP's type already, as its author intended."""
    leaf = unit.tree.leaf(use.start, use.end) if unit.tree.is_available else None
    definition = ancestor(leaf, "type_definition", "alias_declaration")
    type = definition.child_by_field_name("type") if definition is not None else None
    return type is not None and use.row.hip is not None and type.text == use.row.hip.encode()
