"""Templates and constraints that are pasted together: by macros, their parameters, and branches of an #if."""

from __future__ import annotations

import pytest

from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate


def run(body: str, path: str = "a.cu") -> Translation:
    return translate("#include <hip/hip_runtime.h>\n" + body, path=path)


def converted(body: str) -> str:
    result = run(body)
    assert result.findings == []
    return result.output.decode().partition("\n")[2]


def test_branches_that_mean_the_same() -> None:
    """A prefetch hint that newer GPUs take, as libraries write it."""
    source = (
        "__device__ void f(int& r, const int* p) {\n  asm volatile(\n#if L2_HINT\n"
        '    "ld.global.L2::128B.u32 %0, [%1];"\n#else\n    "ld.global.u32 %0, [%1];"\n#endif\n'
        '    : "=r"(r) : "l"(p));\n}'
    )
    assert "  r = *(const volatile unsigned*)p;\n}" in converted(source)


def test_branches_that_do_not_stay() -> None:
    source = '__device__ void f(int& r) {\nasm(\n#if MIN\n"min.s32 %0, %0, 1;"\n#else\n"max.s32 %0, %0, 1;"\n#endif\n'
    source += ': "+r"(r));\n}'
    result = run(source)
    assert source in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP219"]


@pytest.mark.parametrize(
    "macros",
    [
        '#define HINT ".L2::128B"\n',
        '#if NEW\n#define HINT ".L2::128B"\n#else\n#define HINT\n#endif\n',
        '#if NEW\n#define HINT ".L2::128B"\n#else\n#define HINT ""\n#endif\n',
    ],
)
def test_macros_of_hints(macros: str) -> None:
    source = '__device__ void f(int& r, const int* p) { asm("ld.global" HINT ".u32 %0, [%1];" : "=r"(r) : "l"(p)); }'
    assert "{ r = *(const unsigned*)p; }" in converted(macros + source)


def test_a_macro_with_an_argument() -> None:
    macros = '#if NEW\n#define HINT(size) ".L2::" #size "B"\n#else\n#define HINT(size)\n#endif\n'
    source = '__device__ void f(int& r, int* p) { asm("ld.global" HINT(128) ".u32 %0, [%1];" : "=r"(r) : "l"(p)); }'
    assert "{ r = *(const unsigned*)p; }" in converted(macros + source)


def test_a_number_that_is_a_parameter() -> None:
    source = '#define BITS(d, a, n) asm("bfe.u32 %0, %1, " #n ", 16;" : "=r"(d) : "r"(a))\n'
    assert "#define BITS(d, a, n) d = hipify::bfe(static_cast<unsigned>(a), n, 16)\n" in converted(source)


def test_a_constraint_that_is_a_macro() -> None:
    macros = '#if defined(_WIN64) || defined(__LP64__)\n#define PTR "l"\n#else\n#define PTR "r"\n#endif\n'
    source = '__device__ void f(int& r, const int* p) { asm("ld.global.u32 %0, [%1];" : "=r"(r) : PTR(p)); }'
    assert "{ r = *(const unsigned*)p; }" in converted(macros + source)


LOAD = (
    "#define LOAD(name, type, how, letter) \\\n  __device__ type name(const type* p) { type v; \\\n"
    '    asm("ld.global" how " %0, [%1];" : "=" letter(v) : "l"(p)); return v; }\n'
)


def test_uses_that_mean_the_same() -> None:
    output = converted(LOAD + 'LOAD(f, int, ".cg.s32", "r")\nLOAD(g, int, ".cs.s32", "r")\n')
    assert "    v = *(const int*)(p); return v; }\nLOAD(f, int," in output


def test_uses_of_several_types_take_an_expression_each() -> None:
    output = converted(LOAD + 'LOAD(f, float, ".cg.f32", "f")\nLOAD(g, int, ".cs.s32", "r")\n')
    assert "    v = how; return v; }\n" in output
    assert 'LOAD(f, float, *(const float*)p, "f")\nLOAD(g, int, *(const int*)p, "r")\n' in output


def test_a_macro_within_a_macro() -> None:
    """As CUB's loads are made, once for each cache operator."""
    source = (
        '#define LOAD_2(name, mod) __device__ uint2 name(uint2* p) { uint2 r; asm("ld."#mod".v2.u32 {%0, %1}, [%2];"'
        ' : "=r"(r.x), "=r"(r.y) : "l"(p)); return r; }\n'
        "#define LOAD_ALL(name, mod) LOAD_2(name, mod)\nLOAD_ALL(load_ca, ca)\nLOAD_ALL(load_cg, cg)\n"
    )
    assert "const uint2 ptx_value = *(const uint2*)(p);" in converted(source)


def test_operands_that_are_parameters_are_put_into_the_expression() -> None:
    source = '#define OP(op, d, a) asm(op ".f32 %0, %1;" : "=f"(d) : "f"(a))\n'
    source += '__device__ void f(float& x, float y) { OP("ex2.approx", x, y + 1); OP("rcp.rn", x, y); }\n'
    output = converted(source)
    assert "#define OP(op, d, a) d = op\n" in output
    assert "{ OP(exp2f((y + 1)), x, y + 1); OP(1.0f / y, x, y); }" in output


@pytest.mark.parametrize(
    ("uses", "path"),
    [
        ('LOAD(f, int, ".cg.s32", letter)\n', "a.cu"),
        ('LOAD(f, int, SOME, "r")\n', "a.cu"),
        ("", "a.cu"),
    ],
)
def test_what_is_not_seen_whole_stays(uses: str, path: str) -> None:
    result = run(LOAD + uses, path)
    assert LOAD + uses in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP219"]


def test_a_headers_macro_may_have_other_uses() -> None:
    """One that is not undefined again takes expressions, which another file's text does not compile as."""
    output = run(LOAD + 'LOAD(f, int, ".cg.s32", "r")\n', "a.cuh").output.decode()
    assert "v = how; return v; }" in output
    output = run(LOAD + 'LOAD(f, int, ".cg.s32", "r")\n#undef LOAD\n', "a.cuh").output.decode()
    assert "v = *(const int*)(p); return v; }" in output


@pytest.mark.parametrize(
    "directive", ["/* c */ #undef LOAD", "#undef \\\n LOAD", "#if A && \\ \n defined LOAD\n#endif"]
)
def test_a_directive_over_several_lines_is_no_use(directive: str) -> None:
    source = LOAD + f'LOAD(f, int, ".cg.s32", "r")\n{directive}\n'
    assert "v = *(const int*)(p); return v; }" in run(source).output.decode()
