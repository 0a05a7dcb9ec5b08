"""Math functions that CUDA has on the host and HIP has not."""

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("float f(float x) { return rsqrtf(x); }", True),
        ("inline __host__ __device__ float f(float x) { return rsqrtf(x); }", True),
        ("__device__ float f(float x) { return rsqrtf(x); }", False),
        ("struct S { __device__ float f(float x) const { return rsqrtf(x); } };", False),
        ("// rsqrt(x)\nvoid f() { my::rsqrt(1); }", False),
        ("#define F(x) rsqrt(x)\n__global__ void k(double *p) { p[0] = F(p[0]); }", False),
        ("double rsqrt(double x) { return 1 / x; }\ndouble f() { return rsqrt(2); }", False),
        ("float f(float x) { return rsqrtf(x", True),
        ("inline __host__ __device__ float f(float x) {\n#ifdef __CUDA_ARCH__\nreturn rsqrtf(x);\n#endif\n}", False),
        ("inline __host__ __device__ float f(float x) {\n#ifndef __CUDA_ARCH__\nreturn rsqrtf(x);\n#endif\n}", True),
        ("double f(double x) { return normcdf(x) + erfcinv(x) * sinpi(x); }", True),
        ("__global__ void k(unsigned *p) { p[0] = umin(p[1], p[2]); }", True),
        ("float f(float x) { return rsqrtf /* of x */ (x); }", True),
        ("float f(float x) { return ::rsqrtf(x); }", True),
        ("float f(S *s, float x) { return s -> rsqrtf(x) + s /* a */ . rsqrtf(x) + S :: rsqrtf(x); }", False),
        ("template <class Float> Float rsqrt(Float x);\ndouble f() { return rsqrt(2.0); }", False),
        ("Real\nrsqrtf(Real x) { return 1 / x; }\nReal f() { return rsqrtf(2); }", False),
        ("#define umin(a, b) ((a) < (b) ? (a) : (b))\nunsigned f() { return umin(1u, 2u); }", False),
        ("[[nodiscard]] float f(float x) { return\n    rsqrtf\n    (x); }", True),
        ("__device__ unsigned umin(unsigned a, unsigned b);\n__device__ unsigned f() { return umin(1, 2); }", False),
    ],
)
def test_the_support_header_comes_with_calls_on_the_host(source: str, needs: bool) -> None:
    output = translate("#include <cuda_runtime.h>\n" + source, path="a.cu").output
    assert (b"hipify_support.hpp" in output) == needs
    assert translate(output, path="a.cu").output == output
