"""The type and the API under which hipify-clang counts a CUDA symbol.

For most symbols the library and the kind decide. Functions of the runtime and the driver are counted by the section of
CUDA's documentation that has them, which their names tell.

Source: `src/Statistics.cpp` and `src/CUDA2HIP_*.cpp` of ROCm 6.3.
"""

from __future__ import annotations

import re
from functools import cache

from hipify_py.core.patterns import lazy_pattern

TYPES = (
    *("error", "init", "version", "device", "context", "module", "library", "memory", "virtual_memory"),
    *("ordered_memory", "multicast", "unified", "stream", "event", "external_resource", "stream_memory", "execution"),
    *("graph", "occupancy", "texture", "surface", "tensor", "peer", "graphics", "driver_entry_point", "cpp"),
    *("coredump", "driver_interact", "profiler", "openGL", "D3D9", "D3D10", "D3D11", "VDPAU", "EGL", "thread"),
    *("complex", "library_function", "device_library", "device_function", "device_type", "include"),
    *("include_cuda_main_header", "include_cuda_main_header_v2", "type", "literal", "numeric_literal", "define"),
    *("extern_shared", "kernel_launch"),
)
"""The types in the order of hipify-clang's statistics."""

SHOWN_AS = {"library_function": "library"}
"""Types whose names in the statistics are also those of other types: functions of libraries, and the driver's."""

APIS = (
    *("CUDA Driver API", "CUDA RT API", "cuComplex API", "cuBLAS API", "cuRAND API", "cuDNN API", "cuFFT API"),
    *("cuSPARSE API", "cuSOLVER API", "CUB API", "CAFFE2 API", "RTC API"),
)
"""The APIs in the order of hipify-clang's statistics."""

_RUNTIME = "CUDA RT API"
_API_OF = {
    "driver": "CUDA Driver API",
    "complex": "cuComplex API",
    "cublas": "cuBLAS API",
    "cublaslt": "cuBLAS API",
    "curand": "cuRAND API",
    "curand_device": "cuRAND API",
    "cudnn": "cuDNN API",
    "cufft": "cuFFT API",
    "cusparse": "cuSPARSE API",
    "cusolver": "cuSOLVER API",
    "cub": "CUB API",
    "nvrtc": "RTC API",
}
_OF_CUBLAS = ("cudaDataType", "CUDA_R_", "CUDA_C_")
_LAUNCH = "launch"
_BY_KIND = {
    "type": "type",
    "namespace": "type",
    "enumerator": "numeric_literal",
    "macro": "define",
    "variable": "define",
    "device function": "device_function",
    _LAUNCH: "kernel_launch",
}
_MAIN_HEADERS = frozenset(
    {
        *("cuda.h", "cuda_runtime.h", "cuComplex.h", "cublas.h", "curand.h", "cudnn.h", "cufft.h", "cusparse.h"),
        *("cusolverDn.h", "cusolverMg.h", "cusolverRf.h", "cusolverSp.h", "cusolverSp_LOWLEVEL_PREVIEW.h"),
        *("cusolver_common.h", "cub/cub.cuh", "nvrtc.h"),
    }
)
_MAIN_HEADERS_V2 = frozenset({"cublas_v2.h", "cusparse_v2.h"})

_ATTRIBUTE = lazy_pattern(r"CU_(?:KERNEL_NODE|STREAM)_ATTRIBUTE_|cudaKernelNodeAttribute")
"""Macros that stand for enumerators of `CUlaunchAttributeID`."""

# What follows `cu` or `cuda` in the name of a function; the first section whose pattern it begins with is its own.
_SHARED = (
    ("error", r"GetError(?:Name|String)$|GetLastError|PeekAtLastError"),
    ("init", r"Init$"),
    ("version", r"(?:Driver|Runtime)GetVersion"),
    ("EGL", r"EGL|.*(?:EGL|Egl)[A-Z]"),
    ("VDPAU", r"(?:Graphics)?VDPAU"),
    ("D3D9", r"(?:Graphics)?D3D9"),
    ("D3D10", r"(?:Graphics)?D3D10"),
    ("D3D11", r"(?:Graphics)?D3D11"),
    ("openGL", r"(?:Graphics)?GL|WGL"),
    ("graphics", r"Graphics"),
    ("coredump", r"Coredump|.*GreenCtx|Dev[RS]|.*GetDevResource"),
    ("peer", r"(?:Ctx|Device)(?:Disable|Enable)PeerAccess|DeviceCanAccessPeer"),
    ("occupancy", r"Occupancy"),
    ("profiler", r"Profiler"),
    ("driver_entry_point", r"GetProcAddress|GetDriverEntryPoint"),
    ("external_resource", r"(?:Import|Destroy|Signal|Wait)?External"),
    ("stream", r"ThreadExchangeStream"),
    ("graph", r"(?:Device(?:[GS]et)?)?Graph|UserObject"),
    ("unified", r"Pointer[GS]et"),
    ("event", r"Event"),
    ("execution", r"Launch|Func(?!BySymbol)|Param|SetDouble|GetParameterBuffer|ConfigureCall|SetupArgument"),
    ("memory", r"Device(?:Unr|R)egisterAsync|Array|MipmappedArray"),
)
_DRIVER = (
    ("peer", r"DeviceGetP2PAttribute"),
    ("context", r"Ctx|DevicePrimaryCtx"),
    ("module", r"Link|Module"),
    ("library", r"Kernel|Library"),
    ("stream_memory", r"Stream(?:Batch|WaitValue|WriteValue)"),
    ("stream", r"Stream"),
    ("multicast", r"Multicast"),
    ("ordered_memory", r"MemPool|MemAlloc(?:Async|FromPool)|MemFreeAsync"),
    ("unified", r"Mem(?:Advise|Prefetch|Range)"),
    ("virtual_memory", r"Mem(?:Address|Create|Export|GetAcc|GetAlloc|Import|Map|Release|Retain|SetAccess|Unmap)"),
    ("memory", r"Mem|Ipc|DeviceGet(?:ByPCI|PCI)"),
    ("surface", r"SurfRef"),
    ("texture", r"Surf|Tex"),
    ("tensor", r"Tensor"),
    ("device", r""),
)
_OF_RUNTIME = (
    ("stream", r"Stream|CtxReset"),
    ("thread", r"Thread"),
    ("surface", r"(?:BindS|CreateS|DestroyS|GetS)urface"),
    ("texture", r".*Texture(?!1DLinear)|CreateChannel|GetChannel"),
    ("memory", r"Mem|Malloc|Free|Host|GetMipmapped|GetSymbol"),
    ("cpp", r"GetKernel"),
    ("driver_interact", r"GetFuncBySymbol"),
    ("device", r""),
)


def counted_type(name: str, library: str, kind: str) -> str:
    """The type under which a symbol is counted: one of `TYPES`.

    Args:
        name: the CUDA name.
        library: the table that has it.
        kind: its kind (see `hipify_py.core.rows.KINDS`), or that of a launch.
    """
    if kind == "header":
        if name in _MAIN_HEADERS_V2:
            return "include_cuda_main_header_v2"
        return "include_cuda_main_header" if name in _MAIN_HEADERS else "include"
    if library == "complex" and kind == "function":
        return "complex"
    if library == "curand_device" and kind == "device function":
        return "device_library"
    if library in ("fp16", "bf16", "fp8") and kind == "type":
        return "device_type"
    if kind == "macro" and (library in ("cudnn", "cufft") or _ATTRIBUTE.match(name)):
        return "numeric_literal"
    if kind == "function":
        return _section(name, library) if library in ("runtime", "driver") else "library_function"
    return _BY_KIND.get(kind, "define")


def counted_api(name: str, library: str) -> str:
    """The API under which a symbol of a table is counted: one of `APIS`."""
    if library == "runtime" and name.startswith(_OF_CUBLAS):
        return "cuBLAS API"
    return _API_OF.get(library, _RUNTIME)


@cache
def _section(name: str, library: str) -> str:
    rest = name.removeprefix("make_").removeprefix("cuda" if library == "runtime" else "cu")
    if name.startswith("make_"):
        return "memory"
    own = _OF_RUNTIME if library == "runtime" else _DRIVER
    sections: list[str] = [section for section, pattern in (*_SHARED, *own) if re.match(pattern, rest)]
    return sections[0]
