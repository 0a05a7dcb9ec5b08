"""What is written behind `namespace` tells what it means, mostly without a tree."""

from __future__ import annotations

import pytest

from hipify_py import translate

INCLUDE = "#include <cooperative_groups.h>\n"
USE = "__global__ void k(float *p) { auto b = NAME::this_thread_block(); NAME::reduce(b, p[0], plus); }\n"


@pytest.mark.parametrize(
    "alias",
    [
        "namespace cg = cooperative_groups;",
        "namespace cg=::cooperative_groups;",
        "namespace /* a; b { */ cg // {\n = cooperative_groups;",
        "namespace cg\n=\ncooperative_groups\n;",
        "namespace host { }\nnamespace cg = cooperative_groups;",
    ],
)
def test_an_alias_is_found_however_it_is_written(alias: str) -> None:
    result = translate(f"{INCLUDE}{alias}\n{USE.replace('NAME', 'cg')}", path="a.cu")
    plain = translate(INCLUDE + USE.replace("NAME", "cooperative_groups"), path="a.cu")
    found = {reference.name for reference in result.references}
    assert {reference.name for reference in plain.references} <= found
    assert any(name.endswith("::reduce") for name in found)
    assert result.evidence == plain.evidence


@pytest.mark.parametrize("head", ["namespace nvcomp {", "inline namespace nvcomp\n{", "namespace nvcomp /* { */ {"])
def test_a_namespace_of_that_name_is_the_sources_own(head: str) -> None:
    result = translate(f"{head} int size(int n); }}\nint f(int n) {{ return nvcomp::size(n); }}\n", path="a.cu")
    assert "nvcomp::" in result.declared
    assert not result.references


@pytest.mark.parametrize(
    "written",
    [
        "namespace at { namespace native { int f(); } }",
        "namespace at::native { int f(); }",
        "using namespace std;",
        "namespace { int f(); }",
        "namespace fs = std::filesystem;",
        '// namespace cub = thrust;\nconst char *s = "using namespace cub;";',
    ],
)
def test_no_tree_is_asked_about_others(written: str) -> None:
    source = f"#include <cub/cub.cuh>\n{written}\nusing Storage = cub::CachingDeviceAllocator;\n"
    assert translate(source, path="a.cu").evidence == ("lexical",)
