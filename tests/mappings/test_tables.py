"""The mapping tables: their form, and the rows that everything else relies on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml

MAPPINGS = Path(__file__).resolve().parents[2] / "mappings"
FILES = sorted(MAPPINGS.glob("*.yaml"))
SECTIONS = (
    "headers",
    "namespaces",
    "functions",
    "device_functions",
    "types",
    "enumerators",
    "macros",
    "variables",
)

Row = dict[str, Any]


class UniqueKeyLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A loader that refuses a key written twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Build a mapping after looking at its keys."""
        keys = [key.value for key, _ in node.value]
        doubled = {key for key in keys if keys.count(key) > 1} if len(keys) < 50 else set()
        if len(keys) >= 50 and len(keys) != len(set(keys)):
            doubled = {"among many"}
        if doubled:
            raise yaml.YAMLError(f"written twice: {doubled} near {node.start_mark}")
        return cast("dict[Any, Any]", super().construct_mapping(node, deep=deep))


@cache
def table(name: str) -> dict[str, Any]:
    """Load one table."""
    text = (MAPPINGS / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("dict[str, Any]", yaml.load(text, Loader=UniqueKeyLoader))


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_table_follows_the_schema(path: Path) -> None:
    """Every file has the form that mappings/schema.json describes."""
    schema = json.loads((MAPPINGS / "schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    problems = [f"{list(e.path)}: {e.message}" for e in validator.iter_errors(table(path.stem))]
    assert not problems
    assert table(path.stem)["library"] == path.stem


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_keys_are_sorted(path: Path) -> None:
    """A section's rows stand in the order of their names."""
    for section in (*SECTIONS, "members"):
        names = list(table(path.stem).get(section, {}))
        assert names == sorted(names), section
    for struct, fields in table(path.stem).get("members", {}).items():
        assert list(fields) == sorted(fields), struct


def test_a_symbol_stands_once() -> None:
    """A symbol has one row over all tables and sections."""
    seen: dict[str, str] = {}
    for path in FILES:
        for section, symbol, _ in rows(path.stem):
            place = f"{path.stem}.{section}"
            assert symbol not in seen, f"{symbol}: {place} and {seen[symbol]}"
            seen[symbol] = place


def test_there_are_enough_rows() -> None:
    """The tables know the CUDA of today."""
    assert len(everything()) >= 11_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_row_says_one_thing(path: Path) -> None:
    """A row is mapped, dropped or unsupported; the unsupported one carries advice."""
    for section, symbol, row in rows(path.stem):
        said = [key for key in ("hip", "drop", "unsupported") if key in row]
        assert len(said) == 1, (section, symbol, row)
        if "unsupported" in row:
            assert len(row.get("advice", "")) > 10, (section, symbol)
        else:
            assert "advice" not in row, (section, symbol)
        if "drop" in row or "main" in row:
            assert section == "headers", symbol


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_argument_edits_are_sane(path: Path) -> None:
    """Positions are small; an order has no position twice; a wrap is closed."""
    for _, symbol, row in rows(path.stem):
        variants = [as_row(value) for value in row.get("by_arity", {}).values()]
        for edits in (row, *variants):
            for position in (*edits.get("args", {}), *edits.get("insert", {})):
                assert 0 <= int(position) < 30, symbol
            order = edits.get("order", [])
            assert len(order) == len(set(order)), symbol
            assert all(0 <= position < 30 for position in order), symbol
            for template in edits.get("args", {}).values():
                if template is not None:
                    assert template.count("(") == template.count(")"), symbol
                    assert template.count("{}") <= 1, symbol
            assert not ("order" in edits and ("args" in edits or "insert" in edits)), symbol
        for arity, variant in row.get("by_arity", {}).items():
            places = as_row(variant)
            for position in (*places.get("args", {}), *places.get("order", [])):
                assert int(position) < int(arity), (symbol, arity)
            for position in places.get("insert", {}):
                assert int(position) <= int(arity), (symbol, arity)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_row_points_at_cuda(path: Path) -> None:
    """A target is HIP's or ROCm's; only a native symbol keeps its name."""
    prefixes = ("cuda", "cudnn", "cublas", "cusparse", "cusolver", "cufft", "curand", "nvrtc")
    for _, symbol, row in rows(path.stem):
        hip = row.get("hip", "")
        assert hip == symbol or not hip.startswith(prefixes), (symbol, hip)


def test_no_stale_target() -> None:
    """No row points at the hipDNN that is gone, nor plainly at a dropped hipBLAS name."""
    for symbol, (_, _, row) in everything().items():
        hip = row.get("hip", "")
        assert not hip.lower().startswith("hipdnn"), symbol
        assert not (hip.startswith("hipblas") and "_v2" in hip), symbol


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
    assert row["before"] == {"rocm": "7.0", "hip": "hipblasCgemm_v2"}


def test_main_headers() -> None:
    """The headers that bring the HIP runtime are marked."""
    for header in ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h"):
        assert everything()[header][2]["main"] is True
    assert everything()["device_launch_parameters.h"][2]["drop"] is True


def test_warp_functions_warn_of_the_mask() -> None:
    """Every _sync built-in says that its mask has 64 bits."""
    for symbol in ["__shfl_sync", "__shfl_down_sync", "__ballot_sync", "__any_sync", "__match_any_sync"]:
        row = everything()[symbol][2]
        assert "64" in row["note"]
        assert row["rocm"] == {"added": "6.2"}
