"""Lines that rules add: on lines of their own, with the source's newlines, behind its byte order mark."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.core.options import Options
from hipify_py.core.targeting import Targeting

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", BOM])
def test_they_go_behind_the_mark_and_end_as_the_source_does(mark: bytes, newline: bytes) -> None:
    source = mark + b"void f(P *p) { memcpy(p, p, 1); cudaFree(p); }" + newline
    head = newline.join((b"#include <hip/hip_runtime.h>", b"#include <cstring>", b""))
    assert translate(source, path="a.cu").output == mark + head + source.removeprefix(mark).replace(b"cuda", b"hip")


def test_a_head_that_ends_with_the_source_gets_its_newline() -> None:
    source = b"#ifndef A\n#define A(x) memcpy(x, x, 1)"
    assert translate(source, path="a.cu").output == source + b"\n#include <cstring>\n"


def test_so_does_the_macro_in_front_of_hips_headers() -> None:
    source = b"#ifndef A\n#define A(x) __shfl_sync(~0ull, x, 0)"
    output = translate(source, path="a.cu", options=Options(fixes=frozenset(), targeting=Targeting(rocm="6.2"))).output
    added = [line for line in output.removeprefix(source).splitlines() if line]
    assert added == [b"#define HIP_ENABLE_WARP_SYNC_BUILTINS", b"#include <hip/hip_runtime.h>"]


def test_an_include_behind_the_last_line_gets_a_line_of_its_own() -> None:
    source = b"void f(int *p) { thrust::sequence(p, p + 4); }\n#include <thrust/sort.h>"
    output = translate(source, path="a.cu").output
    assert output.endswith(b"\n#include <thrust/sort.h>\n#include <thrust/sequence.h>\n")
