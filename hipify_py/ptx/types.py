"""PTX types as C++ types, and conversions of values between them."""

from __future__ import annotations

import math
import struct

CPP = {
    "pred": "bool",
    "u8": "unsigned char",
    "s8": "signed char",
    "u16": "unsigned short",
    "s16": "short",
    "u32": "unsigned",
    "s32": "int",
    "u64": "unsigned long long",
    "s64": "long long",
    "f32": "float",
    "f64": "double",
    "b8": "unsigned char",
    "b16": "unsigned short",
    "b32": "unsigned",
    "b64": "unsigned long long",
    "f16": "unsigned short",
    "bf16": "unsigned short",
    "f16x2": "unsigned",
    "bf16x2": "unsigned",
    "u16x2": "unsigned",
    "s16x2": "unsigned",
    "f32x2": "unsigned long long",
}
"""The C++ type that holds a PTX type; half-precision types by their bits."""

CONSTRAINTS = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64"}
"""The type of register that a constraint means."""

VECTORS = {
    "unsigned char": "uchar",
    "signed char": "char",
    "unsigned short": "ushort",
    "short": "short",
    "unsigned": "uint",
    "int": "int",
    "unsigned long long": "ulonglong",
    "long long": "longlong",
    "float": "float",
    "double": "double",
}

_SIGNED = {"unsigned char": "signed char", "unsigned short": "short", "unsigned": "int"}
_SIGNED["unsigned long long"] = "long long"
_UNSIGNED = {signed: unsigned for unsigned, signed in _SIGNED.items()}
_BITS = {"unsigned char": 8, "signed char": 8, "unsigned short": 16, "short": 16, "unsigned": 32, "int": 32}
_BITS |= {"unsigned long long": 64, "long long": 64, "float": 32, "double": 64, "bool": 1}
_DOUBLED = {"short": "int", "unsigned short": "unsigned", "int": "long long", "unsigned": "unsigned long long"}


def bits(type: str) -> int:
    """The number of bits of a PTX type."""
    return _BITS[CPP[type]]


def is_float(type: str) -> bool:
    """Whether the type is `f32` or `f64`, which C++ has as such."""
    return type in ("f32", "f64")


def signed(cpp: str) -> str:
    return _SIGNED.get(cpp, cpp)


def unsigned(cpp: str) -> str:
    return _UNSIGNED.get(cpp, cpp)


def double_width(cpp: str) -> str:
    return _DOUBLED.get(cpp, cpp)


def cpp_cast(cpp: str, text: str) -> str:
    """A conversion to a C++ type."""
    return f"static_cast<{cpp}>({strip_parentheses(text)})"


def strip_parentheses(text: str) -> str:
    """The expression without parentheses around the whole of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for at, byte in enumerate(text):
        depth += (byte == "(") - (byte == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def convert(text: str, have: str, want: str, *, is_exact: bool, by_parameter: bool) -> str:
    """A value of the PTX type `have` as one of the type `want`.

    Args:
        text: its expression.
        have: the type of the register.
        want: the type that the instruction uses it as.
        is_exact: the expression has the C++ type of `have` already; otherwise it converts to it.
        by_parameter: it is passed to a parameter of the type `want`, which converts by itself.
    """
    source, target = CPP[have], CPP[want]
    if source == "float" != target:
        return text if target == "double" else cast_bits("float", target, text)
    if source == "double" != target:
        return cast_bits("double", target, text)
    if target in ("float", "double") and source != target:
        return cast_bits(source, target, text)
    if by_parameter or (is_exact and source == target):
        return text
    return cpp_cast(target, text)


def cast_bits(source: str, target: str, text: str) -> str:
    """The bits of a floating-point value as an integer, or vice versa."""
    if source == "float":
        return f"{'__float_as_int' if target == 'int' else '__float_as_uint'}({text})"
    if source == "double":
        inner = f"__double_as_longlong({text})"
        return inner if target == "long long" else cpp_cast("unsigned long long", inner)
    if target == "float":
        return f"__uint_as_float({text})"
    return f"__longlong_as_double({text})"


def immediate(text: str, type: str, *, by_parameter: bool = False) -> str:
    """A number of a template as a C++ literal of a PTX type."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    if digits[:2] in ("0f", "0F") and len(digits) >= 10:
        return _float(int(digits[2:10], 16), sign)
    if digits[:2] in ("0d", "0D") and len(digits) >= 18:
        pattern = int(digits[2:18], 16)
        value = struct.unpack("<d", pattern.to_bytes(8, "little"))[0]
        if math.isfinite(value):
            return f"{sign}{value!r}"
        return f"{sign}__longlong_as_double(0x{pattern:x}ll)"
    if "." in digits:
        return sign + digits + ("f" if type == "f32" else "")
    value = number(text)
    if is_float(type):
        return f"{value}.0" + ("f" if type == "f32" else "")
    target = CPP[type]
    if value < 0 and target.startswith("unsigned"):
        digits, sign = hex(value & ((1 << bits(type)) - 1)), ""
    digits = digits.rstrip("uU")
    if digits[:2].lower() != "0x":
        digits = str(abs(value)) if sign else str(number(digits))
    if by_parameter and value >= 0:
        return sign + digits
    suffix = {"unsigned": "u", "unsigned long long": "ull", "long long": "ll"}.get(target, "")
    return sign + digits + suffix


def number(text: str) -> int:
    """The value of an integer of a template.

    Raises:
        ValueError: for floating-point ones.
    """
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    digits = digits.rstrip("uU")
    if digits[:2].lower() in ("0x", "0b"):
        return sign * int(digits, 0)
    return sign * (int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits))


def _float(pattern: int, sign: str) -> str:
    """The `float` of these bits: by its shortest decimal, or by the bits if it is not a number."""
    value = struct.unpack("<f", pattern.to_bytes(4, "little"))[0]
    if not math.isfinite(value):
        return f"{sign}__uint_as_float(0x{pattern:08x}u)"
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == pattern.to_bytes(4, "little"):
            break
    return sign + (text if "." in text or "e" in text else text + ".0") + "f"
