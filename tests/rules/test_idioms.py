"""Idioms of real CUDA projects, each reduced to a line or two."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate

BARE = Options(implicit_runtime=False)


def run(source: str, path: str = "a.cu") -> Translation:
    return translate(source, path=path, options=BARE)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("auto f() -> cudaError_t;", "auto f() -> hipError_t;"),
        ("auto l = [&](int k) -> cudaStream_t { return 0; };", "auto l = [&](int k) -> hipStream_t { return 0; };"),
        ("const ::cudaError_t s = f();", "const ::hipError_t s = f();"),
        ("API_FN ::cudaError_t g();", "API_FN ::hipError_t g();"),
        ("void CUDART_CB f(cudaStream_t s);", "void f(hipStream_t s);"),
        (
            "namespace cub = hipcub;\ncub::BlockReduce<int, 3> r;",
            "namespace cub = hipcub;\nhipcub::BlockReduce<int, 3> r;",
        ),
        (
            "#ifdef HIP\n#define cudaStream_t hipStream_t\n#endif\ncudaStream_t s;",
            "#ifdef HIP\n#define cudaStream_t hipStream_t\n#endif\nhipStream_t s;",
        ),
        (
            "#define cudaFree(p) my_free(p)\nvoid f() { cudaFree(p); }",
            "#define cudaFree(p) my_free(p)\nvoid f() { cudaFree(p); }",
        ),
        ("#if __has_include(<cuda_fp8.h>)\n#endif", "#if __has_include(<hip/hip_fp8.h>)\n#endif"),
        ("#define HEADER <cuda_runtime.h>\ncudaStream_t s;", "#define HEADER <hip/hip_runtime.h>\nhipStream_t s;"),
        (
            "void f() { k<<<g, b>>>\n   (\n   a, b); }",
            "void f() { hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0,\n   a, b); }",
        ),
        (
            "namespace n { namespace cub = ::cub; using cub::BlockReduce; }",
            "namespace n { namespace cub = ::hipcub; using hipcub::BlockReduce; }",
        ),
        (
            "void f() { k<<<g, b, 0, {}>>>(p); }",
            "void f() { hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, hipStream_t{}, p); }",
        ),
        ("p = __cvta(x), q = 2 * __ldg(p);", "p = __cvta(x), q = 2 * __ldg(p);"),
    ],
)
def test_the_idiom_is_converted(source: str, expected: str) -> None:
    assert run(source).output.decode() == expected


@pytest.mark.parametrize(
    "source",
    [
        "typedef struct { int a; } cudaFooDesc; void f(cudaFooDesc *d);",
        "typedef enum { A } cudaBarKind; cudaBarKind k;",
        "typedef void (*cudaCallback)(int); void f(cudaCallback c);",
        "template <typename cuIdx_t> void g(cuIdx_t x);",
        "template <int cudaCount> struct X { int a[cudaCount]; };",
        "int a = 3, cudaOther; int g() { return cudaOther; }",
        "static void (*cudaHook)(int); void g() { cudaHook(1); }",
        "struct S { unsigned cuBits : 3; };",
        "void f() { goto cudaLabel; cudaLabel: ; }",
        "auto [cudaFooA, cudaFooB] = pair();",
        'static const char *const cudaText = "x"; void g() { puts(cudaText); }',
        "#define CUBLAS_CHECK(x) (x)\nvoid f() { CUBLAS_CHECK(1); NCCLCHECK(2); CUDNN_CALL(3); }",
    ],
)
def test_names_of_the_users_own_are_not_reported(source: str) -> None:
    assert [finding for finding in run(source).findings if finding.id == "HIP102"] == []


def test_a_call_behind_a_macro_is_no_declaration() -> None:
    assert [finding.id for finding in run("void f() { CHECKED cudaFooBar(x); }").findings] == ["HIP102"]


@pytest.mark.parametrize(
    ("source", "path", "adds"),
    [
        ("#ifdef __CUDACC__\n__device__ void f();\n#endif\n", "a.h", False),
        ("#define KERNEL __global__\nint cudaX;\n", "a.h", False),
        ("#ifndef A_H\n#define A_H\n__device__ void f();\n#endif\n", "a.h", True),
        ("#ifdef __CUDACC__\n__device__ void f();\n#endif\n", "a.cuh", True),
        ("#include <cuda_runtime_api.h>\n__global__ void k() {}\n", "a.cu", True),
        ("#include <cuda_runtime_api.h>\ncudaStream_t s;\n", "a.cpp", False),
    ],
)
def test_the_runtime_header_is_added_where_every_includer_has_a_runtime(source: str, path: str, adds: bool) -> None:
    assert (b"#include <hip/hip_runtime.h>" in translate(source, path=path).output) is adds


def test_an_own_header_in_front_brings_the_runtime_to_the_top_once() -> None:
    source = '#include "own.h"\n#include <cuda_runtime.h>\n__global__ void k() {}'
    expected = '#include <hip/hip_runtime.h>\n#include "own.h"\n__global__ void k() {}'
    assert translate(source, path="a.cu").output.decode() == expected


def test_a_quoted_folder_called_cuda_is_the_projects() -> None:
    findings = run('#include "cuda/scatter.cuh"\n#include <cuda/std/mdspan>\ncudaStream_t s;').findings
    assert [(finding.id, finding.line) for finding in findings] == [("HIP107", 2)]


def test_a_macro_that_hip_lacks_is_a_warning_in_a_condition_and_an_error_in_code() -> None:
    findings = run("#if defined(__CUDACC_DEBUG__)\n#endif\nint v = __CUDACC_DEBUG__;").findings
    assert [(finding.id, finding.severity, finding.line) for finding in findings] == [
        ("HIP403", "warning", 1),
        ("HIP101", "error", 3),
    ]


def test_a_target_of_the_newest_rocm_only_is_noted() -> None:
    (note,) = run("auto x = cudaLaunchAttributeClusterDimension;").findings
    assert note.id == "HIP103"
    assert "ROCm 10.0" in note.message


def test_what_is_said_of_a_symbol_is_said_once_a_file() -> None:
    findings = run("CUdeviceptr a; CUdeviceptr b;").findings
    assert [(finding.id, finding.column) for finding in findings] == [("HIP103", 1)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "struct T { int memoryType; };\nvoid f() { cudaPointerAttributes a; use(a.memoryType); }\nvoid g(T a) { use(a.memoryType); }",
            "struct T { int memoryType; };\nvoid f() { hipPointerAttribute_t a; use(a.type); }\nvoid g(T a) { use(a.memoryType); }",
        ),
        (
            "int f(cudaPointerAttributes *a) { { } return a->memoryType; }\nint g(T *a) { return a->memoryType; }",
            "int f(hipPointerAttribute_t *a) { { } return a->type; }\nint g(T *a) { return a->memoryType; }",
        ),
        (
            "int f(cudaPointerAttributes *a);\nint g() { return a->memoryType; }",
            "int f(hipPointerAttribute_t *a);\nint g() { return a->memoryType; }",
        ),
    ],
)
def test_members_go_by_the_variable_in_scope(source: str, expected: str) -> None:
    assert run(source).output.decode() == expected


def test_the_users_own_pasted_names_are_not_reported() -> None:
    result = run("#define C(n) cuda_##n##_kernel\n#define D(n) my##n")
    assert not result.findings
    assert result.counts.total == 0


def test_an_order_shorter_than_the_call_drops_the_rest() -> None:
    source = "cudnnSetConvolution2dDescriptor(c, ph, f(a, b), u, v, 1, 2, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT);"
    assert run(source).output == b"miopenInitConvolutionDescriptor(c, miopenConvolution, ph, f(a, b), u, v, 1, 2);"


def test_moved_arguments_are_translated_on_the_way() -> None:
    source = "cudnnSoftmaxForward(h, CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_CHANNEL, &a, x, p(cudaFree), &b, y, q);"
    assert run(source).output == (
        b"miopenSoftmaxForward_V2(h, &a, x, p(hipFree), &b, y, q, MIOPEN_SOFTMAX_FAST, MIOPEN_SOFTMAX_MODE_CHANNEL);"
    )


def test_a_call_with_too_few_arguments_to_reorder_is_reported() -> None:
    result = run("cudnnSoftmaxForward(ARGUMENTS);")
    assert result.output == b"miopenSoftmaxForward_V2(ARGUMENTS);"
    assert "HIP104" in [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    "source",
    [
        "#include <hip/hip_runtime.h>\n__device__ int f() { return 1; }\nvoid g() { k<<<1, 2>>>(p); }",
        '#include "ck/config.hpp"\n__device__ inline int f() { return 1; }',
    ],
)
def test_code_that_is_hip_already_stays(source: str) -> None:
    result = translate(source, path="a.cu")
    assert result.output.decode() == source
    assert result.findings == []


def test_the_runtime_inside_extern_c_is_reported() -> None:
    result = run('extern "C" {\n#include <cuda_runtime_api.h>\n}\nextern "C" {\n}\n#include <cuda.h>\n')
    assert [(finding.id, finding.line) for finding in result.findings] == [("HIP111", 2)]


@pytest.mark.parametrize(
    ("source", "expected", "ids"),
    [
        (
            "typedef __hip_bfloat16 __nv_bfloat16;\n__nv_bfloat16 x;",
            "typedef __hip_bfloat16 __nv_bfloat16;\n__hip_bfloat16 x;",
            [],
        ),
        ("typedef struct { int x; } cudaExtent;", "typedef struct { int x; } hipExtent;", []),
        ("enum cudaMemPoolAttr {};", "enum hipMemPoolAttr {};", []),
        (
            "#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#else\ntypedef int cudaStream_t;\n#endif\ncudaStream_t s;",
            "#ifdef WITH_GPU\n#include <hip/hip_runtime.h>\n#else\ntypedef int hipStream_t;\n#endif\nhipStream_t s;",
            [],
        ),
        (
            "#include <hip/hip_runtime.h>\nenum cudaMemPoolAttr {};",
            "#include <hip/hip_runtime.h>\nenum cudaMemPoolAttr {};",
            ["HIP113"],
        ),
        ("using cudaStream_t = hipStream_t;", "using cudaStream_t = hipStream_t;", []),
        ("typedef struct CUstream_st *cudaStream_t;", "typedef struct ihipStream_t *hipStream_t;", []),
        ("struct cudaDeviceProp;\nstruct cudaDeviceProp p;", "struct hipDeviceProp_t;\nstruct hipDeviceProp_t p;", []),
        ("using stream = cudaStream_t;", "using stream = hipStream_t;", []),
        ("struct float4 { float x; };", "struct float4 { float x; };", []),
    ],
)
def test_a_definition_under_an_api_types_name_follows_its_uses(source: str, expected: str, ids: list[str]) -> None:
    result = run(source)
    assert result.output.decode() == expected
    assert [finding.id for finding in result.findings] == ids


def test_a_macro_is_declared_even_where_nothing_else_looks_like_cuda() -> None:
    assert run("#pragma once\n#define cudaFooTry(x) (x)\n", "a.h").declared == {"cudaFooTry"}


def test_names_of_the_device_library_are_never_left_silently() -> None:
    result = run("unsigned f(unsigned v) { return __nv_bswap32(v) + __nv_unheard_of(v); }")
    assert result.output.decode() == "unsigned f(unsigned v) { return __builtin_bswap32(v) + __nv_unheard_of(v); }"
    assert [(finding.id, finding.name) for finding in result.findings] == [("HIP102", "__nv_unheard_of")]
