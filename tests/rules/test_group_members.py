"""Members of cooperative groups, and what the support header has for their algorithms."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.targeting import Targeting

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def _body(source: str, **options: object) -> str:
    result = translate(HEAD + source, path="a.cu", options=Options(**options))  # type: ignore[arg-type]
    return result.output.decode().partition("namespace cg = cooperative_groups;\n")[2]


def test_a_groups_size_has_one_name_whatever_the_group_is() -> None:
    assert _body("template <class G> __device__ int f(G &g) { return g.num_threads(); }") == (
        "template <class G> __device__ int f(G &g) { return g.size(); }"
    )
    assert _body("__device__ int f(cg::thread_block *b) { return b->num_threads(); }").endswith("b->size(); }")


def test_a_class_of_the_users_keeps_its_member() -> None:
    source = "struct P { int num_threads() const; };\nint f(P p) { return p.num_threads(); }"
    assert _body(source) == source


def test_what_hips_grid_lacks_is_a_function_of_the_group() -> None:
    source = "__device__ auto f(cg::grid_group grid) { return grid.num_blocks() + cg::this_grid().block_rank(); }"
    assert _body(source) == (
        "__device__ auto f(cg::grid_group grid) { "
        "return hipify::num_blocks(grid) + hipify::block_rank(cg::this_grid()); }"
    )


def test_a_grids_group_dim_is_the_number_of_blocks_a_blocks_stays() -> None:
    source = "__device__ void f() { auto g = cg::this_grid(); auto b = cg::this_thread_block(); "
    assert _body(source + "int n = g.group_dim().x * b.group_dim().x + b.thread_index().x; }").endswith(
        "int n = hipify::dim_blocks(g).x * b.group_dim().x + b.thread_index().x; }"
    )


def test_without_support_a_missing_member_is_a_finding() -> None:
    source = HEAD + "__device__ auto f(cg::grid_group grid) { return grid.num_blocks(); }"
    result = translate(source, path="a.cu", options=Options(support=False))
    assert [finding.id for finding in result.findings] == ["HIP106"]
    assert b"grid.num_blocks()" in result.output


def test_unbalanced_code_is_no_trouble() -> None:
    assert "g.num_blocks(" in _body("int f(G g) { return g.num_blocks(((((\n")


@pytest.mark.parametrize(("rocm", "found"), [("5.2", ["HIP106"]), ("6.2", []), ("", [])])
def test_votes_of_a_tile_come_with_rocm_6_2(rocm: str, found: list[str]) -> None:
    source = (
        HEAD + "__device__ int f(bool p) { auto t = cg::tiled_partition<M::size>(cg::this_thread_block());"
        " torch.any(); return {}; }\n"
    )
    options = Options(targeting=Targeting(rocm=rocm))
    for vote in ("t.any(p)", "t.all(p)", "t.match_any(p)", "__popc(t.ballot(p))"):
        result = translate(source.replace("{}", vote), path="a.cu", options=options)
        assert [finding.id for finding in result.findings] == found


def test_the_votes_of_a_group_get_the_macro_that_some_headers_want() -> None:
    source = HEAD + "__device__ int f(cg::thread_block_tile<32> t, int p) { return t.any(p); }\n"
    assert translate(source, path="a.cu").output.startswith(b"#define HIP_ENABLE_WARP_SYNC_BUILTINS\n")
    assert b"HIP_ENABLE" not in translate(HEAD + "int f(T t) { return t.size(); }\n", path="a.cu").output


def test_algorithms_are_found_through_aliases_and_using_namespace() -> None:
    source = (
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nusing namespace cooperative_groups;\n"
        "__device__ int f(thread_block_tile<32> t, int v) { return reduce(t, v, plus<int>()); }\n"
    )
    output = translate(source, path="a.cu").output.decode()
    assert "return hipify::reduce(t, v, hipify::plus<int>());" in output
    assert "reduce.h" not in output
    assert translate(output, path="a.cu").output.decode() == output


def test_a_function_of_the_users_of_that_name_is_not_the_groups() -> None:
    source = (
        "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n"
        "__device__ int reduce(int *a, int n);\n__device__ int f(int *a) { return reduce(a, 3); }\n"
    )
    assert "hipify::" not in translate(source, path="a.cu").output.decode()


def test_a_rocm_that_has_the_algorithms_is_given_its_own() -> None:
    from hipify_py import Options
    from hipify_py.catalog import Targeting

    source = "#include <cooperative_groups/reduce.h>\n__device__ int f(T t) { return cooperative_groups::reduce(t, 1, P()); }"
    for rocm, wanted in (("7.13", "cooperative_groups::reduce("), ("7.1", "hipify::reduce("), ("", "hipify::reduce(")):
        output = translate(source, path="a.cu", options=Options(targeting=Targeting(rocm=rocm))).output.decode()
        assert wanted in output
        assert ("hip_reduce.h" in output) == (rocm == "7.13")


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("int f(cg::grid_group g) { return g /* all */ . num_blocks(); }", "return hipify::num_blocks(g); }"),
        ("int f(cg::grid_group g) { return g\n    .num_blocks( /* none */ ); }", "return hipify::num_blocks(g); }"),
        ("int f(S *s) { return s->grid.num_blocks(); }", "return hipify::num_blocks(s->grid); }"),
        (
            "struct S { cg::grid_group g; int f() { return this->g.num_blocks(); } };",
            "hipify::num_blocks(this->g); } };",
        ),
        ("int f(cg::grid_group *g) { return g[0].num_blocks(); }", "return hipify::num_blocks(g[0]); }"),
        ("int f(cg::grid_group g) { return (g).num_blocks(); }", "return hipify::num_blocks((g)); }"),
        ("template <int N> int f() { return grid<N>().num_blocks(); }", "return hipify::num_blocks(grid<N>()); }"),
        ("#define BLOCKS(g) (g).num_blocks()", "#define BLOCKS(g) hipify::num_blocks((g))"),
        ("int f(G g) { return count(g.num_threads()); }", "return count(g.size()); }"),
        (
            "int f() { auto g{cg::this_grid()}; return g.group_dim().x; }",
            "auto g{cg::this_grid()}; return hipify::dim_blocks(g).x; }",
        ),
        (
            "int f() { auto g = // all\n    cg::this_grid(); return g.group_dim().x; }",
            "cg::this_grid(); return hipify::dim_blocks(g).x; }",
        ),
    ],
)
def test_the_whole_expression_of_a_group_is_found(cuda: str, hip: str) -> None:
    result = translate(HEAD + "__device__ int use();\n" + cuda, path="a.cu")
    assert result.output.decode().endswith(hip)
    assert translate(result.output, path="a.cu").output == result.output


def test_a_call_behind_a_keyword_is_no_declaration_of_the_users() -> None:
    source = "template <class G> int f(G g) { return num_threads(g); }\nint h(cg::thread_block b) { return b.num_threads(); }"
    assert _body(source).endswith("return b.size(); }")
