"""Copies of CUDA's own headers in a project's tree are left alone, and said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import check, convert

_NOTICE = "/*\n * Copyright (c) 2016-2024, NVIDIA CORPORATION. All rights reserved.\n */\n"
_RUNTIME = _NOTICE + "#pragma once\nextern cudaError_t cudaMalloc(void **p, size_t n);\n"
_USE = '#include "@"\nvoid f(void *p) { cudaFree(p); }\n'
COPIES = (
    ("third_party/cuda/include/cuda_runtime.h", "cuda_runtime.h", "hip/hip_runtime.h"),
    ("include/cuda_fp16.h", "cuda_fp16.h", "hip/hip_fp16.h"),
    ("nccl.h", "nccl.h", "rccl/rccl.h"),
    ("deps/cublas_v2.h", "../deps/cublas_v2.h", ""),
    ("extern/cub/cub.cuh", "cub/cub.cuh", "hipcub/hipcub.hpp"),
    ("curand_kernel.h", "curand_kernel.h", "hiprand/hiprand_kernel.h"),
    ("src/acc/cub/device/device_scan.cuh", "src/acc/cub/device/device_scan.cuh", "hipcub/hipcub.hpp"),
    ("src/acc/cub/device/device_scan.cuh", "acc/cub/device/device_scan.cuh", "hipcub/hipcub.hpp"),
    ("external/nccl/nvtx3/nvToolsExt.h", "../external/nccl/nvtx3/nvToolsExt.h", "roctracer/roctx.h"),
)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(("place", "include", "target"), COPIES)
def test_a_copy_of_a_cuda_header_is_left_as_it_is_and_named(
    tmp_path: Path, place: str, include: str, target: str
) -> None:
    write(tmp_path, {f"in/{place}": _RUNTIME, "in/src/a.cu": _USE.replace("@", include)})
    report = convert([tmp_path / "in"], output=tmp_path / "out")
    assert (tmp_path / "out" / place).read_text() == _RUNTIME
    (result,) = [result for result in report.results if result.path.endswith(place)]
    assert [(found.id, found.severity) for found in result.findings] == [("HIP908", "note")]
    assert result.counts.total == 0
    assert "hipFree(p)" in (tmp_path / "out/src/a.cu").read_text()


@pytest.mark.parametrize(("place", "include", "target"), [copy for copy in COPIES if copy[2]])
def test_what_includes_a_copy_includes_hips_header(tmp_path: Path, place: str, include: str, target: str) -> None:
    write(tmp_path, {place: _RUNTIME, "src/a.cu": _USE.replace("@", include)})
    convert([tmp_path], in_place=True, force=True)
    assert f'#include "{target}"' in (tmp_path / "src/a.cu").read_text()
    assert (tmp_path / place).read_text() == _RUNTIME


def test_a_header_of_the_projects_own_by_such_a_name_is_translated(tmp_path: Path) -> None:
    own = "#pragma once\ninline void release(void *p) { cudaFree(p); }\n"
    write(tmp_path, {"cuda_fp16.h": own, "a.cu": '#include "cuda_fp16.h"\n'})
    convert([tmp_path], in_place=True, force=True)
    assert "hipFree(p)" in (tmp_path / "cuda_fp16.h").read_text()
    assert '#include "cuda_fp16.h"' in (tmp_path / "a.cu").read_text()


def test_a_file_of_the_projects_own_in_a_folder_called_like_a_library_stays(tmp_path: Path) -> None:
    own = "#pragma once\ninline void release(void *p) { cudaFree(p); }\n"
    write(tmp_path, {"src/cub/cub.cuh": own, "src/a.cu": '#include "src/cub/cub.cuh"\n#include "mine/util.cuh"\n'})
    convert([tmp_path], in_place=True, force=True)
    assert '#include "src/cub/cub.cuh"\n#include "mine/util.cuh"' in (tmp_path / "src/a.cu").read_text()


def test_a_file_of_nvidias_by_another_name_is_translated(tmp_path: Path) -> None:
    write(tmp_path, {"kernels.cuh": _NOTICE + "inline void release(void *p) { cudaFree(p); }\n"})
    convert([tmp_path], in_place=True, force=True)
    assert "hipFree(p)" in (tmp_path / "kernels.cuh").read_text()


def test_a_copy_that_is_given_by_itself_is_translated(tmp_path: Path) -> None:
    write(tmp_path, {"nccl.h": _RUNTIME})
    report = check([tmp_path / "nccl.h"])
    assert report.results[0].counts.converted > 0


def test_a_copy_beside_a_file_that_is_given_by_itself_is_cudas(tmp_path: Path) -> None:
    write(tmp_path, {"nccl.h": _RUNTIME, "a.cu": _USE.replace("@", "nccl.h")})
    convert([tmp_path / "a.cu"], in_place=True, force=True)
    assert '#include "rccl/rccl.h"' in (tmp_path / "a.cu").read_text()


def test_a_copy_keeps_its_name_where_others_are_renamed(tmp_path: Path) -> None:
    write(tmp_path, {"in/cub/cub.cuh": _RUNTIME, "in/a.cu": _USE.replace("@", "cub/cub.cuh")})
    convert([tmp_path / "in"], output=tmp_path / "out", rename=True)
    assert sorted(path.name for path in (tmp_path / "out").rglob("*.*")) == ["a.hip", "cub.cuh"]


def test_a_second_run_over_the_output_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"cuda_runtime.h": _RUNTIME, "a.cu": _USE.replace("@", "cuda_runtime.h")})
    convert([tmp_path], in_place=True, force=True)
    first = (tmp_path / "a.cu").read_text()
    convert([tmp_path], in_place=True, force=True)
    assert (tmp_path / "a.cu").read_text() == first


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef ENGINE_COMMON_UTIL_CUDA_RUNTIME_H_\n#define ENGINE_COMMON_UTIL_CUDA_RUNTIME_H_\n@#endif\n",
        "#if !defined(MY_CUDA_RUNTIME_H)\n#define MY_CUDA_RUNTIME_H\n@#endif\n",
        "#pragma once\nnamespace engine {\n@}\n",
        "#pragma once\nnamespace engine::cuda {\n@}\n",
    ],
)
def test_a_header_of_one_of_nvidias_projects_by_such_a_name_is_the_projects(tmp_path: Path, text: str) -> None:
    own = _NOTICE + text.replace("@", "inline void release(void *p) { cudaFree(p); }\n")
    write(tmp_path, {"util/cuda_runtime.h": own, "a.cu": '#include "util/cuda_runtime.h"\n'})
    report = convert([tmp_path], in_place=True, force=True)
    assert "hipFree(p)" in (tmp_path / "util/cuda_runtime.h").read_text()
    assert '#include "util/cuda_runtime.h"' in (tmp_path / "a.cu").read_text()
    assert not [found for result in report.results for found in result.findings if found.id == "HIP908"]


@pytest.mark.parametrize(
    "text",
    [
        "#if !defined(__CUDA_RUNTIME_H__)\n#define __CUDA_RUNTIME_H__\n@#endif\n",
        "#ifndef _CUDA_RUNTIME_H_\n#define _CUDA_RUNTIME_H_\n@#endif\n",
        "#pragma once\nnamespace cuda { struct stream; }\n@",
        "#pragma once\nnamespace __nv_internal {\n}\n@",
    ],
)
def test_guards_and_namespaces_of_cudas_own_make_no_header_the_projects(tmp_path: Path, text: str) -> None:
    copy = _NOTICE + text.replace("@", "extern cudaError_t cudaFree(void *p);\n")
    write(tmp_path, {"in/cuda_runtime.h": copy})
    report = convert([tmp_path / "in"], output=tmp_path / "out")
    assert [found.id for result in report.results for found in result.findings] == ["HIP908"]
