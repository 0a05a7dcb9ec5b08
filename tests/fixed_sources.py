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
_FULL = ("0xffffffff,", "0xffffffffffffffffull,")

SCAN = """#include <cuda_runtime.h>
__global__ void scan(int *o) {
  int lane = threadIdx.x % warpSize;
  int v = __shfl_up_sync(0xffffffff, o[lane], 1);
  if (lane == 31) o[0] = v;
  o[threadIdx.x] = __shfl_sync(0xffffffff, v, 31) + lane;
}
"""
REDUCTION = """#include <cuda_runtime.h>
__device__ int sum(int v) {
  for (int i = 16; i > 0; i /= 2) v += __shfl_down_sync(0xffffffff, v, i);
  return v;
}
__global__ void k(int *o) {
  int lane = threadIdx.x % warpSize, v = sum(o[lane]);
  if (lane == 0) o[threadIdx.x / warpSize] = v;
}
"""
WRITTEN_OUT = """#include <cuda_runtime.h>
__global__ void k(int *o) {
  int lane = threadIdx.x % warpSize, v = o[lane];
  v += __shfl_down_sync(0xffffffff, v, 16);
  v += __shfl_down_sync(0xffffffff, v, 8);
  v += __shfl_down_sync(0xffffffff, v, 4);
  v += __shfl_down_sync(0xffffffff, v, 2);
  v += __shfl_down_sync(0xffffffff, v, 1);
  if (lane == 0) o[0] = v;
}
"""
TAIL = """#include <cuda_runtime.h>
__device__ void tail(float *s, int tid) {
  s[tid] += s[tid + 16];  // a step
  s[tid] += s[tid + 8];
  s[tid] += s[tid + 4];
}
"""
GUARDED_TAIL = """#include <cuda_runtime.h>
__global__ void k(int *o, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    if (n >= 64) s[threadIdx.x] += s[threadIdx.x + 32];
    if (n >= 32) s[threadIdx.x] += s[threadIdx.x + 16];
  }
  o[threadIdx.x] = s[0];
}
"""
ABSENT = """#include <hip/hip_runtime.h>
__global__ void k(int *o) {
  int v = o[0];
  if (threadIdx.x < 32) v = __shfl_xor_sync(0xffffffffffffffffull, /* which */ v, 1);
  if (threadIdx.x < 32) v += __any_sync(0xffffffffffffffffull, v);
  o[1] = v;
}
"""
SHARED = """#include <cuda_runtime.h>
__global__ void k(float *x) {
  extern __shared__ float s[];
  s[threadIdx.x / 32] = __shfl_xor_sync(0xffffffff, x[0], 1);
}
void run(float *x, int n, cudaDeviceProp p, const cudaDeviceProp *q) {
  k<<<1, n, n / p.warpSize * sizeof(float)>>>(x);
  k<<<1, n, (n + q->warpSize - 1) / q->warpSize * sizeof(float)>>>(x);
}
"""
LEADING = """#include <cuda_runtime.h>
__device__ int top(int v) {
  unsigned m = __ballot_sync(0xffffffff, v);
  return __builtin_clz(m) + warpSize;
}
"""
LOOP = """#include <cuda_runtime.h>
__device__ int count(int v) {
  unsigned m = __ballot_sync(0xffffffff, v);
  int n = warpSize;
  for (int i = 0; i < 32; ++i) if (m & (1u << i)) ++n;
  for (int j = 0; j <= 31; ++j) if (m >> j & 1) ++n;
  return n;
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
        *("HIP313", "lane 31", SCAN),
        ("lane == 31", "lane == warpSize - 1"),
        ("v, 31)", "v, warpSize - 1)"),
        hip=(_RUNTIME, ("_sync(0xffffffff, ", "(")),
    ),
    _case(
        *("HIP306", "a helper's loop", REDUCTION),
        ("i = 16", "i = warpSize / 2"),
        hip=(_RUNTIME, _FULL),
    ),
    _case(
        *("HIP306", "written out", WRITTEN_OUT),
        (
            "  v += __shfl_down_sync(0xffffffff, v, 16);",
            "  if (warpSize > 32) v += __shfl_down_sync(0xffffffff, v, 32);\n  v += __shfl_down_sync(0xffffffff, v, 16);",
        ),
        hip=(_RUNTIME, ("_sync(0xffffffff, ", "(")),
    ),
    _case(
        *("HIP309", "plain steps", TAIL),
        ("s[tid + 16];", "s[tid + 16]; __syncwarp();"),
        ("s[tid + 8];", "s[tid + 8]; __syncwarp();"),
        hip=(_RUNTIME,),
    ),
    _case(
        *("HIP309", "steps with conditions", GUARDED_TAIL),
        ("s[threadIdx.x + 32];", "s[threadIdx.x + 32]; __syncwarp();"),
        hip=(_RUNTIME,),
    ),
    _case(
        *("HIP308", "in HIP", ABSENT),
        ("__shfl_xor_sync(0xffffffffffffffffull, /* which */ v, 1)", "__shfl_xor(v, 1)"),
        ("__any_sync(0xffffffffffffffffull, v)", "__any(v)"),
    ),
    _case(
        *("HIP315", "sizes of launches", SHARED),
        ("n / p.warpSize", "n / 32"),
        ("(n + q->warpSize - 1) / q->warpSize", "(n + 32 - 1) / 32"),
        hip=(
            _RUNTIME,
            ("__shfl_xor_sync(0xffffffff, x[0], 1)", "__shfl_xor(x[0], 1, 32)"),
            ("cudaDeviceProp", "hipDeviceProp_t"),
            (
                "k<<<1, n, n / 32 * sizeof(float)>>>(x)",
                "hipLaunchKernelGGL(k, dim3(1), dim3(n), n / 32 * sizeof(float), 0, x)",
            ),
            (
                "k<<<1, n, (n + 32 - 1) / 32 * sizeof(float)>>>(x)",
                "hipLaunchKernelGGL(k, dim3(1), dim3(n), (n + 32 - 1) / 32 * sizeof(float), 0, x)",
            ),
        ),
    ),
    _case(
        *("HIP321", "a mask in a variable", LEADING),
        ("__builtin_clz", "__clz"),
        hip=(
            _RUNTIME,
            _FULL,
            ("unsigned m", "unsigned long long m"),
            ("__clz(m)", "(__clzll(m) - (64 - warpSize))"),
        ),
    ),
    _case(
        *("HIP322", "two loops", LOOP),
        ("i < 32", "i < warpSize"),
        ("j <= 31", "j <= warpSize - 1"),
        hip=(_RUNTIME, _FULL, ("unsigned m", "unsigned long long m"), ("1u << i", "1ull << i")),
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
