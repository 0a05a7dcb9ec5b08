"""Cython's declarations of CUDA's headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.embedded.translate import translate_host
from hipify_py.project.api import convert

DECLARED = """\
cdef extern from "cuda_runtime.h" nogil:
    ctypedef enum cudaError_t:
        cudaSuccess
    cudaError_t cudaMalloc(void **pointer, size_t size)
    const char *cudaGetErrorString(cudaError_t error)


def allocate(size_t size):
    cdef void *pointer
    cdef cudaError_t status = cudaMalloc(&pointer, size)  # cudaMalloc is CUDA's
    if status != cudaSuccess:
        raise MemoryError("cudaMalloc failed")
"""


def output(text: str) -> str:
    translated = translate_host(text.encode(), "wrap.pyx")
    assert translate_host(translated.output, "wrap.pyx").output == translated.output
    return translated.output.decode()


def test_declarations_and_their_uses_are_renamed() -> None:
    text = output(DECLARED)
    assert 'cdef extern from "hip/hip_runtime.h" nogil:' in text
    assert "    hipError_t hipMalloc(void **pointer, size_t size)" in text
    assert "cdef hipError_t status = hipMalloc(&pointer, size)  # cudaMalloc is CUDA's" in text
    assert 'raise MemoryError("cudaMalloc failed")' in text


def test_names_of_the_projects_own_headers_stay() -> None:
    text = 'cdef extern from "shim.h":\n    int cudaMalloc(void **p, size_t n)\n\ndef f():\n    cudaMalloc(NULL, 1)\n'
    assert output(text) == text


def test_a_name_in_c_is_renamed_where_the_block_is_cudas() -> None:
    text = 'cdef extern from "<cuda.h>":\n    ctypedef void *Stream "CUstream"\n'
    assert output(text) == 'cdef extern from "<hip/hip_runtime.h>":\n    ctypedef void *Stream "hipStream_t"\n'


def test_a_second_name_that_is_hips_only_one_goes() -> None:
    text = (
        'cdef extern from "driver_types.h":\n    enum cudaError:\n        cudaSuccess\n'
        "    ctypedef cudaError cudaError_t\n    cudaError_t cudaFree(void *p)\n"
    )
    assert output(text) == (
        'cdef extern from "hip/hip_runtime_api.h":\n    enum hipError_t:\n        hipSuccess\n'
        "    hipError_t hipFree(void *p)\n"
    )


def test_c_code_of_a_block_is_translated() -> None:
    text = (
        'cdef extern from *:\n    """\n    #include <cuda_runtime.h>\n'
        '    static int ready() { return cudaFree(0) == cudaSuccess; }\n    """\n    int ready()\n'
    )
    assert output(text) == text.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cudaF", "hipF").replace(
        "cudaS", "hipS"
    )


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ('cdef extern from "cuda.h":\n    int cuCheckpointProcessLock(int pid, void *a)\n', "HIP242"),
        ('cdef extern from "cutensorMg.h":\n    pass\n', "HIP242"),
        ("from cuda.bindings cimport cydriver\n", "HIP243"),
    ],
)
def test_what_hip_lacks_is_a_finding(text: str, id: str) -> None:
    assert [finding.id for finding in translate_host(text.encode(), "wrap.pxd").findings] == [id]


def test_declarations_of_one_file_are_those_of_the_project(tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "cudart.pxd").write_text('cdef extern from "cuda_runtime.h":\n    int cudaFree(void *p)\n')
    (source / "use.pyx").write_text("cimport cudart\nfrom cudart cimport *\ncudart.cudaFree(NULL)\ncudaMalloc()\n")
    convert([source], output=target)
    assert (target / "use.pyx").read_text() == (
        "cimport cudart\nfrom cudart cimport *\ncudart.hipFree(NULL)\ncudaMalloc()\n"
    )
