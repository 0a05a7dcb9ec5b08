"""Definitions of the project's own with the name of an API type."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use, is_hip_header
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import Fact, facts


class Redefinitions(Rule):
    """Stubs for builds without CUDA, and headers of programs that load the driver at run time, define API types
    themselves (`typedef int CUdevice;`).

    No source has such a definition and CUDA's header at once, so it gets HIP's name as all uses do (gdrcopy). Where the
    file already includes HIP's headers, the definition is a bridge (`typedef __hip_bfloat16 __nv_bfloat16;`): it stays,
    because it would collide with HIP's own, and the uses become HIP's type all the same. A type that HIP lacks keeps
    its name everywhere.
    """

    id = "HIP113"
    triggers = facts(Fact.REDEFINITIONS)
    VALID = (
        Example("typedef struct Mine *Handle;\nint cudaX;"),
        Example("#ifdef __HIPCC__\ntypedef hipStream_t cudaStream_t;\n#endif"),
    )
    INVALID = (
        Example("typedef int CUdevice;\nCUdevice d;", "typedef int hipDevice_t;\nhipDevice_t d;"),
        Example(
            "#include <hip/hip_runtime.h>\ntypedef int CUdevice;\nCUdevice d;",
            "#include <hip/hip_runtime.h>\ntypedef int CUdevice;\nhipDevice_t d;",
            ("HIP113",),
        ),
        Example("enum cudaMemPoolAttr {};\n", "enum hipMemPoolAttr {};\n"),
        Example("typedef struct CUstream_st *cudaStream_t;", "typedef struct ihipStream_t *hipStream_t;"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | DedupedFinding]:
        is_bridge = any(map(is_hip_header, unit.headers))
        for use in unit.redefinitions:
            row = use.row
            if row.hip is None or row.is_native or _names_hips_type(unit, use):
                continue
            if row.hip.isidentifier() and not is_bridge:
                yield Edit(use.start, use.end, row.hip.encode())
            else:
                target = f"become {row.hip}"
                found = unit.finding("HIP113", use.start, name=row.name, library=row.library, target=target)
                yield DedupedFinding(found)  # for all of them


def _names_hips_type(unit: Unit, use: Use) -> bool:
    """`using __nv_bfloat16 = __hip_bfloat16;`: the name is HIP's type already, as its author intended."""
    leaf = unit.tree.leaf(use.start, use.end) if unit.tree.is_available else None
    definition = ancestor(leaf, "type_definition", "alias_declaration")
    type = definition.child_by_field_name("type") if definition is not None else None
    return type is not None and use.row.hip is not None and type.text == use.row.hip.encode()
