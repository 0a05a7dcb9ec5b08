"""Adds the headers of half and bfloat16 numbers that cuBLAS and CUB include in CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import includes_after
from hipify_py.rules.triggers import headers
from hipify_py.semantics.headers import header_row

# cublas_api.h includes cuda_fp16.h and cuda_bf16.h, and cusolverDn.h includes cublas_v2.h (CUDA 11 to 13).
# So does cub/util_type.cuh (CUDA 11 to 13), which every header of CUB includes.
_PROVIDERS = frozenset({"cublas", "cublaslt", "cusolver", "cub"})
_HEADERS = {"fp16": "hip/hip_fp16.h", "bf16": "hip/hip_bf16.h"}
_CPP = re.compile(rb"^[ \t]*(?:namespace|template)\b", re.MULTILINE)


class ImplicitHalf(Rule):
    """cuBLAS's header provides the types of half and bfloat16 numbers, hipBLAS's does not. Nor do hipCUB's all of them.

    Where a source names such a type, its header is included after hipBLAS's, in each branch of the preprocessor that
    includes that. A header of C++ passes on what it includes, so it gets the one of half numbers in any case; in C
    neither exists.
    """

    id = "implicit-half"
    triggers = headers("*cublas*", "*cusolver*", "cub/*")
    VALID = (Example("#include <hipblas/hipblas.h>\nint f(float *p);"),)
    INVALID = (
        Example(
            "#include <cublas_v2.h>\nvoid f(half *p);",
            "#include <hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\nvoid f(half *p);",
        ),
        Example(
            "#include <cublas_v2.h>\n#include <cuda_fp16.h>\nvoid f(half *p);",
            "#include <hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\nvoid f(half *p);",
        ),
        Example(
            "#include <cub/cub.cuh>\nvoid f(half *p, nv_bfloat16 *q);",
            "#include <hipcub/hipcub.hpp>\n#include <hip/hip_bf16.h>\nvoid f(half *p, __hip_bfloat16 *q);",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip:
            return
        rows = [(include, row) for include in unit.lexemes.includes if (row := header_row(unit, include)) is not None]
        providers = [include for include, row in rows if row.library in _PROVIDERS]
        if not providers:
            return
        brings_half = all(row.library == "cub" for _, row in rows if row.library in _PROVIDERS)
        wanted = {use.row.library for use in unit.uses if use.row.kind != "header"} & _HEADERS.keys()
        if brings_half:  # rocPRIM's headers include it
            wanted.discard("fp16")
        elif _is_cpp_header(unit):
            wanted.add("fp16")
        missing = sorted({_HEADERS[library] for library in wanted - {row.library for _, row in rows}} - unit.headers)
        if missing:
            yield from includes_after(unit, providers, *missing)


def _is_cpp_header(unit: Unit) -> bool:
    """Whether this is a header that only C++ can include."""
    if not unit.source.is_header:
        return False
    return unit.source.suffix in CUDA_SUFFIXES or _CPP.search(unit.source.data) is not None
