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


CUDA = """\
cdef extern from "cuda_runtime.h":
    ctypedef int cudaStream_t
    enum: cudaSuccess
    int cudaFree(void *p)
"""


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("f(cudaSuccess=3)", ""),
        ("f(1, cudaSuccess=cudaSuccess)", "f(1, cudaSuccess=hipSuccess)"),
        ("x = dict(cudaSuccess=[cudaFree(p)])", "x = dict(cudaSuccess=[hipFree(p)])"),
        ("f(x == cudaSuccess)", "f(x == hipSuccess)"),
        ("x = self.cudaSuccess + f().cudaSuccess", ""),
        ("x.cudaSuccess = cudaSuccess", "x.cudaSuccess = hipSuccess"),
        ("cudart.cudaFree(p)", ""),
        ("cimport cudart\ncudart.cudaFree(p)", "cimport cudart\ncudart.hipFree(p)"),
        ("cimport a.cudart\na.cudart.cudaFree(p)", "cimport a.cudart\na.cudart.hipFree(p)"),
        ("cimport a.cudart as c\nc.cudaFree(a.cudaFree)", "cimport a.cudart as c\nc.hipFree(a.cudaFree)"),
        ("from a cimport (\n  x, cudart)\ncudart.cudaFree(p)", "from a cimport (\n  x, cudart)\ncudart.hipFree(p)"),
        ("from a cimport cudaFree", "from a cimport hipFree"),
        ("cdef class A:\n    cdef public int cudaSuccess\n    def f(self):\n        return cudaSuccess", "A"),
        ("class A:\n    cudaSuccess = cudaSuccess", "class A:\n    cudaSuccess = hipSuccess"),
        ("def f(cudaSuccess, x):\n    return cudaSuccess\nx = cudaSuccess", "x"),
        ("cdef int f(cudaStream_t, int cudaSuccess) except -1:\n    return cudaSuccess", "stream"),
        ("cdef int f(cudaStream_t s):\n    cdef int cudaSuccess = 1\n    return cudaSuccess", "stream"),
        ('x = f"{cudaSuccess} cudaSuccess {{cudaSuccess}}"', 'x = f"{hipSuccess} cudaSuccess {{cudaSuccess}}"'),
        (
            "x = rf\"{cudaSuccess!r:>{cudaSuccess}} {d['cudaSuccess']:cudaSuccess}\"",
            "x = rf\"{hipSuccess!r:>{hipSuccess}} {d['cudaSuccess']:cudaSuccess}\"",
        ),
        ('x = f"{f(cudaSuccess=cudaSuccess)=} {x.cudaSuccess}"', 'x = f"{f(cudaSuccess=hipSuccess)=} {x.cudaSuccess}"'),
    ],
)
def test_pythons_own_uses_of_names_stay(code: str, after: str) -> None:
    own = {
        "A": code.replace("return cudaSuccess", "return hipSuccess"),
        "x": code.replace("x = cudaSuccess", "x = hipSuccess"),
        "stream": code.replace("cudaStream_t", "hipStream_t"),
        "": code,
    }
    translated = output(f"{CUDA}\n{code}\n")
    assert translated.partition("\n\n")[2] == own.get(after, after) + "\n"


@pytest.mark.parametrize(
    "code",
    [
        "def cudaFree(p):\n    pass\n\ncudaFree(1)\n",
        "cdef enum:\n    cudaSuccess = 0\n\nx = cudaSuccess\n",
        "cdef:\n    int cudaSuccess\n    int (*cudaFree)(void *)\n\ncudaFree(cudaSuccess)\n",
        "ctypedef int cudaStream_t\ncdef cudaStream_t x\n",
    ],
)
def test_names_that_a_file_declares_itself_stay(code: str, tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "cudart.pxd").write_text(CUDA)
    (source / "own.pyx").write_text(code)
    convert([source], output=target)
    assert (target / "own.pyx").read_text() == code
    assert "hipFree" in (target / "cudart.pxd").read_text()


def test_bytes_of_other_encodings_stay() -> None:
    data = b'cdef extern from "caf\xe9.h":\n    int cudaFree(int)\n# \xe9\n' + CUDA.replace("Free", "Malloc").encode()
    after = translate_host(data, "wrap.pyx").output
    assert after == data.replace(b"cudaM", b"hipM").replace(b"cudaS", b"hipS").replace(b"cuda_r", b"hip/hip_r")


def test_a_type_of_the_projects_own_header_does_not_keep_a_name_in_c(tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "own.pxd").write_text('cdef extern from "own.h":\n    ctypedef int cudaError_t\n')
    (source / "cuda.pxd").write_text('cdef extern from "cuda_runtime.h":\n    ctypedef int Error "cudaError_t"\n')
    convert([source], output=target)
    assert (target / "cuda.pxd").read_text() == (
        'cdef extern from "hip/hip_runtime.h":\n    ctypedef int Error "hipError_t"\n'
    )
    assert (target / "own.pxd").read_text() == (source / "own.pxd").read_text()


def test_the_types_of_arguments_are_not_declared_by_another_header(tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "own.pxd").write_text('cdef extern from "own.h":\n    int launch(cudaStream_t cudaFree)\n')
    (source / "cuda.pxd").write_text(CUDA)
    convert([source], output=target)
    assert "int launch(hipStream_t " in (target / "own.pxd").read_text()
    assert "hipStream_t" in (target / "cuda.pxd").read_text()


@pytest.mark.parametrize(
    ("declaration", "after"),
    [
        ("int cudaLaunchKernel(void *f, dim3 g, dim3 b, void **a, size_t n, cudaStream_t s)", "int hipLaunchKernel("),
        ("int cublasDgetriBatched(void *h, int n, const double **a)", "int hipblasDgetriBatched("),
        ("int cuCtxCreate(void *c, unsigned f, int d)", "int hipCtxCreate("),
    ],
)
def test_a_function_whose_arguments_are_cast_only_is_renamed(declaration: str, after: str) -> None:
    translated = translate_host(f'cdef extern from "cuda_runtime.h":\n    {declaration}\n'.encode(), "wrap.pxd")
    assert (after in translated.output.decode(), translated.findings) == (True, [])


@pytest.mark.parametrize(
    ("declaration", "after", "words"),
    [
        (
            "int cudaGraphAddNode_v2(void *n)",
            "cudaGraphAddNode_v2(",
            "(argument 4 dropped): declare and call it by hand",
        ),
        ("int cudaMallocHost(void **p, size_t n)", "hipHostMalloc(", "(hipHostMallocDefault added)"),
        ("int cudnnSoftmaxBackward(void *h)", "cudnnSoftmaxBackward(", "takes other arguments (another order)"),
        ("int cudaGraphInstantiate(void *g, void *h, int i)", "hipGraphI", "is hipGraphInstantiateWithFlags"),
    ],
)
def test_other_arguments_are_a_finding(declaration: str, after: str, words: str) -> None:
    translated = translate_host(f'cdef extern from "cuda_runtime.h":\n    {declaration}\n'.encode(), "wrap.pxd")
    (finding,) = translated.findings
    assert finding.id == "HIP242"
    assert words in finding.message
    assert after in translated.output.decode()


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("cudart cublas m", "amdhip64 hipblas m"),
        ("cudart cuda m", "amdhip64 m"),
        ("cuda cudart", "amdhip64"),
        ("['cudart', 'cudadevrt']", "['amdhip64']"),
        ("[cudadevrt, m]", "[m]"),
        ("m", "m"),
    ],
)
def test_libraries_of_a_comment_become_rocms(value: str, after: str) -> None:
    head = "# distutils: language = c++\n# distutils: libraries = "
    assert output(f"{head}{value}\n{CUDA}").startswith(f"{head}{after}\ncdef")


def test_a_comment_whose_libraries_all_go_goes() -> None:
    assert output(f"# distutils: libraries = cudadevrt\n{CUDA}").startswith("cdef extern")


def test_a_library_without_counterpart_is_a_finding() -> None:
    text = f"# distutils: libraries = nvml\n# distutils: include_dirs = /usr/local/cuda/include\n{CUDA}"
    assert [(each.id, each.name) for each in translate_host(text.encode(), "a.pyx").findings] == [
        ("HIP242", "nvml"),
        ("HIP242", "/usr/local/cuda/include"),
    ]


def test_declarations_of_one_file_are_those_of_the_project(tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "cudart.pxd").write_text('cdef extern from "cuda_runtime.h":\n    int cudaFree(void *p)\n')
    (source / "use.pyx").write_text("cimport cudart\nfrom cudart cimport *\ncudart.cudaFree(NULL)\ncudaMalloc()\n")
    convert([source], output=target)
    assert (target / "use.pyx").read_text() == (
        "cimport cudart\nfrom cudart cimport *\ncudart.hipFree(NULL)\ncudaMalloc()\n"
    )
