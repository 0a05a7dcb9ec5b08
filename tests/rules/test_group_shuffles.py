"""Shuffles of cooperative groups whose values are structures to HIP."""

from __future__ import annotations

import pytest

from hipify_py import translate
from tests.framed import translated_within

FRAME = (
    "#include <hip/hip_cooperative_groups.h>\n#include <hip/hip_fp16.h>\nnamespace cg = cooperative_groups;\n"
    "struct Best {{ float value; int index; }};\nusing Pair = float2;\n"
    "template <class G, class T> __device__ void f(G any, T open, Best *b, float *n) {{\n"
    "  cg::thread_block block = cg::this_thread_block();\n"
    "  cg::thread_block_tile<32> t = cg::tiled_partition<32>(block);\n"
    "  const auto c = cg::coalesced_threads();\n  __half2 h = any_half(); Pair p = any_pair(); Best best = b[0];\n  {}\n}}\n"
)


def body(source: str, *, support: bool = True) -> str:
    return translated_within(FRAME, source, support=support)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("h += t.shfl_down(h, 16);", "h += hipify::group_shfl_down(t, h, 16);"),
        ("best = t.shfl(b[threadIdx.x], 0);", "best = hipify::group_shfl(t, b[threadIdx.x], 0);"),
        ("p = c.shfl_up(p, 1);", "p = hipify::group_shfl_up(c, p, 1);"),
        ("open = t.shfl(open, 1);", "open = hipify::group_shfl(t, open, 1);"),  # it may be any that the source names
        ("p = any.shfl_xor(p, 1);", "p = hipify::group_shfl_xor(any, p, 1);"),
        ("best = t.shfl(t.shfl(best, 1), 2);", "best = hipify::group_shfl(t, hipify::group_shfl(t, best, 1), 2);"),
        (
            "h = cg::tiled_partition<8>(block) . /* a */ shfl /* b */ (h, 0);",
            "h = hipify::group_shfl(cg::tiled_partition<8>(block) , /* a */  /* b */  h, 0);",
        ),
    ],
)
def test_structures_are_handed_round_word_by_word(cuda: str, hip: str) -> None:
    assert body(cuda) == hip
    assert body(cuda, support=False) == cuda


@pytest.mark.parametrize(
    "source",
    [
        "n[0] = t.shfl_down(n[1], 1);",
        "n[0] = t.shfl(best.value, 1);",
        "auto x = t.shfl(unheard_of(), 1);",
        "h = mine.shfl(h, 1);",
        "h = t.shfl(h);",
    ],
)
def test_numbers_and_what_is_not_known_stay(source: str) -> None:
    assert body(source) == source


def test_an_open_type_is_a_number_where_the_source_names_nothing_else() -> None:
    source = (
        "#include <hip/hip_cooperative_groups.h>\nusing cooperative_groups::thread_block_tile;\n"
        "template <class T> __device__ T f(thread_block_tile<32> t, T v) { return t.shfl_down(v, 1); }\n"
    )
    assert translate(source, path="a.cu").output.decode() == source
