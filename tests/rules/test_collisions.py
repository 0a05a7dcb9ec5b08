"""Definitions of the user's own that collide with HIP's."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

_PLAIN = Options(implicit_runtime=False)
_GUARD = "#ifndef __HIP__"
_GUARD_FOR_HOST_COMPILERS = "#if !defined(__HIP__) && !defined(__HIP_PLATFORM_AMD__)"


def _output(source: str) -> str:
    result = translate(source, path="a.cu", options=_PLAIN)
    again = translate(result.output, path="a.cu", options=_PLAIN)
    assert again.output == result.output
    assert not [finding for finding in again.findings if finding.severity == "error"]
    return result.output.decode()


def _ids(source: str) -> list[str]:
    return [finding.id for finding in translate(source, path="a.cu", options=_PLAIN).findings]


@pytest.mark.parametrize(
    "definition",
    [
        "__device__ double atomicAdd(double *a, double v) { return v; }",
        "static __inline__ __device__ double atomicAdd(double* address, const double val)\n{\n  return val;\n}",
        "__device__ __forceinline__ float atomicMin(float *addr, float value);",
        "__device__ double __shfl_xor(double v, int m, int w = 32) { return v; }",
        "__device__ uint64_t atomicMax(uint64_t *a, uint64_t v) { return v; }",
        "typedef double real;\n__device__ real atomicAdd(real *a, real v) { return v; }",
        "__device__ unsigned __lane_id() { return 0; }",
        "__device__ __forceinline__ void atomicMin(float *const address, const float value) {}",
        "__device__ double atomicMax(double* const __restrict__ a, double const v) { return v; }",
        "__device__ float atomicMin(float * const a, float v);",
        "__device__ std::uint64_t atomicMin(std::uint64_t *a, std::uint64_t v) { return v; }",
        "__device__ std::uint64_t atomicXor(std::uint64_t *a, uint64_t v) { return v; }",
        "__device__ ::std::uint64_t atomicOr(::std::uint64_t *a, std::uint64_t const v) { return v; }",
    ],
)
def test_a_signature_of_hip_is_guarded(definition: str) -> None:
    output = _output(definition + "\n")
    assert _GUARD in output
    assert "HIP120" in _ids(definition)
    for line in definition.splitlines():
        assert line in output


@pytest.mark.parametrize(
    "definition",
    [
        "template <typename T> __device__ void atomicAdd(T *a, double v) {}",
        "__device__ float atomicMax(float *a, double v) { return v; }",
        "float atomicMax(float *a, float v) { return v; }",
        "class C { __device__ float atomicMax(float *a, float v) { return v; } };",
        "namespace n { __device__ float atomicMax(float *a, float v) { return v; } }",
        "__device__ void f(float *a) { float b = 2; atomicMax(a, b); }",
        "__device__ float myAtomicMax(float *a, float v) { return v; }",
        "// __device__ float atomicMax(float *a, float v) { return v; }",
        "#define D __device__ float atomicMax(float *a, float v) { return v; }",
        "#if defined(__HIP_PLATFORM_AMD__)\n__device__ float atomicMax(float *a, float v) { return v; }\n#endif",
    ],
)
def test_what_does_not_collide_stays(definition: str) -> None:
    assert _GUARD not in _output(definition)


def test_neighbours_share_a_guard_and_comments_stay_outside() -> None:
    source = (
        "// first\n"
        "__device__ float atomicMin(float *a, float v) { return v; }  // why\n"
        "\n"
        "__device__ float atomicMax(float *a, float v) { return v; }\r\n"
        "int x;\n"
    )
    assert _output(source) == (
        "// first\n"
        "#ifndef __HIP__  // HIP has it\n"
        "__device__ float atomicMin(float *a, float v) { return v; }  // why\n"
        "\n"
        "__device__ float atomicMax(float *a, float v) { return v; }\n"
        "#endif\r\n"
        "int x;\n"
    )


@pytest.mark.parametrize(
    "definition",
    [
        "inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }",
        "__device__ __host__ float4 &operator*=(float4 &a, const float4 &b)"
        " { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; return a; }",
        "__host__ __device__ int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }",
        "__host__ __device__ int2 operator/(const int2 &a, const int2 &b)"
        " { int2 r; r.x = a.x / b.x; r.y = a.y / b.y; return r; }",
        "__host__ __device__ void operator-=(float2 &a, float2 b) { a = a - b; }",
        "__host__ __device__ void operator-=(float2 &a, float2 b) { a.x = a.x - b.x; a.y = a.y - b.y; }",
        "HOSTDEV float3 &operator+=(float3 &a, const float3 &b) { a = a + b; return a; }",
        "__hd__ int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }",
        "typedef double3 real3;\n__host__ __device__ real3 operator*(real3 a, real3 b)"
        " { return {a.x * b.x, a.y * b.y, a.z * b.z}; }",
    ],
)
def test_an_operator_that_hip_has_is_guarded(definition: str) -> None:
    assert _GUARD_FOR_HOST_COMPILERS in _output(definition)
    assert _ids(definition) == ["HIP121"]


@pytest.mark.parametrize(
    "definition",
    [
        "__host__ __device__ float2 operator*(float2 a, float2 b)"
        " { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }",
        "static __host__ __device__ float3 operator/(float3 a, float3 b) { return cross(a, b); }",
        "__host__ __device__ void operator+=(int3 &a, int3 b) { a.x += b.x; a.y += b.y; a.z += b.y; }",
        "__host__ __device__ void operator+=(int3 &a, int3 b) { a.x += b.x; a.y += b.y; }",
        "__host__ __device__ void operator*=(float2 &a, float2 b) { a = a * b; }",
        "inline __host__ __device__ cuDoubleComplex operator*(cuDoubleComplex a, cuDoubleComplex b)"
        " { return cuCmul(a, b); }",
    ],
)
def test_an_operator_of_another_meaning_wins(definition: str) -> None:
    output = _output(definition)
    assert "#ifdef __HIP_DEVICE_COMPILE__" in output
    assert _GUARD_FOR_HOST_COMPILERS not in output
    assert _ids(definition) == ["HIP122"]


@pytest.mark.parametrize(
    "definition",
    [
        "__host__ __device__ float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }",
        "__host__ __device__ float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }",
        "__host__ __device__ float3 operator*(float3 &a, float3 &b) { return make_float3(a.x * b.x, 0, 0); }",
        "__device__ float3 operator*(float3 a, float3 b) { return cross(a, b); }",
        "float3 operator*(float3 a, float3 b) { return cross(a, b); }",
        "template <class V> __host__ __device__ V operator*(V a, V b) { return a; }",
        "struct vec3 { float x; };\n__host__ __device__ vec3 operator*(vec3 a, vec3 b) { return a; }",
        "struct S { __host__ __device__ float3 operator*(float3 a); };",
        "HOSTDEV float2 operator*(float2 a, float2 b) { return product(a, b); }",
    ],
)
def test_an_operator_that_is_preferred_anyway_stays(definition: str) -> None:
    assert _output(definition) == definition
    assert _ids(definition) == []


def test_a_macro_for_both_sides_is_split_too() -> None:
    source = (
        "#define HDI __host__ __device__ inline\n"
        "HDI float2 operator*(float2 a, float2 b) { return product(a, b); }\n"
        "__device__ int x;\n"
    )
    assert _output(source) == (
        "#define HDI __host__ __device__ inline\n"
        "#ifdef __HIP_DEVICE_COMPILE__  // one side at a time, so that it is preferred to HIP's\n"
        "__device__ inline\n#elif defined(__HIP__)\n__host__ inline\n#else\nHDI\n#endif\n"
        "float2 operator*(float2 a, float2 b) { return product(a, b); }\n"
        "__device__ int x;\n"
    )


@pytest.mark.parametrize("tail", ["(", "(float *a", "(float *a, float v) {", "(float *a, float v) { {", ")", ""])
def test_half_written_definitions_do_no_harm(tail: str) -> None:
    source = "__device__ float atomicMax" + tail + "\n__host__ __device__ float2 operator*" + tail
    assert translate(source, path="a.cu", options=_PLAIN).output.decode() == source


_LONG_HEADS = [
    "__device__ /* " + "an addition; of { floats } " * 60 + "*/ double atomicAdd(double *a, double v) {{ return v; }}",
    "__attribute__(("
    + "annotate(1), " * 100
    + "used)) __device__ double atomicAdd(double *a, double v) {{ return v; }}",
    "STATISTICS(x)\n__device__ double atomicAdd(double *a, double v) {{ return v; }}",
    "__device__ double \\\n atomicAdd \\\n (double *a, double v) {{ return v; }}",
    "static __device__ double\n// in front of the name\natomicAdd(double *a /* the sum */, double const v = 1) {{ return v; }}",
    "__device__ double atomicAdd(double a[], double v) {{ return v; }}",
    'extern "C++" {{ __device__ double atomicAdd(double *a, double v) {{ return v; }} }}',
    "HOST __device__ double atomicAdd(double *a, double v) {{ return v; }}",
    "using real = double;\n__device__ real atomicAdd(real *a, real v) {{ return v; }}",
    "typedef double first, real;\n__device__ real atomicAdd(real *a, real v) {{ return v; }}",
    "#define real /* so far */ double\n__device__ real atomicAdd(real *a, real v) {{ return v; }}",
]


@pytest.mark.parametrize("definition", [head.replace("{{", "{").replace("}}", "}") for head in _LONG_HEADS])
def test_a_head_is_read_whole(definition: str) -> None:
    assert _GUARD in _output(definition + "\n")
    assert _ids(definition) == ["HIP120"]


@pytest.mark.parametrize(
    "definition",
    [
        "namespace /* "
        + "of its own " * 40
        + "*/ n { __device__ double atomicAdd(double *a, double v) { return v; } }",
        "struct S { friend __device__ double atomicAdd(double *a, double v) { return v; } };",
        "void f() { __device__ double atomicAdd(double *a, double v); }",
        "__device__ double C::atomicAdd(double *a, double v) { return v; }",
        "template <>\n__device__ double atomicAdd(double *a, double v) { return v; }",
        "class C : public Base<{}> { "
        + "int member; " * 100
        + "__device__ double atomicAdd(double *a, double v) { return v; } };",
    ],
)
def test_what_is_another_function_stays(definition: str) -> None:
    assert _GUARD not in _output(definition)


@pytest.mark.parametrize(
    "body",
    [
        "{ /* " + "by elements, " * 200 + "*/ return make_int2(a.x * b.x, a.y * b.y); }",
        "{ return make_int2((a.x * b.x), (a.y) * (b.y)); }",
        "{ auto r = make_int2(a.x * b.x, a.y * b.y); return r; }",
        "{ int2 r{a.x * b.x, a.y * b.y}; return r; }",
        "{ int2 r; r.x = a.x * b.x, r.y = a.y * b.y; return r; }",
        "{ a.x = a.x * b.x; // first\n a.y *= b.y; return a; }",
        "{ return int2 /* of both */ {a.x * b.x, a.y * b.y}; }",
    ],
)
def test_element_by_element_is_what_the_statements_say(body: str) -> None:
    assert _ids(f"__host__ __device__ int2 operator*(int2 a, int2 b) {body}") == ["HIP121"]


@pytest.mark.parametrize(
    "body",
    [
        "{ int2 r; r.y = a.x * b.x; r.x = a.y * b.y; return r; }",
        "{ return make_int2(a.x * b.x, a.x * b.y); }",
        "{ return make_int2(a.x * b.x, a.y / b.y); }",
        "{ int2 r; r.x = a.x * b.x; r.y = a.y * b.y; return a; }",
        "{ if (a.x) return make_int2(a.x * b.x, a.y * b.y); return a; }",
        "{ count(); return make_int2(a.x * b.x, a.y * b.y); }",
        "{ return make_int2(b.x * a.x, p->y * b.y); }",
        '{ const char *s = "return make_int2(a.x * b.x, a.y * b.y);"; return a; }',
    ],
)
def test_anything_else_is_another_meaning(body: str) -> None:
    assert _ids(f"__host__ __device__ int2 operator*(int2 a, int2 b) {body}") == ["HIP122"]


@pytest.mark.parametrize(
    "head",
    [
        "__forceinline__ __host__ __device__",
        "static __forceinline__ __host__ __device__",
        "__forceinline__ __device__ __host__",
        "__noinline__ __host__ __device__",
        "inline __host__ __device__",
        "constexpr __host__ __device__",
        "static inline __device__ __host__",
    ],
)
@pytest.mark.parametrize(
    "rest",
    [
        "void operator+=(float4 &a, float4 b) { a = product(a, b); }",
        "float2 operator*(float2 a, float2 b) { return product(a, b); }",
        "void operator*=(double3 &a, const double3 &b);",
        "double2 operator/(double2 a, double2 b)\n{\n    return product(a, b);\n}",
    ],
)
def test_what_was_split_by_sides_is_settled(head: str, rest: str) -> None:
    """Whatever qualifiers stand in front of the condition; an unknown name keeps the output from being taken for HIP."""
    once = _output(f"#include <cuda_runtime.h>\n{head} {rest}\nvoid stays() {{ cudaNotYetKnown(); }}\n")
    assert once.count("#ifdef __HIP_DEVICE_COMPILE__") == 1
    assert _output(once) == once
    assert "HIP122" not in _ids(once)
