"""Labels and branches within a statement."""

from __future__ import annotations

import pytest

from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate


def run(statement: str) -> Translation:
    return translate(f"#include <hip/hip_runtime.h>\n__device__ void f(unsigned* p, unsigned x) {{\n{statement}\n}}")


def lines(statement: str) -> str:
    """The statement that takes its place, on one line."""
    result = run(statement)
    assert result.findings == []
    return " ".join(result.output.decode().partition("x) {")[2].split()).removesuffix(" }")


def test_a_loop_that_waits() -> None:
    assert lines(
        'asm volatile("{\\n\\t.reg .pred P1;\\n\\t.reg .b32 v;\\n\\tLAB_WAIT:\\n\\tld.acquire.gpu.global.u32 v, [%0];\\n\\t"\n'
        '"setp.eq.u32 P1, v, %1;\\n\\t@P1 bra DONE;\\n\\tbra LAB_WAIT;\\n\\tDONE:\\n\\t}" :: "l"(p), "r"(x) : "memory");'
    ) == (
        "do { const unsigned long long in0 = (unsigned long long)p; const unsigned in1 = x; bool P1; unsigned v; "
        "for (;;) { v = __hip_atomic_load((const unsigned*)in0, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT); "
        "P1 = v == in1; if (P1) break; } } while (0);"
    )


def test_a_loop_with_its_condition_at_the_end() -> None:
    text = lines(
        'asm("{.reg .pred q; L: shr.u32 %0, %0, 1; setp.gt.u32 q, %0, 9; @q bra.uni L;}" : "+r"(x));',
    )
    assert text == (
        "do { bool q; unsigned out0 = x; do { out0 = out0 >> 1; q = out0 > 9u; } while (q); x = out0; } while (0);"
    )


def test_a_branch_over_instructions() -> None:
    text = lines('asm("{.reg .pred q; setp.lt.u32 q, %0, 7; @!q bra END; add.u32 %0, %0, 1; END: }" : "+r"(x));')
    assert "q = out0 < 7u; if (q) { out0 = out0 + 1u; } x = out0;" in text


def test_a_value_may_be_read_again_after_a_result_was_written() -> None:
    text = lines('asm("{.reg .pred q; L: add.u32 %0, %1, 1; setp.gt.u32 q, %1, 9; @q bra L;}" : "=r"(x) : "r"(x));')
    assert "const unsigned in1 = x;" in text
    assert "out0 = in1 + 1u;" in text


def test_a_lock_is_noted() -> None:
    result = run(
        'asm volatile("{.reg .pred q; .reg .b32 o; L: atom.global.cas.b32 o, [%0], 0, 1; setp.ne.u32 q, o, 0;'
        ' @q bra L;}" :: "l"(p));'
    )
    assert "o = atomicCAS((unsigned*)in0, 0u, 1u);" in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP221"]


@pytest.mark.parametrize(
    "template",
    [
        "l: bra l;",
        "@q bra A; bra B; A: add.u32 %0, %0, 1; B:",
        "@q bra A; B: add.u32 %0, %0, 1; A: @q bra B;",
        "bra elsewhere;",
        "A: add.u32 %0, %0, 1; @q bra A; A: add.u32 %0, %0, 1;",
    ],
)
def test_other_branches_stay(template: str) -> None:
    statement = f'asm("{{ .reg .pred q; setp.eq.u32 q, %0, 1; {template} }}" : "+r"(x));'
    result = run(statement)
    assert statement in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP220"]
