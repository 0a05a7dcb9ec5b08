"""Warp operations whose names a macro pastes together: they are named, and their masks have 64 bits."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

FULL = "0xffffffffffffffffull"
USE = "__global__ void k(int *o) {{ o[0] = {}; }}\n"


def hip(source: str, fixes: frozenset[str] = frozenset()) -> str:
    options = Options(implicit_runtime=False, fixes=fixes)
    return translate(source, path="a.cu", options=options).output.decode()


def named(source: str) -> list[str]:
    findings = translate(source, path="a.cu").findings
    return [
        f"{finding.name} {source[finding.offset :].split('(', maxsplit=1)[0]}"
        for finding in findings
        if finding.id == "HIP110"
    ]


@pytest.mark.parametrize("fixes", [frozenset[str](), frozenset({"wavefront"})])
@pytest.mark.parametrize(
    ("macros", "use", "beginning"),
    [
        ("#define ALL 0xffffffff\n#define B(x) __ballot##x\n", "__popc(B(_sync)(ALL, o[1]))", "__ballot"),
        ("#define ALL ~0u\n#define SHFL(how, v) __shfl_##how##_sync(ALL, v, 1)\n", "SHFL(xor, o[0])", "__shfl_"),
        ("#define ALL -1\n#define SHFL(how) __shfl_ ## how ## _sync\n", "SHFL(up)(ALL, o[0], 1)", "__shfl_"),
        ("#define ALL 0xffffffffu\n#define CAT(a, b) a##b\n", "CAT(__shfl_, xor_sync)(ALL, o[0], 1)", "__shfl_"),
        (
            "#define ALL 0xffffffffu\n#define CAT(a, b) a ## b\n#define CAT2(a, b) CAT(a, b)\n",
            "CAT2(__any, _sync)(ALL, o[0])",
            "__any",
        ),
        ("#define ALL 0xffffffffu\n#define SYNC(f, v) f##_sync(ALL, v)\n", "SYNC(__all, o[0])", "__all"),
        ("#define ALL 0xffffffffu\n#define W(f) __##f##_sync(ALL, 1)\n", "W(any)", "__"),
    ],
)
def test_a_pasted_name_is_told_and_its_mask_widened(
    macros: str, use: str, beginning: str, fixes: frozenset[str]
) -> None:
    """With warps of 32 lanes asked for, too: what is pasted cannot be kept at 32, so nothing is."""
    source = macros + USE.format(use)
    assert f"#define ALL {FULL}\n" in hip(source, fixes)
    assert [finding.split("##")[0] for finding in named(source)] == [beginning]


def test_the_mask_of_a_pasted_name_may_be_a_literal_or_a_variable() -> None:
    literal = "#define SYNC(f, v) f##_sync(0xffffffffu, v)\n" + USE.format("SYNC(__any, o[0])")
    assert f"f##_sync({FULL}, v)" in hip(literal)
    variable = (
        "#define CAT(a, b) a##b\n__global__ void k(int *o) { unsigned m = 0xffffffff;"
        " o[0] = CAT(__shfl, _sync)(m, o[1], 0); }\n"
    )
    assert f"unsigned long long m = {FULL};" in hip(variable)


def test_other_uses_of_a_mask_follow_where_one_is_pasted() -> None:
    """`__shfl_sync(ALL, …)` is kept at 32 lanes by itself; beside a pasted one it is not, and both have a mask."""
    source = "#define ALL 0xffffffff\n#define CAT(a, b) a##b\n#define FIRST(v) __shfl_sync(ALL, v, 0)\n" + USE.format(
        "FIRST(o[0]) + CAT(__shfl_, xor_sync)(ALL, o[1], 1)"
    )
    output = hip(source, frozenset({"wavefront"}))
    assert f"#define ALL {FULL}\n" in output
    assert "__shfl_sync(ALL, v, 0)" in output


@pytest.mark.parametrize(
    "source",
    [
        "#define KERNEL(n) my_##n##_kernel\n" + USE.format("__shfl_sync(0xffffffff, o[0], 0)"),
        "#define CAT(a, b) a##b\nint CAT(x, _sync)(unsigned m);\n",
        "#define CAT(a, b) a##b\n#define CALL(f, a) f(a)\n" + USE.format("CALL(__activemask, )"),
        "#define CAT(a, b) a##b\n// __shfl_##x CAT(__shfl, _sync)\n",
    ],
)
def test_other_pasted_names_are_no_warp_operations(source: str) -> None:
    assert named(source) == []


def test_translating_the_output_again_changes_nothing() -> None:
    source = "#define ALL 0xffffffff\n#define B(x) __ballot##x\n" + USE.format("__popc(B(_sync)(ALL, o[1]))")
    output = hip(source)
    assert hip(output) == output
