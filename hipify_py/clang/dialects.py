"""The options that make libclang read CUDA and HIP as their compilers do, on either side, for any mix of releases.

`-nocudainc` and similar options keep clang from searching for an installation: the headers are the ones already found,
in system header folders, with the wrapper of clang's resources before everything. Options state what clang would
conclude from an installation, so that the result does not depend on one.
"""

from __future__ import annotations

import os

from hipify_py.clang.toolchain import Part, Toolchain, include_folders, major

CUDA_ARCH = "sm_80"
HIP_ARCH = "gfx90a"

_SDK = "12.0"
"""A CUDA release that every clang knows. For an unknown one, clang would expect launches as before CUDA 9.2."""

_STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins")
"""Substitutes for headers that clang's wrapper includes and that some CUDA releases lack."""

_SHIMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shims")
"""Headers that CUDA's and HIP's compilers provide themselves; files of these names elsewhere come first."""


CUDA_FIRST = ("__clang_cuda_runtime_wrapper.h", os.path.join(_SHIMS, "hipify_nvcc.h"))
HIP_FIRST = ("__clang_hip_runtime_wrapper.h",)
"""Headers included before the first line of a source."""

_RSQRT = "-D_NV_RSQRT_SPECIFIER="
_KNOWS_CUDA_13 = 22

_FENCE = "-D__builtin_amdgcn_fence(scope,order,...)=__builtin_amdgcn_fence(scope,order)"
_SIZE = "-D__builtin_amdgcn_wavefrontsize()={}"
_OLD_SIZE = "-D__AMDGCN_WAVEFRONT_SIZE={}"
_KNOWS_HIP_7 = 20
_FORGETS_SIZE = 22


def cuda_options(parts: Toolchain, *, device: bool, arch: str = CUDA_ARCH) -> tuple[str, ...]:
    """The options for CUDA, without those of a project; `device` selects the pass for the GPU."""
    return (
        *("-x", "cuda", "-nocudainc", "-nocudalib", f"--cuda-path={_STAND_INS}", f"--cuda-gpu-arch={arch}"),
        *("-Xclang", f"-target-sdk-version={_SDK}", "-Xclang", "-fcuda-allow-variadic-functions"),
        *_first(CUDA_FIRST),
        *_cuda_mends(parts),
        *_common(parts, parts.cuda, device),
        *("-idirafter", _STAND_INS),
    )


def hip_options(parts: Toolchain, *, device: bool, arch: str = HIP_ARCH) -> tuple[str, ...]:
    """The options for HIP, without those of a project; `device` selects the pass for the GPU."""
    return (
        *("-x", "hip", "-nogpuinc", "-nogpulib", f"--rocm-path={_STAND_INS}", f"--offload-arch={arch}"),
        "-D__HIP_PLATFORM_AMD__",
        *_first(HIP_FIRST),
        *_hipblas(parts),
        *_hip_mends(_release(parts), 64 if arch.startswith("gfx9") else 32),
        *_common(parts, parts.hip, device),
    )


def c_options(parts: Toolchain) -> tuple[str, ...]:
    """The options for plain C that calls HIP, without those of a project."""
    return ("-x", "c", "-D__HIP_PLATFORM_AMD__", *_hipblas(parts), *_headers(parts, parts.hip))


def _release(parts: Toolchain) -> int:
    return major(parts.library.version) if parts.library else 0


def _cuda_mends(parts: Toolchain) -> tuple[str, ...]:
    """An option for a declaration of CUDA 13 that older clangs cannot parse."""
    is_newer = parts.cuda is not None and major(parts.cuda.version) >= 13
    return (_RSQRT,) if is_newer and _release(parts) < _KNOWS_CUDA_13 else ()


def _hip_mends(library: int, size: int) -> tuple[str, ...]:
    """Options to read HIP headers of another time: newer builtins, and macros that are no longer predefined."""
    if library < _KNOWS_HIP_7:
        return (_FENCE, _SIZE.format(size))
    if library >= _FORGETS_SIZE:
        return (_OLD_SIZE.format(size),)
    return ()


def _hipblas(parts: Toolchain) -> tuple[str, ...]:
    """The hipBLAS of ROCm 7 has only one interface; an earlier one has it with this macro."""
    return ("-DHIPBLAS_V2",) if parts.hip is not None and major(parts.hip.version) >= 7 else ()


def _first(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for name in names for word in ("-include", name))


def _common(parts: Toolchain, headers: Part | None, device: bool) -> tuple[str, ...]:
    return (f"--cuda-{'device' if device else 'host'}-only", *_headers(parts, headers))


def _headers(parts: Toolchain, headers: Part | None) -> tuple[str, ...]:
    resources = ("-resource-dir", parts.resources.path) if parts.resources else ()
    folders = (option for folder in include_folders(headers) for option in ("-isystem", folder))
    return ("-idirafter", _SHIMS, *resources, *_wrappers(parts), *folders)


def _wrappers(parts: Toolchain) -> tuple[str, ...]:
    """clang's wrappers of C++ library headers such as `<new>`, which would otherwise be for the host only."""
    if parts.resources is None:
        return ()
    folder = os.path.join(parts.resources.path, "include", "cuda_wrappers")
    return ("-isystem", folder) if os.path.exists(folder) else ()
