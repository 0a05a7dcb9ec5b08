"""Types that differ between CUDA and HIP: warpSize, dim3 and uint3, vectors, device pointers, launch bounds."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

_PLAIN = Options(implicit_runtime=False)


def _output(source: str) -> str:
    result = translate(source, path="a.cu", options=_PLAIN)
    assert translate(result.output, path="a.cu", options=_PLAIN).output == result.output
    return result.output.decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("dim3 b = u;", "dim3 b = dim3(u.x, u.y, u.z);"),
        ("dim3 b(u), c(1);", "dim3 b(dim3(u.x, u.y, u.z)), c(1);"),
        ("uint3 b = d;", "uint3 b = make_uint3(d.x, d.y, d.z);"),
        ("const uint3 b = blockIdx;", "const uint3 b = make_uint3(blockIdx.x, blockIdx.y, blockIdx.z);"),
        ("d = u;", "d = dim3(u.x, u.y, u.z);"),
        ("d = make_uint3(1, 2, 3);", "d = dim3(1, 2, 3);"),
        ("dim3 b = blockDim; dim3 c = threadIdx;", "dim3 b = blockDim; dim3 c = threadIdx;"),
        ("uint3 b = u; dim3 c = d;", "uint3 b = u; dim3 c = d;"),
        ("g(threadIdx, blockDim);", "g(make_uint3(threadIdx.x, threadIdx.y, threadIdx.z), blockDim);"),
        ("g(u, u);", "g(u, dim3(u.x, u.y, u.z));"),
        ("other(threadIdx);", "other(threadIdx);"),
        ("dim3 b(1); b = make_uint3(2, 1, 1);", "dim3 b(1); b = dim3(2, 1, 1);"),
        ("dim3 b(1, 2); b = u;", "dim3 b(1, 2); b = dim3(u.x, u.y, u.z);"),
        ("dim3 b[2]; b[1] = make_uint3(2, 1, 1);", "dim3 b[2]; b[1] = dim3(2, 1, 1);"),
        ("dim3 b{make_uint3(1, 2, 3)};", "dim3 b{dim3(1, 2, 3)};"),
        ("d = u.x ? u : make_uint3(1, 2, 3);", "d = u.x ? dim3(u.x, u.y, u.z) : dim3(1, 2, 3);"),
        ("h(dim3(u));", "h(dim3(dim3(u.x, u.y, u.z)));"),
        ("h((dim3)make_uint3(1, 2, 3));", "h((dim3)dim3(1, 2, 3));"),
        ("const dim3 b = sized();", "const dim3 b = sized();"),
        ("dim3 b(2); { uint3 b; b = make_uint3(1, 2, 3); }", "dim3 b(2); { uint3 b; b = make_uint3(1, 2, 3); }"),
        ("uint3 v[2]; d = v[1];", "uint3 v[2]; d = dim3(v[1].x, v[1].y, v[1].z);"),
        (
            "cudaLaunchConfig_t c; c.gridDim = make_uint3(1, 2, 3);",
            "hipLaunchConfig_t c; c.gridDim = dim3(1, 2, 3);",
        ),
        ("auto s = [=]() -> dim3 { return u; };", "auto s = [=]() -> dim3 { return dim3(u.x, u.y, u.z); };"),
        ("// dim3 b = u;", "// dim3 b = u;"),
    ],
)
def test_indices_are_spelled_out_where_hip_does_not_convert(source: str, expected: str) -> None:
    frame = "__device__ void g(uint3 t, dim3 b);\n__device__ void f(uint3 u, dim3 d) {{ {} \n}}"
    assert _output(frame.format(source)) == frame.format(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("S() : g(make_uint3(1, 1, 1)) {}", "S() : g(dim3(1, 1, 1)) {}"),
        ("void f() { g = make_uint3(2, 1, 1); }", "void f() { g = dim3(2, 1, 1); }"),
        ("void f(S *s) { s->g = s->u; }", "void f(S *s) { s->g = dim3(s->u.x, s->u.y, s->u.z); }"),
        ("dim3 size() const { return u; }", "dim3 size() const { return dim3(u.x, u.y, u.z); }"),
        ("uint3 size() const { return u; }", "uint3 size() const { return u; }"),
        ("dim3 half = make_uint3(1, 1, 1);", "dim3 half = dim3(1, 1, 1);"),
        ("void f(dim3 n = make_uint3(1, 1, 1));", "void f(dim3 n = dim3(1, 1, 1));"),
    ],
)
def test_members_are_of_their_declared_type(source: str, expected: str) -> None:
    frame = "struct S {{ dim3 g; uint3 u; {} }};"
    assert _output(frame.format(source)) == frame.format(expected)


def test_a_launch_takes_its_grid_from_a_uint3() -> None:
    output = _output("__global__ void k() {}\nvoid f(uint3 u) {\n  k<<<u, make_uint3(4, 1, 1)>>>();\n}\n")
    assert "hipLaunchKernelGGL(k, dim3(dim3(u.x, u.y, u.z)), dim3(dim3(4, 1, 1)), 0, 0);" in output


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("float4 v = {0.f};", "float4 v = {0.f, 0, 0, 0};"),
        ("float4 v{1};", "float4 v{1, 0, 0, 0};"),
        ("x = float3{a, b};", "x = float3{a, b, 0};"),
        ("int2 v[2][2] = {{{1}, {2}}, {{3, 4}, {5}}};", "int2 v[2][2] = {{{1, 0}, {2, 0}}, {{3, 4}, {5, 0}}};"),
        ("int2 v[2] = {1, 2, 3, 4,};", "int2 v[2] = {{1, 2}, {3, 4},};"),
        ("float4 v = {.x = 1, .y = 2};", "float4 v = {1, 2, 0, 0};"),
        ("float4 v = {.y = 2};", "float4 v = {.y = 2};"),
        ("float4 v = {w};", "float4 v = {w};"),
        ("float4 v = {};", "float4 v = {};"),
        ("int2 v[2] = {p, q};", "int2 v[2] = {p, q};"),
        ("float4 v[4] = {0};", "float4 v[4] = {};"),
        ("float2 v[4] = {1.f, 2.f, 3.f};", "float2 v[4] = {{1.f, 2.f}, {3.f, 0}};"),
        ("int2 v[2][2] = {0};", "int2 v[2][2] = {};"),
        ("for (int2 p : {a, b}) g(p);", "for (int2 p : {a, b}) g(p);"),
        ("int2 v = {1", "int2 v = {1"),
    ],
)
def test_vectors_get_the_values_that_an_aggregate_has(source: str, expected: str) -> None:
    assert _output(f"__device__ void f() {{ {source}\n") == f"__device__ void f() {{ {expected}\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("q = p + n;", "q = (char *)p + n;"),
        ("q = n + p;", "q = n + (char *)p;"),
        ("n = p - q;", "n = (char *)p - (char *)q;"),
        ("p += 4 * n;", "p = (char *)p + (4 * n);"),
        ("n = (size_t)p + 4;", "n = (size_t)p + 4;"),
        ("g(&p, p);", "g(&p, p);"),
        ("x.p + 4;", "x.p + 4;"),
        ("for (;; p += 4) g();", "for (;; p = (char *)p + (4)) g();"),
        ("a[n++] += 4;", "a[n++] += 4;"),
        ("(n ? p : q) + 4;", "(char *)(n ? p : q) + 4;"),
        ("auto r = p; r - 1;", "auto r = p; (char *)r - 1;"),
        (
            "std::vector<CUdeviceptr> v; v[0] + 1; v.back() + n;",
            "std::vector<hipDeviceptr_t> v; (char *)v[0] + 1; (char *)v.back() + n;",
        ),
        ("CUdeviceptr *v; *v + 1; v + 1;", "hipDeviceptr_t *v; (char *)*v + 1; v + 1;"),
    ],
)
def test_device_pointers_count_in_bytes(source: str, expected: str) -> None:
    frame = "void f({0} p, {0} q) {{ {1} }}"
    assert _output(frame.format("CUdeviceptr", source)) == frame.format("hipDeviceptr_t", expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("q = reinterpret_cast<CUdeviceptr>(c);", "q = (hipDeviceptr_t)(c);"),
        ("q = static_cast<CUdeviceptr>(n);", "q = (hipDeviceptr_t)(n);"),
        ("q = static_cast< CUdeviceptr >(n + 4);", "q = (hipDeviceptr_t)(n + 4);"),
        ("g(reinterpret_cast<CUdeviceptr>(v.data()));", "g((hipDeviceptr_t)(v.data()));"),
        ("q = static_cast<CUdeviceptr>(n) + 4;", "q = (char *)(hipDeviceptr_t)(n) + 4;"),
        ("n = static_cast<size_t>(p);", "n = reinterpret_cast<size_t>(p);"),
        ("x = static_cast<float *>(p);", "x = static_cast<float *>(p);"),
        ("x = reinterpret_cast<float *>(p);", "x = reinterpret_cast<float *>(p);"),
        ("n = static_cast<size_t>(m);", "n = static_cast<size_t>(m);"),
        (
            "auto y = reinterpret_cast<CUdeviceptr *>(x);",
            "auto y = reinterpret_cast<hipDeviceptr_t *>(x);",
        ),
        ("q = (CUdeviceptr)n;", "q = (hipDeviceptr_t)n;"),
    ],
)
def test_casts_of_numbers_become_casts_of_pointers(source: str, expected: str) -> None:
    frame = "void f({0} p, {0} q, const void *c, size_t n, int m, void *x) {{ {1} }}"
    assert _output(frame.format("CUdeviceptr", source)) == frame.format("hipDeviceptr_t", expected)


@pytest.mark.parametrize(
    ("type", "is_cast"),
    [
        ("uint64_t", True),
        ("unsigned", True),
        ("size_t", True),
        ("const unsigned long", True),
        ("unsigned long long", False),
        ("long long int", False),
        ("Mine", True),
    ],
)
def test_ffsll_is_cast_where_it_would_be_ambiguous(type: str, is_cast: bool) -> None:
    output = _output(f"__device__ int f({type} m) {{ return __ffsll(m); }}")
    assert ("__ffsll(static_cast<long long>(m))" in output) == is_cast


def test_ffsll_of_a_member_is_cast() -> None:
    source = "struct S { uint64_t m[2]; };\n__device__ int f(const S &s) { return __ffsll(s.m[1]); }"
    assert "__ffsll(static_cast<long long>(s.m[1]))" in _output(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("float4 a = {0}, b = {1};", "float4 a = {0, 0, 0, 0}, b = {1, 0, 0, 0};"),
        ("float4 const a = {0};", "float4 const a = {0, 0, 0, 0};"),
        (
            "float4 /* all */ a /* of */ = /* them */ { /* are */ 0 };",
            "float4 /* all */ a /* of */ = /* them */ { /* are */ 0, 0, 0, 0 };",
        ),
        ("::float4 a \\\n = {0};", "::float4 a \\\n = {0, 0, 0, 0};"),
        ("int2 d[f(1, 2)][2] = {{{1}, {2, 3}}};", "int2 d[f(1, 2)][2] = {{{1, 0}, {2, 3}}};"),
        ("float2 v = {.x /* first */ = 1, .y = 2};", "float2 v = {1, 2};"),
        ("struct S { float2 a = {1}; };", "struct S { float2 a = {1, 0}; };"),
        ("float4 *a = {0}; float4 f() { return {g}; }", "float4 *a = {0}; float4 f() { return {g}; }"),
        (
            'const char *s = "float4 a = {0};"; // float4 a = {0};\n',
            'const char *s = "float4 a = {0};"; // float4 a = {0};\n',
        ),
    ],
)
def test_the_elements_that_an_initialiser_leaves_out(source: str, expected: str) -> None:
    assert _output(f"__device__ int x;\n{source}") == f"__device__ int x;\n{expected}"
    assert _output(f"__device__ int x;\n{expected}") == f"__device__ int x;\n{expected}"
