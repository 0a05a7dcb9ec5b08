"""Includes of CUDA headers, of the project's own and of renamed files."""

from __future__ import annotations

from typing import Any

import pytest

from hipify_py import Options, ProjectContext, Translation, translate

NO_RUNTIME = Options(implicit_runtime=False)


def run(source: str, path: str = "<input>", **project: Any) -> Translation:
    return translate(source, path=path, options=NO_RUNTIME, project=ProjectContext(**project))


def hip(source: str, path: str = "<input>", **project: Any) -> str:
    return run(source, path, **project).output.decode()


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>"),
        ("#include <cuda_runtime_api.h>\n", "#include <hip/hip_runtime_api.h>\n"),
        ('#include "cuda_runtime.h"\n', '#include "hip/hip_runtime.h"\n'),
        ("  #\tinclude  <cuda_fp16.h>\t// half\n", "  #\tinclude  <hip/hip_fp16.h>\t// half\n"),
        ("#include <cufft.h> /* FFT */\r\n", "#include <hipfft/hipfft.h> /* FFT */\r\n"),
        (
            "#include <cublas_v2.h>\n#include <curand.h>\n",
            "#include <hipblas/hipblas.h>\n#include <hiprand/hiprand.h>\n",
        ),
        ("#include <cub/cub.cuh>\n", "#include <hipcub/hipcub.hpp>\n"),
        ("#include <curand_kernel.h>\n", "#include <hiprand/hiprand_kernel.h>\n"),
        ("#include <mma.h>\n", "#include <rocwmma/rocwmma.hpp>\n"),
        ("#include <nvrtc.h>\n", "#include <hip/hiprtc.h>\n"),
        ("#include <nccl.h>\n", "#include <rccl/rccl.h>\n"),
        ("#include_next <cuda_runtime.h>\n", "#include_next <hip/hip_runtime.h>\n"),
    ],
)
def test_a_cuda_header_becomes_its_hip_header(cuda: str, expected: str) -> None:
    result = run(cuda)
    assert result.output.decode() == expected
    assert result.counts.converted == result.counts.total


@pytest.mark.parametrize(
    "source",
    [
        "#include <vector>\ncudaX",
        '#include "cuda_helpers.h"\n#include "my-cuda.h"\n#include "cuda/mine.h"\n',
        "// #include <cuda_runtime.h>\n",
        'auto s = "#include <cuda_runtime.h>";\n',
        "#include CUDA_HEADER\n",
        "#include <thrust/sort.h>\n",
    ],
)
def test_other_includes_stay(source: str) -> None:
    assert hip(source) == source


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("#include <cuda.h>\n#include <cuda_runtime.h>\nint x;\n", "#include <hip/hip_runtime.h>\nint x;\n"),
        (
            "#include <cuda.h>\n#include <vector>\n#include <cuda_runtime.h>",
            "#include <hip/hip_runtime.h>\n#include <vector>\n",
        ),
        ("#include <cuda.h>\r\n#include <cuda_runtime.h>\r\nint x;\r\n", "#include <hip/hip_runtime.h>\r\nint x;\r\n"),
        ("#include <cuda.h>\n#include <cuda_runtime.h> // both\n", "#include <hip/hip_runtime.h>\n// both\n"),
        ('#include <cuda.h>\n#include "cuda_runtime.h"\n', "#include <hip/hip_runtime.h>\n"),
        ("#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
        (
            "#include <cuda.h>\n#if A\n#include <cuda_runtime.h>\n#endif\n",
            "#include <hip/hip_runtime.h>\n#if A\n#endif\n",
        ),
        (
            "#if A\n#include <cuda.h>\n#endif\n#include <cuda_runtime.h>\n",
            "#if A\n#include <hip/hip_runtime.h>\n#endif\n#include <hip/hip_runtime.h>\n",
        ),
        (
            "#if A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
            "#if A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
        ),
        (
            "#if A\n#include <cuda.h>\n#elif B\n#include <cuda_runtime.h>\n#include <cuda.h>\n#endif\n",
            "#if A\n#include <hip/hip_runtime.h>\n#elif B\n#include <hip/hip_runtime.h>\n#endif\n",
        ),
        (
            "#ifndef G_H\n#define G_H\n#include <cuda.h>\n#ifdef B\n#include <cuda_runtime.h>\n#endif\n#endif\n",
            "#ifndef G_H\n#define G_H\n#include <hip/hip_runtime.h>\n#ifdef B\n#endif\n#endif\n",
        ),
    ],
)
def test_headers_that_become_one_are_merged_where_the_first_is_in_force(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected


@pytest.mark.parametrize("header", ["sm_20_atomic_functions.h", "sm_35_intrinsics.h", "common_functions.h"])
def test_a_header_that_hip_needs_no_counterpart_of_is_removed(header: str) -> None:
    result = run(f"#include <cuda_runtime.h>\n#include <{header}>\nint x;\n")
    assert result.output.decode() == "#include <hip/hip_runtime.h>\nint x;\n"
    assert result.counts.converted == 2


def test_an_unsupported_header_stays_and_is_reported() -> None:
    result = run("int x;\n #include <cutensorMg.h>\n#include <cutlass/gemm.h>\n")
    assert result.output.decode().count("#include <cu") == 2
    assert [(found.id, found.line, found.column) for found in result.findings] == [
        ("HIP107", 2, 11),
        ("HIP107", 3, 10),
    ]


def test_a_header_of_the_projects_own_is_not_cudas() -> None:
    source = '#include "cufft.h"\n#include <cufft.h>\n'
    assert (
        hip(source, "src/a.cu", local_headers=frozenset({"src/cufft.h"}))
        == '#include "cufft.h"\n#include <hipfft/hipfft.h>\n'
    )
    assert hip(source, "src/a.cu", local_headers=frozenset({"lib/cufft.h"})) == '#include "hipfft/hipfft.h"\n'
    assert (
        hip(source, "src/a.cu", local_headers=frozenset({"cufft.h"}))
        == '#include "cufft.h"\n#include <hipfft/hipfft.h>\n'
    )


def test_a_header_of_the_projects_own_is_found_by_a_path_with_dots() -> None:
    source = '#include "../inc/cuda.h"\n#include "./cuda_runtime.h"\ncudaStream_t s;'
    local = frozenset({"inc/cuda.h", "src/cuda_runtime.h"})
    assert hip(source, "src/a.cu", local_headers=local) == source.replace("cudaS", "hipS")


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ('"b.cuh"', '"b.hip.h"'),
        ('"./b.cuh"', '"./b.hip.h"'),
        ('"../src/b.cuh"', '"../src/b.hip.h"'),
        ('"src/b.cuh"', '"src/b.hip.h"'),
        ("<src/b.cuh>", "<src/b.hip.h>"),
        ('"c.cuh"', '"c.cuh"'),
        ('"ab.cuh"', '"ab.cuh"'),
    ],
)
def test_an_include_follows_a_renamed_file(include: str, expected: str) -> None:
    source = f"#include {include} // c\ncudaStream_t s;\n"
    output = hip(source, "src/a.cu", renames={"src/b.cuh": "src/b.hip.h"})
    assert output == f"#include {expected} // c\nhipStream_t s;\n"


def test_two_spellings_of_one_library_are_merged_but_others_are_not() -> None:
    output = hip("#include <cufft.h>\n#include <cufftXt.h>\n#include <cufftw.h>\n")
    assert output.count("<hipfft/hipfft.h>") == 1


def test_a_conversion_of_includes_is_idempotent() -> None:
    once = run("#include <cuda.h>\n#include <cub/cub.cuh>\n#include <mma.h>\n").output
    again = translate(once)
    assert again.output == once
    assert again.counts.converted == 0


API = "#include <hip/hip_runtime_api.h>\n"
GL = "#include <hip/hip_gl_interop.h>\n"


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("#include <cuda_gl_interop.h>\n", API + GL),
        ("#include <cudaGL.h>\n", API + GL),
        (
            "#include <cuda_gl_interop.h>\n#include <cuda_runtime.h>\n",
            API + GL + "#include <hip/hip_runtime.h>\n",
        ),
        ("#include <cuda_runtime.h>\n#include <cuda_gl_interop.h>\n", "#include <hip/hip_runtime.h>\n" + GL),
        ("#include <cuda_runtime_api.h>\n#include <cuda_gl_interop.h>\n", API + GL),
        (
            "#ifdef A\n#include <cuda_runtime.h>\n#endif\n#include <cuda_gl_interop.h>\n",
            "#ifdef A\n#include <hip/hip_runtime.h>\n#endif\n" + API + GL,
        ),
        (
            "#ifdef A\n#include <cuda_gl_interop.h>\n#include <cufft.h>\n#endif\n",
            "#ifdef A\n" + API + GL + "#include <hipfft/hipfft.h>\n#endif\n",
        ),
        ("#include <cufftMp.h>\n", "#include <hipfft/hipfftXt.h>\n#include <hipfft/hipfftMp.h>\n"),
        ("#include <cudalibxt.h>\n", API + "#include <hipfft/hiplibxt.h>\n"),
    ],
)
def test_a_header_that_needs_another_one_gets_it_in_front(cuda: str, expected: str) -> None:
    assert hip(cuda, "a.cpp") == expected
    assert hip(expected, "a.cpp") == expected


def test_a_cuda_source_has_the_runtime_in_front_of_such_a_header() -> None:
    source = "#include <cuda_gl_interop.h>\nvoid f(cudaGraphicsResource_t *r) {}\n"
    output = translate(source, path="a.cu").output.decode()
    assert output.startswith("#include <hip/hip_runtime.h>\n" + GL + "void")


@pytest.mark.parametrize("annotate", [False, True])
@pytest.mark.parametrize(
    ("behind", "kept"),
    [
        ("#include <cuda/barrier>", ""),
        ("#define X 1", ""),
        (";", ""),
        ("garbage // note", ""),
        ("garbage \\\n more", ""),
        ("// note", "// note\n"),
        ("/* note */", "/* note */\n"),
    ],
)
def test_what_stands_behind_an_include_that_goes_does_not_begin_a_line(behind: str, kept: str, annotate: bool) -> None:
    """A compiler takes no notice of it; a comment is somebody's and stays."""
    options = Options(implicit_runtime=False, annotate=annotate)
    output = translate(f"#include <cuda/ptx> {behind}\nint x;\n", path="a.cu", options=options).output.decode()
    assert output == f"{kept}int x;\n"
    assert translate(output, path="a.cu", options=options).output.decode() == output


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("/* c */ #include <cufft.h>\n", "/* c */ #include <hipfft/hipfft.h>\n"),
        ("/* a\n b */ #include <cufft.h>\n", "/* a\n b */ #include <hipfft/hipfft.h>\n"),
        ("#include \\\n <cufft.h>\n", "#include \\\n <hipfft/hipfft.h>\n"),
        ("#\\\r\ninclude <cufft.h>\r\n", "#\\\r\ninclude <hipfft/hipfft.h>\r\n"),
        (
            "#include <cuda_runtime.h>\n/* a\n b */ #include <cuda_runtime.h>\nint x;\n",
            "#include <hip/hip_runtime.h>\n/* a\n b */ \nint x;\n",
        ),
        (
            "#include <cuda_runtime.h>\r\n/* a */ #include \\\r\n <cuda_runtime.h>\r\nint x;\r\n",
            "#include <hip/hip_runtime.h>\r\n/* a */ \r\nint x;\r\n",
        ),
        (
            "#include <cuda_runtime.h>\n#include \\\n <cuda_runtime.h>\nint x;\n",
            "#include <hip/hip_runtime.h>\nint x;\n",
        ),
    ],
)
def test_an_include_may_stand_behind_a_comment_or_in_several_lines(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected


def test_no_include_is_added_within_a_comment() -> None:
    source = "/* of\n us */ #include <cufft.h>\n__global__ void k() {}\n"
    assert translate(source, path="a.cu").output.decode() == (
        "#include <hip/hip_runtime.h>\n" + source.replace("cufft", "hipfft/hipfft")
    )


@pytest.mark.parametrize("include", ["<cuda/solver.hpp>", '"cuda/solver.hpp"', "<cuda/detail/plan>"])
def test_a_folder_of_the_projects_own_called_cuda(include: str) -> None:
    files = frozenset({"lib/cuda/solver.hpp", "lib/cuda/detail/plan"})
    source = f"#include {include}\nint a;\n".encode()
    own = translate(source, project=ProjectContext(local_headers=files))
    assert (own.findings, own.references) == ([], [])
    assert translate(b"#include <cuda/stream_ref>\nint a;\n", project=ProjectContext(local_headers=files)).findings


def test_other_libraries_have_a_folder_and_a_namespace_cuda_too() -> None:
    body = "void f() { cuda::launch(k, 1); cuda::std::nowhere x; }\n"
    own = translate(f"#include <cuda/api.hpp>\n{body}", path="a.cu")
    assert [(finding.id, finding.name) for finding in own.findings] == [
        ("HIP102", "<cuda/api.hpp>"),
        ("HIP101", "cuda::std::nowhere"),
    ]
    for header in ("cuda/atomic", "cuda/not_known_yet", "cuda/experimental/launch.cuh"):
        found = translate(f"#include <{header}>\n{body}", path="a.cu").findings
        assert "cuda::launch" in [finding.name for finding in found]
