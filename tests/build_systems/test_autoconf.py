"""The programs that configure compiles, the names that it looks for, and macros of a project's own."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.options import Options
from hipify_py.translation import Translation

PLATFORM = "#define __HIP_PLATFORM_AMD__ 1"


def run(text: str, name: str = "configure.ac") -> Translation:
    begun = f"dnl cuda\n{text}"
    done = translate_build_file(begun.encode(), name, Options())
    assert translate_build_file(done.output, name, Options()).output == done.output
    return done


def output(text: str, name: str = "configure.ac") -> str:
    return run(text, name).output.decode().removeprefix("dnl cuda\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cuda_runtime_api.h>]], [[cudaFree(0);]])], [a=1], [b=1])",
            f"AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[{PLATFORM}\n#include <hip/hip_runtime_api.h>]], [[hipFree(0);]])], "
            "[a=1], [b=1])",
        ),
        (
            "AC_TRY_COMPILE([#include <cuda.h>], [cuInit(0);], [ok=yes])",
            f"AC_TRY_COMPILE([{PLATFORM}\n#include <hip/hip_runtime.h>], [hipInit(0);], [ok=yes])",
        ),
        (
            "AC_LANG_CONFTEST([AC_LANG_SOURCE([[__global__ void k() {} int main() { k<<<1, 1>>>(); cudaSuccess; }]])])",
            "AC_LANG_CONFTEST([AC_LANG_SOURCE([[__global__ void k() {} int main() { hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0); hipSuccess; }]])])",
        ),
        (
            "AC_LINK_IFELSE([AC_LANG_CALL([], [cudaDeviceSynchronize])], [x=1])",
            "AC_LINK_IFELSE([AC_LANG_CALL([], [hipDeviceSynchronize])], [x=1])",
        ),
        ("AC_CHECK_DECL([CUDA_SUCCESS], [x=1])", "AC_CHECK_DECL([hipSuccess], [x=1])"),
        ("AC_CHECK_TYPE(cudaStream_t, [x=1])", "AC_CHECK_TYPE(hipStream_t, [x=1])"),
        ("AC_CHECK_SIZEOF([CUdeviceptr])", "AC_CHECK_SIZEOF([hipDeviceptr_t])"),
        (
            'AC_LANG_PROGRAM([[#include <stdio.h>]], [[printf("cudaMalloc of %s", name);]]) # cudaMalloc',
            'AC_LANG_PROGRAM([[#include <stdio.h>]], [[printf("cudaMalloc of %s", name);]]) # cudaMalloc',
        ),
        (
            "FI_CHECK([cuda], [cuda_runtime.h], [cudart], [cudaMemcpy], [-lcuda])",
            'CPPFLAGS="$CPPFLAGS -D__HIP_PLATFORM_AMD__"\n'
            "FI_CHECK([cuda], [hip/hip_runtime.h], [amdhip64], [hipMemcpy], [-lamdhip64])",
        ),
        ("FI_CHECK([cudart], [cudaMemcpy])", "FI_CHECK([amdhip64], [hipMemcpy])"),
        ("MY_TELL([cuda], [cudart])", "MY_TELL([cuda], [cudart])"),
    ],
)
def test_programs(before: str, after: str) -> None:
    assert output(before) == after


def test_the_macro_is_defined_before_headers_are_looked_for() -> None:
    text = "AS_IF([test x], [\n  AC_CHECK_HEADERS([cuda.h cublas_v2.h], [a=1])\n])\nif x; then AC_CHECK_HEADER(cuda.h); fi\n"
    define = 'CPPFLAGS="$CPPFLAGS -D__HIP_PLATFORM_AMD__"'
    assert output(text) == (
        f"AS_IF([test x], [\n  {define}\n  AC_CHECK_HEADERS([hip/hip_runtime.h hipblas/hipblas.h], [a=1])\n])\n"
        f"if x; then {define}; AC_CHECK_HEADER(hip/hip_runtime.h); fi\n"
    )


def test_a_program_over_several_lines() -> None:
    text = (
        "AC_RUN_IFELSE([AC_LANG_PROGRAM([\n  [\n    #include <stdio.h>\n    #include <cuda.h>\n  ]],[[\n"
        "    int v[2]; cudaError_t e = cudaRuntimeGetVersion(v); // it's (\n    return e != cudaSuccess;\n  ]])],\n"
        '  [LIBS="$LIBS -lcudart"])\n'
    )
    assert output(text, "m4/cuda.m4") == (
        "AC_RUN_IFELSE([AC_LANG_PROGRAM([\n  [\n    #include <stdio.h>\n    #define __HIP_PLATFORM_AMD__ 1\n"
        "    #include <hip/hip_runtime.h>\n  ]],[[\n"
        "    int v[2]; hipError_t e = hipRuntimeGetVersion(v); // it's (\n    return e != hipSuccess;\n  ]])],\n"
        '  [LIBS="$LIBS -lamdhip64"])\n'
    )


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        ("AC_CHECK_FUNCS([malloc cudaMalloc])", "HAVE_CUDAMALLOC", "HAVE_HIPMALLOC"),
        ("AC_CHECK_DECLS([strlen, cuMemAlloc])", "HAVE_DECL_CUMEMALLOC", "HAVE_DECL_HIPMALLOC"),
        (
            "AC_CHECK_MEMBERS([struct cudaDeviceProp.pciDomainID])",
            "HAVE_STRUCT_CUDADEVICEPROP_PCIDOMAINID",
            "HAVE_STRUCT_HIPDEVICEPROP_T_PCIDOMAINID",
        ),
        ("AC_CHECK_TYPES([cudaStream_t])", "HAVE_CUDASTREAM_T", "HAVE_HIPSTREAM_T"),
    ],
)
def test_macros_that_get_other_names(text: str, was: str, now: str) -> None:
    (found,) = run(text).findings
    assert (found.id, found.name) == ("HIP623", was)
    assert now in found.message


def test_what_hip_lacks_in_a_program_is_reported_at_its_place() -> None:
    (found,) = run("\nAC_TRY_COMPILE([], [cudaFuncGetName(0, 0);])").findings
    assert (found.id, found.line, found.column) == ("HIP101", 3, 21)


def test_comments_within_brackets_end_before_the_bracket() -> None:
    text = "AS_IF([x], [# nvcc of cudart (]\n, [AC_CHECK_LIB([cudart], [cudaFree], [y])])\n"
    assert output(text) == "AS_IF([x], [# nvcc of cudart (]\n, [AC_CHECK_LIB([amdhip64], [hipFree], [y])])\n"
