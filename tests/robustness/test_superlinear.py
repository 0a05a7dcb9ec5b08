"""Inputs whose translation once took time by the square of their size, or more: twice as much takes twice as long."""

from __future__ import annotations

import pytest

from hipify_py import Translation, translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsing import DEEPEST, SMALL
from tests.growth import MOST, assert_linear, count_calls

KERNEL = "__global__ void k(int *p, int n, unsigned m) {\n"
ASM = 'asm volatile("mov.u32 %0, %laneid;" : "=r"(x));\n'

REPEATED: dict[str, tuple[str, str, str, int]] = {
    "asm statements": (KERNEL + "unsigned x;\n", ASM, "}\n", 20),
    "using namespace": ("", "using namespace cub;\n", "void f() { BlockReduce<int, 32> r; cudaFree(0); }\n", 100),
    "aliases of a namespace": ("", "namespace a@ = cub;\n", "void f() { a1::BlockReduce<int, 2> x; }\n", 100),
    "conditions": ("", "#if __CUDA_ARCH__\n#endif\n", "void f() { cudaFree(0); }\n", 100),
    "conditions left open": ("void f() { cudaFree(0); }\n", "#if __CUDA_ARCH__ > @\n", "", 100),
    "branches": ("#if __CUDA_ARCH__\n", "#elif __CUDA_ARCH__ >= @\nint a@;\n", "#endif\n", 50),
    "functions with masks": (
        "",
        "__device__ int f@(int v) { unsigned m = __ballot_sync(~0u, v); return __popc(m); }\n",
        "",
        20,
    ),
    "steps of a mask": (
        KERNEL + "unsigned mm = __activemask();\n",
        "mm &= mm - 1; p[@] = __ffs(mm);\n",
        "}\n",
        30,
    ),
    "increments of increments": (KERNEL, "++", "n; p[0] = __shfl_down_sync(~0u, 1, n); }\n", 4),
    "terms of a mask": (KERNEL + "unsigned mm = 1u", " | (1u << @)", "; p[0] = __shfl_sync(mm, 1, 0); }\n", 30),
    "locks": (KERNEL, "while (atomicCAS(&p[@], 0, 1) != 0) ;\np[@]++;\natomicExch(&p[@], 0);\n", "}\n", 20),
    "waiting loops": (KERNEL, "while (*(volatile int*)(p + @) == 0) { }\n", "}\n", 20),
    "blocks of threads": (
        "__global__ void k(int *p) { p[0] = 1; }\nvoid h(int *p) {\n",
        "dim3 b@(32, 1); k<<<1, b@>>>(p);\n",
        "}\n",
        30,
    ),
    "calls whose types matter": (
        "#include <cuda_fp16.h>\n__global__ void k(__half *h) {\n",
        "atomicAdd(&h[@], __float2half(1.0f));\n",
        "}\n",
        30,
    ),
    "masks of atomics": (
        KERNEL + "int lane = threadIdx.x % warpSize;\n",
        "if (lane == 0) atomicAdd(&p[@], __popc(__activemask()));\n",
        "}\n",
        20,
    ),
    "attributes": (KERNEL, "__shared__ __align__(16) float a@[4];\n", "}\n", 60),
    "attributes left open": (KERNEL, "__shared__ __align__(16 float a@[4];\n", "}\n", 60),
    "macros of classes": ("", "struct API C@ { int a; };\n", "void f() { cudaFree(0); k<<<1, 2>>>(); }\n", 60),
    "macros of classes left open": ("void f() { k<<<1, g>>>(); }\n", "struct API C@ : ", "", 60),
    "macros of pointers": (KERNEL, "float *RESTRICT q@ = p, * RESTRICT r@;\n", "}\n", 60),
    "macros of functions": ("", "void API f@(int a) { cudaFree(0); }\n", "void g() { k<<<1, h>>>(); }\n", 60),
    "words of macros": ("void g() { k<<<1, h>>>(); } int ", "API ", "f();\n", 200),
    "device lambdas": ("void g() {\n", "run([=] __device__(int i) { cudaFree(@); });\n", "}\n", 60),
    "brackets of lambdas": ("void g() { k<<<1, h>>>();\n", "] AAA ( [", "}\n", 200),
    "returns": (KERNEL, "if (threadIdx.x == @) return;\n", "p[0] = __shfl_sync(~0u, 1, 0); }\n", 40),
    "breaks of loops": (KERNEL, "for (;;) { if (p[@]) break; __syncwarp(); }\n", "}\n", 20),
    "arguments": (KERNEL + "int v = 0; f(&v", ", &v", "); if (v % 32) p[0] = __shfl_sync(m, v, 0); }\n", 100),
    "names of one declaration": ("void f() { int a", ", cudaFree@", "; cudaMalloc(0, 0); }\n", 60),
    "members of that name": (
        "",
        "struct S@ { unsigned mask; }; __device__ int f@(S@ s) { return __shfl_sync(s.mask, 1, 0); }\n",
        "",
        20,
    ),
    "renamed statement macros": ("#define S0 foo();\n", "#define T@ S@\n", "", 50),
    "waits for the hardware's lane": (
        KERNEL + "int lane = threadIdx.x & 31;\n",
        "if (lane == @) p[@] = __shfl_sync(~0u, lane, @);\n",
        "}\n",
        20,
    ),
    "results of a function that waits": (
        "__device__ void k(volatile int *p, int n, int *q) {\nwhile (*p == 0) ;\n",
        "q[@] = p[@] + q[@];\n",
        "}\n",
        40,
    ),
    "functions of locks": (
        "",
        "__device__ void l@(int *p) { while (atomicCAS(p, 0, 1) != 0) { } p[1] += @; atomicExch(p, 0); }\n",
        "",
        20,
    ),
}
"""What is written before, what is repeated with `@` for its number, what follows, and how often to begin with."""

AT_ONCE: dict[str, tuple[str, str, str, int]] = {
    "a loop's header": (KERNEL + "atomicAdd(p, 1); for (a; ", "x ", "}\n", 4000),
    "words after a qualifier": ("thrust::a b; __device__ ", "w ", ";\n", 2000),
    "a long word after a qualifier": ("thrust::a b; __device__ ", "w", ";\n", 10_000),
    "shuffles in loops": (
        "__device__ int f(int v) {\n",
        "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n",
        "return v; }\n",
        100,
    ),
    "braces on a line": ("half h; void f() { ", "int a = {1}, ", "b; }\n", 400),
    "textures": ("", "texture<float, 1> t@;\n", "void f() { cudaFree(0); }\n", 2000),
    "branches": ("#if A\n", "#elif __CUDA_ARCH__ >= @\n", "#endif\nvoid f() { cudaFree(0); }\n", 500),
    "members": ("void f() { cudaFree(0); }\n", "struct S@ { int cudaFree; };\n", "", 500),
    "returns before barriers": (KERNEL, "if (n == @) return;\n__syncthreads();\n", "}\n", 300),
    "namespaces": ("", "namespace a@ { namespace cuda { void f() { cudaFree(0); } } }\n", "", 300),
    "constructors": (
        "void f() { cudaFree(0); }\n",
        "struct S@ { __device__ S@() {} int x; };\n__shared__ S@ s@;\n",
        "",
        300,
    ),
    "members of template arguments": (
        "#include <cub/cub.cuh>\n" + KERNEL,
        "typedef cub::BlockReduce<int, 32> B@; __shared__ typename B@::TempStorage t@;\n",
        "}\n",
        200,
    ),
}
"""The same, for work that is done within single calls of C functions and within loops that call nothing."""

NESTED: dict[str, tuple[str, str, str, str, str]] = {
    "locks": (KERNEL, "while (atomicCAS(p, 0, 1)) {\n", "", "}\n", "}\n"),
    "shuffles": (KERNEL + "p[0] = ", "__shfl_sync(m, ", "1", ", 0)", ";}\n"),
    "loops": (KERNEL, "for (int i@ = 0; i@ < n; ++i@)\n", "p[i0] = __shfl_sync(m, 1, 0);", "", "}\n"),
    "blocks": (KERNEL, "{ int lane = threadIdx.x % 32; ", "p[0] = __shfl_sync(m, lane, 0);", "}", "}\n"),
    "branches": (KERNEL, "if (n == @) ; else ", "p[0] = __shfl_sync(m, 1, 0);", "", "}\n"),
    "sums": (KERNEL + "int t = n", " % threadIdx.x", "", "", "; p[0] = __shfl_sync(m, t % 32, 0); }\n"),
    "choices": (KERNEL + "p[0] = ", "n == @ ? @ : ", "__shfl_sync(m, 1, 0)", "", "; }\n"),
    "casts": (KERNEL + "p[0] = ", "(int)", "__shfl_down_sync(m, 1, n)", "", "; }\n"),
    "labels": (KERNEL, "l@: ", "p[0] = __shfl_down_sync(m, 1, n);", "", "}\n"),
    "a macro's brackets": ("#define A(x) ", "(", "__shfl_sync(m, x, 0)", ")", "\n"),
}

SEARCHED = {
    "conditions": "#if __CUDA_ARCH__ >= 700\n#endif\n",
    "branches": "#if __CUDA_ARCH__ >= 800\nint a;\n#elif __CUDA_ARCH__ >= 700\nint b;\n#endif\n",
    "calls": 3 * "void f() { cudaFree(0); }\n",
}
"""What is repeated with long comments between, so that a search of the whole source for each of them would show."""
LONG_COMMENT = "/*" + 5000 * " " + "*/\n"

BROKEN = {
    "operators": "} ~ ",
    "ends of comments": "*/ <\n",
    "templates": "a<b> ::   %",
    "arrows": "-> && )\n",
    "divisions": "/ + \n ",
}
"""What the parser takes the square of the time to mend."""

OPEN = {
    "strings": '\\"',
    "strings of characters": "\\'",
    "strings with notes": '\\" /* a */ ',
    "both kinds of strings": "\\'\\\"",
    "lines": '\\"\n"',
}
"""What is written thousands of times behind a quote that is never closed."""


def hip(source: str) -> Translation:
    return translate(source.encode(), path="a.cu")


def repeated(before: str, piece: str, after: str, count: int) -> str:
    return before + "".join(piece.replace("@", str(number)) for number in range(count)) + after


def nested(before: str, opening: str, middle: str, closing: str, after: str, depth: int) -> str:
    return repeated(before, opening, middle, depth) + closing * depth + after


@pytest.mark.parametrize("kind", REPEATED)
def test_the_calls_grow_with_what_is_repeated(kind: str) -> None:
    before, piece, after, count = REPEATED[kind]
    sources = [repeated(before, piece, after, times * count) for times in (1, 4, 8)]
    hip(sources[0])  # what is loaded once is loaded now
    single, double = (count_calls(hip, source) for source in sources[1:])
    assert double <= MOST * single, f"{single} calls for {4 * count}, {double} for twice as many"


@pytest.mark.parametrize("kind", AT_ONCE)
def test_the_time_grows_with_what_is_repeated(kind: str) -> None:
    before, piece, after, count = AT_ONCE[kind]
    assert_linear(hip, lambda times: repeated(before, piece, after, times), count)


@pytest.mark.parametrize("kind", SEARCHED)
def test_nothing_searches_the_whole_source_again_and_again(kind: str) -> None:
    piece = SEARCHED[kind] + LONG_COMMENT
    assert_linear(hip, lambda count: KERNEL + "}\n" + count * piece, 400)


@pytest.mark.parametrize("kind", NESTED)
def test_what_is_nested_deeply_is_translated_token_by_token(kind: str) -> None:
    source = nested(*NESTED[kind], depth=2 * DEEPEST)
    result = hip(source)
    assert [found.message for found in result.findings if found.id == "HIP904"], result.findings
    assert result.evidence == ("lexical",) or kind == "a macro's brackets"
    assert hip(result.output.decode()).output == result.output
    single, double = (count_calls(hip, nested(*NESTED[kind], depth=count * DEEPEST)) for count in (2, 4))
    assert double <= MOST * single, f"{single} calls, {double} for twice as deep"


@pytest.mark.parametrize("kind", NESTED)
def test_what_is_nested_as_in_real_code_is_read_from_the_tree(kind: str) -> None:
    result = hip(nested(*NESTED[kind], depth=30))
    assert "tree-sitter" in result.evidence
    assert "HIP904" not in {found.id for found in result.findings}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_too_broken_is_translated_token_by_token(kind: str) -> None:
    source = KERNEL + "p[0] = __shfl_down_sync(m, 1, n); }\nvoid f() { cudaFree(0); k<<<1, 2>>>(0); }\n"
    result = hip(source + BROKEN[kind] * (4 * SMALL // len(BROKEN[kind])))
    assert "hipFree(0)" in result.output.decode()
    assert "too broken" in next(found.message for found in result.findings if found.id == "HIP904")


@pytest.mark.parametrize(
    "source", ["[[nodiscard]] " * 400 + "int a;\n", "std::vector<" * 400 + "int" + " >" * 400 + " a;\n"]
)
def test_what_the_parser_reads_in_too_many_ways_is_translated_token_by_token(source: str) -> None:
    result = hip(source + KERNEL + "cudaFree(0); p[0] = __ballot_sync(m, 1); }\n")
    assert "hipFree(0)" in result.output.decode()
    assert "HIP904" in {found.id for found in result.findings}


@pytest.mark.parametrize("bracket", "()[]{}<>")
def test_calls_that_are_never_closed(bracket: str) -> None:
    result = hip(KERNEL + "cudaFree(0); p[0] = " + f"__shfl_sync(m, {bracket} " * 3000)
    assert "hipFree(0)" in result.output.decode()
    assert "HIP904" in {found.id for found in result.findings}


def test_a_comment_that_is_never_closed_does_not_hide_the_tree() -> None:
    result = hip(KERNEL + "p[0] = __shfl_down_sync(m, 1, n); }\n" + "/* " * 5000)
    assert "tree-sitter" in result.evidence
    assert "HIP904" not in {found.id for found in result.findings}


@pytest.mark.parametrize("kind", OPEN)
def test_quotes_that_nothing_closes(kind: str) -> None:
    lexer = Lexer({b"cudaFree"})
    assert_linear(lexer.scan, lambda count: b'"' + OPEN[kind].encode() * count, 1000)


@pytest.mark.parametrize("end", ["\\\n", "\\\r\n", "\\ \n"])
def test_a_macro_that_goes_on_for_thousands_of_lines(end: str) -> None:
    assert_linear(hip, lambda count: KERNEL + "}\n" + f"#define WS warpSize{end}" * count, 500)


@pytest.mark.parametrize(
    "piece",
    [
        "#error it's a\n",
        '#endif A "b\n',
        "#error ",
        "#endif ",
        "# ",
        "#error \\\n",
        '\\"#else "x\n',
        "#error '/*\n",
        "/**/ # /**/ ",
        "#/**/",
        "/* \n*/",
        "#\\\n",
        "#include/*",
    ],
)
@pytest.mark.parametrize("before", ["", "x ", '"', "#error "])
def test_directives_with_text_that_no_compiler_reads(before: str, piece: str) -> None:
    lexer = Lexer(frozenset())
    assert_linear(lexer.scan, lambda count: before.encode() + piece.encode() * count, 1000)


def test_what_follows_a_quote_that_nothing_closes_is_code() -> None:
    lexer = Lexer({b"cudaFree"})
    found = lexer.scan(b"\" cudaFree \\\" cudaFree /* cudaFree\n */ 'cudaFree' \\' cudaFree ' \" cudaFree\ncudaFree")
    literals = [b"/* cudaFree\n */", b"'cudaFree'", b"' cudaFree '"]
    assert [found.data[start:end] for start, end in found.comments_and_literals] == literals
    assert len(found.names) == 4


@pytest.mark.parametrize("condition", ["9" * 5000, "0x" + "f" * 5000, " * ".join(["99999999"] * 2000), "1 << 63" * 900])
def test_conditions_on_numbers_that_no_type_holds(condition: str) -> None:
    result = hip(f"#if {condition} > __CUDA_ARCH__\nvoid f() {{ cudaFree(0); }}\n#endif\n")
    assert "hipFree(0)" in result.output.decode()
