"""Which macros a condition takes one for the other."""

from __future__ import annotations

import pytest

from hipify_py.frontend.alternatives import alternatives, joint_tests
from hipify_py.frontend.lexer import Lexer
from tests.growth import assert_linear


def beside(text: bytes) -> frozenset[bytes]:
    """The alternatives to the macro `A`."""
    lexemes = Lexer(frozenset()).scan(text)
    return frozenset(one.name for one in alternatives(lexemes, text.index(b"A")))


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        (b"defined(A) || defined(B)", {b"A", b"B"}),
        (b"defined A||defined B", {b"A", b"B"}),
        (b"defined(C) || defined(A) || C > 3 || defined(B)", {b"A", b"B", b"C"}),
        (b"(defined(B)) || ((defined(A)))", {b"A", b"B"}),
        (b"defined(C) && (defined(A) || defined(B))", {b"A", b"B"}),
        (b"defined(C) || (defined(A) && D) || defined(B)", set()),
        (b"(defined(A) || defined(B)) && (defined(C) || defined(D))", {b"A", b"B"}),
        (b"defined(A) \\\n  || /* or */ defined \\\r\n (B) // defined(C)", {b"A", b"B"}),
        (b"!defined(A) || defined(B)", {b"A"}),
        (b"!defined(A) && !defined(B)", {b"A", b"B"}),
        (b"C > 3 && ! defined B && !defined(A) && D", {b"A", b"B"}),
        (b"!(defined(A) || defined(B)) && C", {b"A", b"B"}),
        (b"!defined(A) && defined(B)", {b"A"}),
        (b"(defined(B) ? 3 : A) >= 2", {b"A", b"B"}),
        (b"(defined(B) ? A : 3) >= 2", set()),
        (b"(C ? B : A) >= 2", set()),
        (b"defined(A) || !defined(B)", {b"A"}),
        (b"defined(A) || defined(B) && C", {b"A"}),
        (b"defined(A) || HAS(defined(B))", {b"A"}),
        (b"A || defined(B)", {b"A", b"B"}),
        (b"A || B", {b"A", b"B"}),
        (b"A > 1 || B", set()),
        (b"defined(A) || " + b"defined(OTHER) || " * 500 + b"defined(B)", {b"A", b"B", b"OTHER"}),
        (b"defined(A) || (defined(B)", {b"A"}),
    ],
)
def test_macros_beside_one_another(condition: bytes, names: set[bytes]) -> None:
    assert beside(b"#if " + condition + b"\nint x;\n#endif\n") == names
    assert beside(b"#if 0\n#  elif " + condition + b"\nint x;\n#endif\n") == names


def test_a_name_in_code_has_none() -> None:
    assert beside(b"int A = 1;\n") == frozenset()
    assert beside(b"#if 1\n#endif\nint A = 1;\n") == frozenset()
    assert beside(b"#ifdef A\n#endif\n") == frozenset()


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        (b"defined(A) && defined(B)", {b"A", b"B"}),
        (b"defined A&&!defined B", {b"A", b"B"}),
        (b"!defined(A) && defined(B) && C", {b"A", b"B", b"C"}),
        (b"!(defined(A) && defined(B))", {b"A", b"B"}),
        (b"defined(C) || (defined(A)) && (defined(B))", {b"A", b"B"}),
        (b"C > 3 && defined(A) && defined(B) < 1", {b"A"}),
        (b"A > 3 && defined(B)", set()),
        (b"defined(A) || defined(B)", {b"A"}),
        (b"(defined(A) || defined(C)) && defined(B)", set()),
        (b"defined(A) && (defined(C) || defined(B))", {b"A"}),
    ],
)
def test_macros_asked_for_together(condition: bytes, names: set[bytes]) -> None:
    text = b"#if " + condition + b"\nint x;\n#endif\n"
    found = joint_tests(Lexer(frozenset()).scan(text), text.index(b"A"))
    assert {one.name for one in found} - {b""} == names


def test_a_long_condition_takes_one_pass() -> None:
    assert_linear(beside, lambda count: b"#if " + b"defined(B) || (" * count + b"defined(A)" + b")" * count, 500)
