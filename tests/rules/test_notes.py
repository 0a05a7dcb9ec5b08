"""A note says something that its reader must do, once a file; what has been mended is not mentioned."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.findings import Finding

WARP = "__global__ void k(int *o) {{ int v = o[threadIdx.x]; {} o[threadIdx.x] = v; }}\n"


def found(source: str) -> list[Finding]:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).findings


def ids(source: str) -> list[str]:
    return [finding.id for finding in found(source)]


@pytest.mark.parametrize(
    "source",
    [
        # masks that are widened, and masks that are 64 bits wide already
        WARP.format("v = __shfl_xor_sync(0xffffffff, v, 1);"),
        WARP.format("v = __shfl_down_sync(__activemask(), v, 4);"),
        WARP.format("unsigned m = __ballot_sync(~0u, v); v = __popc(m);"),
        WARP.format("__syncwarp();"),
        "#define ALL 0xffffffff\n" + WARP.format("v = __any_sync(ALL, v);"),
        "template <class T> __device__ T f(T v) { return __shfl_up_sync(0xffffffffu, v, 1); }\n",
        # lanes that are counted in 32, and right
        WARP.format("int lane = threadIdx.x & 31; v = __shfl_xor_sync(~0u, v, 1) + lane;"),
        "#define WARP_SIZE 32\n"
        + WARP.format("for (int d = WARP_SIZE / 2; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);"),
        "constexpr int kWarpSize = 32;\n",
        # what is spelled out, cast or left out
        "dim3 g = make_uint3(1, 2, 3);",
        "__constant__ uint4 z = {0};",
        "__device__ int f(uint64_t m) { return __ffsll(m); }",
        "#include <cuda_fp16.h>\n__device__ void f(__half2 a, __half b) { a = {b, b}; }",
        "int x = (k<<<1, 1>>>(), 0);",
        "int f(int r) { switch (r) { case CUFFT_SUCCESS: return 1; case CUFFT_NVRTC_FAILURE: return 2; } }",
        "__global__ void k(const __grid_constant__ int n) { __nanosleep(20); }",
        # files that are HIP already
        "#ifdef USE_ROCM\nusing __nv_bfloat16 = __hip_bfloat16;\n#endif\n",
        "#ifdef USE_ROCM\ntypedef __hip_bfloat162 __nv_bfloat162;\n#endif\n",
        "#include <hip/hip_runtime.h>\n" + WARP.format("v = __shfl_xor_sync(0xffffffffffffffffull, v, 1);"),
        "#ifdef __HIPCC__\n#define MASK 0xffffffffffffffffull\n#else\n#define MASK 0xffffffff\n#endif\n",
    ],
)
def test_what_is_mended_is_not_mentioned(source: str) -> None:
    assert ids(source) == []


def test_an_enumerator_that_becomes_a_comment_counts_as_converted() -> None:
    source = "int f(int r) { switch (r) { case CUFFT_SUCCESS: return 1; case CUFFT_NVRTC_FAILURE: return 2; } }"
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    assert result.counts == (2, 0, 0, 0, 0)


OPERATORS = "".join(
    f"__host__ __device__ {type} operator{sign}({type} a, {type} b) "
    f"{{ return make_{type}(" + ", ".join(f"a.{part} {sign} b.{part}" for part in "xyzw"[: int(type[-1])]) + "); }\n"
    for type in ("float2", "float3", "float4", "int2", "int3")
    for sign in "+-*/"
)


def test_many_operators_of_one_file_are_one_note() -> None:
    (note,) = found(OPERATORS)
    assert note.id == "HIP121"
    assert note.message.endswith("(and 9 more in this file)")


@pytest.mark.parametrize(
    ("source", "id", "more"),
    [
        (
            "#include <hip/hip_runtime.h>\nenum cudaMemPoolAttr {};\nenum cudaMemAllocationType {};\n"
            "struct cudaMemLocation {};\n",
            "HIP113",
            2,
        ),
        ("__global__ void __maxnreg__(64) k();\n__global__ void __maxnreg__(96) m();\n", "HIP131", 1),
        ("void f() { cudaDeviceSetLimit(cudaLimitStackSize, 1); }\n" * 4, "HIP103", 3),
    ],
)
def test_the_same_of_several_places_is_one_note(source: str, id: str, more: int) -> None:
    (note,) = found(source)
    assert note.id == id
    assert note.message.endswith(f"(and {more} more in this file)")


def test_one_place_is_said_without_a_number() -> None:
    (note,) = found("void f() { cudaDeviceSetLimit(cudaLimitStackSize, 1); }\n")
    assert "more in this file" not in note.message


def test_a_suppressed_place_is_not_counted() -> None:
    line = "void f() { cudaDeviceSetLimit(cudaLimitStackSize, 1); }"
    (note,) = found(f"{line} // hipify: ignore[HIP103]\n{line}\n{line}\n")
    assert note.line == 2
    assert note.message.endswith("(and 1 more in this file)")


@pytest.mark.parametrize(
    "source",
    [
        "auto f = CUB_MAX;",
        "#define LARGER CUB_MAX\n",
        "auto f = &cudaMemcpyFromSymbol;",
    ],
)
def test_no_message_has_an_empty_target(source: str) -> None:
    for finding in found(source):
        assert "becomes ," not in finding.message
        assert "becomes :" not in finding.message


@pytest.mark.parametrize("arguments", ["(a, b) ((a) > (b) ? (a) : (b))", "(x, y) larger(x, y)"])
def test_a_macro_of_the_sources_own_has_arguments_of_its_own(arguments: str) -> None:
    source = f"#ifndef CUB_MAX\n#define CUB_MAX{arguments}\n#endif\n"
    assert ids(source) == []
