"""Tiles that are cut out of tiles, which HIP's tiled_partition refuses."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from tests.framed import translated_within

FRAME = (
    "#include <hip/hip_cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    "struct Held {{ cg::thread_block_tile<32> w; cg::thread_block b; }};\n"
    "__device__ void f(cg::thread_block b, const cg::thread_block_tile<32> &t, Held h) {{ {} }}\n"
)


def body(source: str, *, support: bool = True) -> str:
    return translated_within(FRAME, source, support=support)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("auto s = cg::tiled_partition<8>(t);", "auto s = hipify::divide_tile<8>(t);"),
        ("auto s = cg::tiled_partition<8>(h.w);", "auto s = hipify::divide_tile<8>(h.w);"),
        ("auto s = cooperative_groups::tiled_partition<8>(t);", "auto s = hipify::divide_tile<8>(t);"),
        (
            "auto w = cg::tiled_partition<32>(b); auto s = cg::tiled_partition<8>(w); auto q = cg::tiled_partition<2>(s);",
            "auto w = cg::tiled_partition<32>(b); auto s = hipify::divide_tile<8>(w); auto q = hipify::divide_tile<2>(s);",
        ),
        (
            "auto s = cg::tiled_partition<8>(cg::tiled_partition<16>(b));",
            "auto s = hipify::divide_tile<8>(cg::tiled_partition<16>(b));",
        ),
        (
            "cg::thread_block_tile<8, cg::thread_block_tile<32>> s = cg::tiled_partition<8>(t);",
            "cg::thread_block_tile<8> s = hipify::divide_tile<8>(t);",
        ),
        (
            "cg::thread_block_tile<4, cg::thread_block_tile<8, cg::thread_block_tile<32>> > s = g();",
            "cg::thread_block_tile<4> s = g();",
        ),
        (
            "using Tile = cg::thread_block_tile<32>; Tile w = cg::tiled_partition<32>(b); auto s = cg::tiled_partition<8>(w);",
            "using Tile = cg::thread_block_tile<32>; Tile w = cg::tiled_partition<32>(b); auto s = hipify::divide_tile<8>(w);",
        ),
    ],
)
def test_a_tile_is_divided_by_the_support_header(cuda: str, hip: str) -> None:
    assert body(cuda) == hip
    assert "hipify::" not in body(cuda, support=False)


@pytest.mark.parametrize(
    "source",
    [
        "auto s = cg::tiled_partition<8>(b);",
        "auto s = cg::tiled_partition<8>(cg::this_thread_block());",
        "auto s = cg::tiled_partition<8>(h.b);",
        "cg::thread_block_tile<8, cg::thread_block> s = cg::tiled_partition<8>(b);",
        "auto c = cg::tiled_partition(t, 8);",
        "auto t = b; auto s = cg::tiled_partition<8>(t);",
    ],
)
def test_a_block_is_divided_by_hip(source: str) -> None:
    assert body(source) == source


def test_a_template_divides_whatever_group_it_is_given() -> None:
    source = "template <class G> __device__ int g(G const &group) { return cg::tiled_partition<4>(group).size(); }\n"
    head = FRAME.format("")
    output = translate(head + source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()
    assert output.endswith(source.replace("cg::tiled_partition", "hipify::divide_tile"))
