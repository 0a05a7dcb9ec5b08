"""The minimum and maximum of types that HIP computes in another one."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

TYPES = "#include <cstdint>\nstruct Grid { unsigned cells; int steps[4]; };\nint own(int);\n"
PARAMETERS = "Grid *grid, int i, unsigned u, short s, unsigned char c, long l, size_t z, float f, double d, uint3 v"


def needs_support(source: str) -> bool:
    options = Options(implicit_runtime=False)
    result = translate(source, path="a.cu", options=options)
    assert not result.findings
    assert translate(result.output, path="a.cu", options=options).output == result.output
    return b"hipify_support.hpp" in result.output


@pytest.mark.parametrize(
    ("call", "on_device", "on_host"),
    [
        ("min(i, 3)", False, False),
        ("min(i, 'x' - '0')", False, False),
        ("min(i, u)", True, True),
        ("min(u, 3u)", False, True),
        ("max(i, threadIdx.x + 1)", True, True),
        ("max(u, blockIdx.x * blockDim.x)", False, True),
        ("max(v.x, u)", False, True),
        ("max(v.x, i)", True, True),
        ("max(v, v)", False, False),
        ("max(grid->cells, grid->steps[0])", True, True),
        ("max(grid->steps[1], grid->steps[0])", False, False),
        ("min(s, i)", True, False),
        ("min(s, s)", False, False),
        ("min(c, u >> 1)", True, True),
        ("min(f, 1.5f)", False, True),
        ("min(f, 1.5)", False, True),
        ("min(d, f * 2)", False, True),
        ("max(z, sizeof(Grid))", False, True),
        ("max((unsigned long)l, z)", False, True),
        ("max(l, z)", True, True),
        ("max(0xffffffff, u)", False, True),
        ("max(2147483648, l)", False, True),
        ("max(2147483648, z)", True, True),
        ("max(min(i, 3), own(2))", False, False),
        ("max(static_cast<uint32_t>(i), std::uint32_t(l))", False, True),
        ("max(i > 3 ? i : 3, ~i)", False, False),
        ("max(abs(i), __shfl_xor_sync(~0u, i, 1))", False, False),
        ("max(31 - __clz(i), 1)", False, False),
        ("std::max(i, 3)", False, False),
        ("unknown.max(i, u)", False, False),
        ("max(unknown(), u)", True, True),
    ],
)
def test_types_of_arguments(call: str, on_device: bool, on_host: bool) -> None:
    kernel = f"{TYPES}__global__ void k({PARAMETERS}) {{ use({call}); }}\n"
    host = f"{TYPES}__global__ void k() {{}}\nvoid f({PARAMETERS}) {{ use({call}); }}\n"
    assert needs_support(kernel) is on_device
    assert needs_support(host) is on_host


def test_a_function_for_both_sides_needs_what_either_does() -> None:
    code = "__host__ __device__ {0} f({0} a, {0} b) {{ return max(a, b); }}\n"
    assert needs_support(code.format("float"))
    assert not needs_support(code.format("int"))
    assert needs_support("__host__ __device__ int f(int a, short b) { return max(a, b); }\n")


def test_own_functions_and_macros_are_not_cudas() -> None:
    assert not needs_support("#define max(a, b) (a > b ? a : b)\n__device__ int f(int a) { return max(a, 3u); }\n")
    assert not needs_support("struct S { __device__ int max(int a, unsigned b); };\n")


def test_without_the_support_header_calls_of_known_types_are_reported() -> None:
    code = (
        "#include <algorithm>\nusing namespace std;\nfloat f(float a) { return max(a, 1.0f); }\n"
        "__global__ void k(int i, unsigned u) { use(min(i, u), min(i, 2), max(unknown(), u)); }\n"
    )
    found = translate(code, path="a.cu", options=Options(implicit_runtime=False, support=False)).findings
    assert [finding.message for finding in found] == [
        "min stays: HIP does not compute it in the type that CUDA has for int and unsigned int"
    ]
