"""Barriers of a block in two branches: those that share a wavefront of 64, and all others, which are no matter."""

from __future__ import annotations

import pytest

from hipify_py import translate

HEAD = (
    "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nconstexpr int LOAD = 0;\n"
    "template <bool KIND, int SIZE, int warp_num> __global__ void k(int *o, const int *in, int n) {"
    " const int i = threadIdx.x, lane = i % 32, warp = i / 32; __shared__ int box[2];"
    " cg::thread_block block = cg::this_thread_block(); "
)
END = " }"
ONE = "box[0] = 7; __syncthreads(); o[1] = box[1];"
OTHER = "box[1] = 9; __syncthreads(); o[0] = box[0];"

DIVIDED = {
    "threads": f"if (threadIdx.x < 32) {{ {ONE} }} else {{ {OTHER} }}",
    "threads from the other side": f"if (31 < i) {{ {ONE} }} else {{ {OTHER} }}",
    "the first warp": f"if (warp == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "a warp in the middle": f"if (warp != 3) {{ {ONE} }} else {{ {OTHER} }}",
    "odd warps": f"if (warp & 1) {{ {ONE} }} else {{ {OTHER} }}",
    "three warps": f"if (i >= 96) {{ {ONE} }} else {{ {OTHER} }}",
    "the size of a warp by the runtime's variable": f"if (i / warpSize == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "the size of a warp by another file's constant": f"if (i / WARP_SIZE == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "a condition in a variable": f"const bool is_loader = warp == 0; if (is_loader) {{ {ONE} }} else {{ {OTHER} }}",
    "the number of the warp by lane 0": f"int w = __shfl_sync(~0u, i / 32, 0); if (w == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "lanes": f"if (lane < 16) {{ {ONE} }} else {{ {OTHER} }}",
    "one thread": f"if (i == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "an else if": f"if (warp < 2) {{ {ONE} }} else if (warp == 2) {{ {ONE} }} else {{ {OTHER} }}",
    "within a loop": f"for (int j = 0; j < n; ++j) {{ if (warp == 0) {{ {ONE} }} else {{ {OTHER} }} }}",
    "a loop in each": f"if (warp == 0) {{ while (n--) {{ {ONE} }} }} else {{ while (n--) {{ {OTHER} }} }}",
    "a branch that returns": f"if (warp == 0) {{ {ONE} return; }} {OTHER}",
    "a branch that goes on": f"for (int j = 0; j < n; ++j) {{ if (i < 32) {{ {ONE} continue; }} {OTHER} }}",
    "a switch": f"switch (warp) {{ case 0: {ONE} break; case 1: {OTHER} break; }}",
    "a switch with a default": f"switch (warp) {{ case LOAD: {ONE} break; default: {OTHER} }}",
    "the last of three roles": f"switch (warp) {{ case 0: case 1: {ONE} break; case 2: {ONE} break; default: {OTHER} }}",
    "a choice": "n = warp == 0 ? __syncthreads_or(n) : __syncthreads_and(n);",
    "a count": "if (warp == 0) n = __syncthreads_count(n); else __syncthreads();",
    "under what is the same for the block": f"if (n > 3) {{ if (warp == 0) {{ {ONE} }} else {{ {OTHER} }} }}",
    "under what is the same for its part": f"if (warp == 0) {{ if (n > 3) {{ {ONE} }} }} else {{ {OTHER} }}",
    "groups": "if (warp == 0) { block.sync(); } else { cg::this_thread_block().sync(); }",
    "functions of groups": "if (block.thread_rank() < 32) { cg::sync(block); } else { cg::thread_block::sync(); }",
    "inline PTX": 'if (warp == 0) { asm volatile("bar.sync 0;"); } else { asm volatile("barrier.sync 0;" ::: "memory"); }',
    "inline PTX with the number in an operand": 'if (warp == 0) { asm("barrier.cta.sync.aligned %0;" :: "n"(0)); } else'
    " { __syncthreads(); }",
    "barriers by number": "if (warp == 0) { __barrier_sync(0); } else { __barrier_sync(0); }",
}

TOGETHER = {
    "whole wavefronts": f"if (i < 64) {{ {ONE} }} else {{ {OTHER} }}",
    "two wavefronts": f"if (threadIdx.x < 128) {{ {ONE} }} else {{ {OTHER} }}",
    "pairs of warps": f"if (warp / 2 == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "pairs of warps by their bits": f"if (warp & 2) {{ {ONE} }} else {{ {OTHER} }}",
    "a last warp that may be alone": f"if (warp == 4) {{ {ONE} }} else {{ {OTHER} }}",
    "warps of two wavefronts": f"if (warp == 0) {{ o[0] = 1; }} else if (warp == 1) {{ {ONE} }} else {{ {OTHER} }}",
    "by block": f"if (blockIdx.x == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by an argument": f"if (n > 3) {{ {ONE} }} else {{ {OTHER} }}",
    "by a template parameter": f"if (KIND) {{ {ONE} }} else {{ {OTHER} }}",
    "by a template parameter whose name may mean a warp": f"if (warp_num == 1) {{ {ONE} }} else {{ {OTHER} }}",
    "by a size that is not known": f"if (i < SIZE) {{ {ONE} }} else {{ {OTHER} }}",
    "by warps of a number that is not known": f"if (warp < n) {{ {ONE} }} else {{ {OTHER} }}",
    "by a part of the block": f"if (i < blockDim.x / 2) {{ {ONE} }} else {{ {OTHER} }}",
    "by rows of the block": f"if (threadIdx.y == 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by what the block finds in memory": f"if (in[i] > 0) {{ {ONE} }} else {{ {OTHER} }}",
    "by a vote": f"if (__any_sync(~0u, in[i])) {{ {ONE} }} else {{ {OTHER} }}",
    "one branch only": f"if (warp == 0) {{ {ONE} {OTHER} }} else {{ o[0] = 0; }}",
    "one after the other": f"if (warp == 0) {{ o[0] = 1; }} else {{ o[0] = 2; }} {ONE} {OTHER}",
    "the others have left": f"if (warp != 0) return; {ONE} {OTHER}",
    "roles in one switch for whole wavefronts": f"switch (warp / 2) {{ case 0: {ONE} break; default: {OTHER} }}",
    "two labels for one wavefront": f"switch (warp) {{ case 0: case 1: {ONE} break; default: {OTHER} }}",
    "labels that are not known": f"switch (warp) {{ case SIZE: {ONE} break; default: {OTHER} }}",
    "barriers of tiles": "auto tile = cg::tiled_partition<32>(block); if (warp == 0) tile.sync(); else tile.sync();",
    "numbered barriers": 'if (warp == 0) { asm volatile("bar.sync 1, 64;"); } else { asm volatile("bar.sync 1, 64;"); }',
    "barriers of some threads": 'if (warp == 0) { asm("bar.sync 0, 32;"); } else { asm("bar.sync 0, 32;"); }',
    "other things called so": "if (warp == 0) { queue.sync(); } else { queue.sync(); }",
}


def divided(source: str) -> list[str]:
    return [found.message for found in translate(source, path="a.cu").findings if found.id == "HIP335"]


@pytest.mark.parametrize("body", DIVIDED.values(), ids=DIVIDED.keys())
def test_threads_of_a_wavefront_in_two_branches(body: str) -> None:
    assert len(divided(HEAD + body + END)) == 1


@pytest.mark.parametrize("body", TOGETHER.values(), ids=TOGETHER.keys())
def test_threads_that_stay_together_or_are_not_known_to_part(body: str) -> None:
    assert divided(HEAD + body + END) == []


def test_a_helper_that_all_its_threads_go_through() -> None:
    helper = "__device__ void swap(int *o) { o[0] = 1; __syncthreads(); o[1] = 2; }\n"
    two = HEAD + "if (warp == 0) { swap(o); } else { swap(o + 2); }" + END
    assert divided(helper + two) == [
        "threads of one 64-lane wavefront reach swap here and swap in another branch: AMD GPUs run the branches"
        " one after the other and count the wavefront at both barriers, so the block gets out of step or hangs"
    ]
    assert divided(helper.replace("__syncthreads", "__threadfence") + two) == []
    assert divided(helper.replace("swap", "other") + two) == []


def test_rows_of_threads_do_not_hide_parts_of_a_warp() -> None:
    body = HEAD + "if (threadIdx.y == 0 && threadIdx.x < 16) { __syncthreads(); } else { __syncthreads(); }" + END
    assert len(divided(body)) == 1
    assert divided(body.replace("< 16", "< 32")) == []
