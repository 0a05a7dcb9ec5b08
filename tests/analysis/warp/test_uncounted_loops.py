"""Which loops may wait is told from their text."""

from __future__ import annotations

import pytest

from hipify_py import translate


def _findings(source: str) -> list[str]:
    return [finding.id for finding in translate(source, path="a.cu").findings]


@pytest.mark.parametrize(
    "loop",
    [
        "while (f[i - 1] == 0);",
        "do { } while (f[i - 1] == 0);",
        "for (; f[i - 1] == 0;);",
        "for (int v = 0; v == 0; v = f[i - 1]);",
        "for (int v = 0; v == 0;) { v = f[i - 1]; }",
        "for (/* ; ++ */; f[i - 1] == 0;);",
        "for (; f[i - 1] == 0; /* ; i++ */);",
        "for (; f[i - 1] == 0;) ; i++;",
        "for \\\n (; f[i - 1] == 0;);",
    ],
)
def test_a_loop_that_looks_at_a_flag_waits(loop: str) -> None:
    source = f"__global__ void k(volatile int *f) {{ int i = threadIdx.x; {loop} f[i] = 1; }}"
    assert "HIP311" in _findings(source)


@pytest.mark.parametrize(
    "loop",
    [
        "for (; f[i - 1] == 0; i++);",
        "for (; f[i - 1] == 0; i <<= 1);",
        "for (; f[i - 1] == 0; i += blockDim.x * 2);",
        "for (int j = 0; j < f[i - 1]; ++j) { }",
        "// while (f[i - 1] == 0);\n",
    ],
)
def test_a_loop_that_counts_does_not_wait(loop: str) -> None:
    source = f"__global__ void k(volatile int *f) {{ int i = threadIdx.x; {loop} f[i] = 1; }}"
    assert "HIP311" not in _findings(source)


def test_a_lock_in_a_macro_is_seen() -> None:
    lock = "#define LOCK(m) \\\n  for (; atomicCAS(m, 0, 1) != 0;)\n__device__ void f(int *m) { LOCK(m); *m = 0; }"
    assert "HIP311" in _findings(lock)


def test_a_lock_is_seen_through_two_functions() -> None:
    source = (
        "__device__ int take(int *m) { return atomicCAS(m, 0, 1); }\n"
        "__device__ int asked(int *m) { return take(m); }\n"
        "__device__ void f(int *m) { while (asked(m) != 0); *m = 0; }"
    )
    assert "HIP311" in _findings(source)
