"""Source text as bytes: positions, line ends, encodings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py import UnreadableSource, translate
from hipify_py.core.source import Source

CALL = b"void f(void *p) { cudaFree(p); }"
HIP = b"void f(void *p) { hipFree(p); }"


@pytest.mark.parametrize(
    ("offset", "place"),
    [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (6, (3, 3)), (8, (4, 1))],
)
def test_position_counts_lines_and_columns_from_one(offset: int, place: tuple[int, int]) -> None:
    assert Source(b"ab\n\ncde\n").position(offset) == place


def test_position_counts_columns_in_bytes() -> None:
    assert Source("/* é */ x".encode()).position("/* é */ x".encode().index(b"x")) == (1, 10)


def test_position_counts_a_crlf_as_one_line_end() -> None:
    assert Source(b"a\r\nb\r\nc").position(6) == (3, 1)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\t", b"\xc3\xa9"]), max_size=60), st.data())
def test_position_agrees_with_counting_newlines(parts: list[bytes], data: st.DataObject) -> None:
    text = b"".join(parts)
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset]
    assert Source(text).position(offset) == (before.count(b"\n") + 1, offset - (before.rfind(b"\n") + 1) + 1)


@pytest.mark.parametrize(
    ("text", "newline"),
    [(b"a\r\nb\n", b"\r\n"), (b"a\nb\r\n", b"\n"), (b"a", b"\n"), (b"", b"\n"), (b"\n\r\n", b"\n"), (b"\r\n", b"\r\n")],
)
def test_newline_is_that_of_the_first_line(text: bytes, newline: bytes) -> None:
    assert Source(text).newline == newline


@pytest.mark.parametrize(("offset", "bounds"), [(0, (0, 3)), (2, (0, 3)), (3, (3, 6)), (6, (6, 8)), (7, (6, 8))])
def test_line_bounds_take_the_newline_in(offset: int, bounds: tuple[int, int]) -> None:
    assert Source(b"ab\ncd\nef").line_bounds(offset) == bounds


@pytest.mark.parametrize(
    ("path", "is_cuda"),
    [
        ("a.cu", True),
        ("a.CUH", True),
        ("x/a.hip", True),
        ("a.cpp", False),
        ("a.cu.in", True),
        ("a.cu.jinja", True),
        ("a.cuh.cmake.in", True),
        ("a.cu.Cuda", True),
        ("a.hpp.cmake", False),
        ("cu.cmake", False),
    ],
)
def test_the_suffix_tells_cuda_from_cpp(path: str, is_cuda: bool) -> None:
    assert Source(b"", path).is_cuda is is_cuda


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_utf_16_and_32_are_refused_with_a_reason(codec: str) -> None:
    with pytest.raises(UnreadableSource, match="UTF-16") as caught:
        translate(CALL.decode().encode(codec))
    assert caught.value.diagnostic == "HIP902"


def test_nul_bytes_are_refused_as_binary() -> None:
    with pytest.raises(UnreadableSource, match="NUL") as caught:
        translate(CALL + b"\0")
    assert caught.value.diagnostic == "HIP903"


@pytest.mark.parametrize(
    "lead", [b"", b"// \xe4\xf6\xfc Latin-1\n", b"// \xff\xc0\x80 invalid UTF-8\n", "// ü\n".encode()]
)
@pytest.mark.parametrize("tail", [b"", b"\n", b"\r\n", b"\n\n \t", b"\x0c\n", b"\x1a", b"\n// \x82\xa0 \x83\x5c"])
def test_foreign_bytes_and_missing_final_newlines_survive(lead: bytes, tail: bytes) -> None:
    result = translate(lead + CALL + tail, path="f.h")
    assert result.output == lead + HIP + tail


def test_a_byte_order_mark_stays_in_front() -> None:
    assert translate(b"\xef\xbb\xbf" + CALL, path="f.h").output == b"\xef\xbb\xbf" + HIP


def test_crlf_and_mixed_line_ends_survive() -> None:
    source = b"void f() {\r\n  cudaDeviceSynchronize();\n\tcudaDeviceReset();\r\n}\r\n"
    expected = b"void f() {\r\n  hipDeviceSynchronize();\n\thipDeviceReset();\r\n}\r\n"
    assert translate(source, path="f.h").output == expected


def test_a_string_is_taken_as_utf_8() -> None:
    assert translate("// é\ncudaStream_t s;", path="f.h").output == "// é\nhipStream_t s;".encode()


def test_a_source_without_cuda_is_handed_back_itself() -> None:
    source = b"int main() { return 0; }\n"
    result = translate(source)
    assert result.output is source
    assert (result.edits, result.findings, result.references) == ([], [], [])


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("Bootstrap: docker\nFrom: debian:12\n%post\n\tCUDA_VERSION=12-3\n", None),
        ("# recipe\nBootStrap: library\nFrom: x\n%post\ncudaMalloc\n", None),
        ("; exports\nLIBRARY ours\nEXPORTS\n    cudaMalloc @1\n", None),
        ("EXPORTS\r\ncudaFree\r\n", None),
        ("#ifdef A\nX(cudaMalloc)\n#endif\n", "#ifdef A\nX(hipMalloc)\n#endif\n"),
        ("// Bootstrap: docker\nX(cudaFree)\n", "// Bootstrap: docker\nX(hipFree)\n"),
        ("NAME (cudaFree)\n", "NAME (hipFree)\n"),
    ],
)
def test_a_def_may_be_of_another_language(text: str, output: str | None) -> None:
    result = translate(text, path="a.def")
    assert result.output == (text if output is None else output).encode()
    assert (not result.references) == (output is None)
