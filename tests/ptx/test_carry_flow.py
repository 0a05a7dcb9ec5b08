"""Carries that pass from one asm statement to another."""

from __future__ import annotations

import pytest

from hipify_py.core.options import Options
from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate

FIRST = 'asm("add.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "r"(b[0]));'
NEXT = 'asm("addc.cc.u32 %0, %1, %2;" : "=r"(r[i]) : "r"(a[i]), "r"(b[i]));'
LAST = 'asm("addc.u32 %0, 0, 0;" : "=r"(c));'
ADD_FIRST = "r[0] = __builtin_addc(a[0], b[0], 0u, &carry);"
ADD_NEXT = "r[i] = __builtin_addc(a[i], b[i], carry, &carry);"
HEAD = "__device__ unsigned add(unsigned* r, const unsigned* a, const unsigned* b) { unsigned c = 0, i = 1;\n"


def run(body: str, options: Options | None = None) -> Translation:
    source = "#include <hip/hip_runtime.h>\n" + body
    return translate(source, path="a.cu", **({"options": options} if options else {}))


def test_statements_of_a_block_share_a_variable() -> None:
    result = run(f"{HEAD}  {FIRST}\n  for (; i < 8; i++) {NEXT}\n  {LAST}\n  return c;\n}}")
    assert result.output.decode().endswith(
        f"  unsigned carry;\n  {ADD_FIRST}\n  for (; i < 8; i++) {ADD_NEXT}\n  c = carry;\n  return c;\n}}"
    )
    assert result.findings == []


def test_each_block_has_its_own() -> None:
    result = run(f"{HEAD}if (c) {{ {FIRST} {LAST} }} else {{ int carry; {FIRST} {LAST} }} return c; }}")
    assert result.output.decode().count("unsigned carry_;") == 2
    assert result.findings == []


@pytest.mark.parametrize(
    "body",
    [
        f"if (c) {FIRST} {LAST}",  # the carry may be an older one
        f"if (c) {{ {FIRST} }} {LAST}",
        f"{FIRST} c = other(c); {LAST}",  # which may set the flag
        f"{FIRST} {NEXT}",  # the last carry may be for the caller
        f"{LAST} {FIRST} {LAST}",
        "c = C; " + NEXT,
    ],
)
def test_what_is_not_seen_whole_goes_by_way_of_shared_memory(body: str) -> None:
    result = run(f"{HEAD}{body} return c; }}")
    output = result.output.decode()
    assert "hipify::thread_carry()" in output
    assert "asm" not in output
    assert [found.id for found in result.findings] == ["HIP225"]


def test_functions_that_hand_the_flag_on() -> None:
    """What big-integer libraries build upon: a function for an instruction."""
    function = '__device__ unsigned {0}(unsigned x, unsigned y) {{ unsigned r; asm volatile("{1}.u32 %0, %1, %2;"'
    function += ' : "=r"(r) : "r"(x), "r"(y)); return r; }}\n'
    result = run(function.format("f", "add.cc") + function.format("g", "addc.cc") + function.format("h", "addc"))
    output = result.output.decode()
    assert "unsigned carry; r = __builtin_addc(x, y, 0u, &carry); hipify::thread_carry() = carry;" in " ".join(
        output.split()
    )
    assert output.count("unsigned carry = hipify::thread_carry();") == 2
    assert output.count("hipify::thread_carry() = carry;") == 2
    assert [found.id for found in result.findings] == ["HIP225"]


def test_macros_that_hand_the_flag_on_use_names_of_their_own() -> None:
    result = run(
        '#define ADD(c, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(c) : "l"(a), "l"(b) : "memory");\n'
        '#define END(c) asm volatile("addc.u64 %0, 0, 0;" : "=l"(c));\n'
    )
    assert (
        "#define END(c) do { unsigned ptx_carry = hipify::thread_carry(); c = ptx_carry; } while (0);"
        in result.output.decode()
    )


def test_a_statement_by_itself_keeps_its_carry_beside_them() -> None:
    whole = 'asm("add.cc.u32 %0, %0, %1; addc.u32 %0, 0, 0;" : "+r"(c) : "r"(i));'
    output = run(f"{HEAD}{LAST} return c; }}\n__device__ void f(unsigned c, unsigned i) {{ {whole} }}").output.decode()
    assert output.count("hipify::thread_carry()") == 1


def test_without_the_support_header() -> None:
    source = f"{HEAD}{LAST} return c; }}"
    result = run(source, Options(support=False))
    assert source in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP216"]


def test_a_macro_that_takes_the_instruction_keeps_it() -> None:
    source = '#define OP(name, op) __device__ unsigned name(unsigned x) { unsigned r; asm(op ".u32 %0, %1, 1;"'
    source += ' : "=r"(r) : "r"(x)); return r; }\nOP(f, "add.cc")\n'
    result = run(source)
    assert source in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP216"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ('__global__ void k(int n) { if (n) asm volatile("exit;"); }', "if (n) return; }"),
        (
            '__global__ void k(int n) { asm("{.reg .pred p; setp.eq.s32 p, %0, 0; @p exit;}" :: "r"(n)); }',
            "if (p) return;",
        ),
    ],
)
def test_exit_returns_from_a_kernel(function: str, expected: str) -> None:
    result = run(function)
    assert expected in result.output.decode()
    assert result.findings == []


@pytest.mark.parametrize(
    "function",
    [
        '__device__ void f(int n) { if (n) asm volatile("exit;"); }',
        '__global__ void k(int n) { auto f = [=] { asm volatile("exit;"); }; f(); }',
        '__global__ void k(int n) { struct S { __device__ void f() { asm volatile("exit;"); } }; S().f(); }',
        '#define EXIT asm volatile("exit;")',
    ],
)
def test_exit_elsewhere_is_reported(function: str) -> None:
    result = run(function)
    assert function in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP220"]


def test_a_statement_that_ends_a_block_of_limbs_hands_its_carry_on() -> None:
    two = 'asm("add.cc.u32 %0, %0, %2; addc.cc.u32 %1, %1, %3;" : "+r"(r[0]), "+r"(r[1]) : "r"(a[0]), "r"(a[1]));'
    result = run(f"{HEAD}{two} {LAST} other(c); {FIRST} {LAST} return c; }}")
    output = result.output.decode()
    assert output.count("unsigned carry;") == 1
    assert output.count("c = carry;") == 2
    assert result.findings == []


@pytest.mark.parametrize("loop", ["for (; i < 8; i++) {{ {0} other(c); }}", "for (; i < 8; other(c)) {{ {0} i++; }}"])
def test_a_call_in_a_loop_may_set_the_flag_before_the_next_turn(loop: str) -> None:
    result = run(f"{HEAD}{FIRST} {loop.format(NEXT)} {LAST} return c; }}")
    assert [found.id for found in result.findings] == ["HIP225"]
