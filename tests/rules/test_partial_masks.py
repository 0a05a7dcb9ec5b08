"""Full masks that the lanes of a warp come to in two branches; masks of some lanes are no matter."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.core.project_context import NO_PROJECT, ProjectContext

HEAD = (
    "__global__ void k(int *o, const int *in, int n) { int i = threadIdx.x, lane = i % 32, warp = i / 32, v = in[i]; "
)
END = " o[i] = v; }"
ONE = "v += __shfl_xor_sync(0xffffffff, v, 16);"
OTHER = "v -= __shfl_xor_sync(0xffffffff, v, 8);"

DIVIDED = {
    "two shuffles": f"if (lane < 16) {{ {ONE} }} else {{ {OTHER} }}",
    "without braces": f"if (lane & 1) {ONE} else {OTHER}",
    "by data": f"if (v > 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by data of each lane in memory": f"if (in[lane] != 0) {{ {ONE} }} else {{ {OTHER} }}",
    "a branch that returns": f"if (lane == 3) {{ {ONE} o[i] = v; return; }} {OTHER}",
    "a vote and a shuffle": f"if (lane > 4) {{ v = __any_sync(~0u, v); }} else {{ {OTHER} }}",
    "a barrier": "if (lane == 0) { o[0] = 1; __syncwarp(); } else { __syncwarp(); v = o[0]; }",
    "a switch": f"switch (lane % 3) {{ case 0: {ONE} break; case 1: {OTHER} break; }}",
    "a choice": "v = lane < 7 ? __ballot_sync(0xffffffffu, v) : __ballot_sync(-1, !v);",
    "masks of a variable": "const unsigned all = 0xffffffff; if (lane < 9) v = __all_sync(all, v);"
    " else v = __any_sync(all, v);",
    "an else if": f"if (lane < 4) {{ v = 1; }} else if (lane < 8) {{ {ONE} }} else {{ {OTHER} }}",
    "within a loop": f"for (int j = 0; j < n; ++j) {{ if (in[j + lane] > v) {{ {ONE} }} else {{ {OTHER} }} }}",
    "a condition in a variable": f"const bool low = lane < 16; if (!low) {{ {ONE} }} else {{ {OTHER} }}",
    "half of a block that is no warp": f"if (i < 16) {{ {ONE} }} else {{ {OTHER} }}",
    "reductions": "if (lane < 5) v = __reduce_add_sync(0xffffffff, v); else v = __reduce_max_sync(0xffffffff, v);",
}

TOGETHER = {
    "by warp": f"if (warp == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by an argument": f"if (n > 3) {{ {ONE} }} else {{ {OTHER} }}",
    "by block": f"if (blockIdx.x == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by whole warps": f"if (i < 64) {{ {ONE} }} else {{ {OTHER} }}",
    "by a size that may be whole warps": f"if (i < n) {{ {ONE} }} else {{ {OTHER} }}",
    "by a vote": f"if (__any_sync(0xffffffff, v > 3)) {{ {ONE} }} else {{ {OTHER} }}",
    "by the value of one lane": f"if (__shfl_sync(0xffffffff, v, 0) > 3) {{ {ONE} }} else {{ {OTHER} }}",
    "by the first thread of a warp": f"if (i - lane < n) {{ {ONE} }} else {{ {OTHER} }}",
    "by a thread index without its low bits": f"if ((i & ~31) == 32) {{ {ONE} }} else {{ {OTHER} }}",
    "one after the other": f"{ONE} {OTHER}",
    "one branch only": f"if (lane < 16) {{ {ONE} {OTHER} }} else {{ v = 0; }}",
    "the others have left": f"if (lane >= 16) return; {ONE} {OTHER}",
    "masks of the lanes that are there": "if (lane < 16) v = __shfl_xor_sync(0xffff, v, 1);"
    " else v = __shfl_xor_sync(0xffff0000, v, 1);",
    "the active lanes": "unsigned m = __activemask(); if (lane < 16) v = __any_sync(m, v); else v = __all_sync(m, v);",
    "a mask of some lanes that all call": "v += __shfl_down_sync(0x55555555, v, 1); v = __ballot_sync(0xff, v);",
    "warps by the runtime's variable": f"if (i / warpSize == 1) {{ {ONE} }} else {{ {OTHER} }}",
}


def divided(source: str, project: ProjectContext = NO_PROJECT) -> list[str]:
    return [found.message for found in translate(source, path="a.cu", project=project).findings if found.id == "HIP332"]


@pytest.mark.parametrize("body", DIVIDED.values(), ids=DIVIDED.keys())
def test_lanes_in_two_branches(body: str) -> None:
    assert len(divided(HEAD + body + END)) == 1


@pytest.mark.parametrize("body", TOGETHER.values(), ids=TOGETHER.keys())
def test_lanes_that_stay_together_or_name_themselves(body: str) -> None:
    assert divided(HEAD + body + END) == []


HELPER = "__device__ int sum(int v) { for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d); return v; }\n"


def test_a_helper_that_all_its_lanes_go_through() -> None:
    two = HEAD + "if (lane < 16) v = sum(v); else v = sum(-v);" + END
    assert divided(HELPER + two) == [
        "sum names all 32 lanes of the warp, but some of them reach sum in another branch: AMD GPUs run the"
        " branches one after the other, and each sees only its own lanes"
    ]
    assert divided(HELPER.replace("sum", "other") + two) == []
    assert divided(HELPER.replace("v += __shfl_xor_sync(0xffffffff, v, d)", "v += d") + two) == []


def test_warps_of_a_tile_leave_together() -> None:
    source = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(int *o, int n) { auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());"
        " int i = blockIdx.x * blockDim.x + threadIdx.x, v = o[i]; if (i - tile.thread_rank() == 64) { ONE } else { OTHER }"
        " o[i] = v; }"
    )
    source = source.replace("ONE", ONE).replace("OTHER", OTHER)
    assert divided(source.replace("SIZE", "32")) == []
    assert len(divided(source.replace("SIZE", "16"))) == 1


def test_a_value_that_lane_0_has_got_for_its_warp_is_the_same_in_it() -> None:
    source = (
        "__device__ int next(int *next, int n) { int at = 0; if (threadIdx.x == 0) at = atomicAdd(next, 1);"
        " at = __shfl_sync(0xffffffffu, at, 0); return at < n ? at : n; }\n"
        "__global__ void k(int *tasks, int n, const int *size, int *o) { int task = next(tasks, n); while (task < n) {"
        " if (size[task] == 0) { task = next(tasks, n); continue; } __syncwarp(); o[task + threadIdx.x] = 1;"
        " __syncwarp(); task = next(tasks, n); } }"
    )
    assert [finding.id for finding in translate(source, path="a.cu").findings if finding.id == "HIP332"] == []
