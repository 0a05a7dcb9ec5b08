"""Which names are the source's own: members of bases, names of namespaces and enumerations, `using`, left-out code."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

OWN = {
    "member of a base": "struct B { void cudaFree(void *); };\nstruct D : B { void f() { cudaFree(p); } };",
    "member of a base's base": (
        "struct A { void cudaFree(void *); };\nstruct B : public A {};\n"
        "class D final : protected virtual B { void f() { cudaFree(p); } };"
    ),
    "member of one of several bases": (
        "struct A {};\nstruct B { void cudaFree(void *); };\nstruct D : A, B { void f() { cudaFree(p); } };"
    ),
    "member of a template's instance as a base": (
        "template <class T> struct B { void cudaFree(void *); };\nstruct D : B<int> { void f() { cudaFree(p); } };"
    ),
    "member of a base in a namespace": (
        "namespace n { struct B { void cudaFree(void *); }; }\nstruct D : n::B { void f() { cudaFree(p); } };"
    ),
    "member of a base, in a function defined outside": (
        "struct B { void cudaFree(void *); };\nstruct D : B { void f(); };\nvoid D::f() { cudaFree(p); }"
    ),
    "member in a function defined outside": "struct S { void cudaFree(void *); int *f(); };\nint *S::f() { cudaFree(p); }",
    "member of a nested class": (
        "struct S { struct N { void cudaFree(void *); void f(); }; };\nvoid S::N::f() { cudaFree(p); }"
    ),
    "member in a constructor defined outside": "struct S { void cudaFree(void *); S(); };\nS::S() { cudaFree(p); }",
    "field of a base": "struct B { int cudaSuccess; };\nstruct D : B { int f() { return cudaSuccess; } };",
    "enumerator of a namespace": "namespace n { enum { cudaSuccess, X }; int f() { return cudaSuccess; } }",
    "enumerator of a named enumeration": "namespace n { enum E : int { X = 1, cudaSuccess = 2 }; E e = cudaSuccess; }",
    "enumerator, in another part of its namespace": (
        "namespace n { enum { cudaSuccess }; }\nnamespace n { int f() { return cudaSuccess; } }"
    ),
    "enumerator, in a function defined outside its namespace": (
        "namespace n { enum { cudaSuccess }; int f(); }\nint n::f() { return cudaSuccess; }"
    ),
    "enumerator of a class": "struct S { enum { cudaSuccess }; int f() { return cudaSuccess; } };",
    "enumerator of a base": "struct B { enum { cudaSuccess }; };\nstruct D : B { int f() { return cudaSuccess; } };",
    "enumerator of a function": "int f() { enum { cudaSuccess }; return cudaSuccess; }",
    "enumerator through using namespace": (
        "namespace n { enum { cudaSuccess }; }\nint f() { using namespace n; return cudaSuccess; }"
    ),
    "scoped enumerator": "enum class E { cudaSuccess, X = cudaSuccess };",
    "name through using": "namespace n { void cudaFree(void *); }\nvoid f() { using n::cudaFree; cudaFree(p); }",
    "member through using": "struct D : mine::B { using mine::B::cudaFree; void f() { cudaFree(p); } };",
    "type of a namespace": "namespace n { struct cudaDeviceProp { int x; }; cudaDeviceProp p; }",
    "type of a class": "struct S { struct cudaDeviceProp { int x; }; cudaDeviceProp p; };",
    "type of a function": "void f() { struct cudaDeviceProp { int x; }; cudaDeviceProp p; }",
    "alias of a namespace": "namespace n { using cudaError_t = int; cudaError_t e; }",
    "typedef of a namespace": "namespace n { typedef int cudaError_t; cudaError_t e; }",
    "variable of a condition": "int f() { if (int cudaSuccess = g()) { return cudaSuccess; } return 0; }",
    "caught": "void f() { try { g(); } catch (E &cudaSuccess) { use(cudaSuccess); } }",
    "structured binding": "int f() { auto [cudaSuccess, x] = g(); return cudaSuccess; }",
}
"""In each the name is the source's own, all through."""


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


@pytest.mark.parametrize("name", OWN)
def test_a_name_of_the_sources_own_stays(name: str) -> None:
    assert hip(OWN[name]) == OWN[name]


@pytest.mark.parametrize("name", OWN)
def test_the_same_name_elsewhere_is_the_apis(name: str) -> None:
    after = "\nvoid elsewhere(void *p) { cudaFree(p); cudaDeviceProp q; return cudaSuccess; }"
    assert hip(OWN[name] + after) == OWN[name] + after.replace("cuda", "hip").replace("DeviceProp", "DeviceProp_t")


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        (  # a base that depends on a template's parameter is not looked into
            "template <class T> struct B { void cudaFree(void *); };\n"
            "template <class T> struct D : B<T> { void f() { cudaFree(p); } };",
            "template <class T> struct B { void cudaFree(void *); };\n"
            "template <class T> struct D : B<T> { void f() { hipFree(p); } };",
        ),
        (
            "struct B { void cudaFree(void *); };\nstruct D : B { void f() { ::cudaFree(p); } };",
            "struct B { void cudaFree(void *); };\nstruct D : B { void f() { ::hipFree(p); } };",
        ),
        (
            "struct B { void cudaFree(void *); };\nstruct D { B b; void f() { cudaFree(p); b.cudaFree(p); } };",
            "struct B { void cudaFree(void *); };\nstruct D { B b; void f() { hipFree(p); b.cudaFree(p); } };",
        ),
        (
            "namespace n { enum class E { cudaSuccess }; int f() { return cudaSuccess; } }",
            "namespace n { enum class E { cudaSuccess }; int f() { return hipSuccess; } }",
        ),
        (
            "namespace n { enum { cudaSuccess }; }\nnamespace m { int f() { return cudaSuccess; } }",
            "namespace n { enum { cudaSuccess }; }\nnamespace m { int f() { return hipSuccess; } }",
        ),
        (
            "enum E { A = cudaSuccess, B = cudaErrorUnknown };",
            "enum E { A = hipSuccess, B = hipErrorUnknown };",
        ),
    ],
)
def test_what_is_not_found_by_the_language_is_the_apis(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected


# -- names that a scope takes up from the API


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        (
            "namespace gpu { using ::cudaError_t; }\ngpu::cudaError_t e; ::gpu::cudaError_t f;",
            "namespace gpu { using ::hipError_t; }\ngpu::hipError_t e; ::gpu::hipError_t f;",
        ),
        (
            "namespace gpu { using ::cudaMalloc; }\nvoid f() { gpu::cudaMalloc(&p, 1); }",
            "namespace gpu { using ::hipMalloc; }\nvoid f() { gpu::hipMalloc(&p, 1); }",
        ),
        (
            "namespace a { namespace gpu { using ::cudaError_t; } gpu::cudaError_t e; }\na::gpu::cudaError_t f;",
            "namespace a { namespace gpu { using ::hipError_t; } gpu::hipError_t e; }\na::gpu::hipError_t f;",
        ),
        (
            "namespace gpu { using cudaError_t = ::cudaError_t; }\ngpu::cudaError_t e;",
            "namespace gpu { using hipError_t = ::hipError_t; }\ngpu::hipError_t e;",
        ),
        (
            "namespace gpu { typedef ::cudaError_t cudaError_t; }\ngpu::cudaError_t e;",
            "namespace gpu { typedef ::hipError_t hipError_t; }\ngpu::hipError_t e;",
        ),
        (
            "struct S { using cudaError_t = ::cudaError_t; };\nS::cudaError_t e;",
            "struct S { using hipError_t = ::hipError_t; };\nS::hipError_t e;",
        ),
        (
            "namespace gpu { using ::cudaError_t; }\nnamespace g = gpu;\ng::cudaError_t e;",
            "namespace gpu { using ::hipError_t; }\nnamespace g = gpu;\ng::hipError_t e;",
        ),
        (
            "namespace a { using ::cudaError_t; }\nnamespace b { using a::cudaError_t; }\nb::cudaError_t e;",
            "namespace a { using ::hipError_t; }\nnamespace b { using a::hipError_t; }\nb::hipError_t e;",
        ),
        (  # another scope of the project's has one of its own
            "namespace gpu { using ::cudaError_t; }\nother::cudaError_t e;",
            "namespace gpu { using ::hipError_t; }\nother::cudaError_t e;",
        ),
    ],
)
def test_a_name_that_a_scope_takes_up_is_renamed_with_it(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected


# -- branches that AMD GPUs leave out

_MAKE = "__device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#if CUDART_VERSION < 11000\n", "#endif\n"),
        ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 530\n", "#endif\n"),
        ("#ifdef _MSC_VER\n", "#endif\n"),
        ("#ifndef __CUDACC__\n", "#endif\n"),
        ("#if 0\n", "#endif\n"),
        ("#ifdef __CUDACC__\nint x;\n#else\n", "#endif\n"),
    ],
)
def test_a_definition_in_left_out_code_takes_no_name_over_elsewhere(before: str, after: str) -> None:
    use = "__device__ auto f(__nv_bfloat16 a) { return make_bfloat162(a, a); }\n"
    output = hip(f"#include <cuda_bf16.h>\n{before}{_MAKE}{after}{use}")
    assert "return __halves2bfloat162(a, a);" in output
    assert "make_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b)" in output


@pytest.mark.parametrize("define", ["#define cudaFree(p) my_free(p)\n", "static void cudaFree(void *p) {}\n"])
def test_a_macro_or_function_in_left_out_code_takes_no_name_over_elsewhere(define: str) -> None:
    source = f"#ifndef __CUDACC__\n{define}#endif\nvoid f() {{ cudaFree(p); }}\n"
    assert hip(source).endswith("void f() { hipFree(p); }\n")
    assert define in hip(source)


def test_a_constant_by_the_name_of_a_macro_is_the_sources_own() -> None:
    source = (
        "#if defined(__HIP_PLATFORM_AMD__)\nconstexpr auto cudaStreamNonBlocking = hipStreamNonBlocking;\n#endif\n"
        "bool f(int flags) { return flags == cudaStreamNonBlocking; }\n"
    )
    assert translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode() == source


def test_a_definition_that_amd_gpus_take_takes_the_name_over() -> None:
    source = "#ifdef __CUDACC__\nstatic void cudaFree(void *p) { g(p); }\n#endif\nvoid f() { cudaFree(p); }\n"
    assert "void f() { cudaFree(p); }" in hip(source)


# -- elaborated types


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("struct cudaGraphicsResource *r;", "struct _hipGraphicsResource *r;"),
        ("struct cudaGraphicsResource;", "struct _hipGraphicsResource;"),
        ("void f(const struct cudaGraphicsResource **r);", "void f(const struct _hipGraphicsResource **r);"),
        ("typedef struct cudaGraphicsResource *Res;", "typedef struct _hipGraphicsResource *Res;"),
        ("cudaGraphicsResource *r;", "hipGraphicsResource *r;"),
        ("enum cudaExternalMemoryHandleType t;", "enum hipExternalMemoryHandleType_enum t;"),
        ("int n = sizeof(struct cudaLaunchParams);", "int n = sizeof(struct hipLaunchParams_t);"),
        ("enum cudaMemcpyKind k;", "enum hipMemcpyKind k;"),
        ("struct cudaDeviceProp p;", "struct hipDeviceProp_t p;"),
        ("std::vector<struct float4> v;", "std::vector<float4> v;"),
        ("void f(const struct int2 *p, struct /* of bytes */ uchar4 q);", "void f(const int2 *p, uchar4 q);"),
    ],
)
def test_a_type_behind_struct_or_enum_is_hips_tag(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected
    assert hip(expected) == expected


def test_a_type_of_the_support_header_is_not_announced() -> None:
    found = hip("struct __nv_fp8_e4m3;\nvoid f(struct __nv_fp8_e4m3 *p);")
    assert "struct" not in found
    assert "void f(hipify::fp8_e4m3 *p);" in found


_SOUP = (
    "#ifndef GUARD\n#if defined(GCC)\n_DEPRECATED_POP\n_TUPLE_INTERFACE(dim, unsigned int, 3)\n#  if _HAS_NVFP16()\n"
    "_TUPLE_INTERFACE({0}, {0}, 2)\n#  endif\n{1}#endif\n#endif\n"
)


@pytest.mark.parametrize(
    "between", ["", "GET(dim3, unsigned int)\n", "template <>\nstruct G<0>\n{\n  int get();\n};\n"]
)
@pytest.mark.parametrize("head", ["inline void stays()", "static int f(int a, int b)", "__global__ void k(int *p)"])
@pytest.mark.parametrize("call", ["cudaNotYetKnown(0)", "cudaNotYetKnown()", "use(cudaNotYetKnown)", "cudaFree(p)"])
@pytest.mark.parametrize("type", ["__half2", "__nv_bfloat16", "T"])
def test_nothing_in_a_body_is_declared_by_what_began_before_it(head: str, call: str, type: str, between: str) -> None:
    """Macros without semicolons in front of a function leave no sound tree."""
    source = f"{_SOUP.format(type, between)}{head} {{ {call}; }}\n"
    result = translate(source, path="a.h")
    assert [finding.id for finding in result.findings if finding.id == "HIP102"] == ["HIP102"] * ("Not" in call)
    assert ("hipFree(p)" in result.output.decode()) == ("cudaFree" in call)
