"""Where a part of a wavefront may get: full masks there would stop the kernel on 64 lanes, and go."""

from __future__ import annotations

import re

import pytest

from tests.unfixed import Options, translate

HEAD = "__global__ void k(int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int v = 0; "
VOTE = "v = __any_sync(0xffffffff, v); "
FULL = ["0xffffffffffffffffull"]


def masks(source: str, path: str = "a.cu") -> list[str]:
    output = translate(source, path=path).output
    assert translate(output, path=path).output == output
    return re.findall(r"_sync\(([^,)]+)", output.decode())


@pytest.mark.parametrize(
    "body",
    [
        "if (i >= n) return; " + VOTE,
        "if (i < n) { " + VOTE + "}",
        "if (i < n) o[i] = 0; else " + VOTE,
        "if (n < 3) { if (i < 5) { o[0] = 1; return; } } " + VOTE,
        "int row = i / 32; if (row < n) " + VOTE,
        "for (int row = i >> 5; row < n; row += 8) { " + VOTE + "}",
        "while (true) { " + VOTE + "if (o[i] > 3) break; }",
        "for (int j = 0; j < n; ++j) { if (o[i] == j) continue; " + VOTE + "}",
        "do { " + VOTE + "} while (o[i] != 0);",
        "int m = o[i], left = m & 7; while (left > 0) { " + VOTE + "--left; }",
        "v = i < n ? __any_sync(0xffffffff, v) : 0;",
        "if (i < n && __any_sync(0xffffffff, v)) v = 1;",
        "const unsigned everyone = 0xffffffff; if (i < n) v = __any_sync(everyone, v);",
        "switch (o[i]) { case 0: " + VOTE + "break; }",
    ],
)
def test_part_of_a_wavefront(body: str) -> None:
    assert masks(HEAD + body + "o[0] = v; }") == []


@pytest.mark.parametrize(
    "body",
    [
        VOTE + "if (i >= n) return;",
        "if (n == 0) return; " + VOTE,
        "if (blockIdx.x >= n) return; " + VOTE,
        "for (int j = n; j > 0; j /= 2) { " + VOTE + "if (j == 7) break; }",
        "if (i < n) o[i] = 0; " + VOTE,
        "for (int j = 0; j < n; ++j) { if (o[i] == j) continue; } " + VOTE,
        "if (i < n) { for (int j = 0; j < n; ++j) break; } " + VOTE,
        "/* if (i >= n) return; */ " + VOTE,
        "int w = threadIdx.x / warpSize; if (w == 1) " + VOTE,
    ],
)
def test_a_whole_wavefront(body: str) -> None:
    assert masks(HEAD + body + "o[0] = v; }") == FULL


HELPER = "__device__ int votes(int v) { return __any_sync(0xffffffff, v); }\n"


@pytest.mark.parametrize(
    "branch",
    [
        "#ifdef WITH_HIPCUB\n__launch_bounds__(64)\n#endif\n",
        "#if defined(USE_ROCM)\nconstexpr int kThreads = 256;\n#endif\n",
        "#ifndef __HIP_PLATFORM_AMD__\n#include <cub/cub.cuh>\n#endif\n",
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x < 32) { " + VOTE + "}",
        "if (i < n) { v = __shfl_xor_sync(0xffffffff, v, 16, 32); }",
        "if (i >= n) return; __syncwarp(0xffffffff);",
        "const unsigned everyone = 0xffffffff; if (i < n) v = __ballot_sync(everyone, v);",
        "for (int row = i >> 5; row < n; row += 8) { v = __shfl_down_sync(~0u, v, 8, 32); }",
    ],
)
def test_branches_for_amd_say_nothing_of_a_mask_of_32_bits(branch: str, body: str) -> None:
    """With it, HIP's built-in does not compile: nobody has tried that one, and a full mask of 64 would trap there."""
    assert masks(branch + HEAD + body + "o[0] = v; }") == []


def test_branches_for_amd_may_have_chosen_a_mask_of_64_bits() -> None:
    source = "#ifdef USE_ROCM\n#endif\n" + HEAD + "if (threadIdx.x < 32) v = __any_sync(~0ull, v); o[0] = v; }"
    assert masks(source) == ["~0ull"]


def test_what_is_asked_there_through_others() -> None:
    source = HELPER + "__device__ int no_votes(int v) { return 1 - votes(v); }\n"
    assert masks(source + HEAD + "if (i < n) v = no_votes(v); o[0] = v; }") == []
    assert masks(source + HEAD + "v = no_votes(v); if (i < n) o[0] = v; }") == FULL


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (HELPER + HEAD + "v = votes(v); o[0] = v; }", 1),
        (HELPER + HEAD + "v = votes(v) + votes(-v); o[0] = v; }", 0),
        (HELPER + HEAD + VOTE + "v = votes(v); o[0] = v; }", 0),
        (HEAD + VOTE + VOTE + "o[0] = v; }", 0),
        (HEAD + VOTE + "o[0] = v; }\n" + HEAD.replace("k(", "m(") + VOTE + "o[0] = v; }", 2),
        (HEAD + "for (int j = 0; j < 4; ++j) " + VOTE + "o[0] = v; }", 0),
        (HEAD + "for (int j = 16; j > 0; j /= 2) " + VOTE + "o[0] = v; }", 1),
        (HEAD + "v = __any_sync(__activemask(), v); " + VOTE + "o[0] = v; }", 1),
    ],
)
def test_a_kernel_has_one_check_of_a_full_mask(source: str, count: int) -> None:
    assert len(masks(source)) == count


def test_a_macro_is_asked_like_a_function() -> None:
    source = "#define VOTES(v) __any_sync(0xffffffff, v)\n"
    assert masks(source + HEAD + "if (i < n) v = VOTES(v); o[0] = v; }") == []
    assert masks(source + HEAD + "v = VOTES(v); if (i < n) o[0] = v; }") == FULL


def test_a_headers_functions_may_be_asked_anywhere() -> None:
    assert masks(HELPER) == FULL
    assert masks(HELPER, "a.cuh") == []
    assert masks(HEAD + VOTE + "o[0] = v; }", "a.cuh") == FULL


def test_masks_that_callers_choose_and_hip_code_stay() -> None:
    parameter = (
        "__device__ int votes(unsigned long long m, int v) { if (threadIdx.x > 3) v = __any_sync(m, v); return v; }\n"
    )
    assert masks(parameter) == ["m"]
    hip = "#include <hip/hip_runtime.h>\n" + HEAD + "if (i < n) v = __any_sync(0xffffffffffffffffull, v); o[0] = v; }"
    assert masks(hip) == FULL
    assert "HIP308" not in {f.id for f in translate(hip, path="a.hip").findings}


@pytest.mark.parametrize("rocm", ["6.1", "6.4", "7.1"])
def test_by_version(rocm: str) -> None:
    options = Options()
    options = options._replace(targeting=options.targeting._replace(rocm=rocm))
    output = translate(HEAD + "if (i < n) " + VOTE + "o[0] = v; }", path="a.cu", options=options).output
    assert b"__any(v)" in output


@pytest.mark.parametrize(
    "part", ["if (i < n) ", "if (i) { return; } else ", "do ", "for (;;) { if (i) break; ", "}{)("]
)
def test_the_time_is_linear_and_half_written_code_is_survived(part: str) -> None:
    translate(HEAD + part * 4000 + VOTE, path="a.cu")


@pytest.mark.parametrize(
    ("mask", "stays"),
    [
        ("unsigned m = 0xffu << (lane & 24);", False),
        ("unsigned m = 0xffu << (threadIdx.x % 32 / 8 * 8);", False),
        ("const unsigned m = ((1u << 8) - 1) << (lane / 8 * 8);", False),
        ("unsigned m = __ballot_sync(0xffffffff, lane < 9);", True),
        ("unsigned m = __activemask();", True),
    ],
)
def test_masks_of_groups_of_lanes_counted_in_32(mask: str, stays: bool) -> None:
    body = f"int lane = threadIdx.x & 31; {mask} v = __shfl_sync(m, v, 0, 8); o[0] = v; }}"
    assert ("m" in masks(HEAD + body)) == stays
