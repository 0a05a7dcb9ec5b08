"""For each id with a fix: sources that have such findings, what mends them, and what the mended source is converted to."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`source` with findings of an id, the same with them mended, and the HIP that this becomes."""

    id: str
    name: str
    source: str
    mended: str
    converted: str
    compiles: bool = True
    path: str = "a.cu"


def _case(id: str, name: str, source: str, *changes: tuple[str, str], hip: tuple[tuple[str, str], ...] = ()) -> Case:
    """A case from the texts that are mended, and those that a conversion changes then."""
    mended = source
    for old, new in changes:
        assert old in mended, (id, name, old)
        mended = mended.replace(old, new)
    converted = mended
    for old, new in hip:
        assert old in converted, (id, name, old)
        converted = converted.replace(old, new)
    return Case(id, name, source, mended, converted)


_RUNTIME = ("#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>")

OPERATIONS = """#include <cuda_runtime.h>
#include <cublas_v2.h>
cublasOperation_t pick(bool is_transposed) {
  cublasOperation_t found = CUBLAS_OP_C;
  if (is_transposed) found = (cublasOperation_t)1;
  return is_transposed ? found : (cublasOperation_t)0;
}
"""
BRANCH = """#include <cuda_runtime.h>
__device__ int first(int v, unsigned m) {
  const int leader = __ffs(__ballot_sync(m, v)) - 1;
#ifdef __HIP_PLATFORM_AMD__
  v = __shfl(v, leader);
  v += __shfl_down_sync(~0ull, /* which */ v, 1);
#else
  v = __shfl_sync(m, v, leader);
  v += __shfl_down_sync(m, v, 1);
#endif
  return v;
}
"""
ENUMERATORS = """#include <cuda_runtime.h>
#include <cublas_v2.h>
auto plain = (cublasOperation_t)1;
auto named = static_cast<cublasFillMode_t>( 1 /* upper */ );
cublasDiagType_t listed[] = {cublasDiagType_t(0), cublasDiagType_t{1u}};
"""
LINKAGE = """#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#include <stddef.h>
/* for
   streams */
#include <cuda_runtime_api.h>  // the API
void start(cudaStream_t stream);
#ifdef __cplusplus
}
#endif
"""
BRACKETS = """#include <cuda_runtime.h>
cudaFoo_t a;  // hipify: ignore HIP102
// hipify: ignore(HIP102, HIP101) ours
cudaBar_t b;
"""
UNUSED = """#include <cuda_runtime.h>
int a;  // hipify: ignore[HIP101] as it was
// hipify: ignore-begin[HIP101]
int b;
/* hipify: ignore-file[HIP303] */
// hipify: ignore-end[HIP101]
int/* hipify: ignore */c, /* hipify: ignore */ d;
"""

CASES = (
    _case(
        *("HIP305", "a branch for AMD GPUs", BRANCH),
        ("__shfl(v, leader)", "__shfl(v, leader, 32)"),
        ("__shfl_down_sync(~0ull, /* which */ v, 1)", "__shfl_down(v, 1, 32)"),
        hip=(
            (_RUNTIME[0], _RUNTIME[1] + '\n#include "hipify_support.hpp"'),
            ("__ballot_sync", "hipify::warp32::ballot_sync"),
            ("__shfl_sync(m, v, leader)", "__shfl(v, leader, 32)"),
            ("__shfl_down_sync(m, v, 1)", "__shfl_down(v, 1, 32)"),
        ),
    ),
    _case(
        *("HIP114", "an assignment and a choice", OPERATIONS),
        ("(cublasOperation_t)1", "(cublasOperation_t)CUBLAS_OP_T"),
        ("(cublasOperation_t)0", "(cublasOperation_t)CUBLAS_OP_N"),
        hip=(
            _RUNTIME,
            ("cublas_v2.h", "hipblas/hipblas.h"),
            ("cublasOperation_t", "hipblasOperation_t"),
            ("CUBLAS_", "HIPBLAS_"),
        ),
    ),
    _case(
        *("HIP114", "casts and lists", ENUMERATORS),
        (")1;", ")CUBLAS_OP_T;"),
        ("( 1 ", "( CUBLAS_FILL_MODE_UPPER "),
        ("(0)", "(CUBLAS_DIAG_NON_UNIT)"),
        ("{1u}", "{CUBLAS_DIAG_UNIT}"),
        hip=(
            _RUNTIME,
            ("cublas_v2.h", "hipblas/hipblas.h"),
            ("cublas", "hipblas"),
            ("CUBLAS_", "HIPBLAS_"),
        ),
    )._replace(compiles=False),
    _case(
        *("HIP111", "in a header for C", LINKAGE),
        ("#include <cuda_runtime_api.h>  // the API\n", ""),
        ("#ifdef __cplusplus\nextern", "#include <cuda_runtime_api.h>  // the API\n#ifdef __cplusplus\nextern"),
        hip=(("<cuda_runtime_api.h>", "<hip/hip_runtime_api.h>"), ("cudaStream_t", "hipStream_t")),
    )._replace(path="a.h"),
    _case(
        *("HIP906", "with and without round brackets", BRACKETS),
        ("ignore HIP102", "ignore[HIP102]"),
        ("ignore(HIP102, HIP101)", "ignore[HIP102, HIP101]"),
        hip=(_RUNTIME,),
    )._replace(compiles=False),
    _case(
        *("HIP907", "beside code, in lines and around them", UNUSED),
        ("  // hipify: ignore[HIP101] as it was", ""),
        ("// hipify: ignore-begin[HIP101]\n", ""),
        ("// hipify: ignore-end[HIP101]\n", ""),
        ("/* hipify: ignore-file[HIP303] */\n", ""),
        ("int/* hipify: ignore */c, /* hipify: ignore */ d", "int c, d"),
        hip=(_RUNTIME,),
    ),
)
