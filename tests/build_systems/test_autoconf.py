"""The programs that configure compiles, the names that it looks for, and macros of a project's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import Options
from hipify_py.core.translation import Translation
from hipify_py.project.api import convert
from hipify_py.translator.translate import translate_program

PLATFORM = "#define __HIP_PLATFORM_AMD__ 1"


def translate(data: bytes, name: str) -> Translation:
    return translate_build_file(data, name, Options(), translate_source=translate_program)


def run(text: str, name: str = "configure.ac") -> Translation:
    begun = f"dnl cuda\n{text}"
    done = translate(begun.encode(), name)
    assert translate(done.output, name).output == done.output
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
        ("AC_TRY_LINK_FUNC([cudaFree], [x=1])", "AC_TRY_LINK_FUNC([hipFree], [x=1])"),
        (
            "AC_EGREP_HEADER([cudaMalloc|cudaFree], [cuda_runtime.h], [x=1])",
            'CPPFLAGS="$CPPFLAGS -D__HIP_PLATFORM_AMD__"\n'
            "AC_EGREP_HEADER([hipMalloc|hipFree], [hip/hip_runtime.h], [x=1])",
        ),
        ("AC_EGREP_HEADER([cudaMalloc], [mine.h], [x=1])", "AC_EGREP_HEADER([cudaMalloc], [mine.h], [x=1])"),
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
        "AC_RUN_IFELSE([AC_LANG_PROGRAM([\n  [\n    #define __HIP_PLATFORM_AMD__ 1\n    #include <stdio.h>\n"
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
        ("AC_CHECK_FUNCS_ONCE([malloc cudaFree])", "HAVE_CUDAFREE", "HAVE_HIPFREE"),
        ("AC_CHECK_DECLS_ONCE([malloc, cudaFree])", "HAVE_DECL_CUDAFREE", "HAVE_DECL_HIPFREE"),
        ("AC_CHECK_HEADERS_ONCE([cuda.h])", "HAVE_CUDA_H", "HAVE_HIP_HIP_RUNTIME_H"),
        ("AC_CHECK_TYPES([cudaStream_t *])", "HAVE_CUDASTREAM_T_P", "HAVE_HIPSTREAM_T_P"),
        ("AC_CHECK_SIZEOF([CUdeviceptr])", "SIZEOF_CUDEVICEPTR", "SIZEOF_HIPDEVICEPTR_T"),
        ("AC_CHECK_ALIGNOF([CUdeviceptr])", "ALIGNOF_CUDEVICEPTR", "ALIGNOF_HIPDEVICEPTR_T"),
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


@pytest.mark.parametrize(
    "text",
    [
        'AC_LANG_PROGRAM([[#include <stdio.h>]], [[const char* s = "MY_X(cuda, cudaFree)"; int cudart; MY_X(cudart, 0);]])',
        "AC_MSG_NOTICE([MY_X(cudart, cudaFree)])",
        "AC_MSG_ERROR([no AC_CHECK_LIB(cudart, cudaFree)])",
        "AC_ARG_WITH([cuda], [FI_CHECK([cuda.h], [cudart], [cudaFree])], [x=1])",
        "AC_LANG_SOURCE([[// FI_CHECK(cudart, cudaFree)]])",
    ],
)
def test_calls_within_code_and_texts_are_no_macros(text: str) -> None:
    assert output(text) == text


def test_code_that_looks_like_a_macro_is_translated_as_code() -> None:
    text = "AC_LANG_PROGRAM([[#define MY_X(a, b) b]], [[int cudart; MY_X(cudart, cudaFree(0));]])"
    assert output(text) == text.replace("cudaFree", "hipFree")


@pytest.mark.parametrize(
    ("check", "was", "now"),
    [
        ("AC_CHECK_FUNCS([cudaMallocAsync])", "ac_cv_func_cudaMallocAsync", "ac_cv_func_hipMallocAsync"),
        ("AC_CHECK_FUNC(cudaFree)", "ac_cv_func_cudaFree", "ac_cv_func_hipFree"),
        ("AC_CHECK_HEADERS([stdio.h cuda.h])", "ac_cv_header_cuda_h", "ac_cv_header_hip_hip_runtime_h"),
        ("AC_CHECK_LIB(cudart, cudaMalloc)", "ac_cv_lib_cudart_cudaMalloc", "ac_cv_lib_amdhip64_hipMalloc"),
        ("AC_CHECK_LIB(cudart, main)", "ac_cv_lib_cudart_main", "ac_cv_lib_amdhip64_main"),
        ("AC_SEARCH_LIBS(cudaMalloc, cudart)", "ac_cv_search_cudaMalloc", "ac_cv_search_hipMalloc"),
        ("AC_CHECK_SIZEOF([CUdeviceptr])", "ac_cv_sizeof_CUdeviceptr", "ac_cv_sizeof_hipDeviceptr_t"),
        ("AC_CHECK_DECLS([free, cudaFree])", "ac_cv_have_decl_cudaFree", "ac_cv_have_decl_hipFree"),
        ("AC_CHECK_TYPE([cudaStream_t])", "ac_cv_type_cudaStream_t", "ac_cv_type_hipStream_t"),
        (
            "AC_CHECK_MEMBER([struct cudaDeviceProp.major])",
            "ac_cv_member_struct_cudaDeviceProp_major",
            "ac_cv_member_struct_hipDeviceProp_t_major",
        ),
    ],
)
def test_variables_that_keep_what_was_found(check: str, was: str, now: str) -> None:
    use = 'if test "x$NAME" = xyes; then echo ${NAME+set} "$NAME_works"; fi\nAC_MSG_RESULT([$NAME])\n'
    comment = f"# {was}\n"
    given = f"{check}\n{use.replace('NAME', was)}{comment}"
    assert output(given).endswith(use.replace("NAME_works", f"{was}_works").replace("NAME", now) + comment)


def test_variables_of_names_that_stay() -> None:
    text = "AC_CHECK_FUNCS([malloc])\nx=$ac_cv_func_malloc y=$ac_cv_func_cudaMalloc\n"
    assert output(text) == text


def test_names_that_are_no_utf_8() -> None:
    begun = b"dnl cuda\nAC_CHECK_DECLS([cudaMalloc \xff\xfe x, cudaFree])\n"
    done = translate(begun, "configure.ac")
    assert done.output == begun.replace(b"cudaMalloc", b"hipMalloc").replace(b"cudaFree", b"hipFree")
    assert [found.name for found in done.findings] == ["HAVE_DECL_CUDAMALLOC____X", "HAVE_DECL_CUDAFREE"]


@pytest.mark.parametrize(
    ("includes", "after"),
    [
        ("#include <nccl.h>", "#include <rccl/rccl.h>"),
        ("#include <cudnn.h>", "#include <miopen/miopen.h>"),
        ("#include <math.h>\n# include <cublas_v2.h>", "#include <math.h>\n# include <hipblas/hipblas.h>"),
        (
            "#ifdef DRIVER\n#include <cuda.h>\n#else\n#include <cuda_runtime_api.h>\n#endif",
            "#ifdef DRIVER\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime_api.h>\n#endif",
        ),
    ],
)
def test_the_macro_is_defined_where_a_program_begins(includes: str, after: str) -> None:
    assert output(f"AC_LANG_PROGRAM([[{includes}]], [[]])") == f"AC_LANG_PROGRAM([[{PLATFORM}\n{after}]], [[]])"


@pytest.mark.parametrize("includes", ["#include <math.h>", f"{PLATFORM}\n#include <cuda.h>"])
def test_the_macro_is_not_defined_without_need(includes: str) -> None:
    assert output(f"AC_LANG_PROGRAM([[{includes}]], [[]])").count(PLATFORM) == includes.count(PLATFORM)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("AC_CHECK_HEADERS([cuda.h])\nAC_CHECK_HEADERS([cublas_v2.h])\n  AC_CHECK_HEADER(cufft.h)\n", 1),
        ("AC_CHECK_HEADERS([cuda.h], [AC_CHECK_HEADER(cufft.h, [a=1])])\n", 1),
        ("AC_CHECK_HEADERS([cuda.h], [\n  AC_CHECK_HEADER(cufft.h)\n  x=1\n  AC_CHECK_HEADER(nccl.h)\n])\n", 1),
        ("AC_CHECK_HEADERS([cuda.h])\nx=1\nAC_CHECK_HEADERS([cublas_v2.h])\n", 2),
        ("AC_CHECK_HEADERS([cuda.h], [CPPFLAGS=$old])\nAC_CHECK_HEADERS([cublas_v2.h])\n", 2),
        ("AC_CHECK_HEADERS([cuda.h], [CPPFLAGS=$old; AC_CHECK_HEADER(cufft.h)])\n", 2),
        ("if x; then AC_CHECK_HEADER(cuda.h); fi\nAC_CHECK_HEADER(cuda.h)\n", 2),
    ],
)
def test_the_macro_is_defined_once_for_checks_beside_each_other(text: str, times: int) -> None:
    assert output(text).count("-D__HIP_PLATFORM_AMD__") == times


def test_the_last_include_of_an_argument_is_taken_out_without_what_follows_it() -> None:
    before = "AC_LINK_IFELSE([AC_LANG_PROGRAM([[\n#include <cuda.h>\n#include <cuda_runtime.h>]], [[cudaFree(0);]])])\n"
    after = f"AC_LINK_IFELSE([AC_LANG_PROGRAM([[\n{PLATFORM}\n#include <hip/hip_runtime.h>\n]], [[hipFree(0);]])])\n"
    assert output(before) == after


def test_quotes_for_a_later_shell_belong_to_the_value_of_an_option() -> None:
    before = 'G="$G -gencode arch=compute_${C},\\\\\\"code=compute_${C}\\\\\\""\n'
    before += 'H="-O2 -Xcompiler \\"$PIC -g\\""\nI="-Xcompiler \\"-DA=\'b\'\\""\n'
    assert output(before) == 'G="$G"\nH="-O2 $PIC -g"\nI="\\"-DA=\'b\'\\""\n'


def test_each_library_that_is_searched() -> None:
    before = "AC_SEARCH_LIBS([cufftPlan1d], [m cufft])\nAC_SEARCH_LIBS(cudaFree, cudart cuda)\n"
    after = "AC_SEARCH_LIBS([hipfftPlan1d], [m hipfft])\nAC_SEARCH_LIBS(hipFree, amdhip64 amdhip64)\n"
    assert output(before) == after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g=`echo $A | sed 's/\\(..\\)/-gencode arch=compute_\\1,code=sm_\\1/'`\n", [("HIP603", "-gencode")]),
        ("v=`$NVCC --version | cut -d' ' -f5`\n", [("HIP622", "$NVCC")]),
        ("v=$( ${NVCC} --help | grep std )\n", [("HIP605", "${NVCC} --help")]),
        ("v=`gcc --version`\nNVCC --help\n", []),
        ("AC_CHECK_LIB([cublas], [cublasInit], [a=1])\n", [("HIP601", "cublasInit")]),
    ],
)
def test_what_configure_reads_from_nvcc_and_looks_for_in_vain(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(finding.id, finding.name) for finding in run(text).findings] == expected


@pytest.mark.parametrize(
    "given",
    [
        "CUDA_HOME=$withval",
        "AC_ARG_WITH(gpu, [], [CUDA_HOME=$withval], [])",
        "AC_SUBST(CUDA_HOME, $gpu_folder)",
        "AC_SUBST([CUDA_HOME])",
        "if test x = y; then CUDA_HOME=z; fi",
    ],
)
def test_a_folder_that_configure_sets_keeps_its_name(given: str) -> None:
    text = f'{given}\nLDFLAGS="-L$CUDA_HOME/lib64"\nCPPFLAGS="-I${{CUDA_HOME}}/include"\n'
    assert output(text) == (
        f'{given}\nLDFLAGS="-L$CUDA_HOME/lib"\nCPPFLAGS="-I${{CUDA_HOME}}/include -D__HIP_PLATFORM_AMD__"\n'
    )


@pytest.mark.parametrize(
    "given", ["", "# CUDA_HOME=/opt/x", "dnl CUDA_HOME=/opt/x", 'make GPU_CUDA_HOME="$CUDA_HOME"', "x=$CUDA_HOME/y"]
)
def test_a_folder_that_only_the_environment_sets_is_rocms(given: str) -> None:
    assert output(f'{given}\nLDFLAGS="-L$CUDA_HOME/lib64"\n').endswith('\nLDFLAGS="-L$ROCM_PATH/lib"\n')


def test_a_folder_that_another_file_of_configure_sets_keeps_its_name(tmp_path: Path) -> None:
    files = {
        "configure.ac": 'AC_INIT(scan, 1)\nCHECK_GPU\nLDFLAGS="-L$CUDA_HOME/lib64"\nAC_CONFIG_FILES([Makefile])\n',
        "m4/gpu.m4": "AC_DEFUN([CHECK_GPU], [AC_SUBST(CUDA_HOME, $with_gpu)])\n",
        "Makefile.in": "CUDA_HOME ?= @CUDA_HOME@\nall:\n\tg++ -I$(CUDA_HOME)/include a.cpp\n",
    }
    for name, text in files.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    convert([tmp_path / "in"], output=tmp_path / "out")
    assert 'LDFLAGS="-L$CUDA_HOME/lib"\n' in (tmp_path / "out/configure.ac").read_text()
    assert (tmp_path / "out/Makefile.in").read_text() == (
        "ROCM_PATH ?= @CUDA_HOME@\nall:\n\tg++ -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__ a.cpp\n"
    )


def test_nvcc_among_arguments_without_blanks() -> None:
    assert output("AC_CHECK_PROG(HAS_NVCC,nvcc,yes,no,$GPU/bin)\n") == "AC_CHECK_PROG(HAS_NVCC,hipcc,yes,no,$GPU/bin)\n"
