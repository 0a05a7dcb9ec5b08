"""The folder of headers: HIP's paths, each with the CUDA header that it stands for and the names of its tables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from hipify_py.catalog import Catalog, Row
from hipify_py.catalog.targeting import NEWEST_ROCM, version
from hipify_py.header.inversion import Inversion, invert, renamed_members

INNER = "hipify_to_cuda"
"""The folder of the names, a file a library."""

_PARTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts")
_DEFINED = re.compile(r"^#\s*define\s+(\w+)|^inline .*?(\w+)\(|^// defines: (.*)$", re.MULTILINE)
_RUNTIME = ("runtime", "driver", "device", "math", "complex")

# What the tables do not tell: the one header, of several that a HIP header is the target of, that has all the others'
# declarations, and HIP headers that nothing is translated to.
_INCLUDES: Mapping[str, tuple[str, ...]] = {
    "hip/hip_runtime.h": ("cuda_runtime.h", "cuda.h", "cuComplex.h"),
    "hip/hip_runtime_api.h": ("cuda_runtime_api.h", "cuda_profiler_api.h", "cuda.h", "cuComplex.h"),
    "hip/hip_common.h": ("cuda_runtime_api.h", "cuda.h", "cuComplex.h"),
    "hip/hip_vector_types.h": ("vector_types.h", "vector_functions.h", "cuda_runtime_api.h"),
    "hip/device_functions.h": ("cuda_runtime.h",),
    "hip/math_functions.h": ("cuda_runtime.h",),
    "hip/hiprtc.h": ("nvrtc.h",),
    "hipblas/hipblas.h": ("cublas_v2.h",),
    "hipcub/hipcub.hpp": ("cub/cub.cuh",),
    "hipfft/hipfftXt.h": ("cufftXt.h",),
    "hiprand/hiprand_kernel.h": ("curand_kernel.h",),
    "hipsolver/hipsolver.h": ("cusolverDn.h", "cusolverRf.h", "cusolverSp.h"),
    "hipsparse/hipsparse.h": ("cusparse.h",),
    "roctracer/roctx.h": ("nvtx3/nvToolsExt.h",),
    "rocwmma/rocwmma.hpp": ("mma.h",),
    "thrust/system/hip/execution_policy.h": ("thrust/system/cuda/execution_policy.h",),
}
_ALSO: Mapping[str, tuple[str, ...]] = {
    "cublaslt": ("cublas",),
    "cusolver": ("cublas", "cusparse"),
    "cusparselt": ("cusparse",),
}
# CUDA has a header of the same path, which this one goes on to.
_PASSED_ON = frozenset({"thrust/execution_policy.h"})
# MIOpen is no cuDNN under other names: what calls it is written for it.
_APART = frozenset({"cudnn", "nvjitlink", "nvshmem"})
_HOMES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "hip/hip_runtime.h",
            "hip/hip_runtime_api.h",
            "hip/hip_common.h",
            "hip/hip_vector_types.h",
            "hip/device_functions.h",
            "hip/math_functions.h",
        ),
        _RUNTIME,
    ),
    "thrust/execution_policy.h": ("thrust",),
    "thrust/system/hip/execution_policy.h": ("thrust",),
}


def header_tree(catalog: Catalog, libraries: Iterable[str] = ()) -> dict[str, str]:
    """The files by their paths, with `/`.

    Args:
        catalog: the tables, for the CUDA that the headers are to be used with.
        libraries: the tables whose headers are wanted; none means all of them. The runtime's are always there.
    """
    wanted = {*libraries, *_RUNTIME}
    headers = {path: homes for path, homes in _headers(catalog).items() if not libraries or wanted & set(homes)}
    inversion = invert(catalog, _of_parts())
    files = {path: _stub(catalog, path, homes) for path, homes in headers.items()}
    for library in sorted({home for homes in headers.values() for home in homes}):
        files[f"{INNER}/{library}.h"] = _names(catalog, library, inversion)
    return files


def table_names(catalog: Catalog) -> list[str]:
    """The tables that have a header of HIP's."""
    return sorted({home for homes in _headers(catalog).values() for home in homes})


def _headers(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """HIP's headers with the tables whose names each of them is to bring."""
    found: dict[str, list[str]] = {}
    for row in catalog.rows():
        if row.kind == "header" and row.hip and row.library not in _APART and not _is_cudas(catalog, row.hip):
            homes = found.setdefault(row.hip, [])
            homes += [home for home in (row.library, *_ALSO.get(row.library, ())) if home not in homes]
    return {**{path: tuple(homes) for path, homes in sorted(found.items())}, **_HOMES}


def _is_cudas(catalog: Catalog, path: str) -> bool:
    row = catalog.row(path.encode())
    return (row is not None and row.is_native) or "/" not in path


def _stub(catalog: Catalog, path: str, homes: tuple[str, ...]) -> str:
    up = "../" * path.count("/")
    own = "" if set(homes) <= set(_RUNTIME) else '#include "hip/hip_runtime_api.h"\n'.replace('"hip', f'"{up}hip')
    includes = "".join(f"#include <{header}>\n" for header in _cuda_headers(catalog, path))
    includes = f"#include_next <{path}>\n" if path in _PASSED_ON else includes
    names = "".join(f'#include "{up}{INNER}/{home}.h"\n' for home in homes)
    return f"{_HEAD}#pragma once\n{own}{includes}{names}"


def _cuda_headers(catalog: Catalog, path: str) -> tuple[str, ...]:
    if path in _INCLUDES:
        return _INCLUDES[path]
    rows = [row for row in catalog.rows() if row.kind == "header" and row.hip == path]
    return (min(rows, key=_header_rank).name,)


def _header_rank(row: Row) -> tuple[bool, int, str]:
    return "removed" in row.details.get("cuda", {}), len(row.name), row.name


def _names(catalog: Catalog, library: str, inversion: Inversion) -> str:
    defined = [one.line for one in inversion.defined if one.row.library == library]
    members = [f"#define {hip} {cuda}" for hip, cuda in renamed_members(catalog)] if library == "runtime" else []
    left_out = [f"//   {hip} ({row.name}): {why}" for hip, row, why in inversion.left_out if row.library == library]
    parts = [_HEAD, "#pragma once\n"]
    if library == "runtime":
        parts.append("\n" + "".join(_version_lines(catalog)))
    if defined or members:
        parts.append("\n" + "".join(f"{line}\n" for line in (*defined, *members)))
    if library in _part_names():
        parts.append("\n" + _part(library))
    if left_out:
        parts.append("\n// Without a definition:\n" + "\n".join(left_out) + "\n")
    return "".join(parts)


_HEAD = "// Made by hipify-py from its mapping tables: `hipify-py header --to-cuda`. SPDX-License-Identifier: MIT\n"


def _version_lines(catalog: Catalog) -> Iterator[str]:
    major, minor = version(catalog.targeting.rocm or NEWEST_ROCM)
    yield from (f"#define HIP_VERSION_{name} {n}\n" for name, n in (("MAJOR", major), ("MINOR", minor), ("PATCH", 0)))


def _part_names() -> list[str]:
    return [os.path.splitext(name)[0] for name in sorted(os.listdir(_PARTS)) if name.endswith(".h")]


def _part(library: str) -> str:
    with open(os.path.join(_PARTS, f"{library}.h"), encoding="utf-8") as file:
        return file.read()


def _of_parts() -> Iterator[str]:
    """The names that the written parts define, so that the tables' need not."""
    for library in _part_names():
        for match in _DEFINED.finditer(_part(library)):
            yield from (match[3] or match[1] or match[2]).split()
