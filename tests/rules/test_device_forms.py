"""Functions of the runtime that HIP has on the host alone, and the support header on the device."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

STRING, HOST, DEVICE = "cudaGetErrorString", "hipGetErrorString", "hipify::get_error_string"


def outcome(source: str, *, support: bool = True) -> tuple[str, list[str]]:
    options = Options(implicit_runtime=False, support=support)
    result = translate(source, path="a.cu", options=options)
    assert translate(result.output, path="a.cu", options=options).output == result.output
    output = result.output.decode().replace('#include "hipify_support.hpp"\n', "")
    return output.replace("hipError_t", "cudaError_t"), [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(cudaError_t e) { use(@(e)); }",
        "__device__ const char *f(cudaError_t e) { return @(e); }",
        "__host__ __device__ const char *f(cudaError_t e) { return @(e); }",
        "template <class T> __device__ inline T f(cudaError_t e) { if (e) { return T(@(e)); } return T(); }",
        "struct S { __device__ static const char *f(cudaError_t e) { return @(e); } };",
        "#define HD __host__ __device__\nHD const char *f(cudaError_t e) { return @(e); }",
        "#define SHOW(e) use(@(e))\n__global__ void k(cudaError_t e) { SHOW(e); }",
        "#define SHOW(e) use(@(e))\n#define CHECK(e) SHOW(e)\n__device__ void f(cudaError_t e) { CHECK(e); }",
        "void f(cudaError_t e) { auto g = [] __device__(cudaError_t d) { return @(d); }; }",
    ],
)
def test_on_the_device_the_support_header_has_it(source: str) -> None:
    assert outcome(source.replace("@", STRING)) == (source.replace("@", DEVICE), [])
    output, _ = outcome(source.replace("@", STRING), support=False)
    assert output == source.replace("@", HOST)


@pytest.mark.parametrize(
    "source",
    [
        "const char *f(cudaError_t e) { return @(e); }",
        "__host__ const char *f(cudaError_t e) { return @(e); }",
        "#define SHOW(e) use(@(e))\n__global__ void k() {}\nvoid f(cudaError_t e) { SHOW(e); /* __device__ */ }",
        "__global__ void k();\nstruct S { const char *f(cudaError_t e) { return @(e); } };",
        "void f(cudaError_t e) { auto g = [] __device__(int i) { return i; }; use(@(e)); }",
        "#define API __declspec(dllexport)\nAPI const char *f(cudaError_t e) { return @(e); }",
    ],
)
def test_on_the_host_hip_has_it(source: str) -> None:
    assert outcome(source.replace("@", STRING)) == (source.replace("@", HOST), [])


def test_without_the_support_header_it_is_reported() -> None:
    source = "__global__ void k(cudaError_t e) { use(cudaGetErrorName(e)); }"
    assert outcome(source, support=False)[1] == ["HIP253"]
    assert outcome(source)[0] == "__global__ void k(cudaError_t e) { use(hipify::get_error_name(e)); }"


def test_arithmetic_that_no_compiler_may_merge() -> None:
    """`__dmul_rn` is a plain product in HIP, which hipcc makes a fused multiply-add of (tfhe-rs, double-double)."""
    exact = "__device__ double f(double a, double b) { return __dadd_rn(__dmul_rn(a, b), b); }\n"
    result = translate(exact, path="a.cu")
    assert b"return hipify::dadd_rn(hipify::dmul_rn(a, b), b);" in result.output
    assert (
        b"return __dadd_rn(__dmul_rn(a, b), b);" in translate(exact, path="a.cu", options=Options(support=False)).output
    )
