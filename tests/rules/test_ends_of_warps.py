"""The end of a warp at 32 where lanes are counted in `warpSize`: asked for, gone round at, or stepped by in memory."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

LANE = "int lane = threadIdx.x % warpSize, v = o[threadIdx.x];"


def kernel(body: str, lane: str = LANE) -> str:
    return f"__global__ void k(int *o, int n) {{ {lane} {body} }}\n"


def found(source: str) -> list[str]:
    return [finding.message for finding in translate(source, path="a.cu").findings if finding.id == "HIP306"]


def fixed(source: str) -> str:
    options = Options(fixes=frozenset({"wavefront"}))
    return translate(source, path="a.cu", options=options).output.decode()


DOWN = "int t = __shfl_down_sync(~0u, v, d);"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("for (int d = 1; d < n; d++) { " + DOWN + " if (lane + d < 32) v += t; }", "lane + d < 32"),
        ("for (int d = 1; d < n; d++) { " + DOWN + " if (32 > (d) + lane) v += t; }", "32 > (d) + lane"),
        ("for (int d = 1; d < n; d++) { " + DOWN + " if (lane + d <= 31) v += t; }", "lane + d <= 31"),
        ("for (int d = 1; d < n; d++) { " + DOWN + " v += lane + d >= 32 ? 0 : t; }", "lane + d >= 32"),
        ("for (int d = 1; d < n; d++) { " + DOWN + " if (lane < 32 - d) v += t; }", "lane < 32 - d"),
        ("int t = __shfl_down_sync(~0u, v, 1); if (lane < 31) v += t;", "lane < 31"),
        ("int t = __shfl_down_sync(~0u, v, 1); /* 31 */ if (lane >= /* last */ 31) t = 0;", "lane >= /* last */ 31"),
        ("const int W = 32; int t = __shfl_down_sync(~0u, v, 1); if (lane + 1 < W) v += t;", "lane + 1 < W"),
        ("int p = n ? lane + 1 : lane - 1; v = __shfl_sync(~0u, v, p < 32 ? p : lane);", "p < 32"),
        ("v = __shfl_sync(~0u, v, (lane + 1) % 32);", "(lane + 1) % 32"),
        ("int from = lane + n & 31; v = __shfl_sync(~0u, v, from);", "lane + n & 31"),
        ("v = __shfl_sync(~0u, v, 31 - lane);", "31 - lane"),
        ("v = __shfl_sync(~0u, v, lane ^ 31);", "lane ^ 31"),
        ("for (int j = 0; j < 32; ++j) v += __shfl_sync(~0u, o[lane], j) * j;", "j < 32"),
        ("v = __shfl_sync(~0u, v, 0); for (int i = lane; i < n; i += 32) o[i] = v;", "i += 32"),
        (
            "v = __shfl_sync(~0u, v, 0); o[threadIdx.x / warpSize * 32 + lane] = v;",
            "threadIdx.x / warpSize * 32 + lane",
        ),
        ("v = __shfl_sync(~0u, v, 0); for (int r = 0; r < n; ++r) o[r * 32 + lane] = v;", "r * 32 + lane"),
        ("v = __shfl_sync(~0u, v, 0); for (int i = lane * 4; i < n; i += 32 * 4) o[i] = v;", "i += 32 * 4"),
        ("__shared__ int s[32]; s[lane] = __shfl_xor_sync(~0u, v, 1);", "s[lane]"),
        ("__shared__ int s[8][32]; s[n][lane] = __shfl_xor_sync(~0u, v, 1);", "s[n][lane]"),
        ("__shared__ int s[32]; if (threadIdx.x / warpSize == 0) s[lane] = __shfl_xor_sync(~0u, v, 1);", "s[lane]"),
    ],
)
def test_the_end_at_32_is_told(body: str, name: str) -> None:
    (message,) = found(kernel(body))
    assert message.startswith(name + " ")
    assert message.endswith("counted in warpSize")


@pytest.mark.parametrize(
    "source",
    [
        kernel("for (int d = 1; d < n; d++) { " + DOWN + " if (lane + d < warpSize) v += t; }"),
        kernel(
            "for (int d = 1; d < n; d++) { " + DOWN + " if (lane + d < 32) v += t; }", LANE.replace("warpSize", "32")
        ),
        kernel("v = __shfl_xor_sync(~0u, v, 1); if (lane < 32) o[lane] = v;"),  # it knows of 64 lanes
        kernel("v = __shfl_xor_sync(~0u, v, 1); for (int i = lane; i < 31; i += warpSize) o[i] = v;"),
        kernel("int t = __shfl_down_sync(~0u, v, 1, 32); if (lane + 1 < 32) v += t;"),
        kernel("v = __shfl_down_sync(~0u, v, 1); if (lane + n < 32) o[lane + n] = v;"),
        kernel("v = __shfl_down_sync(~0u, v, 1); if (lane * 4 < 32) o[lane * 4] = v;"),
        kernel("if (threadIdx.x < 32) { int t = __shfl_down_sync(~0u, v, 1); if (lane + 1 < 32) v += t; }"),
        kernel("int t = __shfl_down_sync(~0u, v, 1); if (lane + 1 < 32) v += t;")
        + "void run(int *o) { k<<<1, 32>>>(o, 1); }",
        kernel("for (int j = 0; j < 16; ++j) v += __shfl_sync(~0u, o[lane], j) * j;"),
        kernel("v = __shfl_xor_sync(~0u, v, 1); for (int i = n; i < 99; i += 32) o[i] = v;"),
        kernel("if (lane + 1 < 32) o[lane] = v;"),  # no shuffle
        kernel("__shared__ int s[32]; if (lane < 32) s[lane] = __shfl_xor_sync(~0u, v, 1);"),
        kernel("__shared__ int s[32]; v = threadIdx.x < blockDim.x / warpSize ? s[lane] : __shfl_xor_sync(~0u, v, 1);"),
        kernel("__shared__ int s[32]; if (lane >= n) return; v = s[lane] + __shfl_xor_sync(~0u, v, 1);"),
        kernel("__shared__ int s[64]; v = s[lane] + __shfl_xor_sync(~0u, v, 1);"),
        kernel("__shared__ int s[32][64]; v = s[n][lane] + __shfl_xor_sync(~0u, v, 1);"),
        kernel("__shared__ int s[32]; s[threadIdx.x / warpSize] = __shfl_xor_sync(~0u, v, 1);"),
        kernel("if (lane < 32) o[n * 32 + lane] = __shfl_xor_sync(~0u, v, 1);"),
        kernel("v = __shfl_xor_sync(~0u, v, 1); for (int i = lane * 4; i < n; i += warpSize * 4) o[i] = v;"),
        "#ifdef __HIP_PLATFORM_AMD__\n#endif\n" + kernel("int t = __shfl_down_sync(~0u, v, 1); if (lane < 31) v += t;"),
    ],
)
def test_what_has_no_end_at_32(source: str) -> None:
    assert found(source) == []


def test_a_test_for_the_end_follows_the_loop_around_it() -> None:
    source = kernel("for (int d = 16; d; d /= 2) { " + DOWN + " if (lane + d < 32) v += t; }")
    assert "for (int d = warpSize / 2; d; d /= 2)" in fixed(source)
    assert "if (lane + d < warpSize)" in fixed(source)


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("lane < 31", "lane < warpSize - 1"),
        ("31 <= lane", "warpSize - 1 <= lane"),
        ("lane < 32 - 1", "lane < warpSize - 1"),
    ],
)
def test_the_last_lane_becomes_that_of_the_wavefront(written: str, becomes: str) -> None:
    assert f"v += {becomes} ? t" in fixed(kernel(f"int t = __shfl_down_sync(~0u, v, 1); v += {written} ? t : 0;"))


def test_source_lanes_and_steps_are_left_to_their_author() -> None:
    source = kernel("for (int i = 0; i < 32; ++i) v += __shfl_sync(~0u, v, (lane + 1) % 32);")
    assert "(lane + 1) % 32" in fixed(source)
    assert "HIP306" in [
        f.id for f in translate(source, path="a.cu", options=Options(fixes=frozenset({"wavefront"}))).findings
    ]


def test_a_sort_whose_loop_goes_to_32_is_told() -> None:
    body = """for (int k = 2; k <= 32; k *= 2) for (int j = k / 2; j > 0; j /= 2) {
      int t = __shfl_xor_sync(~0u, v, j); v = ((lane & k) == 0) == ((lane & j) == 0) ? min(v, t) : max(v, t); }"""
    (message,) = found(kernel(body))
    assert message.startswith("__shfl_xor_sync goes over 32 lanes")
    assert found(kernel(body.replace("<= 32", "<= warpSize"))) == []
    assert found(kernel(body, LANE.replace("warpSize", "32"))) == []
