"""The legacy interface of cuBLAS (`cublas.h`), whose functions take no handle."""

from __future__ import annotations

import re

from hipify_py.catalog import Row
from hipify_py.unit import Unit

# cublas.h and cublas_v2.h share these names: level 1, 2 and 3 BLAS by precision.
_SHARED = re.compile(r"cublas(?:I[sdcz]a(?:max|min)|(?:Sc|Dz|Cs|Zd|[SDCZ])[a-z]\w*)")


def is_legacy(unit: Unit, row: Row) -> bool:
    """True where a cuBLAS function can only be the legacy one: `cublas.h` is included, `cublas_v2.h` is not."""
    return "cublas.h" in unit.headers and "cublas_v2.h" not in unit.headers and _SHARED.fullmatch(row.name) is not None
