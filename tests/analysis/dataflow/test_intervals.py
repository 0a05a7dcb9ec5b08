"""Which integers the distance of a shuffle may be, where the shuffle uses it."""

from __future__ import annotations

import pytest

from hipify_py.analysis.dataflow.summaries import ANY, FunctionAnalysis, Interval, summaries_of
from hipify_py.semantics.functions import functions_of
from tests.analysis.dataflow.units import unit_of


def interval_of(code: str) -> Interval:
    """The interval of the second argument of the only shuffle of a function with the parameters `v`, `i` and `u`."""
    unit = unit_of(f"void set(int &);\n__device__ int f(int v, int i, unsigned u) {{ {code} return v; }}")
    analysis = summaries_of(unit).analyze(list(functions_of(unit))[-1])
    assert isinstance(analysis, FunctionAnalysis)
    call = next(one for one in analysis.lowered.operations if one.name == b"__shfl_down")
    return analysis.intervals.at(call.arguments[1], call)


@pytest.mark.parametrize(
    "code",
    [
        "v += __shfl_down(v, 31);",
        "v += __shfl_down(v, (warpSize - 1) / 2);",
        "v += __shfl_down(v, i & 31);",
        "v += __shfl_down(v, threadIdx.x % 32);",
        "v += __shfl_down(v, v > 3);",
        "v += __shfl_down(v, i ? 4 : 16);",
        "v += __shfl_down(v, (char)7);",
        "for (int d = 16; d > 0; d /= 2) v += __shfl_down(v, d);",
        "for (unsigned d = warpSize / 2; d; d >>= 1) v += __shfl_down(v, d);",
        "for (int d = 1; d < warpSize; d *= 2) v += __shfl_down(v, d);",
        "for (int d = 1; 16 >= d; d = d << 1) { v += __shfl_down(v, d); }",
        "for (int d = 4; d >= 0; d--) v += __shfl_down(v, 1 << d);",
        "for (int d = 32; d > 1; d >>= 1) v += __shfl_down(v, d / 2);",
        "int d = 1; while (d < 32) { v += __shfl_down(v, d); d += d; }",
        "if (i < 0 || i > 31) return v; v += __shfl_down(v, i);",
        "if (i >= 0 && i < 32 && v) v += __shfl_down(v, i);",
        "int d = threadIdx.x & 31; if (d < 31) v += __shfl_down(v, d + 1);",
        "int d = threadIdx.x & 31; v += __shfl_down(v, 31 - d);",
    ],
)
def test_a_distance_within_a_warp_is_known(code: str) -> None:
    assert interval_of(code).is_within(0, 31)


@pytest.mark.parametrize(
    "code",
    [
        "v += __shfl_down(v, -1);",
        "v += __shfl_down(v, 32);",
        "v += __shfl_down(v, i);",
        "v += __shfl_down(v, i % 32);",  # may be below 0
        "v += __shfl_down(v, i / 2);",
        "v += __shfl_down(v, (char)i);",
        "if (u < 32) v += __shfl_down(v, i);",
        "if (i < 32) v += __shfl_down(v, i);",
        "if (i != 32) v += __shfl_down(v, i);",
        "unsigned d = (u & 7) - 1; if (d < 32) v += __shfl_down(v, d + 1);",  # 0 - 1 is large
        "for (unsigned d = 4; d >= 0; d--) v += __shfl_down(v, d);",
        "int d = 1; do { v += __shfl_down(v, d); d *= 2; } while (d < 32);",
        "int d = 1; while (d < 32) { d *= 2; v += __shfl_down(v, d); }",
        "int d = 1; if (d < 32) while (v) { v += __shfl_down(v, d); d *= 2; }",
        "int d = 1; set(d); v += __shfl_down(v, d);",
        "int d = 1; int *p = &d; *p = 40; v += __shfl_down(v, d);",
        "int d = 1; int &p = d; p = 40; v += __shfl_down(v, d);",
        "int d[2] = {1, 2}; d[i] = 40; v += __shfl_down(v, d[0]);",
        "for (int d = 1; d <= 32; d *= 2) v += __shfl_down(v, d);",
    ],
)
def test_a_distance_that_may_leave_the_warp_is_not(code: str) -> None:
    assert not interval_of(code).is_within(0, 31)


def test_a_variable_of_a_loop_without_bounds_comes_to_an_end() -> None:
    assert interval_of("for (int d = 3; v; d++) { int e = d; v += __shfl_down(v, e); }") == ANY
