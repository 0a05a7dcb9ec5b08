"""Where functions begin and end."""

from __future__ import annotations

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.frontend.bodies import Bodies, Body
from hipify_py.translator.translate import lexer
from tests.growth import assert_linear


def functions(source: str) -> list[Body]:
    """The functions of a source."""
    return list(Bodies(lexer(load_catalog(DEFAULT_OPTIONS.targeting)).scan(source.encode())))


@pytest.mark.parametrize("parameters", [1, 100, 300])
def test_a_kernel_with_many_parameters_is_one_function(parameters: int) -> None:
    listed = ", ".join(f"const int parameter_{number}" for number in range(parameters))
    source = f"__global__ void k({listed}) {{ if (parameter_0) {{ f(); }} }}\n"
    found = functions(source)
    assert [function.name for function in found] == [b"k"]
    assert source.encode()[found[0].end : found[0].end + 1] == b"}"


@pytest.mark.parametrize("keyword", ["if", "for", "while", "switch", "catch"])
def test_a_statement_is_no_function(keyword: str) -> None:
    assert functions(f"}} {keyword} (a) {{ f(); }}\nvoid g() {{}}\n")[-1].name == b"g"
    assert keyword.encode() not in [function.name for function in functions(f"}} {keyword} (a) {{ f(); }}\n")]


def test_many_open_braces_in_linear_time() -> None:
    assert_linear(functions, lambda count: "f(a) = {" * count, 2000)
    assert_linear(functions, lambda count: "x " * (4 * count) + "{ }" * count, 2000)


@pytest.mark.parametrize(
    "head",
    [
        "__global__ void k(" + ", ".join(f"const float *__restrict__ pointer_{at}" for at in range(400)) + ")",
        "template <" + ", ".join(f"class Type{at}" for at in range(1500)) + ">\n__device__ int k(int a)",
        "__device__ /* " + "words; { and more } " * 800 + "*/ int k(int a)",
        "__attribute__((" + "annotated, " * 1500 + "used)) __global__ void k(int a)",
        "#define PARAMETERS \\\n" + "  int a, \\\n" * 1500 + "  int b\n__global__ void k(PARAMETERS)",
    ],
)
def test_a_head_may_be_as_long_as_it_likes(head: str) -> None:
    assert [function.name for function in functions(f"int x;\n{head} {{ f(); }}\nvoid g() {{}}\n")] == [b"k", b"g"]
