"""How wide the integers of a type are, as it is written."""

from __future__ import annotations

import pytest

from hipify_py.semantics.builtin_types import Width, spelling


@pytest.mark.parametrize(
    ("text", "width", "part"),
    [
        (b"unsigned", Width.NARROW, b"unsigned"),
        (b"const unsigned int", Width.NARROW, b"unsigned int"),
        (b"unsigned" + b" " * 200 + b"int", Width.NARROW, b"unsigned" + b" " * 200 + b"int"),
        (b"const\n    volatile\n" + b" " * 100 + b"uint32_t", Width.NARROW, b"uint32_t"),
        (b"unsigned long long int const", Width.WIDE, b"unsigned long long int"),
        (b"constexpr const volatile uint64_t", Width.WIDE, b"uint64_t"),
        (b"const auto", Width.DEDUCED, b"auto"),
        (b"decltype(auto)", Width.DEDUCED, b"decltype(auto)"),
        (b"float", Width.OTHER, b"float"),
        (b"const", Width.OTHER, b""),
        (b"", Width.OTHER, b""),
        (b"unsigned long long int extra", Width.OTHER, b""),
        (b"struct { unsigned a; unsigned b; } const", Width.OTHER, b""),
    ],
)
def test_a_spelling_and_its_part(text: bytes, width: Width, part: bytes) -> None:
    found = spelling(text)
    assert found.width is width
    assert text[found.start : found.end] == part
