"""Lanes counted in 32 at one place and in `warpSize` at another; blocks whose idle lanes a mask names."""

from __future__ import annotations

import re

import pytest

from tests.unfixed import Options, translate

SUM_16 = "__device__ int sum(int v) { for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o); return v; }\n"
SUM_WARP = SUM_16.replace("o = 16", "o = warpSize / 2")


def found(source: str, id: str, *, fix: bool = False) -> list[str]:
    fixes = frozenset({"wavefront"}) if fix else frozenset()
    result = translate(source, path="a.cu", options=Options(fixes=fixes))
    return [
        source[f.offset :].split("(", maxsplit=1)[0].split(";", maxsplit=1)[0] for f in result.findings if f.id == id
    ]


def kernel(body: str) -> str:
    return f"__global__ void k(int *o) {{ int v = o[threadIdx.x]; {body} o[threadIdx.x] = v; }}\n"


@pytest.mark.parametrize(
    ("source", "places"),
    [
        (SUM_16 + kernel("if (threadIdx.x % warpSize == 0) v = sum(v);"), ["sum"]),
        (SUM_WARP + kernel("if (threadIdx.x % 32 == 0) v = sum(v);"), ["sum"]),
        (SUM_16 + kernel("if (threadIdx.x % 32 == 0) v = sum(v);"), []),
        (SUM_WARP + kernel("if (threadIdx.x % warpSize == 0) v = sum(v);"), []),
        (SUM_16 + kernel("if (threadIdx.x % WARP_SIZE == 0) v = sum(v);"), []),
        (SUM_16 + kernel("v = sum(v);"), []),
        (
            kernel(
                "int l = threadIdx.x % warpSize; for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o); v += l;"
            ),
            ["__shfl_xor_sync"],
        ),
        (
            kernel(
                "int l = threadIdx.x % warpSize; for (int o = 16; o; o /= 2) v += __shfl_xor(v, o);"
                " if (warpSize == 64) v += __shfl_xor(v, 32); v += l;"
            ),
            [],
        ),
        (
            kernel("int w = threadIdx.x / warpSize; v = w < blockDim.x / 32 ? __shfl_xor(v, 1) : 0;"),
            ["blockDim.x / 32"],
        ),
        ("#ifdef __HIP_PLATFORM_AMD__\n#endif\n" + SUM_16 + kernel("if (threadIdx.x % warpSize == 0) v = sum(v);"), []),
    ],
)
def test_two_ways_of_counting(source: str, places: list[str]) -> None:
    assert [
        place.split(" :")[0][: len(want)] for place, want in zip(found(source, "HIP306"), places, strict=True)
    ] == places


@pytest.mark.parametrize(
    ("source", "masks"),
    [
        (SUM_16 + kernel("int w = threadIdx.x / 32; if (w == 0) v = sum(v);"), []),
        (SUM_16 + kernel("if (threadIdx.x < 32) { v = sum(v); }"), []),
        (SUM_16 + kernel("int wid = threadIdx.x >> 5; if (!wid) v = sum(v);"), []),
        (kernel("if (threadIdx.x >= 32) return; v = __any_sync(0xffffffff, v);"), []),
        (kernel("if (threadIdx.x < 32) v = __any_sync(__activemask(), v);"), ["__activemask()"]),
        (kernel("if (threadIdx.x < 64) v = __any_sync(0xffffffff, v);"), ["0xffffffffffffffffull"]),
        (kernel("if (v < 32) v = __any_sync(0xffffffff, v);"), []),
        (kernel("if (gridDim.x < 32) v = __any_sync(0xffffffff, v);"), ["0xffffffffffffffffull"]),
        (SUM_16 + kernel("int w = threadIdx.x / warpSize; if (w == 1) v = sum(v);"), ["0xffffffffffffffffull"]),
        (SUM_WARP + kernel("int w = threadIdx.x / warpSize; if (w == 0) v = sum(v);"), ["0xffffffffffffffffull"]),
        (SUM_16 + kernel("v = sum(v);") + "void run(int *o) { k<<<1, 32>>>(o); }", []),
    ],
)
def test_masks_that_name_idle_lanes(source: str, masks: list[str]) -> None:
    output = translate(source, path="a.cu").output.decode()
    assert re.findall(r"_sync\(([^,]+),", output) == masks
    assert found(source, "HIP308") == []


def test_masks_of_hip_code_are_reported() -> None:
    source = "#include <hip/hip_runtime.h>\n" + kernel(
        "if (threadIdx.x < 32) v = __any_sync(0xffffffffffffffffull, v);"
    )
    assert translate(source, path="a.hip").output.decode() == source
    assert found(source, "HIP308") == ["__any_sync"]


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (SUM_16 + kernel("if (threadIdx.x % warpSize == 0) v = sum(v);"), ("o = 16;", "o = warpSize / 2;")),
        (
            kernel(
                "int l = threadIdx.x % warpSize; for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(~0u, v, d);"
                " if (l >= d) v += u; }"
            ),
            ("d < 32", "d < warpSize"),
        ),
        (
            kernel("int w = threadIdx.x / warpSize; v = w < blockDim.x / 32 ? __shfl_xor(v, 1) : 0;"),
            ("blockDim.x / 32", "blockDim.x / warpSize"),
        ),
        (
            kernel(
                "int l = threadIdx.x % warpSize; for (int o = 16; o; o /= 2) v += __shfl_xor(v, o);"
                " for (int o = 16; o; o /= 2) l += __shfl_xor(l, o); v += l;"
            ),
            ("o = 16;", "o = warpSize / 2;"),
        ),
        (
            SUM_16 + kernel("if (threadIdx.x % warpSize == 0) v = sum(v);") + "__device__ int f() { return sum(3); }",
            ("", ""),
        ),
    ],
)
def test_the_fix_lets_the_loop_follow_where_all_count_in_warp_size(source: str, fixed: tuple[str, str]) -> None:
    options = Options(implicit_runtime=False, fixes=frozenset({"wavefront"}))
    result = translate(source, path="a.cu", options=options)
    wanted = source.replace(*fixed) if fixed[0] else source
    masked = re.sub(r"__shfl_(\w+)(?<!_sync)\(", r"__shfl_\1_sync(~0u, ", result.output.decode())
    assert masked.replace("0xffffffffffffffffull", "~0u") == re.sub(
        r"__shfl_(\w+)(?<!_sync)\(", r"__shfl_\1_sync(~0u, ", wanted
    )
    assert ("HIP306" in [f.id for f in result.findings]) == (not fixed[0])
    again = translate(result.output, path="a.cu", options=options)
    assert again.output == result.output


AMONG_32 = "for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d, 32);"
BY_REGION = "if (threadIdx.x < 32) for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);"
GROUPS = "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
BY_MEMBER = " for (int d = warpSize / 2; d > 0; d /= 2) v += t.shfl_down(v, d);"
AMONG_W = AMONG_32.replace(", 32)", ", W)")
TEMPLATE = "template <{}> __device__ int sum(int v) {{ " + AMONG_W.replace("W)", "{})") + " return v; }}\n"
BY_LANES = "if (threadIdx.x % warpSize == 0) v++;"  # keeps the rest of the source at the wavefront


@pytest.mark.parametrize(
    ("source", "fixes"),
    [
        (kernel(BY_LANES + AMONG_32), {"d = warpSize": "d = 32"}),
        (kernel(BY_LANES + BY_REGION), {"d = warpSize": "d = 32", "v, d)": "v, d, 32)"}),
        (kernel(BY_LANES + AMONG_32.replace("/ 2;", ">> 1;", 1)), {"d = warpSize": "d = 32"}),
        (
            kernel(BY_LANES + "for (int d = 1; d < warpSize; d *= 2) v += __shfl_xor_sync(~0u, v, d, 32);"),
            {"d < warpSize": "d < 32"},
        ),
        (kernel(BY_LANES + "v += __shfl_xor_sync(~0u, v, warpSize / 4, 32);"), {"v, warpSize": "v, 32"}),
        (
            kernel(BY_LANES + "if (threadIdx.x < 32) v = __shfl_sync(~0u, v, warpSize - 1);"),
            {"v, warpSize - 1)": "v, 32 - 1, 32)"},
        ),
        (
            "#define ADD(v) for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d, 32)\n"
            + kernel(BY_LANES + "ADD(v);"),
            {"d = warpSize": "d = 32"},
        ),
        (
            SUM_WARP + kernel(BY_LANES + "if (threadIdx.x < 32) v = sum(v);"),
            {"o = warpSize": "o = 32", "v, o)": "v, o, 32)"},
        ),
        (
            GROUPS + kernel(BY_LANES + "auto t = cg::tiled_partition<32>(cg::this_thread_block());" + BY_MEMBER),
            {"d = warpSize": "d = 32"},
        ),
        (
            GROUPS + "__device__ int f(cg::thread_block_tile<16> t, int v) { " + BY_MEMBER + " return v; }\n",
            {"d = warpSize": "d = 32"},
        ),
        (
            GROUPS + kernel(BY_LANES + "if (threadIdx.x < 32) { auto t = cg::coalesced_threads();" + BY_MEMBER + " }"),
            {"d = warpSize": "d = 32"},
        ),
        (
            GROUPS
            + kernel(
                BY_LANES + "int tid = cg::this_thread_block().thread_rank(); if (tid < 32) {"
                " cg::coalesced_group t = cg::coalesced_threads();" + BY_MEMBER + " }"
            ),
            {"d = warpSize": "d = 32"},
        ),
        (GROUPS + kernel(BY_LANES + "auto t = cg::coalesced_threads();" + BY_MEMBER), {}),
        (kernel(BY_LANES + "Mine t;" + BY_MEMBER), {}),
        (
            kernel(BY_LANES + "const int w = warpSize;" + AMONG_32.replace("warpSize", "w")),
            {"d = w": "d = 32"},
        ),
        (
            kernel(BY_LANES + "int half = warpSize >> 1; " + AMONG_32.replace("warpSize / 2", "half")),
            {"d = half": "d = 16"},
        ),
        (
            "template <int width = 8> __device__ int f();\n"
            + kernel(BY_LANES + "constexpr int width = 32; " + AMONG_32.replace(", 32)", ", width)")),
            {"d = warpSize": "d = 32"},
        ),
        (
            "#define WS warpSize\n" + kernel(BY_LANES + AMONG_32.replace("warpSize", "WS")),
            {"d = WS": "d = 32"},
        ),
        (
            "#define WS ((int)warpSize)\n#define SIZE WS\n" + kernel(BY_LANES + AMONG_32.replace("warpSize", "SIZE")),
            {"d = SIZE": "d = 32"},
        ),
        (
            "#define WARP_SIZE static_cast<int>(warpSize)\n#define HALF (WARP_SIZE / 2)\n"
            + kernel(BY_LANES + AMONG_32.replace("warpSize / 2", "HALF")),
            {"d = HALF": "d = 16"},
        ),
        (
            "#ifdef OLD\n#define WS warpSize\n#else\n#define WS (warpSize)\n#endif\n"
            + kernel(BY_LANES + BY_REGION.replace("warpSize", "WS")),
            {"d = WS": "d = 32", "v, d)": "v, d, 32)"},
        ),
        ("#define WS warpSize\n" + kernel(BY_LANES + BY_REGION.replace("warpSize", "WS").replace("< 32", "< 64")), {}),
        (
            kernel(BY_LANES + "const int w = (int)warpSize;" + AMONG_32.replace("warpSize", "w")),
            {"d = w": "d = 32"},
        ),
        (TEMPLATE.format("int W = 32", "W") + kernel(BY_LANES + "v = sum(v);"), {"d = warpSize": "d = 32"}),
        (TEMPLATE.format("int W = 32", "W") + kernel(BY_LANES + "v = sum<8>(v);"), {"d = warpSize": "d = 32"}),
        (TEMPLATE.format("int W", "W") + kernel(BY_LANES + "v = sum<32>(v);"), {"d = warpSize": "d = 32"}),
        (
            "constexpr int kLanes = 32;\n"
            + TEMPLATE.format("unsigned W", "W")
            + kernel(BY_LANES + "v = sum<kLanes>(v) + sum<16>(v);"),
            {"d = warpSize": "d = 32"},
        ),
        (
            TEMPLATE.format("int W", "W")
            + "template <int N = 32> __device__ int of(int v) { return sum<N>(v); }\n"
            + kernel(BY_LANES + "v = of(v);"),
            {"d = warpSize": "d = 32"},
        ),
        (
            f"template <int W> struct Group {{ __device__ static int sum(int v) {{ {AMONG_W} return v; }} }};\n"
            + kernel(BY_LANES + "v = Group<32>::sum(v);"),
            {"d = warpSize": "d = 32"},
        ),
        (
            f"__device__ int sum(int v, int W = 32) {{ {AMONG_W} return v; }}\n"
            + kernel(BY_LANES + "v = sum(v) + sum(v, 4);"),
            {"d = warpSize": "d = 32"},
        ),
        (
            f"__device__ int sum(int v, int W = 32) {{ {AMONG_W} return v; }}\n"
            + kernel(BY_LANES + "v = sum(v, warpSize);"),
            {},
        ),
        (TEMPLATE.format("int W = 32", "W") + kernel(BY_LANES + "v = sum<64>(v);"), {}),
        (TEMPLATE.format("int W", "W") + kernel(BY_LANES), {}),
        (
            "#ifdef USE_ROCM\n#endif\n" + TEMPLATE.format("int W = 32", "W") + kernel(BY_LANES + "v = sum(v);"),
            {},
        ),
        (kernel(BY_LANES + "v = __shfl_sync(~0u, v, warpSize / 2, 32);"), {"v, warpSize": "v, 32"}),
        (kernel(BY_LANES + "v = __shfl_sync(~0u, v, warpSize - 1, 32);"), {}),
        (kernel(BY_LANES + "v = __shfl_sync(~0u, v, (v + 1) % warpSize, 32);"), {}),
        (SUM_WARP + kernel(BY_LANES + "if (threadIdx.x < 32) v = sum(v); v = sum(v);"), {}),
        (kernel(BY_LANES + "if (threadIdx.x < 64) " + AMONG_32.replace(", 32)", ", warpSize)")), {}),
        (kernel(BY_LANES + BY_REGION.replace("< 32", "< 64")), {}),
        (kernel(BY_LANES + BY_REGION.replace("warpSize / 2", "16")), {}),
        (kernel(BY_LANES + "if (threadIdx.x < 32) v = __shfl_sync(~0u, v, 31);"), {}),
    ],
)
def test_warp_size_means_32_among_32_lanes(source: str, fixes: dict[str, str]) -> None:
    mended = Options(implicit_runtime=False, fixes=frozenset({"wavefront"}))
    output = translate(source, path="a.cu", options=mended).output.decode()
    left = translate(source, path="a.cu", options=Options(implicit_runtime=False, fixes=frozenset()))
    wanted = left.output.decode()
    for before, after in fixes.items():
        assert before in wanted
        wanted = wanted.replace(before, after)
    assert output == wanted
    assert ("HIP306" in [finding.id for finding in left.findings]) == bool(fixes)
    assert translate(output, path="a.cu", options=mended).output.decode() == output


def test_a_loop_that_serves_32_lanes_and_a_wavefront_is_reported() -> None:
    both = AMONG_32.replace("v +=", "{ v += __shfl_down_sync(~0u, v, d); v +=") + " }"
    assert found(kernel(BY_LANES + both), "HIP306", fix=True) == ["__shfl_down_sync"]


@pytest.mark.parametrize("code", [AMONG_32, BY_REGION])
def test_such_loops_do_not_keep_warps_from_staying_at_32_lanes(code: str) -> None:
    source = kernel(code + " v += __any_sync(~0u, v);")
    output = translate(source, path="a.cu", options=Options(fixes=frozenset({"wavefront"}))).output.decode()
    assert "hipify::warp32::any_sync" in output
    assert "warpSize" not in output
