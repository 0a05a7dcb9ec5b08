"""Operators on vector types that macros make."""

import pytest

from hipify_py import Options, translate

HANDED = "#define OPS(T, o) __host__ __device__ T operator o(T a, T b) { return a; }\n"


@pytest.mark.parametrize(
    ("macro", "settled"),
    [
        ("#define OPS(T) __host__ __device__ void operator+=(T &a, T b) { a = f(a, b); }\nOPS(float3)", True),
        ("#define OPS(T) __device__ __host__ T operator/(const T &a, T const &b) { return a; }\nOPS(int2)", True),
        (
            "#define OPS(T) \\\n  inline __host__ __device__ T##2 operator*(T##2 a, T##2 b) { return a; }\nOPS(double)",
            True,
        ),
        ("#define OPS __host__ __device__ float4 operator*(float4 a, float4 b) { return a; }\nOPS", True),
        ("#define OPS(T) __host__ __device__ T operator*(T a, T b) { return a; }", True),
        ("#define OPS(T) __host__ __device__ T operator*(T a, T b) { return a; }\nOPS(Complex)", False),
        ("#define OPS(T) __host__ __device__ T operator*=(T a, T b) { return a; }\nOPS(float2)", False),
        ("#define OPS(T) struct S { __host__ __device__ T operator*(T a) { return a; } };\nOPS(float2)", False),
        ("#define OPS(T) __host__ __device__ T operator*(T a, T b", False),
        ("#define OPS(T __host__ __device__ operator*(", False),
        (
            "#define OPS(T) __host__ __device__ /* "
            + "an operator; of { both } sides " * 20
            + "*/ T operator*(T a, T b) { return a; }\nOPS(float2)",
            True,
        ),
        (
            "#define OPS(T) __host__ \\\n  __device__ T \\\n  operator \\\n  *(T a, T b) { return a; }\nOPS(float2)",
            True,
        ),
        ("#define OPS(T) __host__ __device__ T operator*(T /* x, y */ a, T b) { return a; }\nOPS(float2)", True),
        ("#define OPS(T, V) __host__ __device__ V operator*(V a, V b) { return a; }\nOPS(f(1, 2), float2)", True),
        ("#define OPS(T) __host__ __device__ void operator+=(T &a, T const &b) { }\nOPS(/* the pair */ float2)", True),
        ('#define OPS(T) f("__host__ __device__"); T operator*(T a, T b) { return a; }\nOPS(float2)', False),
        ("#define OPS(T) __host__ __device__ int f(); T operator*(T a, T b) { return a; }\nOPS(float2)", False),
        ("#define OPS(T) // __host__ __device__ T operator*(T a, T b)\nOPS(float2)", False),
        (
            "#define OPS(T, op) __host__ __device__ T& operator op(T& a, const T& b) { return a; }\nOPS(float3, -=)",
            True,
        ),
        (
            "#define OPS(T, op) __host__ __device__ T operator op (T a, T b) { return a; }\nOPS(int2, +)\nOPS(int2, *)",
            True,
        ),
        (
            "#define OPS(T, op) __host__ __device__ T operator op (T a, T b) { return a; }\nOPS(int2, +)\nOPS(My, *)",
            False,
        ),
        ("#define OPS(T, op) __host__ __device__ T operator op(T a, T b) { return a; }\nOPS(int2, *=)", False),
        ("#define OPS(T, op) __host__ __device__ T& operator op(T& a, T b) { return a; }\nOPS(int2, *)", False),
        ("#define OPS(op) __host__ __device__ int4 operator op(int4 a, int4 b) { return a; }\nOPS(/)", True),
        ("#define OPS(op) __host__ __device__ int4 operator op(int4 a, int4 b) { return a; }", True),
        ("#define OPS(op) __host__ __device__ Mine operator op(Mine a, Mine b) { return a; }\nOPS(*)", False),
        ("#define OPS(op) __host__ __device__ Mine operator op(Mine a, Mine b) { return a; }", False),
        (f"{HANDED}#define ALL(o) OPS(float2, o)\nALL(*)", True),
        (f"{HANDED}#define ALL(T) OPS(T, +) OPS(T, /)\nALL(int3)", True),
        (f"{HANDED}#define ALL(o) OPS(float2, o)\n#define EACH(p) ALL(p)\nEACH(*)", True),
        (f"{HANDED}#define ALL(T) OPS(T, *)\nALL(Mine)", False),
        (f"{HANDED}#define ALL(o) OPS(float2, o)\nALL(%)", False),
        ("#define OPS(type, number, op) __host__ __device__ type operator op(type a, number b) { }", False),
    ],
)
def test_an_operator_is_made_for_one_side_at_a_time(macro: str, settled: bool) -> None:
    output = translate(f"{macro}\n__global__ void k() {{}}\n", path="a.cu").output
    assert (b"HIPIFY_ONE_SIDE" in output) == settled
    assert translate(output, path="a.cu").output == output


def test_without_the_support_header_it_is_reported() -> None:
    source = "#define OPS(T) __host__ __device__ T operator*(T a, T b) { return a; }\nOPS(float2)\n"
    translation = translate(source, path="a.cu", options=Options(support=False))
    assert [(finding.id, finding.severity) for finding in translation.findings] == [("HIP132", "warning")]
    assert b"__host__ __device__ T operator*" in translation.output
