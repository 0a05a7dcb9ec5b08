"""Large and lopsided inputs are translated, in time that grows with their size and no faster."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py import Translation, translate
from hipify_py.frontend.syntax import LARGEST
from tests.growth import assert_linear

SCRIPT = """\
import sys
from hipify_py import translate
source = {source}
result = translate(source, path="a.cu")
print(len(source), len(result.output), result.counts.converted)
"""
HEADER = len("#include <hip/hip_runtime.h>\n")


def hip(source: bytes) -> Translation:
    return translate(source, path="a.cu")


# -- nesting, in a process of its own: one that is too deep for the stack ends it


def size_and_count(source: str) -> tuple[int, int, int]:
    """Translate what a Python expression gives, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(source=source)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    before, after, converted = map(int, run.stdout.split())
    return before, after, converted


def test_ten_thousand_nested_parentheses() -> None:
    before, after, converted = size_and_count('b"void f() { cudaFree(" + b"(" * 10000 + b"p" + b")" * 10000 + b"); }"')
    assert (after - before, converted) == (HEADER - 1, 1)


def test_ten_thousand_nested_parentheses_in_a_launch() -> None:
    _, _, converted = size_and_count('b"void f() { k<<<" + b"(" * 10000 + b"1" + b")" * 10000 + b", 2>>>(x); }"')
    assert converted == 1


def test_ten_thousand_parentheses_left_open() -> None:
    _, _, converted = size_and_count('b"void f() { cudaMallocHost(" + b"(" * 10000')
    assert converted == 1


# -- many of a kind

MANY: dict[str, tuple[Callable[[int], bytes], int]] = {
    "nested parentheses": (lambda n: b"void f() { cudaFree(" + b"(" * n + b"p" + b")" * n + b"); }", 1000),
    "nested parentheses in a launch": (
        lambda n: b"void f() { k<<<" + b"(" * n + b"1" + b")" * n + b", 2>>>(x); }",
        1000,
    ),
    "parentheses left open": (lambda n: b"void f() { cudaMallocHost(" + b"(" * n, 1000),
    "names on a line": (lambda n: b"void f() { " + b"cudaFree(p); " * n + b"}", 1000),
    "names": (lambda n: b"void f() {\n" + b"cudaFree(p);\n" * n + b"}\n", 1000),
    "launches": (lambda n: b"void f() {" + b"k<T, 3><<<g, b>>>(x);\n" * n + b"}", 500),
    "calls with argument edits": (lambda n: b"void f() {" + b"cudaMallocHost(&p, n);\n" * n + b"}", 500),
    "calls with argument edits in each other": (
        lambda n: b"void f() { " + b"cudaMemcpyToSymbol(" * n + b"a" + b", b, 4)" * n + b"; }",
        300,
    ),
    "macros with calls": (
        lambda n: b"".join(b"#define R%d(x) cudaEventCreate(x)\n" % i for i in range(n)),
        500,
    ),
    "macros with launches": (
        lambda n: b"".join(b"#define R%d(k) k<<<1, 2>>>(x)\n" % i for i in range(n)),
        500,
    ),
    "one long macro": (lambda n: b"#define A \\\n" + b"  cudaEventCreate(p); \\\n" * n, 500),
}
"""Inputs that have as many converted references as they have pieces (or one), and how many pieces to begin with."""

LOPSIDED: dict[str, tuple[Callable[[int], bytes], int]] = {
    "shadowed names": (
        lambda n: (
            b"".join(b"void f%d() { int cudaSuccess = 1; use(cudaSuccess); }\n" % i for i in range(n))
            + b"cudaStream_t s;"
        ),
        1000,
    ),
    "launches left open": (lambda n: b"void f() { cudaStream_t s; " + b"k<<<" * n, 500),
    "comparisons": (lambda n: b"void f() { cudaEventCreate(" + b"a < " * n + b"); }", 500),
    "comparisons before a long text": (lambda n: b"void f() { cudaEventCreate(a < b" + b" c" * n + b"); }", 5000),
    "comparisons with commas": (lambda n: b"void f() { cudaEventCreate(" + b"a < b, " * n + b"c); }", 500),
    "a name of many scopes": (lambda n: b"cudaStream_t s; x = " + b"cutlass::" * n + b"y;", 3000),
    "all lanes for functions of other files": (
        lambda n: b"cudaStream_t s; unsigned x = " + b"warp_vote(~0u) & " * n + b"0;",
        300,
    ),
    "raw strings left open": (lambda n: b"cudaStream_t s; " + b'R"( ' * n, 2000),
    "raw strings closed otherwise": (lambda n: b"cudaStream_t s; " + b'R"x( )y" ' * n, 2000),
    "comments left open": (lambda n: b"cudaStream_t s; " + b"/* " * n, 20000),
}
"""Inputs with one converted reference, whatever their size."""


@pytest.mark.parametrize("kind", [*MANY, *LOPSIDED])
def test_the_work_grows_with_the_input(kind: str) -> None:
    build, size = {**MANY, **LOPSIDED}[kind]
    assert_linear(hip, build, size)


@pytest.mark.parametrize("kind", MANY)
def test_every_one_of_many_is_converted(kind: str) -> None:
    build, size = MANY[kind]
    count = 4 * size
    assert hip(build(count)).counts.converted == (1 if "parentheses" in kind else count)


@pytest.mark.parametrize("kind", LOPSIDED)
def test_the_reference_in_a_lopsided_source_is_converted(kind: str) -> None:
    build, size = LOPSIDED[kind]
    assert hip(build(4 * size)).counts.converted == 1


def nested_conditions(count: int) -> bytes:
    return b"#if A\n#include <cuda.h>\n" * count + b"#endif\n" * count


def test_nested_conditions() -> None:
    assert hip(nested_conditions(2000)).counts.converted == 2000
    assert_linear(hip, nested_conditions, 300)


def test_a_line_of_five_megabytes() -> None:
    source = b"void f() { " + b"cudaFree(p); " * 10_000 + b"x = x + 1; " * 470_000 + b"}"
    assert len(source) > 5_000_000
    assert hip(source).counts.converted == 10_000


def test_a_source_too_large_to_parse_is_translated_token_by_token_and_says_so() -> None:
    source = b"void f(int *cudaX) { cudaFree(cudaX); }\n" + b"// padding\n" * (LARGEST // 11 + 1)
    result = translate(source, path="a.h")
    assert b"hipFree(cudaX)" in result.output
    assert [finding.id for finding in result.findings if finding.id == "HIP904"] == ["HIP904"]
    assert "tree-sitter" not in result.evidence


def masked_functions(count: int) -> bytes:
    line = "__device__ int f{0}(unsigned mask) {{ return __shfl_sync(mask, {0}, 0) + __any_sync(MASK, {0}); }}\n"
    return "".join(line.format(number) for number in range(count)).encode()


def test_functions_that_take_a_lane_mask() -> None:
    source = masked_functions(500)
    assert hip(source).output.count(b"hipify::warp32::any_sync(MASK, ") == 500
    assert_linear(hip, masked_functions, 25)
