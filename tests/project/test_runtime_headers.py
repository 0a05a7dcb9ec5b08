"""Headers of a project that bring the runtime's header, so that their includers need no include of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.project import runtime_headers
from hipify_py.project.api import convert

ADDED = b"#include <hip/hip_runtime.h>\n"
SCALE = '#include "{}"\n__global__ void scale(float *v) {{ v[threadIdx.x] *= 2; }}\n'


def converted(folder: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    """The outputs of a project's files, by name; a second run must change nothing."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    first = folder.with_name(folder.name + "_1")
    second = folder.with_name(folder.name + "_2")
    convert([folder], output=first, jobs=1)
    convert([first], output=second, jobs=1)
    outputs = {name: (first / name).read_bytes() for name in files}
    assert {name: (second / name).read_bytes() for name in files} == outputs
    return outputs


@pytest.mark.parametrize(
    "header",
    [
        "#pragma once\n#include <cuda_runtime.h>\n#define OK(x) cudaAssert(x)\n",
        "#ifndef TOOLS_H\n#define TOOLS_H\n#include <stdio.h>\n#include <cuda.h>\n#endif\n",
        "#ifndef tools_for_kernels\n#define tools_for_kernels\n#include <cuda.h>\n#endif\n",
        "#include <thrust/device_vector.h>\n",
        "#include <curand_kernel.h>\n",
        "#pragma once\n__device__ inline float twice(float x) { return 2 * x; }\n",  # the runtime is added there
        "#include <hip/hip_runtime.h>\n",
        '#include "inner/more.h"\n',
    ],
)
def test_a_header_that_brings_the_runtime_is_enough(tmp_path: Path, header: str) -> None:
    files = {"tools.h": header, "inner/more.h": "#include <cuda_runtime.h>\n", "scale.cu": SCALE.format("tools.h")}
    assert ADDED not in converted(tmp_path / "p", files)["scale.cu"]


@pytest.mark.parametrize(
    "header",
    [
        "#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#endif\n",
        'extern "C" {\n#include <cuda_runtime.h>\n}\n',
        "typedef cudaStream_t Queue;\n#include <cuda_runtime.h>\n",
        "#define min(a, b) ((a) < (b) ? (a) : (b))\n#include <cuda_runtime.h>\n",
        "#define index(x, y) ((y) * 8 + (x))\n#include <cuda_runtime.h>\n",  # the C library has such a function
        "#include <cuda_fp16.h>\n",  # hip_fp16.h does without the runtime
        "#include <cublas_v2.h>\n",
        "#include <cuda_runtime_api.h>\n",  # no device code
        "// #include <cuda_runtime.h>\n",
        '#include "generated.h"\n#include <cuda_runtime.h>\n',
        "#include SETTINGS\n#include <cuda_runtime.h>\n",
        "#ifdef __CUDACC__\n__device__ inline int one() { return 1; }\n#endif\n",
        "#define __device__\n__device__ inline int one() { return 1; }\n",
        '#include "tools.h"\n#include <cuda_runtime.h>\n',
        "int none();\n",
    ],
)
def test_other_headers_leave_the_runtime_to_their_includer(tmp_path: Path, header: str) -> None:
    output = converted(tmp_path / "p", {"tools.h": header, "scale.cu": SCALE.format("tools.h")})["scale.cu"]
    assert output == ADDED + SCALE.format("tools.h").encode()


def test_the_include_stands_where_the_file_has_it_if_the_headers_before_need_nothing(tmp_path: Path) -> None:
    source = '#include "sizes.h"\n#include <cuda_runtime.h>\n__global__ void k();\n'
    outputs = converted(tmp_path / "p", {"sizes.h": "enum { ROWS = 4 };\n", "k.cu": source})
    assert outputs["k.cu"].decode() == source.replace("cuda_runtime", "hip/hip_runtime")


def test_a_header_made_by_cmake_is_its_template(tmp_path: Path) -> None:
    source = '#include "config.h"\n#include <cuda_runtime.h>\n__global__ void k();\n'
    files = {"config.h.in": "#cmakedefine VERBOSE\n", "k.cu": source}
    assert converted(tmp_path / "p", files)["k.cu"].startswith(b'#include "config.h"\n')


def test_code_before_the_header_needs_the_runtime(tmp_path: Path) -> None:
    source = 'struct Pair { float2 a; };\n#include "tools.h"\n__global__ void k();\n'
    outputs = converted(tmp_path / "p", {"tools.h": "#include <cuda_runtime.h>\n", "k.cu": source})
    assert outputs["k.cu"] == ADDED + source.encode()


def test_a_header_outside_the_run_may_stay_without_the_runtime(tmp_path: Path) -> None:
    (tmp_path / "tools.h").write_text("__device__ inline int one() { return 1; }\n")
    (tmp_path / "k.cu").write_text(SCALE.format("tools.h"))
    convert([tmp_path / "k.cu"], output=tmp_path / "out.cu")
    assert (tmp_path / "out.cu").read_bytes().startswith(ADDED)


def test_a_source_that_names_nothing_of_the_runtime_is_asked_too(tmp_path: Path) -> None:
    """After one run, XSBench's sources hold no name of CUDA any more, and a second run must see the same."""
    files = {
        "bench.cuh": "#include <cuda_runtime.h>\nint *grid();\n",
        "plain.cu": '#include "bench.cuh"\nint size() { return 4; }\n',
        "grid.cu": '#include "bench.cuh"\nint *grid() { int *p; cudaMalloc(&p, 4); return p; }\n',
    }
    outputs = converted(tmp_path / "p", files)
    assert ADDED not in outputs["plain.cu"] + outputs["grid.cu"]


@pytest.mark.parametrize("keyword", [b"__global__", b"__device__", b"__device__x"])
def test_keywords_for_device_code_are_among_what_needs_the_runtime(keyword: bytes) -> None:
    assert runtime_headers._EVENT.match(keyword) is not None
    assert runtime_headers._USE.match(keyword) is not None


def test_a_name_that_ends_where_a_comment_begins_needs_the_runtime() -> None:
    assert runtime_headers.runtime_steps(b"int cuda// a\n") == (("", "needs", False, False),)
    assert runtime_headers.runtime_steps(b"int a// cudaMalloc\n") == ()
