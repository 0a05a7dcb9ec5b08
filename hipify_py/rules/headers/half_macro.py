"""The macro with which hipBLAS takes HIP's half numbers."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_lines, head_place
from hipify_py.rules.triggers import uses
from hipify_py.semantics.half_arguments import HALF_MACRO, needs_half_macro


class HalfMacro(Rule):
    """`hipblasHgemm` takes pointers to 16-bit integers, unless a macro makes them HIP's `__half`.

    Calls get a cast. Where the function is passed on by its name (to a macro, a template, a table), or its arguments
    are a macro's, there is no place for one: the macro is defined before the source's includes.
    """

    id = "half-macro"
    triggers = uses("cublas*")
    VALID = (
        Example("#include <hipblas/hipblas.h>\nauto f = &hipblasHgemm;"),
        Example("auto f = &hipblasSgemm;"),
    )
    INVALID = (
        Example(
            "#include <cublas_v2.h>\n#include <cuda_fp16.h>\nauto f = &cublasHgemm;",
            "#define HIPBLAS_USE_HIP_HALF\n#include <hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\n"
            "auto f = &hipblasHgemm;",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if HALF_MACRO.encode() not in unit.source.data and needs_half_macro(unit):
            yield added_lines(unit, head_place(unit), b"#define " + HALF_MACRO.encode())
