"""`__popc`, which is signed in CUDA and unsigned in HIP: cast where that shows, and nowhere else."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

SIGNED = "static_cast<int>(__popc(m))"


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


@pytest.mark.parametrize(
    "body",
    [
        *["float x = 32 - 2 * {};", "double x; x = {} - 5;", "float x = 0; x += 32 - {};", "auto x = 32 - {};"],
        *[
            "long long x = {} - n;",
            "return (float)(32 - {});",
            "return float(n - {});",
            "use(static_cast<long>({} - 3));",
        ],
        *[
            "if ({} - n < 0) stop();",
            "n = max({} - 2, 0);",
            "n = max({}, 1);",
            "n = abs({});",
            "int a[2] = {{{}, 1}};",
            "int x{{{}}};",
        ],
        *["float x = n ? -{} : 0;"],
    ],
)
def test_a_count_that_may_be_negative_or_is_narrowed_is_cast(body: str) -> None:
    frame = "__device__ float f(unsigned m, int n) {{ {} }}"
    once = hip(frame.format(body.format("__popc(m)")))
    assert once == frame.format(body.format(SIGNED))
    assert hip(once) == once


@pytest.mark.parametrize(
    "body",
    [
        *[
            "int x = 32 - 2 * __popc(m);",
            "n = __popc(m) - 1;",
            "n += __popc(m) - __popc(n);",
            "float x = 2 * __popc(m);",
        ],
        *[
            "unsigned a[1] = {__popc(m)};",
            "if (__popc(m) > 3) stop();",
            "p[__popc(m) - 1] = 0;",
        ],
        *["float x = static_cast<int>(__popc(m) - 3);", "n = __popc(m) & 1;", "__popc(", "int a[] = {__popc(m"],
    ],
)
def test_other_counts_stay(body: str) -> None:
    source = f"__device__ float f(unsigned m, int n) {{ {body} }}"
    assert hip(source) == source


def test_a_members_type_decides() -> None:
    frame = (
        "struct S {{ unsigned m; int n; unsigned k; }};\n__device__ S f(unsigned m) {{ return {{m, {}, __popc(m)}}; }}"
    )
    assert hip(frame.format("__popc(m)")) == frame.format(SIGNED)
