"""`sincos` and `sincospi` by the type of their arguments."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate


def hip(source: str, **options: bool) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False, **options)).output.decode()


@pytest.mark.parametrize(
    ("declared", "places"),
    [
        ("float s, c", "&s, &c"),
        ("float s[2], c[2]", "s, c + 1"),
        ("float2 v", "&v.x, &v.y"),
        ("float4 *v", "&v[1].x, &v->w"),
        ("void *v", "(float *)v, (float *)v + 1"),
    ],
)
def test_floats_take_the_function_for_float(declared: str, places: str) -> None:
    frame = "__device__ void f(float x) {{ {}; {}(x, {}); }}"
    for name in ("sincos", "sincospi"):
        converted = frame.format(declared, name + "f", places)
        assert hip(frame.format(declared, name, places)) == converted
        assert hip(converted) == converted


@pytest.mark.parametrize("declared", ["double s, c", "double2 s, c", "auto s = 0.0, c = 0.0", "long double s, c", ""])
def test_other_types_stay(declared: str) -> None:
    source = f"__device__ void f(double x) {{ {declared}; sincos(x, &s, &c); }}"
    assert hip(source) == source


def test_the_type_of_a_template_decides_at_compile_time() -> None:
    source = "template <typename T> __device__ void f(T x, T *s, T *c) { sincos(x, s, c); }"
    assert "hipify::sincos(x, s, c)" in hip(source)
    assert hip(source, support=False) == source


@pytest.mark.parametrize(
    "declared",
    [
        "#define REAL float",
        "typedef double REAL;",
        '#include "real.h"',
        "#ifdef D\n#define REAL double\n#else\n#define REAL float\n#endif",
    ],
)
def test_the_type_behind_a_name_of_the_projects_decides_at_compile_time(declared: str) -> None:
    source = f"{declared}\n__device__ void f(REAL x) {{{{ REAL s, c; {{}}(x * 2, &s, &c); }}}}\n"
    converted = hip(source.format("sincos"))
    assert converted.endswith(source.format("hipify::sincos"))
    assert hip(converted) == converted
    assert hip(source.format("sincos"), support=False) == source.format("sincos")
    host = source.replace("__device__ ", "").format("sincos")
    assert hip(host) == host


@pytest.mark.parametrize(
    "source", ["void sincos(float, float *, float *);\nvoid f(float *p) { sincos(1, p, p); }", "float s; sincos(1, &s"]
)
def test_own_functions_and_broken_code_stay(source: str) -> None:
    assert hip(source) == source
