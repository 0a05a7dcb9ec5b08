"""Resolves clashes between the user's own operators on vector types and those of HIP's vector types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from hipify_py.core.edits import Edit
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.collisions.elementwise import is_elementwise
from hipify_py.rules.collisions.functions import BOTH_SIDES, HOST_GUARD, VECTOR_OPERATORS, Function, guarded, operators
from hipify_py.rules.collisions.types import base_type
from hipify_py.rules.triggers import words
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.structure import structure_of

_OPERATOR = b"operator"
_LONGEST_SIGN = max(map(len, VECTOR_OPERATORS))
_ALIAS_OF_VECTOR = re.compile(r"\w*[a-z]\w*?[234](?:_t)?", re.IGNORECASE)
_MAKE = re.compile(rb"make_(?:float|double|u?int|u?char|u?short)[234]")
_CALLS = "(call_expression function: (identifier) @name)"
_MACRO = re.compile(rb"\b_*[A-Z][A-Z0-9_]+\b|\b\w*(?:hd|HD)_*\b|host_?dev", re.ASCII)
_WORD = re.compile(rb"\w+")
_WORDS = re.compile(rb"[\w \t]+")
_IF_DEVICE = b"#ifdef __HIP_DEVICE_COMPILE__  // one side at a time, so that it is preferred to HIP's"


class VectorOperators(Rule):
    """HIP's vector types have `*`, `/` and the compound assignments as members and friends.

    A user's `__host__ __device__` operator with the same operands, as in the samples' `helper_math.h`, is neither a
    better nor a worse match, so every use is ambiguous. If it works element by element like HIP's, it is left out on
    AMD. If it means something else, such as the product of complex numbers, it must win: hipify-py compiles it for
    host and device separately, and the compiler prefers it to HIP's, which is for both. Other operators (`+`, `-`,
    `==`, products with a number) are templates in HIP, and the compiler prefers the user's own anyway.
    """

    id = "HIP121"
    reports = ("HIP122",)
    triggers = words("operator")
    VALID = (
        Example("inline __host__ __device__ float3 operator+(float3 a, float3 b) { return a; }"),
        Example("inline __device__ float3 operator*(float3 a, float3 b) { return a; }"),
        Example("inline __host__ __device__ float3 operator*(float3 a, float b) { return a; }"),
        Example("struct V { float x; };\n__host__ __device__ V operator*(V a, V b) { return a; }"),
    )
    INVALID = (
        Example(
            "__host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }\n",
            "#if !defined(__HIP__) && !defined(__HIP_PLATFORM_AMD__)  // HIP has it\n"
            "__host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }\n#endif\n",
            ("HIP121",),
        ),
        Example(
            "inline __host__ __device__ float2 operator*(float2 a, float2 b) { return f(a, b); }\n",
            "inline\n#ifdef __HIP_DEVICE_COMPILE__  // one side at a time, so that it is preferred to HIP's\n"
            "__device__\n#elif defined(__HIP__)\n__host__\n#else\n__host__ __device__\n#endif\n"
            "float2 operator*(float2 a, float2 b) { return f(a, b); }\n",
            ("HIP122",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | DedupedFinding]:
        if not any(_may_be_one(unit.lexemes, place) for place in unit.lexemes.places(_OPERATOR)):
            return
        same: list[tuple[int, int]] = []
        plain: set[tuple[bytes, str]] = set()
        for function in operators(unit):
            symbol = _symbol(unit, function)
            if symbol not in VECTOR_OPERATORS or not _collides(unit, function, symbol):
                continue
            type = function.parameters[0].type.strip(b"&").removeprefix(b"const ").decode(errors="replace")
            name = f"operator{symbol.decode()}({type}, {type})"
            if is_elementwise(unit, function, symbol, plain):
                plain.add((symbol, base_type(unit, type)))
                same.append((function.start, function.end))
                yield DedupedFinding(unit.finding("HIP121", function.name, name=name, library="device"))
                continue
            edit = _for_one_side(unit, function)
            if edit is not None:
                yield edit
                yield DedupedFinding(unit.finding("HIP122", function.name, name=name, library="device"))
        yield from guarded(unit, same, HOST_GUARD)


def _may_be_one(lexemes: Lexemes, place: int) -> bool:
    """Whether the sign after `operator` begins like one of `VECTOR_OPERATORS`: without one no tree is needed."""
    sign, at = b"", place + len(_OPERATOR)
    for _ in range(_LONGEST_SIGN):
        at = lexemes.after(at) + 1
        sign += lexemes.data[at - 1 : at]
        if sign in VECTOR_OPERATORS:
            return True
    return False


def _symbol(unit: Unit, function: Function) -> bytes:
    """The operator's sign."""
    end = function.name + len(function.text)
    return b"".join(token.text for token in tokens(unit.lexemes, function.name, end)).removeprefix(_OPERATOR)


def _collides(unit: Unit, function: Function, symbol: bytes) -> bool:
    """Whether it is for both sides, with operands of one vector type, the left one changed by a compound assignment."""
    if function.is_template or not (_is_for_both(function) or _has_macro(function)):
        return False
    if len(function.parameters) != 2:
        return False
    left, right = (parameter.type.decode(errors="replace") for parameter in function.parameters)
    if symbol.endswith(b"=") != (left.endswith("&") and not left.startswith("const ")):
        return False
    if right.endswith("&") and not right.startswith("const "):
        return False  # a variable prefers it to HIP's `const &`
    left, right = (side.removeprefix("const ").removesuffix("&") for side in (left, right))
    if base_type(unit, left) != base_type(unit, right):
        return False
    return vector(base_type(unit, left)) is not None or _makes_vector(unit, function, left)


def _is_for_both(function: Function) -> bool:
    return function.on_device and b"__host__" in function.head


def _has_macro(function: Function) -> bool:
    """Whether a word before it may expand to `__host__ __device__`, here or in a header: `HOSTDEV`, `__hd__`."""
    return not function.on_device and _MACRO.search(function.head) is not None


def _makes_vector(unit: Unit, function: Function, type: str) -> bool:
    """Whether a type of another file is an alias of a vector, by its name (`real3`) and by `make_...` calls."""
    if _ALIAS_OF_VECTOR.fullmatch(type) is None or function.body is None:
        return False
    if structure_of(unit).records.get(type.encode()):
        return False
    calls = unit.tree.captures(_CALLS, function.body).get("name", ())
    return any(_MAKE.fullmatch(text_of(name)) is not None for name in calls)


def _for_one_side(unit: Unit, function: Function) -> Edit | None:
    """Its qualifiers, or the macro of this source that expands to them, split by the side that is compiled."""
    data, newline = unit.source.data, unit.source.newline
    found = _qualifiers(unit, function)
    if found is None:
        return None
    start, end, meaning = found
    words = data[start:end]
    lead = b""
    if data[data.rfind(b"\n", 0, start) + 1 : start].strip():
        lead = newline
        while data[start - 1 : start] in (b" ", b"\t"):
            start -= 1
    while data[end : end + 1] in (b" ", b"\t"):
        end += 1
    tail = b"" if data[end : end + 1] in (b"\n", b"\r") else newline
    device, host = (b" ".join(meaning.replace(other, b"").split()) for other in (b"__host__", b"__device__"))
    lines = (_IF_DEVICE, device, b"#elif defined(__HIP__)", host, b"#else", words, b"#endif")
    return Edit(start, end, lead + newline.join(lines) + tail)


def _qualifiers(unit: Unit, function: Function) -> tuple[int, int, bytes] | None:
    """The offset of `__host__ __device__` or of a macro for it before a function, and its meaning."""
    data, lexemes = unit.source.data, unit.lexemes
    words = [
        word
        for word in _WORD.finditer(data, function.start, function.name)
        if lexemes.non_code_at(word.start()) is None
    ]
    for first, second in pairwise(words):
        if {first[0], second[0]} == BOTH_SIDES and lexemes.after(first.end()) == second.start():
            return first.start(), second.end(), first[0] + b" " + second[0]
    for word in words:
        for macro in macros_of(unit).named(word[0])[:1]:
            meaning = lexemes.code(macro.start, macro.end)
            if set(meaning.split()) >= BOTH_SIDES and _WORDS.fullmatch(meaning) is not None:
                return *word.span(), meaning
    return None
