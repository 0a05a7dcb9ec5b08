"""Accesses to textures and surfaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.texture_references import fetches_through_pointers
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import uses

_ACCESS = re.compile(r"(?:tex|surf)(?:[123]D|Cubemap)\w*")


class Images(Rule):
    """Texture units are graphics hardware, which AMD's data-centre GPUs no longer have since the MI300.

    HIP's functions are the same as CUDA's, and compile for Radeon GPUs; for the others the compiler rejects them.
    There is one finding per file, at the first access that remains one.
    """

    id = "HIP252"
    triggers = uses("tex*", "surf*")
    VALID = (Example("struct S { int surf2Dread; };"),)
    INVALID = (
        Example("__device__ float f(hipTextureObject_t t) { return tex2D<float>(t, 0, 0); }", None, ("HIP252",)),
    )

    def apply(self, unit: Unit) -> Iterator[DedupedFinding]:
        plain = fetches_through_pointers(unit)
        for use in unit.uses:
            if use.row.kind == "device function" and _ACCESS.fullmatch(use.row.name) and use.start not in plain:
                found = unit.finding("HIP252", use.start, name=use.row.name, library=use.row.library)
                yield DedupedFinding(found)
