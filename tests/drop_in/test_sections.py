"""The types and APIs under which hipify-clang counts symbols."""

from __future__ import annotations

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.drop_in.sections import APIS, TYPES, counted_api, counted_type


@pytest.mark.parametrize(
    ("name", "counted", "api"),
    [
        ("cudaMalloc", "memory", "CUDA RT API"),
        ("cudaMallocHost", "memory", "CUDA RT API"),
        ("cudaStreamCreate", "stream", "CUDA RT API"),
        ("cudaEventRecord", "event", "CUDA RT API"),
        ("cudaEventCreateFromEGLSync", "EGL", "CUDA RT API"),
        ("cudaGetLastError", "error", "CUDA RT API"),
        ("cudaSetDevice", "device", "CUDA RT API"),
        ("cudaDeviceGetGraphMemAttribute", "graph", "CUDA RT API"),
        ("cudaGraphicsMapResources", "graphics", "CUDA RT API"),
        ("cudaGraphicsGLRegisterBuffer", "openGL", "CUDA RT API"),
        ("cudaGraphLaunch", "graph", "CUDA RT API"),
        ("cudaThreadSynchronize", "thread", "CUDA RT API"),
        ("cudaThreadExchangeStreamCaptureMode", "stream", "CUDA RT API"),
        ("cudaLaunchKernel", "execution", "CUDA RT API"),
        ("cudaOccupancyMaxPotentialBlockSize", "occupancy", "CUDA RT API"),
        ("cudaPointerGetAttributes", "unified", "CUDA RT API"),
        ("cudaCreateTextureObject", "texture", "CUDA RT API"),
        ("cudaDeviceGetTexture1DLinearMaxWidth", "device", "CUDA RT API"),
        ("cudaDeviceEnablePeerAccess", "peer", "CUDA RT API"),
        ("cudaSuccess", "numeric_literal", "CUDA RT API"),
        ("cudaError_t", "type", "CUDA RT API"),
        ("CUDA_R_16F", "numeric_literal", "cuBLAS API"),
        ("cuInit", "init", "CUDA Driver API"),
        ("cuMemAlloc", "memory", "CUDA Driver API"),
        ("cuMemAllocAsync", "ordered_memory", "CUDA Driver API"),
        ("cuMemAddressReserve", "virtual_memory", "CUDA Driver API"),
        ("cuMemAdvise", "unified", "CUDA Driver API"),
        ("cuCtxCreate", "context", "CUDA Driver API"),
        ("cuModuleLoad", "module", "CUDA Driver API"),
        ("cuLibraryUnload", "library", "CUDA Driver API"),
        ("cuStreamWaitValue32", "stream_memory", "CUDA Driver API"),
        ("cuTexRefSetArray", "texture", "CUDA Driver API"),
        ("cublasSgemm", "library_function", "cuBLAS API"),
        ("cufftExecC2C", "library_function", "cuFFT API"),
        ("curand_uniform", "device_library", "cuRAND API"),
        ("cuCadd", "complex", "cuComplex API"),
        ("nvrtcCreateProgram", "library_function", "RTC API"),
        ("__syncthreads", "device_function", "CUDA RT API"),
        ("__half", "device_type", "CUDA RT API"),
        ("cuda_runtime.h", "include_cuda_main_header", "CUDA RT API"),
        ("cublas_v2.h", "include_cuda_main_header_v2", "cuBLAS API"),
        ("cuda_fp16.h", "include", "CUDA RT API"),
    ],
)
def test_some_symbols(name: str, counted: str, api: str) -> None:
    row = load_catalog().row(name.encode())
    assert row is not None
    assert (counted_type(name, row.library, row.kind), counted_api(name, row.library)) == (counted, api)


def test_every_symbol_of_the_tables_is_counted() -> None:
    rows = [*load_catalog().rows()]
    assert {counted_type(row.name, row.library, row.kind) for row in rows} <= set(TYPES)
    assert {counted_api(row.name, row.library) for row in rows} <= set(APIS)
