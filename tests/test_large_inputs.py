"""Large and lopsided inputs finish: a time-out of a minute where a linear pass takes a second or two."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """\
import sys
from hipify_py import translate
source = {source}
result = translate(source, path="a.cu")
print(len(source), len(result.output), result.counts.converted)
"""
TIME_OUT = 60


def size_and_count(source: str) -> tuple[int, int, int]:
    """Translate what a Python expression gives, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(source=source)],
        capture_output=True,
        text=True,
        timeout=TIME_OUT,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    before, after, converted = map(int, run.stdout.split())
    return before, after, converted


HEADER = len("#include <hip/hip_runtime.h>\n")


def test_ten_thousand_nested_parentheses() -> None:
    before, after, converted = size_and_count('b"void f() { cudaFree(" + b"(" * 10000 + b"p" + b")" * 10000 + b"); }"')
    assert (after - before, converted) == (HEADER - 1, 1)


def test_ten_thousand_nested_parentheses_in_a_launch() -> None:
    _, _, converted = size_and_count('b"void f() { k<<<" + b"(" * 10000 + b"1" + b")" * 10000 + b", 2>>>(x); }"')
    assert converted == 1


def test_ten_thousand_parentheses_left_open() -> None:
    _, _, converted = size_and_count('b"void f() { cudaMallocHost(" + b"(" * 10000')
    assert converted == 1


def test_a_line_of_five_megabytes() -> None:
    _, _, converted = size_and_count('b"void f() { " + b"cudaFree(p); " * 403300 + b"}"')
    assert converted == 403300


def test_two_hundred_thousand_names() -> None:
    before, after, converted = size_and_count('b"void f() {\\n" + b"cudaFree(p);\\n" * 200000 + b"}\\n"')
    assert (after - before, converted) == (HEADER - 200000, 200000)


@pytest.mark.parametrize(
    ("source", "converted"),
    [
        pytest.param('b"void f() {" + b"k<T, 3><<<g, b>>>(x);\\n" * 20000 + b"}"', 20000, id="launches"),
        pytest.param(
            'b"void f() {" + b"cudaMallocHost(&p, n);\\n" * 20000 + b"}"', 20000, id="calls with argument edits"
        ),
        pytest.param(
            'b"".join(b"#define R%d(x) cudaEventCreate(x)\\n" % i for i in range(20000))', 20000, id="macros with calls"
        ),
        pytest.param(
            'b"".join(b"#define R%d(k) k<<<1, 2>>>(x)\\n" % i for i in range(20000))', 20000, id="macros with launches"
        ),
        pytest.param(
            'b"".join(b"void f%d() { int cudaSuccess = 1; use(cudaSuccess); }\\n" % i for i in range(50000)) + b"cudaStream_t s;"',
            1,
            id="shadowed names",
        ),
        pytest.param('b"#define A \\\\\\n" + b"  cudaEventCreate(p); \\\\\\n" * 8000', 8000, id="one long macro"),
        pytest.param('b"void f() { cudaStream_t s; " + b"k<<<" * 2000', 1, id="launches left open"),
        pytest.param('b"void f() { cudaEventCreate(" + b"a < " * 20000 + b"); }"', 1, id="comparisons"),
        pytest.param('b"#if A\\n#include <cuda.h>\\n" * 10000 + b"#endif\\n" * 10000', 10000, id="nested conditions"),
        pytest.param('b"cudaStream_t s; " + b"R\\"( " * 10000', 1, id="raw strings left open"),
        pytest.param('b"cudaStream_t s; " + b"/* " * 100000', 1, id="comments left open"),
    ],
)
def test_many(source: str, converted: int) -> None:
    assert size_and_count(source)[2] == converted


def test_a_source_too_large_to_parse_is_translated_token_by_token_and_says_so() -> None:
    from hipify_py import translate
    from hipify_py.frontend.syntax import LARGEST

    source = b"void f(int *cudaX) { cudaFree(cudaX); }\n" + b"// padding\n" * (LARGEST // 11 + 1)
    result = translate(source, path="a.h")
    assert b"hipFree(cudaX)" in result.output
    assert [finding.id for finding in result.findings if finding.id == "HIP904"] == ["HIP904"]
    assert "tree-sitter" not in result.evidence


def test_five_thousand_functions_that_take_a_lane_mask() -> None:
    function = 'f"__device__ int f{i}(unsigned mask) {{ return __shfl_sync(mask, i, 0) + __any_sync(MASK, i); }}\\n"'
    before, after, _ = size_and_count(f'"".join({function} for i in range(5000)).encode()')
    assert after - before == HEADER + 5000 * (len(" long long") + len("static_cast<unsigned long long>()"))
