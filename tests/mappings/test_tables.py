"""The mapping tables: their form, and the rows that everything else relies on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from hipify_py.catalog.lint import SECTIONS, lint

MAPPINGS = Path(__file__).resolve().parents[2] / "mappings"
FILES = sorted(MAPPINGS.glob("*.yaml"))

Row = dict[str, Any]


@cache
def table(name: str) -> dict[str, Any]:
    """Load one table."""
    text = (MAPPINGS / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("dict[str, Any]", yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def as_row(value: str | Row) -> Row:
    """Return the long form of a row."""
    return {"hip": value} if isinstance(value, str) else value


def rows(name: str) -> Iterator[tuple[str, str, Row]]:
    """Yield section, symbol and row of one table."""
    for section in SECTIONS:
        for symbol, value in table(name).get(section, {}).items():
            yield section, symbol, as_row(value)


@cache
def everything() -> dict[str, tuple[str, str, Row]]:
    """Return symbol -> table, section and row over all tables."""
    return {symbol: (path.stem, section, row) for path in FILES for section, symbol, row in rows(path.stem)}


def test_the_tables_have_their_form() -> None:
    """Schema, order, one row a symbol, no row that contradicts itself: see tests/tables/test_lint.py."""
    assert [str(flaw) for flaw in lint([*FILES, *sorted(MAPPINGS.glob("presets/*.yaml"))])] == []
    assert [table(path.stem)["library"] for path in FILES] == [path.stem for path in FILES]


def test_there_are_enough_rows() -> None:
    """The tables know the CUDA of today."""
    assert len(everything()) >= 11_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_families_are_unsupported(path: Path) -> None:
    """A prefix rule names a prefix or a header path, and what to do instead."""
    for family in table(path.stem).get("families", []):
        assert ("prefix" in family) != ("header" in family), family
        assert family["unsupported"] is True
        assert len(family["advice"]) > 10


def test_generic_words_are_not_cuda() -> None:
    """Names that users take for their own things stand in no table."""
    for word in [
        *["size", "status", "stream", "texture", "surface", "cuda", "all", "any", "ballot"],
        *["saturate", "device", "umin", "mulhi", "float_as_int", "buffer", "value"],
    ]:
        assert word not in everything(), word
    for word in ["MAJOR_VERSION", "MINOR_VERSION", "PATCH_LEVEL", "CUDA_CHECK", "BLOCK_SIZE", "QUALIFIERS"]:
        assert word not in everything(), word


TARGETS = {
    "cudaMalloc": "hipMalloc",
    "cudaFree": "hipFree",
    "cudaMemcpy": "hipMemcpy",
    "cudaMemcpyAsync": "hipMemcpyAsync",
    "cudaMemcpyHostToDevice": "hipMemcpyHostToDevice",
    "cudaMemset": "hipMemset",
    "cudaStream_t": "hipStream_t",
    "cudaStreamCreate": "hipStreamCreate",
    "cudaEvent_t": "hipEvent_t",
    "cudaEventElapsedTime": "hipEventElapsedTime",
    "cudaError_t": "hipError_t",
    "cudaSuccess": "hipSuccess",
    "cudaGetLastError": "hipGetLastError",
    "cudaGetErrorString": "hipGetErrorString",
    "cudaDeviceSynchronize": "hipDeviceSynchronize",
    "cudaThreadSynchronize": "hipDeviceSynchronize",
    "cudaDeviceProp": "hipDeviceProp_t",
    "cudaGetDeviceProperties": "hipGetDeviceProperties",
    "cudaMallocManaged": "hipMallocManaged",
    "cudaMallocHost": "hipHostMalloc",
    "cudaFreeHost": "hipHostFree",
    "cudaDevAttrMaxBlocksPerMultiprocessor": "hipDeviceAttributeMaxBlocksPerMultiProcessor",
    "cudaDataType_t": "hipDataType",
    "CUDA_R_16F": "HIP_R_16F",
    "cuInit": "hipInit",
    "cuLaunchKernel": "hipModuleLaunchKernel",
    "cuMemcpyHtoD": "hipMemcpyHtoD",
    "CUdeviceptr": "hipDeviceptr_t",
    "CUDA_SUCCESS": "hipSuccess",
    "CU_JIT_MAX_REGISTERS": "hipJitOptionMaxRegisters",
    "CUDA_VERSION": "HIP_VERSION",
    "__CUDACC__": "__HIPCC__",
    "__CUDA_ARCH__": "__HIP_DEVICE_COMPILE__",
    "cublasSgemm": "hipblasSgemm",
    "cublasCgemm": "hipblasCgemm",
    "cublasHandle_t": "hipblasHandle_t",
    "cublasGemmEx": "hipblasGemmEx",
    "CUBLAS_COMPUTE_32F": "HIPBLAS_COMPUTE_32F",
    "cublasLtMatmul": "hipblasLtMatmul",
    "cudnnCreate": "miopenCreate",
    "cudnnConvolutionForward": "miopenConvolutionForward",
    "cufftPlan1d": "hipfftPlan1d",
    "curandCreateGenerator": "hiprandCreateGenerator",
    "curand_init": "hiprand_init",
    "cusparseSpMV": "hipsparseSpMV",
    "cusolverDnDgetrf": "hipsolverDnDgetrf",
    "nvrtcCompileProgram": "hiprtcCompileProgram",
    "cub": "hipcub",
    "cub::DeviceReduce": "hipcub::DeviceReduce",
    "thrust::cuda": "thrust::hip",
    "nvcuda::wmma": "rocwmma",
    "__nv_bfloat16": "__hip_bfloat16",
    "__nv_fp8_e4m3": "__hip_fp8_e4m3",
    "cuDoubleComplex": "hipDoubleComplex",
    "nvtxRangePushA": "roctxRangePushA",
    "cuda_runtime.h": "hip/hip_runtime.h",
    "cuda.h": "hip/hip_runtime.h",
    "cublas_v2.h": "hipblas/hipblas.h",
    "cudnn.h": "miopen/miopen.h",
    "nvrtc.h": "hip/hiprtc.h",
    "nccl.h": "rccl/rccl.h",
    "curand_kernel.h": "hiprand/hiprand_kernel.h",
    "cub/cub.cuh": "hipcub/hipcub.hpp",
    "thrust/system/cuda/execution_policy.h": "thrust/system/hip/execution_policy.h",
    "mma.h": "rocwmma/rocwmma.hpp",
    "cooperative_groups.h": "hip/hip_cooperative_groups.h",
}


@pytest.mark.parametrize(("cuda", "hip"), TARGETS.items())
def test_well_known_rows(cuda: str, hip: str) -> None:
    """The rows that most programs use."""
    assert everything()[cuda][2]["hip"] == hip


NATIVE = (
    "threadIdx blockIdx blockDim gridDim __global__ __device__ __shared__ __syncthreads atomicAdd "
    "__ldg dim3 float4 make_float4 __half half2 __hadd2 ncclAllReduce ncclComm_t cooperative_groups "
    "thrust thrust::device_vector thrust::sort thrust/sort.h rsqrtf __sinf __shfl_sync __popcll"
)


@pytest.mark.parametrize("symbol", NATIVE.split())
def test_native_rows(symbol: str) -> None:
    """HIP keeps these names."""
    assert everything()[symbol][2]["hip"] == symbol


def test_standard_names() -> None:
    """C's own functions are marked, CUDA's are not."""
    for symbol in ["sin", "sqrtf", "printf", "malloc", "memcpy", "abs", "max", "min", "isnan", "fmaf"]:
        assert everything()[symbol][2].get("standard") is True, symbol
    for symbol in ["rsqrtf", "__sinf", "sinpif", "norm3df", "__fdividef", "fdividef", "erfcinv"]:
        assert "standard" not in everything()[symbol][2], symbol


def test_argument_edits_of_the_runtime() -> None:
    """Symbols are wrapped, kernels are cast, and arity picks the function."""
    functions = {name: as_row(row) for name, row in table("runtime")["functions"].items()}
    assert functions["cudaMemcpyToSymbol"]["args"] == {"0": "HIP_SYMBOL({})"}
    assert functions["cudaMemcpyFromSymbol"]["args"] == {"1": "HIP_SYMBOL({})"}
    assert functions["cudaGraphAddMemcpyNodeToSymbol"]["args"] == {"4": "HIP_SYMBOL({})"}
    cast_kernel = {"0": "reinterpret_cast<const void*>({})"}
    assert functions["cudaFuncSetAttribute"]["args"] == cast_kernel
    assert functions["cudaLaunchCooperativeKernel"]["args"] == cast_kernel
    assert functions["cudaMallocHost"]["by_arity"]["2"]["insert"] == {"2": "hipHostMallocDefault"}
    assert functions["cudaEventCreate"]["by_arity"]["2"] == "hipEventCreateWithFlags"
    assert functions["cudaGraphInstantiate"]["by_arity"]["5"] == "hipGraphInstantiate"


def test_other_targets_below_a_version() -> None:
    """hipBLAS had _v2 names before ROCm 7."""
    row = everything()["cublasCgemm"][2]
    assert {"rocm": "7.0", "hip": "hipblasCgemm_v2"} in row["before"]


def test_main_headers() -> None:
    """The headers that bring the HIP runtime are marked."""
    for header in ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h"):
        assert everything()[header][2]["main"] is True
    assert everything()["device_launch_parameters.h"][2]["drop"] is True


def test_warp_functions_say_nothing_of_the_mask() -> None:
    """The mask of a _sync built-in is widened where it comes from: nothing is left to say of it."""
    for symbol in ["__shfl_sync", "__shfl_down_sync", "__ballot_sync", "__any_sync", "__match_any_sync"]:
        row = everything()[symbol][2]
        assert "note" not in row
        assert row["rocm"] == {"added": "6.2"}


def test_a_name_that_some_calls_keep_is_kept_by_all_that_are_not_told_apart() -> None:
    """Types have other names in the output, so there such a call would be taken for one of unknown type."""
    for symbol, (_, _, row) in everything().items():
        forms = [choice for types in row.get("by_type", {}).values() for choice in types.values()]
        kept = [form for form in map(as_row, forms) if form.get("hip") == symbol]
        assert not kept or row.get("hip") == symbol, symbol


def test_names_of_one_cuda_type_become_names_of_one_hip_type() -> None:
    """curandState and curandStateXORWOW are one type; hiprandState and hiprandStateXORWOW are two."""
    names = ("curandState", "curandState_t", "curandStateXORWOW", "curandStateXORWOW_t")
    assert {str(everything()[name][2]["hip"]).removesuffix("_t") for name in names} == {"hiprandState"}
