"""Findings written into the output as comments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py import Options, translate
from tests.growth import assert_linear

BAD = b"cudaGraphConditionalHandleCreate(0, 0, 0, 0);"
NOTE = b"// HIP101: "


def annotate(source: bytes, path: str = "a.cu") -> bytes:
    return translate(source, path=path, options=Options(implicit_runtime=False, annotate=True)).output


def shape(source: bytes, path: str = "a.cu") -> list[bytes]:
    """The output's lines, notes cut down to their ids."""
    lines = annotate(source, path).split(b"\n")
    return [line[: line.index(b":")] if b"HIP101: " in line else line for line in lines]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (b"void f() {\n    " + BAD + b"\n}", [b"void f() {", b"    // HIP101", b"    " + BAD, b"}"]),
        (b"\t" + BAD + b" " + BAD, [b"\t// HIP101", b"\t" + BAD + b" " + BAD]),
        (
            b"#define F() \\\n  a(); \\\n  " + BAD + b"\n",
            [b"// HIP101", b"#define F() \\", b"  a(); \\", b"  " + BAD, b""],
        ),
        (b"\xef\xbb\xbf" + BAD + b"\n", [b"\xef\xbb\xbf// HIP101", BAD, b""]),
        (b"/* a\nb */ " + BAD, [b"// HIP101", b"/* a", b"b */ " + BAD]),
        (b'f("a\\\nb"); ' + BAD, [b"// HIP101", b'f("a\\', b'b"); ' + BAD]),
        (b'auto s = R"(\n)"; ' + BAD, [b"// HIP101", b'auto s = R"(', b')"; ' + BAD]),
        (b"int x; \\\n" + BAD, [b"// HIP101", b"int x; \\", BAD]),
        (
            b"int x = nvtx3::v1::\n  // mine\n  scoped_range_in<D>(1);",
            [b"// HIP101", b"int x = nvtx3::v1::", b"  // mine", b"  scoped_range_in<D>(1);"],
        ),
    ],
)
def test_a_note_stands_above_its_line_and_never_inside_something(source: bytes, lines: list[bytes]) -> None:
    assert shape(source) == lines


def test_the_kernel_in_a_string_stays_without_notes() -> None:
    source = b'const char *s = R"(__global__ void k() {\n' + BAD + b'\n})";'
    assert shape(source) == [b"// HIP101", *source.split(b"\n")]


def test_the_newline_style_is_kept() -> None:
    assert annotate(b"int x;\r\n" + BAD + b"\r\n").count(b"\r\n") == 3
    assert b"\r" not in annotate(b"int x;\n" + BAD + b"\n")


def test_c_sources_get_comments_of_c() -> None:
    (note, _, _) = annotate(BAD + b"\n", "a.c").split(b"\n")
    assert note.startswith(b"/* HIP101: ")
    assert note.endswith(b" */")


def test_a_message_never_breaks_out_of_its_comment() -> None:
    for path in ("a.cu", "a.c"):
        (note, rest) = annotate(b"#include <cuda/*/../x.h>\\\n", path).split(b"\n", 1)
        assert note.count(b"*/") <= 1
        assert not note.endswith(b"\\")
        assert rest


def test_suppressed_findings_get_no_note() -> None:
    source = BAD + b" // hipify: ignore\n"
    assert annotate(source) == source


@pytest.mark.parametrize(
    "source",
    [
        b"void f() {\n  " + BAD + b"\n  __managed__ int x;\n}\n",
        b"void f() {\r\n  " + BAD + b"\r\n}\r\n",
        b"__device__ int f(S s, int v) {\n  return __any_sync(s.mask, v);\n}\n" + BAD + b"\n",
        b"#define F() \\\n  " + BAD + b"\n",
    ],
)
def test_a_second_run_neither_repeats_nor_removes_notes(source: bytes) -> None:
    once = annotate(source)
    assert b"// HIP" in once
    assert annotate(once) == once
    assert annotate(once, "a.hip") == once


def test_a_note_that_says_something_else_is_brought_up_to_date() -> None:
    assert annotate(b"  // HIP101: old\n  // mine\n  " + BAD).count(NOTE) == 2  # not directly above: somebody's own
    assert annotate(b"  // HIP101: old\n  " + BAD) == annotate(b"  " + BAD)


def test_a_note_is_not_repeated_where_its_line_became_several() -> None:
    source = b"__device__ void f() {\n  " + ASM + b"\n  stays();\n}\n"
    once = annotate(source)
    assert once.count(b"// HIP101") == 1
    assert annotate(once) == once
    assert annotate(once.replace(b"stays();", b"g(cutlass::gone);")).count(b"// HIP101") == 2
    assert annotate(once.replace(b"void f", b"void f(cutlass::Array)")).count(b"// HIP101") == 2


ASM = b'asm("{.reg .pred p; setp.eq.u32 p, 2, %1; selp.u32 %0, 1, 2, p;}" : "=r"(r) : "n"(cutlass::gone));'
WARPS = b"""__global__ void k(int *o) {
  const int lane = threadIdx.x % 32;
  unsigned m = __ballot_sync(0xffffffff, o[lane] > 0);
  o[lane] = __shfl_sync(0xffffffff, o[lane], 0) + __popc(m);
}
"""
UNMASKED = b"__device__ bool f(bool p) { unsigned m = __activemask(); return __any_sync(m, p); }\n"


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("fixes", [frozenset[str](), frozenset({"wavefront"})], ids=["plain", "wavefront"])
@pytest.mark.parametrize("support", [True, False])
@pytest.mark.parametrize(
    "source",
    [
        WARPS,
        UNMASKED,
        WARPS + BAD,
        b"\xef\xbb\xbf" + WARPS,
        b"#ifdef A\n" + WARPS + b"#else\n" + WARPS + b"#endif\n",
        b"#include <cublas.h>\nvoid g(float *x) { float s = cublasSdot(4, x, 1, x, 1); }\n" + WARPS,
        WARPS.replace(b"(int *o)", b"(int *o, cudaTextureObject_t t)"),
    ],
    ids=range(7),
)
def test_a_second_run_finds_the_notes_of_the_first_right(
    source: bytes, support: bool, fixes: frozenset[str], newline: bytes
) -> None:
    options = Options(annotate=True, support=support, fixes=fixes)
    once = translate(source.replace(b"\n", newline), path="a.cu", options=options)
    assert once.changed
    assert translate(once.output, path="a.cu", options=options).edits == []


def test_hip_code_gets_no_notes_but_about_what_is_cuda_still() -> None:
    source = b"#include <hip/hip_runtime.h>\n" + WARPS.replace(b"_sync(0xffffffff, ", b"(")
    assert annotate(source) == source
    assert annotate(source + BAD).count(NOTE) == 1
    assert annotate(b"// HIP101: as text\n" + source) == b"// HIP101: as text\n" + source


def test_notes_keep_the_source_map_right() -> None:
    source = b"int x;\n" + BAD + b"\nvoid g(void *p) { cudaFree(p); }\n"
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False, annotate=True))
    place = result.output.index(b"hipFree")
    assert source[result.source_map.to_input(place) :].startswith(b"cudaFree")
    assert result.source_map.to_output(source.index(b"cudaFree")) == place


def test_notes_compose_with_edits_over_several_lines() -> None:
    source = b"#include <cuda_runtime.h>\n#include <cuda.h>\nk<<<a,\n  b>>>(x,\n  " + BAD[:-1] + b");\n"
    output = annotate(source)
    without = translate(source, path="a.cu").output
    assert b"".join(line for line in output.splitlines(True) if not line.lstrip().startswith(b"// HIP")) == without


@pytest.mark.parametrize(
    "build",
    [
        lambda n: b"// c\n" * (2 * n) + BAD * n,
        lambda n: (BAD + b"\n") * n,
        lambda n: b"#define F() \\\n" + b" g(); \\\n" * (20 * n) + BAD * n,
        lambda n: b"x = \\\n" * (20 * n) + BAD,
        lambda n: b"a::\n" * (20 * n) + BAD,
    ],
    ids=range(5),
)
def test_hostile_sources_take_linear_time(build: Callable[[int], bytes]) -> None:
    assert_linear(annotate, build, 300)


def test_a_line_that_repeats_the_one_before_has_its_note() -> None:
    once = (
        b"#include <hip/hip_runtime.h>\n"
        b"void f() {\n"
        b"  g(\n"
        b"    // HIP102: CUBLAS_KIND looks like a cublas symbol, but it is not in the mapping tables\n"
        b"    c, CUBLAS_KIND, 4,\n"
        b"    c, CUBLAS_KIND, 4, 1);\n"
        b"}\n"
    )
    assert annotate(once) == once
    more = once.replace(b"}\n", b"  stays();\n  g(c, CUBLAS_KIND);\n}\n")
    assert annotate(more).count(b"// HIP102") == 2
