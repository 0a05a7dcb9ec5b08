"""Nothing is defined, or rewritten, that the result has no use for."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog.targeting import Targeting
from hipify_py.project_context import ProjectContext, WarpHelpers

MACRO = "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n"
ONE_WARP = "__global__ void k(int *o) {{ int v = o[0]; if (threadIdx.x < 32) v = {}; o[1] = v; }}\n"
ALL = "__global__ void k(int *o) {{ o[1] = {}; }}\n"


def run(
    source: str,
    rocm: str = "",
    *,
    fixes: frozenset[str] = frozenset(),
    path: str = "a.cu",
    project: ProjectContext | None = None,
) -> str:
    options = Options(implicit_runtime=False, targeting=Targeting(rocm=rocm), fixes=fixes)
    result = translate(source, path=path, options=options, **({} if project is None else {"project": project}))
    return result.output.decode()


DEFINITIONS = [
    "#define FULL_MASK 0xffffffff\n",
    "#define FULL_MASK 0xffffffffu // all\n",
    "constexpr unsigned FULL_MASK = 0xffffffff;\n",
    "static const uint32_t FULL_MASK = ~0u;\n",
    "enum : unsigned { FULL_MASK = 0xffffffffu };\n",
    "#ifndef FULL_MASK\n#define FULL_MASK 0xffffffff\n#endif\n",
]


@pytest.mark.parametrize("definition", [*DEFINITIONS[:-1]])
def test_a_mask_without_a_use_stays_as_it_is(definition: str) -> None:
    output = run(definition + ONE_WARP.format("__shfl_xor_sync(FULL_MASK, v, 1)"))
    assert output == definition + ONE_WARP.format("__shfl_xor(v, 1)")


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize(
    "more", ["__global__ void l(int *o) { o[1] = __any_sync(FULL_MASK, o[0]); }\n", "unsigned u = FULL_MASK;\n"]
)
def test_a_mask_with_another_use_is_widened_for_that(definition: str, more: str) -> None:
    output = run(definition + ONE_WARP.format("__shfl_xor_sync(FULL_MASK, v, 1)") + more)
    assert definition not in output or "unsigned u" in more


def test_a_headers_mask_is_widened_for_those_who_include_it() -> None:
    source = "#define FULL_MASK 0xffffffff\n" + ONE_WARP.format("__shfl_xor_sync(FULL_MASK, v, 1)")
    assert "#define FULL_MASK 0xffffffffffffffffull\n" in run(source, path="a.cuh")


def test_below_rocm_6_2_no_mask_has_a_use() -> None:
    source = "#define FULL_MASK 0xffffffff\n" + ALL.format("__shfl_xor_sync(FULL_MASK, o[0], 1)")
    assert run(source, "6.1").startswith("#define FULL_MASK 0xffffffff\n")
    assert run(source, "6.2").startswith(MACRO + "#define FULL_MASK 0xffffffffffffffffull\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  const unsigned m = 0xffffffff;\n", ""),
        ("  unsigned int m{~0u};\n", ""),
        ("  const auto m = -1;\r\n", ""),
        ("  constexpr uint32_t m = (0xffffffffu);  int i = 3;\n", "  int i = 3;\n"),
        # kept: with a comment, with another use, in one declaration with others, or set to what may do something
        ("  const unsigned m = 0xffffffff; // all lanes\n", None),
        ("  const unsigned m = 0xffffffff; (void)m;\n", None),
        ("  const unsigned m = ask();\n", None),
        ("  if (const unsigned m = 0xffffffff)\n", None),
    ],
)
def test_a_functions_mask_without_a_use_goes(before: str, after: str | None) -> None:
    frame = "__global__ void k(int *o) {{\n  int v = o[0];\n{}  if (threadIdx.x < 32) o[1] = {};\n}}\n"
    output = run(frame.format(before, "__shfl_xor_sync(m, v, 1)"))
    if after is not None:
        assert output == frame.format(after, "__shfl_xor(v, 1)")
    else:
        assert " m = " in output


def test_the_mask_of_a_vote_that_is_kept_at_32_lanes_has_its_use() -> None:
    source = (
        "#include <cuda_runtime.h>\n__global__ void k(int *o) {\n  const unsigned m = 0xffffffff;\n"
        "  o[1] = __shfl_xor_sync(m, o[0], 16) + __popc(__ballot_sync(m, o[0]));\n}\n"
    )
    output = run(source, fixes=frozenset({"wavefront"}))
    assert "  const unsigned m = 0xffffffff;\n" in output
    assert "ballot_sync(m, o[0])" in output
    lone = source.replace(" + __popc(__ballot_sync(m, o[0]))", "")
    assert " m" not in run(lone, fixes=frozenset({"wavefront"})).partition("{")[2]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (ONE_WARP.format("__shfl_xor_sync(0xffffffff, v, 1)"), False),
        (ONE_WARP.format("__any_sync(0xffffffff, v)"), False),
        (ONE_WARP.format("__match_any_sync(0xffffffff, v) != 0"), True),  # given __activemask(), which it takes, too
        (ALL.format("__shfl_xor_sync(0xffffffff, o[0], 1)"), True),
        (ALL.format("__activemask() != 0"), True),
        (ALL.format("__popc(o[0])"), False),
        (ONE_WARP.format("__shfl_xor_sync(0xffffffff, v, 1)") + ALL.format("__any_sync(~0u, o[0])"), True),
    ],
)
def test_the_macro_of_the_built_ins_is_defined_where_one_is_left(code: str, wanted: bool) -> None:
    assert run(code, "6.4").startswith(MACRO) is wanted


def test_the_macro_is_not_defined_for_the_support_headers_votes() -> None:
    code = "#include <cuda_runtime.h>\n" + ALL.format(
        "__shfl_xor_sync(0xffffffff, o[0], 16) + __popc(__ballot_sync(~0u, 1))"
    )
    output = run(code, "6.4", fixes=frozenset({"wavefront"}))
    assert "hipify::" in output
    assert MACRO not in output


@pytest.mark.parametrize(
    ("headers", "using", "wanted"),
    [
        ({"util.h"}, set(), False),
        ({"util.h"}, {b"warp_sum"}, True),
        ({"other.h"}, set(), True),  # this one is not of the project
        (set(), set(), True),  # nothing is known
    ],
)
def test_the_macro_is_defined_for_headers_that_use_them(headers: set[str], using: set[bytes], wanted: bool) -> None:
    project = ProjectContext(local_headers=frozenset(headers), warp_helpers=WarpHelpers(using=frozenset(using)))
    source = '#include <cuda_runtime.h>\n#include "util.h"\n__global__ void k() {}\n'
    assert run(source, "6.3", project=project).startswith(MACRO) is wanted


@pytest.mark.parametrize(
    ("declarations", "wanted"),
    [
        ("cg::thread_block_tile<32> t;", True),
        ("auto t = cg::coalesced_threads();", True),
        ("Theirs t;", True),
        ("Flags t;", False),
        ("auto t = Flags(3);", False),
        ("Flags &t = flags(3);", False),
    ],
)
def test_a_vote_is_a_groups(declarations: str, wanted: bool) -> None:
    source = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "struct Flags { Flags(int); bool any(int) const; };\nFlags &flags(int);\n"
        f"__device__ bool f(int p) {{ {declarations} return t.any(p); }}\n"
    )
    assert run(source).startswith(MACRO) is wanted
