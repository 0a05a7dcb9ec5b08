"""The functions of a unit, from its tree and, where that is broken, from its braces."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.functions import functions_of

Make = Callable[[str], Unit]


def names(unit: Unit) -> list[str]:
    return [function.name.decode() for function in functions_of(unit)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__global__ void k(int *o) { o[0] = 1; }", ["k"]),
        ("// reduce (sum)\n__global__ void k(int *o) { o[0] = 1; }", ["k"]),
        ("/* f(x) { */ __device__ int g(int x) { return x; }", ["g"]),
        ("template <class T, int N> __launch_bounds__(256) __global__ void k(T *o) { o[N] = 1; }", ["k"]),
        (
            "struct S { int m() const { return 1; } ~S() {} bool operator()(int x) { return x; } };",
            ["m", "~S", "operator"],
        ),
        ("int S::q(int x) { return x; }\nint main() try { return 0; } catch (...) { return 1; }", ["q", "main"]),
        ("auto f = [](int x) { return x; };", ["f"]),
        ("void f() { auto g = [](int x) { return x; }; struct L { int m() { return 1; } }; }", ["f"]),
        ("namespace a { namespace b { __device__ void h() {} } }", ["h"]),
    ],
)
def test_functions_and_their_names(unit_of: Make, source: str, expected: list[str]) -> None:
    assert names(unit_of(source)) == expected


def test_branches_that_do_not_balance_lose_no_function(unit_of: Make) -> None:
    unit = unit_of(
        "void f(int x) {\n#if A\n  if (x) {\n#else\n  if (!x) {\n#endif\n    x++;\n  }\n}\n"
        "__global__ void k(int *o) { o[0] = 1; }\nvoid g() { f(1); }\n"
    )
    assert names(unit) == ["f", "k", "g"]
    assert [function.is_kernel for function in functions_of(unit)] == [False, True, False]


def test_a_place_belongs_to_the_function_around_it(unit_of: Make) -> None:
    source = "int a;\ntemplate <class T> __device__ T f(T x) { return x; }\n#define M f(1)\n"
    unit = unit_of(source)
    found = functions_of(unit)
    assert found.at(source.index("a;")) is None
    assert found.at(source.index("M f")) is None
    around = found.at(source.index("return"))
    assert around is not None
    assert (around.name, around.is_device, around.is_kernel) == (b"f", True, False)
    assert around.head == source.index("template")
