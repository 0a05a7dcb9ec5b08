"""What a look at the bytes of a file says of the functions in it."""

from __future__ import annotations

import pytest

from hipify_py.analysis.warp.callers import may_define


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        (b"__device__ int sum(int v) { return v; }", True),
        (b"template <int N>\nint sum(\n    int v  // ;\n) {\n}", True),
        (b"#define sum(v) (v)", True),
        (b"  #  define \tsum", True),
        (b"x = 1; #undef sum\n;", False),
        (b"#define two(v) sum(v);", False),
        (b"#define\nsum(v);", False),
        (b"int sum(int v);", False),
        (b"float a = sum(1);\nvoid f() {}", False),
        (b"int sums(int v) {} int dsum(int v) {}", False),
        (b"int f(int v) { return 1; } int g = sum", False),
        (b"sum(1); void other(int v) {", True),
    ],
)
def test_what_may_be_defined(text: bytes, defines: bool) -> None:
    assert may_define(text, {b"other", b"sum"}) is defines
    assert may_define(text, {b"sum", b"+"}) is (defines and b"other" not in text)
