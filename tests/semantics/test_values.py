"""Integer constants, and what variables are set to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.symbols import names_of

Make = Callable[[str], Unit]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("#define W 32", 32),
        ("#define W (0x20u)", 32),
        ("#define V 64\n#define W (V / 2)", 32),
        ("constexpr int W = 1 << 5;", 32),
        ("constexpr int W = ( /* lanes */ 32 // of a warp\n );", 32),
        ("static const unsigned W{32};", 32),
        ("enum { A, W = 32 };", 32),
        ("struct S { static constexpr int W = 32; };", 32),
        ("#if A\n#define W 32\n#else\n#define W 64\n#endif", None),
        ("int W = 32;", None),
        ("#define W (W)", None),
        ("constexpr int W = sizeof(int) * 8;", None),
    ],
)
def test_a_name_is_a_constant(unit_of: Make, source: str, value: int | None) -> None:
    assert constants_of(unit_of(source + "\n")).named_value(b"W") == value


@pytest.mark.parametrize(
    ("text", "value"), [(b"0x1F", 31), (b"1'000", 1000), (b"017", 15), (b"32ULL", 32), (b"1.5", None)]
)
def test_integer_literals(text: bytes, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("void k() { int x = a; x += b; x++; }", [("=", "a"), ("+=", "b"), ("++", None)]),
        ("void k() { int x{a}; }", [("=", "a")]),
        ("void g(int *p) { *p = a; }\nvoid k() { int x; g(&x); }", [("=", "a")]),
        ("void g(int &r) { r = a; }\nvoid k() { int x; g(x); }", [("=", "a")]),
        ("void k() { int x; h(&x); }", [("&", None)]),
        ("struct S { int x; };\nvoid k() { S s; s.x = a; }", [("=", "a")]),
        ("struct S { int x; S() : x(a) {} };", [("=", "a")]),
        ("void g(int &r) { g(r); }\nvoid k() { int x; g(x); }", []),
    ],
)
def test_definitions(unit_of: Make, source: str, expected: list[tuple[str, str | None]]) -> None:
    unit = unit_of(source)
    (declared,) = names_of(unit).declared(b"x")
    found = [
        (d.operator, (d.value.text or b"").decode() if d.value else None) for d in definitions_of(unit).lookup(declared)
    ]
    assert found == expected


def test_what_callers_pass_for_a_parameter(unit_of: Make) -> None:
    unit = unit_of("void g(int a, int x) {}\nvoid k() { g(1, 2 + 3); g<<<1, 2>>>(4, n); }")
    (declared,) = names_of(unit).declared(b"x")
    assert [(node.text or b"").decode() for node in definitions_of(unit).arguments(declared)] == ["2 + 3", "n"]


def test_constants_that_are_defined_by_each_other_in_two_branches_are_worked_out_once(unit_of: Make) -> None:
    pair = "#if A\nconstexpr int n{0} = n{1} + n{1};\n#else\nconstexpr int n{0} = n{1} + 0 + n{1};\n#endif\n"
    chain = "".join(pair.format(number, number - 1) for number in range(1, 13))  # 4**12 ways through them
    made = unit_of(f"constexpr int n0 = 1;\nint f() {{\n{chain}return n12;\n}}\n")
    (leaf,) = [leaf for leaf in names_of(made).mentions(b"n12") if leaf.parent.type == "return_statement"]
    assert constants_of(made).value(leaf) == 2**12
