"""Parts to parse with that need nothing but PyPI's libclang: small headers in place of clang's, HIP's and CUDA's."""

from __future__ import annotations

from pathlib import Path

from hipify_py.clang.toolchain import Part, Toolchain, bindings_folder, bindings_version

ATTRIBUTES = """\
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
typedef decltype(sizeof(0)) size_t;
struct dim3 { unsigned x, y, z; __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
struct Index { unsigned x, y, z; };
extern __device__ const Index threadIdx, blockIdx, blockDim;
extern __device__ const int warpSize;
"""
HIP = """\
#pragma once
#include <__attributes.h>
enum hipError_t { hipSuccess };
struct hipDeviceProp_t { char name[256]; int warpSize; };
typedef struct ihipStream_t *hipStream_t;
__host__ __device__ hipError_t hipMalloc(void **p, size_t n);
template <typename T> hipError_t hipMalloc(T **p, size_t n) { return hipMalloc((void **)p, n); }
__host__ __device__ hipError_t hipFree(void *p);
hipError_t hipDeviceSynchronize();
hipError_t hipGetLastError();
hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t);
extern "C" unsigned __hipPushCallConfiguration(dim3, dim3, size_t, hipStream_t);
extern "C" hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
template <typename T> struct vector_of { typename T::value_type v; };
__device__ unsigned long long __ballot(int p);
__device__ unsigned long long __ballot_sync(unsigned long long mask, int p);
__device__ int __popcll(unsigned long long x);
"""
CUDA = """\
#pragma once
#include <__attributes.h>
enum cudaError_t { cudaSuccess };
typedef struct CUstream_st *cudaStream_t;
__host__ __device__ cudaError_t cudaMalloc(void **p, size_t n);
template <typename T> cudaError_t cudaMalloc(T **p, size_t n) { return cudaMalloc((void **)p, n); }
__host__ __device__ cudaError_t cudaFree(void *p);
cudaError_t cudaDeviceSynchronize();
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
__device__ unsigned __ballot_sync(unsigned mask, int p);
__device__ int __popc(unsigned x);
"""


def small_parts(folder: Path, *, hip: str = HIP, cuda: str | None = CUDA) -> Toolchain:
    """The parts, with headers below a folder; the library is the one that Python's package brings."""
    files = {
        "clang/include/__attributes.h": ATTRIBUTES,
        "clang/include/__clang_hip_runtime_wrapper.h": "#include <__attributes.h>\n",
        "clang/include/__clang_cuda_runtime_wrapper.h": "#include <__attributes.h>\n",
        "hip/include/hip/hip_runtime.h": hip,
        "cuda/include/cuda_runtime.h": cuda or "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    found = Path(bindings_folder())
    library = next(path for path in (found / "native").iterdir() if path.stem == "libclang")
    return Toolchain(
        Part(str(library), bindings_version(str(found)) or "18.1.1", "PyPI"),
        Part(str(folder / "clang"), "18.1.8", "test"),
        None if cuda is None else Part(str(folder / "cuda"), "12.9", "test"),
        Part(str(folder / "hip"), "6.4", "test"),
    )
