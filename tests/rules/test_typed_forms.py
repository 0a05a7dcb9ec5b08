"""Forms of a row that hold for arguments of one type: known through declarations and through aliases of the type."""

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    ("head", "parameter"),
    [
        ("", "__nv_bfloat16 *p"),
        ("", "const __nv_bfloat16 *__restrict__ p"),
        ("typedef __nv_bfloat16 bf16;", "bf16 *p"),
        ("using bf16 = __nv_bfloat16;", "const bf16 *__restrict__ p"),
        ("#define bf16 __nv_bfloat16", "int n, bf16 *p"),
    ],
)
def test_a_form_for_bfloat16_is_taken(head: str, parameter: str) -> None:
    source = f"#include <cuda_bf16.h>\n{head}\n__device__ void f({parameter}) {{ g(htanh(p[0])); }}\n"
    output = translate(source, path="a.cu").output
    assert b"__float2bfloat16(tanhf(__bfloat162float(p[0])))" in output


@pytest.mark.parametrize(
    "head", ["typedef __nv_bfloat16", "using x =", "#define b __nv_bfloat16", "typedef __nv_bfloat16 b["]
)
def test_half_written_aliases_are_no_aliases(head: str) -> None:
    output = translate(
        f"#include <cuda_bf16.h>\n{head}\n__device__ void f(float b) {{ g(htanh(b)); }}", path="a.cu"
    ).output
    assert b"g(__float2half(" in output or b"bfloat162float(b)" in output


def test_arithmetic_rounded_in_other_directions_is_of_the_support_header() -> None:
    output = translate("__device__ double f(double a) { return __dadd_rd(a, __fsqrt_rz(2.0f)); }\n", path="a.cu").output
    assert b"hipify::dadd_rd(a, hipify::fsqrt_rz(2.0f))" in output


def test_masks_of_comparisons_are_of_the_support_header() -> None:
    source = "#include <cuda_fp16.h>\n__device__ unsigned f(__half2 a) { return __hltu2_mask(a, a); }\n"
    assert b"return hipify::hltu2_mask(a, a);" in translate(source, path="a.cu").output
