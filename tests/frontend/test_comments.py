"""Code without its comments."""

from __future__ import annotations

import pytest

from hipify_py.frontend.comments import strip_comments


@pytest.mark.parametrize(
    ("code", "left"),
    [
        (b"a /* b */ c // d\ne", b"a   c  \ne"),
        (b"a /* b", b"a  "),
        (b"/* " * 50_000, b" "),
        (b'f("/*"); g("//"); // h', b'f("/*"); g("//");  '),
        (b"f('\"'); // \"", b"f('\"');  "),
        (b'f("\\"/*"); /* " */ g', b'f("\\"/*");   g'),
        (b"1'000'000 /* 1 */", b"1'000'000  "),
        (b"a / b", b"a / b"),
        (b"a // b \\\n c", b"a  "),
        (b"a // b \\ \r\n c\nd", b"a  \nd"),
        (b"a \\\n && \\\t\r\n b", b"a  &&  b"),
        (b"CUDA_\\\nVERSION", b"CUDA_VERSION"),
        (b"", b""),
    ],
)
def test_a_blank_stands_for_each_comment(code: bytes, left: bytes) -> None:
    assert strip_comments(code) == left
