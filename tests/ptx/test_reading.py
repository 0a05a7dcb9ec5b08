"""Reading asm statements and their templates, broken ones included."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py.ptx.instructions import opcodes, parse
from hipify_py.ptx.operands import Address, Argument, Immediate, Negated, Pair, Register, Special, Vector
from hipify_py.ptx.statement import Statement, Unreadable, literal, statements
from hipify_py.translator.translate import lexer, load_catalog, translate
from tests.growth import assert_linear


def found(source: str) -> list[Statement]:
    data = source.encode()
    return list(statements(lexer(load_catalog()).scan(data)))


def test_a_statement_is_taken_apart() -> None:
    source = 'asm volatile /* now */ ("add.u32 %0, "\n  "%1, %2;" : "=r"(a[i]) : "r"(f(x, y)), [z] "n"(3) : "memory");'
    [statement] = found(source)
    assert statement.template == "add.u32 %0, %1, %2;"
    assert [source[operand.start : operand.end] for operand in statement.operands] == ["a[i]", "f(x, y)", "3"]
    assert [operand.constraint for operand in statement.operands] == ["=r", "r", "n"]
    assert [operand.is_output for operand in statement.operands] == [True, False, False]
    assert statement.operands[2].name == "z"
    assert source[statement.start : statement.end] == source.removesuffix(";")


@pytest.mark.parametrize(
    "source",
    [
        'asm("trap;" ::);',
        'asm("trap;" :: "r"(std::max(a, b)));',
        '__asm__ __volatile__("trap;" : : : "memory");',
        'asm("trap" ";" : : "r"(c ? d : e));',
        '#define T "trap;"\nvoid f() { asm(T); }',
        'asm(R"x(trap;)x");',
        '#define STOP() \\\n  asm volatile("trap;" \\\n  : : )\n',
    ],
)
def test_forms_of_statements(source: str) -> None:
    [statement] = found(source)
    assert statement.template == "trap;"
    assert not statement.trouble


@pytest.mark.parametrize(
    ("source", "trouble"),
    [
        ('asm("ld" MODE ".u32 %0, [%1];" : "=r"(a) : "l"(p));', "comes from a macro (MODE)"),
        ('#define M(x) asm("mov." #x " %0, 1;" : "=r"(a))\n', "comes from a macro"),
        ('asm("trap;" : "=r"(a) "=r"(b));', "commas"),
        ('asm("trap;" : CONSTRAINT(a));', "constraint"),
        ('asm("trap;" : "=r" a);', "constraint"),
        ('asm("trap;" : "=r");', "expression"),
    ],
)
def test_what_cannot_be_read_is_said(source: str, trouble: str) -> None:
    assert trouble in found(source)[0].trouble


def test_literals() -> None:
    assert literal(rb'"a\n\t\"\\\x41\101"') == 'a\n\t"\\AA'
    assert literal(b'R"(a\\n)"') == "a\\n"


def test_a_template_is_read() -> None:
    program = parse(
        "{ .reg .pred p; .reg .b32 t<3>; // a comment\n setp.eq.u32 p|_, %0, -1; /* another */ @!p mov.b32 t2, %%tid.x;"
        " ld.v2.u32 {t0, t1}, [%rd + 4]; selp.b32 %[x], 0f3F800000, t1, !p; }".replace("%rd", "%1"),
        {"x": 2},
        3,
    )
    assert program.registers == {"p": "pred", "t0": "b32", "t1": "b32", "t2": "b32"}
    compare, move, load, select = program.instructions
    assert compare.operands == (Pair(Register("p"), Register("_")), Argument(0), Immediate("-1"))
    assert (move.guard, move.inverted, move.operands[1]) == (Register("p"), True, Special("tid.x"))
    assert load.operands == (
        Vector((Register("t0"), Register("t1"))),
        Address(Argument(1), Immediate("4")),
    )
    assert select.operands == (Argument(2), Immediate("0f3F800000"), Register("t1"), Negated(Register("p")))


def test_scopes_may_declare_a_name_again() -> None:
    program = parse("{ .reg .b32 t; mov.b32 t, 1; } { .reg .f32 t; mov.f32 t, %0; }", {}, 1)
    assert program.registers == {"t": "b32", "t_": "f32"}
    assert program.instructions[1].operands[0] == Register("t_")


@pytest.mark.parametrize(
    "template",
    [
        "mov.b32 x, 1;",
        "{ mov.b32 %0, 1;} }",
        "l: bra l;",
        "l: trap; l: trap;",
        "bra somewhere;",
        '.pragma "x";',
        "mov.b32 %7, 1;",
        "add.u32 %0 %0;",
        "@p trap;",
        "#",
    ],
)
def test_a_template_that_cannot_be_read(template: str) -> None:
    with pytest.raises(Unreadable):
        parse(template, {}, 1)


def test_opcodes_are_found_without_reading_the_rest() -> None:
    assert opcodes("{ .reg .pred p; @p ld.global.L1::no_allocate.u32 %0, [%1]; l: bra l; }") == [
        "ld.global.L1::no_allocate.u32",
        "bra",
    ]


PIECES = st.sampled_from(
    ["asm", "volatile", "(", ")", '"add.u32 %0, %1, %2;"', '"mov.b32 {%0,%1}, %2;"', ":", '"=r"', '"l"', "x", ",", "[",
     "]", "{", "}", ";", "\n", "\\\n", "#define M(x) ", '"', "'", "//", "/*", "*/", '"@p bra l;"', 'R"(', "%", "::"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_nothing_makes_it_fail(pieces: list[str]) -> None:
    source = " ".join(pieces)
    translate(source, path="a.cu")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='abdx%@!{}[](),;:.+-<>|_0f3 \n/*"', max_size=60))
def test_no_template_makes_it_fail(template: str) -> None:
    with contextlib.suppress(Unreadable):
        parse(template, {}, 2)
    opcodes(template)


@pytest.mark.parametrize(
    ("build", "size"),
    [
        (lambda n: 'asm("add.u32 %0, %0, 1;" : "+r"(x)); ' * n, 200),
        (lambda n: 'asm("' + "add.u32 %0, %0, 1; " * n + '" : "+r"(x));', 200),
        (lambda n: "asm(" * n, 2000),
        (lambda n: 'asm("trap;" : ' * n, 2000),
        (lambda n: 'asm("{' + "{" * n + '");', 5000),
        (lambda n: 'asm("' + "// " * n + '");', 5000),
        (lambda n: 'asm("' + "@p bra a; " * n + '");', 500),
        (lambda n: 'asm("' + "a: trap; " * n + '");', 500),
        (lambda n: "#define A(x) asm(x B(x) #x)\n" * n, 200),
        (lambda n: '#define S "trap;"\n' * n + "void g() { " + "asm(S); " * (n // 4) + "}", 200),
        (lambda n: 'asm("add.cc.u32 %0, %0, 1;" : "+r"(x)); asm("addc.u32 %0, %0, 1;" : "+r"(x)); ' * n, 75),
        (lambda n: "#if A\n" * n + 'asm(\n#if B\n"trap;"\n', 500),
        # A query looks through all later siblings of a bracket that nothing closes: 46 ms for 8,000 of them.
        (lambda n: 'asm("mov.u32 %0, 1;" : "=r"(' + "(" * n + "x));", 500),
    ],
    ids=range(13),
)
def test_the_work_grows_with_the_input(build: Callable[[int], str], size: int) -> None:
    def kernel(count: int) -> str:
        return "__global__ void k() { " + build(count) + " }"

    assert_linear(lambda source: translate(source, path="a.cu"), kernel, size)
