"""Integer literals."""

from __future__ import annotations

from hipify_py.core.patterns import lazy_pattern

LITERAL = lazy_pattern(rb"-?\s*(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
"""An integer literal, with an optional sign."""
_NO_DIGITS = lazy_pattern(rb"[\suUlL]")


def value_of(text: bytes) -> int:
    """The value of such a number; 0 for what is not one in C."""
    digits = _NO_DIGITS.sub(b"", text).decode()
    is_octal = len(digits) > 1 and digits.lstrip("-").isdigit() and digits.lstrip("-").startswith("0")
    try:
        return int(digits, 8 if is_octal else 0)
    except ValueError:
        return 0  # `09` is not a literal: the compiler reports it
