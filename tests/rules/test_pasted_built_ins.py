"""Warp operations whose names a macro pastes together."""

from __future__ import annotations

import pytest

from hipify_py import translate
from tests.unfixed import Options as Unfixed

KERNEL = "__global__ void k(int *o) {{ o[0] = {}; }}\n"

PASTES = [
    ("#define B(x) __ballot##x\n", "__popc(B(_sync)(ALL, o[1]))", "hipify::warp32::ballot##x"),
    ("#define SHFL(how, v) __shfl_##how##_sync(ALL, v, 1)\n", "SHFL(xor, o[0])", "hipify::warp32::shfl_##how##_sync("),
    ("#define SHFL(how) __shfl_ ## how ## _sync\n", "SHFL(up)(ALL, o[0], 1)", "hipify::warp32::shfl_ ## how ## _sync"),
    ("#define CAT(a, b) a##b\n", "CAT(__shfl_, xor_sync)(ALL, o[0], 1)", "CAT(hipify::warp32::shfl_, xor_sync)"),
    (
        "#define CAT(a, b) a ## b\n#define CAT2(a, b) CAT(a, b)\n",
        "CAT2(__any, _sync)(ALL, o[0])",
        "CAT2(hipify::warp32::any, _sync)",
    ),
    ("#define SYNC(f, v) f##_sync(ALL, v)\n", "SYNC(__all, o[0])", "SYNC(hipify::warp32::all, o[0])"),
    ("#define W(f) __##f##_sync(ALL, 1)\n", "W(any)", "hipify::warp32::f##_sync(ALL, 1)"),
    ("#define W(f) __ ## f ## _sync(ALL, 1)\n", "W(any)", "hipify::warp32::f ## _sync(ALL, 1)"),
]


@pytest.mark.parametrize(("define", "use", "kept"), PASTES)
def test_a_pasted_name_is_that_of_the_support_header(define: str, use: str, kept: str) -> None:
    result = translate(define + KERNEL.format(use), path="a.cu")
    assert kept in result.output.decode()
    assert not [found for found in result.findings if found.id in ("HIP110", "HIP305")]
    assert translate(result.output, path="a.cu").output == result.output


@pytest.mark.parametrize(("define", "use"), [paste[:2] for paste in PASTES])
def test_without_the_fix_it_stays_and_is_reported(define: str, use: str) -> None:
    result = translate(define + KERNEL.format(use), path="a.cu", options=Unfixed(implicit_runtime=False))
    assert result.output.decode() == define + KERNEL.format(use)
    assert "HIP305" in [found.id for found in result.findings]


def test_other_pastes_are_nobodys() -> None:
    source = "#define CAT(a, b) a##b\n#define NAME(x) __my_##x\nint CAT(shfl_, count), NAME(any);\n"
    assert translate(source, path="a.h").output.decode() == source
