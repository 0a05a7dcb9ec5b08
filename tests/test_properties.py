"""What holds for any input: translation never fails, and changes nothing but what its edits say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py import Options, Translation, UnreadableSource, translate
from hipify_py.catalog import Targeting
from hipify_py.core.edits import apply, ordered
from hipify_py.core.options import FileIgnores
from tests.corpus_translations import CORPUS, SOURCES, CorpusTranslations

TEXTS = [(CORPUS / source).read_bytes() for source in SOURCES]

TARGETINGS = st.builds(
    Targeting,
    cuda=st.sampled_from(["", "11.8", "12.9"]),
    rocm=st.sampled_from(["", "6.2", "7.1"]),
    target=st.sampled_from(["hip", "roc"]),
    tables=st.just(()),
)
OPTIONS = st.builds(
    Options,
    launch=st.sampled_from(["ggl", "chevron"]),
    implicit_runtime=st.booleans(),
    experimental=st.booleans(),
    targeting=TARGETINGS,
    support=st.booleans(),
    support_header=st.just(Options().support_header),
    fixes=st.sampled_from([frozenset(), frozenset({"wavefront"})]),
    file_ignores=st.just(FileIgnores()),  # read_config has tried a configuration's patterns
)
NAMES = st.sampled_from(["a.cu", "a.cuh", "a.h", "a.cpp", "<input>"])

TOKENS = [
    b"cudaFree", b"cudaMallocHost", b"cudaMemcpyToSymbol", b"cudaEventCreate", b"cuMemcpy", b"cudaStream_t", b"cudaFooBar",
    b"cuCtxCreate", b"cudnnConvolutionForward", b"cub", b"nvcuda::wmma::", b"thrust::cuda::par", b"cooperative_groups", b"half",
    b"__global__", b"__shfl_sync", b"WARP_SIZE", b"__CUDA_ARCH__", b"CUDART_VERSION", b"cudaDeviceProp", b"asm", b"dim3",
    b"<<<", b">>>", b"<<", b">>", b"<", b">", b"(", b")", b"{", b"}", b"[", b"]", b",", b";", b"::", b".", b"->", b"=", b"*", b"&", b":",
    b"#include <cuda.h>", b'#include "cufft.h"', b"#define M(x) ", b"#define ", b"#if ", b"#else", b"#endif", b"#pragma once", b"##",
    b"\\\n", b"\\\r\n", b"\n", b"\r\n", b"\r", b" ", b"\t", b"//", b"/*", b"*/", b'"', b"'", b'R"(', b')"', b"\\", b"1", b"0x1'0", b"x",
    b"int ", b"void f() ", b"namespace ", b"using ", b"struct ", b"template <class T> ", b"operator", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(TOKENS), max_size=40).map(b"".join)


def check(source: bytes, result: Translation) -> None:
    """The edits are in order, apart from each other, inside of the source, and the whole difference."""
    assert ordered(result.edits) == result.edits
    assert all(0 <= edit.start <= edit.end <= len(source) for edit in result.edits)
    assert all(source[edit.start : edit.end] != edit.text for edit in result.edits)
    assert apply(source, result.edits) == result.output
    assert result.changed or result.output == source
    source_map, done = result.source_map, 0
    for edit in [*result.edits, None]:
        stop = len(source) if edit is None else edit.start
        for offset in {done, (done + stop) // 2, stop - 1}:
            if done <= offset < stop:
                there = source_map.to_output(offset)
                assert result.output[there] == source[offset]
                assert source_map.to_input(there) == offset
        done = len(source) if edit is None else edit.end


@pytest.mark.parametrize("source", SOURCES, ids=Path.as_posix)
@pytest.mark.parametrize("launch", ["ggl", "chevron"])
def test_a_corpus_source_changes_by_its_edits_only(source: Path, launch: str, corpus: CorpusTranslations) -> None:
    check((CORPUS / source).read_bytes(), corpus.of(source, launch))


@settings(max_examples=200)
@given(st.binary(max_size=300), NAMES, OPTIONS)
def test_any_bytes_are_translated_or_refused_with_a_reason(source: bytes, path: str, options: Options) -> None:
    if b"\0" in source or source.startswith((b"\xff\xfe", b"\xfe\xff")):
        with pytest.raises(UnreadableSource, match=r"UTF-16|NUL"):
            translate(source, path=path, options=options)
    else:
        check(source, translate(source, path=path, options=options))


@settings(max_examples=500)
@given(SOUP, NAMES, OPTIONS)
def test_any_soup_of_tokens_is_translated(source: bytes, path: str, options: Options) -> None:
    check(source, translate(source, path=path, options=options))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A corpus source with pieces cut out, doubled, moved in from another source, or replaced by tokens."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 400)))
        match draw(st.sampled_from(["cut", "double", "splice", "token", "tail"])):
            case "cut":
                text = text[:start] + text[end:]
            case "double":
                text = text[:end] + text[start:]
            case "splice":
                other = draw(st.sampled_from(TEXTS))
                place = draw(st.integers(0, len(other)))
                text = text[:start] + other[place : place + 300] + text[end:]
            case "token":
                text = text[:start] + draw(st.sampled_from(TOKENS)) + text[start:]
            case _:
                text = text[start:]
    return text


@settings(max_examples=250)
@given(mutated(), NAMES, OPTIONS)
def test_a_damaged_source_is_translated(source: bytes, path: str, options: Options) -> None:
    check(source, translate(source, path=path, options=options))


@settings(max_examples=40)
@given(st.sampled_from(TEXTS), st.data())
def test_a_source_cut_off_anywhere_is_translated(text: bytes, data: st.DataObject) -> None:
    source = text[: data.draw(st.integers(0, len(text)))]
    check(source, translate(source))


@settings(max_examples=100)
@given(SOUP, OPTIONS)
def test_translating_is_deterministic(source: bytes, options: Options) -> None:
    first, second = translate(source, options=options), translate(source, options=options)
    assert (first.output, first.findings, first.references) == (second.output, second.findings, second.references)


STATEMENTS = [
    "cudaFree(p);", "cudaMallocHost(&p, n);", "cudaMemcpyToSymbol(a, b, 4);", "cudaEventCreate(&e, 1);", "cuMemcpy(a, b, c);",
    "k<<<1, 2>>>(a);", "k<T, 2><<<g, b, 0, s>>>();", "CHECK(k<<<1, 2>>>(x));", "cudaStream_t s;", "cudaFooBar(1);",
    "cub::DeviceReduce::Sum(a, b);", "{ int cudaSuccess = 1; use(cudaSuccess); }", "// cudaFree(p)\n", '"cudaFree";', "o.cudaFree(p);",
    "if (x)", "for (;;)", "{", "}", "#if A\n", "\n#endif\n", "\n", "auto f = [&] { k<<<1, 1>>>(); };", "cuCtxCreate(&c, q, 0, d);",
]  # fmt: skip


@given(st.lists(st.sampled_from(STATEMENTS), max_size=12).map(" ".join), st.sampled_from(["ggl", "chevron"]))
def test_any_statements_are_idempotent(body: str, launch: str) -> None:
    options = Options(launch=launch)
    once = translate(f"void f() {{ {body} }}\n", options=options)
    twice = translate(once.output, options=options)
    assert twice.output == once.output
    assert twice.counts.converted == 0


@given(st.lists(st.sampled_from(STATEMENTS), max_size=10))
def test_crlf_gives_the_same_with_crlf(parts: list[str]) -> None:
    source = "void f() {\n" + "\n".join(parts) + "\n}\n"
    lf, crlf = translate(source).output, translate(source.replace("\n", "\r\n")).output
    assert crlf == lf.replace(b"\n", b"\r\n")
