"""The runtime's header, added where nvcc would have included it by itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hipify_py import Options, ProjectContext, translate

KERNEL = "__global__ void k() {}\n"
ADDED = "#include <hip/hip_runtime.h>\n"


def hip(source: str, path: str = "a.cu") -> str:
    return translate(source, path=path).output.decode()


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("", KERNEL),
        ("", "#include <vector>\n" + KERNEL),
        ("// Licence\n// of two lines\n", "#include <vector>\n" + KERNEL),
        ("// Licence\n\n", "#include <vector>\n" + KERNEL),
        ("/* Licence\n */\n", KERNEL),
        ("/* Licence */\n// more\n/* and more\n */\n", KERNEL),
        ("#pragma once\n", KERNEL),
        ("// Licence\n#pragma once\n", "\n" + KERNEL),
        ("#ifndef A_H\n#define A_H\n", "\n" + KERNEL + "#endif\n"),
        ("/* L */\n#ifndef A_H\n# define A_H 1\n", "#include <vector>\n" + KERNEL + "#endif\n"),
        ("#ifndef A_H\n// of a.h\n#define A_H\n", KERNEL + "#endif\n"),
        ("#ifndef A_H /* of a.h */\n#  define A_H /* it */\n", KERNEL + "#endif\n"),
        ("#if !defined(A_H)\n#define A_H\n", KERNEL + "#endif\n"),
        ("#if !defined A_H\n\n#define A_H\n", KERNEL + "#endif\n"),
        ("#pragma /* just */ once\n", KERNEL),
        ("// Licence { of two\n\n// #if lines\n/* } */ #define BIG 1\n", "#include <vector>\n" + KERNEL),
        ("\ufeff", KERNEL),
        ("\ufeff// Licence\n", "#include <vector>\n" + KERNEL),
        ("", "#ifdef A\n#include <vector>\n#endif\n" + KERNEL),
        ("", "int x;\n" + KERNEL),
        ("", "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n" + KERNEL),
        ("// L\n", "#ifndef N\n#define N 4\n#else\n#undef M\n#endif\n" + KERNEL),
        ("", "#if !defined(N)\n#define N 4\n#if N > 2\n#endif\n#endif // N\n#include <vector>\n" + KERNEL),
        ("#ifndef A_H\n#define A_H\n", "#if 1\n#else\n#endif\n" + KERNEL + "#endif // A_H\n/* the end */\n"),
        ("#ifndef A_H\n#define A_H\n", KERNEL),
    ],
)
def test_it_stands_behind_the_files_head_and_in_front_of_the_first_include(head: str, tail: str) -> None:
    assert hip(head + tail) == head + ADDED + tail


def test_it_stands_in_front_of_the_first_include_behind_defines() -> None:
    head, tail = "// L\n#define BIG 1\n", "#include <vector>\n" + KERNEL
    assert hip(head + tail) == head + ADDED + tail


def test_a_licence_without_a_newline_gets_one() -> None:
    output = hip("int n; " + KERNEL.rstrip())
    assert output == ADDED + "int n; " + KERNEL.rstrip()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_it_has_the_files_newline(newline: str) -> None:
    source = ("// L\n#include <vector>\n" + KERNEL).replace("\n", newline)
    assert hip(source) == ("// L\n" + ADDED + "#include <vector>\n" + KERNEL).replace("\n", newline)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("#include <cuda_runtime.h>\n" + KERNEL, "a.cu"),
        ("#include <cuda.h>\n" + KERNEL, "a.cu"),
        ("#include <hip/hip_runtime.h>\n" + KERNEL, "a.cu"),
        ("#include <hip/hip_runtime.h>\n" + KERNEL, "a.hip"),
        ("#pragma once\ncudaStream_t stream();\n", "a.h"),
        ("#ifndef __HIPCC__\n#define __device__\n#endif\nstatic inline __device__ int f() { return 1; }\n", "a.h"),
        ("#include <cuda_runtime_api.h>\nvoid f() { cudaFree(0); }\n", "a.cpp"),
        ("#include <cublas_v2.h>\n", "a.h"),
        ("int x; // cudaMalloc\n", "a.cu"),
    ],
)
def test_it_is_not_added_where_it_is_not_needed(source: str, path: str) -> None:
    assert hip(source, path).count("#include <hip/hip_runtime") == source.count("<cuda_runtime") + source.count(
        "<cuda.h>"
    ) + source.count("<hip/")


@pytest.mark.parametrize(
    "source",
    [
        '#include "own.h"\nint main() { return twice(0); }\n',
        '#include "own.h"\ntemplate int f<int>();\n',
        '// L\n#include <vector>\n#include "own.h"\n',
        "#include <proj/own.h>\nint x;\n",
        '#ifdef A\n#include "own.h"\n#endif\n',
    ],
)
def test_a_source_gets_it_for_the_headers_of_the_project_that_use_cudas_words(source: str) -> None:
    project = ProjectContext(local_headers=frozenset({"include/proj/own.h"}))
    once = translate(source, path="src/a.cu", project=project).output.decode()
    assert once.replace(ADDED, "") == source
    assert once.index(ADDED) < once.index("own.h")
    assert translate(once, path="src/a.cu", project=project).output.decode() == once


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("#include <vector>\nint x;\n", "a.cu"),
        ("#include <other/own.h>\nint x;\n", "a.cu"),
        ('#include "own.h"\nint x;\n', "a.cpp"),
        ('#include "own.h"\nint x;\n', "a.cuh"),
        ('#include "own.h"\nint x;\n', "a.hip"),
    ],
)
def test_other_sources_without_cudas_words_do_without(source: str, path: str) -> None:
    assert hip(source, path) == source


@pytest.mark.parametrize("path", ["a.h", "a.cuh", "a.hpp", "a.cpp"])
def test_a_header_with_device_code_gets_it(path: str) -> None:
    source = "#pragma once\n__device__ inline int f() { return 1; }\n"
    assert hip(source, path) == source.replace("once\n", "once\n" + ADDED)


def test_an_own_header_in_front_of_the_runtimes_may_need_it_before() -> None:
    source = '#include "mine.h"\n#include <cuda_runtime.h>\n' + KERNEL
    assert hip(source).startswith(ADDED + '#include "mine.h"\n')


def test_it_can_be_left_out() -> None:
    assert translate(KERNEL, path="a.cu", options=Options(implicit_runtime=False)).output.decode() == KERNEL


@pytest.mark.parametrize("head", ["", "// L\n", "#pragma once\n", "\ufeff", "#ifndef A\n#define A\n"])
def test_it_is_added_once_only(head: str) -> None:
    once = hip(head + KERNEL)
    assert hip(once) == once


@pytest.mark.parametrize(
    "source", ["#pragma once cudaFree", "#ifndef A\n#define A cudaFree(p)", "#pragma once\ncudaFree"]
)
def test_a_head_that_ends_with_the_file_is_read_once(source: str) -> None:
    """In a process of its own: reading such a head must come to an end."""
    script = f"from hipify_py import translate; print(translate({source!r}, path='a.cu').counts.converted)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=1800, check=True)
    assert run.stdout.strip() == "1"


@pytest.mark.parametrize("name", ["N", "T", "TX", "min(a, b)"])
def test_the_runtime_goes_in_front_of_macros_that_its_headers_trip_over(name: str) -> None:
    source = f"// Adds.\n#define {name} 1024\n#include <stdio.h>\n#include <cuda_runtime.h>\n__global__ void k();\n"
    output = translate(source, path="a.cu").output.decode()
    assert output == (
        f"// Adds.\n#include <hip/hip_runtime.h>\n#define {name} 1024\n#include <stdio.h>\n__global__ void k();\n"
    )


def test_other_macros_do_not_move_the_runtime() -> None:
    source = "#define SIZE 1024\n#include <stdio.h>\n#include <cuda_runtime.h>\n__global__ void k();\n"
    assert translate(source, path="a.cu").output.decode() == source.replace("cuda_runtime", "hip/hip_runtime")


@pytest.mark.parametrize(
    ("head", "is_open"),
    [
        ("#if !defined(A_H)\n#define A_H\n{}#endif\n", True),
        ("#ifndef A_H\n/* of a.h */\n#define A_H\n{}#endif\n", True),
        ("#ifndef A_H\n#define A_H\n#ifndef B_H\n#define B_H\n{}#endif\n#endif\n", True),
        ("#ifndef N\n#define N 4\n#endif\n#ifdef __CUDACC__\n{}#endif\n", False),
        ("#ifndef A_H\n#define B_H\n{}#endif\n", False),
        ("#if !defined(A_H) && defined(B)\n#define A_H\n{}#endif\n", False),
        ("// #ifndef A_H\n// #define A_H\n#ifdef B\n{}#endif\n", False),
    ],
)
def test_device_code_of_a_header_is_open_where_nothing_but_guards_are_around_it(head: str, is_open: bool) -> None:
    source = head.replace("{}", "inline __device__ int f() { return threadIdx.x; }\n")
    assert (ADDED in hip(source, "a.h")) == is_open


@pytest.mark.parametrize(
    "code",
    [
        "struct __align__(16) Pair { float a[4]; };",
        "typedef cudaStream_t Queue;",
        "static __device__ int counter;",
        "template <typename T> __global__ void k(T *);",
        "namespace a { extern __constant__ float table[4]; }",
        "using V = float4;",
    ],
)
@pytest.mark.parametrize("included", ["#include <cuda_runtime.h>", "#include <vector>"])
def test_code_in_front_of_the_includes_finds_the_runtime(code: str, included: str) -> None:
    """nvcc has included it before the first line, wherever the source does so once more."""
    output = hip(f"// head\n{code}\n{included}\nvoid f() {{ cudaDeviceSynchronize(); }}\n")
    assert output.startswith("// head\n" + ADDED)
    assert output.count(ADDED) == 1
    assert hip(output) == output


def test_a_macro_in_front_of_the_includes_needs_nothing_yet() -> None:
    head, tail = "#define BOTH __host__ __device__\n", "BOTH int f() { return 1; }\n"
    assert hip(f"{head}#include <cuda_runtime.h>\n{tail}") == head + ADDED + tail


@pytest.mark.parametrize(
    ("above", "comment"),
    [
        ("// Licence: MIT\n\n", "// CUDA headers\n"),
        ("#pragma once\n", "// What it needs.\n// Two of them.\n"),
        ("#pragma once\n\n", "/* Sums rows. */\n"),
        ("/* Sums rows. */\n", "// internal imports\n"),
        ("", "// Includes\n"),
        ("\ufeff", "// Includes\n"),
    ],
)
def test_it_stands_above_the_comment_that_heads_the_includes(above: str, comment: str) -> None:
    tail = comment + "#include <vector>\n" + KERNEL
    assert hip(above + tail) == above + ADDED + tail


@pytest.mark.parametrize(
    "head",
    ["// Sums rows.\n", "/* Sums\n   rows. */\n// and more\n", "#pragma once\n// SPDX-License-Identifier: MIT\n"],
)
def test_it_stands_below_what_describes_the_file(head: str) -> None:
    tail = "#include <vector>\n" + KERNEL
    assert hip(head + tail) == head + ADDED + tail


def test_the_comment_of_a_function_stays_with_it() -> None:
    tail = "// Doubles.\n" + KERNEL
    assert hip("#pragma once\n\n" + tail, "a.cuh") == "#pragma once\n\n" + ADDED + tail


@pytest.mark.parametrize("header", ["thrust/sort.h", "cub/cub.cuh", "curand_kernel.h", "cusparse.h", "nccl.h"])
def test_a_library_that_brings_the_runtime_is_enough(header: str) -> None:
    assert ADDED not in hip(f"#include <{header}>\n" + KERNEL)


@pytest.mark.parametrize("name", ["min(a, b)", "max(a, b)", "N"])
def test_host_code_gets_the_runtime_in_front_of_such_macros_too(name: str) -> None:
    head, tail = f"#define {name} 4\n", "int f() { return cudaDeviceSynchronize(); }\n"
    output = hip(f"// Host.\n{head}#include <cuda_runtime.h>\n{tail}", "host.cpp")
    assert output == "// Host.\n" + ADDED + head + tail.replace("cuda", "hip")
    assert hip(output, "host.cpp") == output


def test_other_macros_of_host_code_leave_the_include_where_it_stands() -> None:
    source = "#define SIZE 4\n#include <cuda_runtime.h>\nint f() { return cudaDeviceSynchronize(); }\n"
    assert hip(source, "host.cpp") == source.replace("cuda_runtime", "hip/hip_runtime").replace("cudaD", "hipD")


@pytest.mark.parametrize("name", ["index(x, y)", "real"])
def test_a_kernel_file_gets_the_runtime_in_front_of_ordinary_words(name: str) -> None:
    """nvcc has included the runtime, and the C library with its `index`, before the macro."""
    source = f"#define {name} 4\n#include <cuda_runtime.h>\n{KERNEL}"
    assert hip(source).startswith(ADDED)
    assert not hip(source, "a.cpp").startswith(ADDED)
