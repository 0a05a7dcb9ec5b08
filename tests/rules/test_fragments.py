"""Matrix fragments: their elements, what they are filled with, the threads that hold them."""

from __future__ import annotations

import pytest

from hipify_py import translate

HEAD = "#include <mma.h>\nusing namespace nvcuda;\n"
DECLARED = "wmma::fragment<wmma::accumulator, 16, 16, 16, {}> f, g[2];"


def ids(source: str) -> list[str]:
    return [found.id for found in translate(HEAD + source, path="a.cu").findings]


@pytest.mark.parametrize(
    ("type", "value", "filled"),
    [
        ("half", "0.0f", "static_cast<half>(0.0f)"),
        ("half", "0", "static_cast<half>(0)"),
        ("float", "0", "static_cast<float>(0)"),
        ("float", "0.0", "static_cast<float>(0.0)"),
        ("float", "-1.5f", "-1.5f"),
        ("int", "0", "0"),
        ("half", "zero", "zero"),
        ("T", "0.0f", "0.0f"),
        ("/* of 16 bits */ half", "0.0f", "static_cast<half>(0.0f)"),
        ("\n    half\n  ", "0", "static_cast<half>(0)"),
    ],
)
@pytest.mark.parametrize("name", ["f", "g[1]"])
def test_a_literal_takes_the_type_of_the_elements(type: str, value: str, filled: str, name: str) -> None:
    source = f"{HEAD}__device__ void k() {{ {DECLARED.format(type)} wmma::fill_fragment({name}, {value}); }}"
    once = translate(source, path="a.cu").output
    assert f"fill_fragment({name}, {filled})" in once.decode()
    assert translate(once, path="a.cu").output == once


@pytest.mark.parametrize(
    "counted",
    [
        "int w = threadIdx.x / 32;",
        "int w = threadIdx.x >> 5;",
        "int l = threadIdx.x & 31;",
        "int w = (blockIdx.x * blockDim.x + threadIdx.x) / 2 + blockDim.x / 32;",
        "void h() { k<<<1, 32>>>(); }",
        "void h() { dim3 block(32, 4); }",
        "#define WARP_SIZE 32\n",
        "const int warpSize_ = 0; constexpr int kWarpSize = 32;",
        "int w = threadIdx . /* the */ x /* thread */ / (32);",
        "int w = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32u;",
        "#define WARP \\\n  (threadIdx.x / 32)\n",
        "void h() { k<<<dim3(" + "blocks_of_rows + " * 20 + "1), 32>>>(); }",
        "void h() { k<<<f<2>(n), /* a warp */ 32, 0, s>>>(); }",
        "void h() { dim3 grid(1), block{32}; }",
        "#define WARP_SIZE /* lanes */ (32)\n",
        "__device__ void f() { int w = threadIdx.x / warpSize; }",
        "__device__ void f() { int w = warpSize; }",
    ],
)
def test_threads_counted_in_32_are_reported(counted: str) -> None:
    fragment = DECLARED.format("float")
    assert ids(f"{fragment}\n{counted}").count("HIP503") == 1
    assert "HIP503" not in ids(counted)
    assert "HIP503" not in ids(f"{fragment}\n// {counted}")
    assert "HIP503" in ids(f"#ifdef USE_ROCM\n#endif\n{fragment}\n{counted}"), "that decides nothing about warps"


@pytest.mark.parametrize(
    "counted",
    [
        "int s = n / 32;",
        "k<<<32, 64>>>();",
        "dim3 grid(32, 4);",
        "int s = a[threadIdx.x] / 32;",
    ],
)
def test_other_numbers_are_not(counted: str) -> None:
    assert "HIP503" not in ids(f"{DECLARED.format('float')}\n__global__ void k(); void h() {{ {counted} }}")


def test_tf32_is_single_precision() -> None:
    source = HEAD + (
        "__device__ void k() { wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> f; "
        "f.x[0] = wmma::__float_to_tf32(f.x[0]); }"
    )
    output = translate(source, path="a.cu").output.decode()
    assert "16, 16, 8, float, rocwmma::row_major>" in output
    assert "f.x[0] = (f.x[0]);" in output


@pytest.mark.parametrize(
    "source", ["wmma::fragment<", "wmma::fragment<a, 1", "wmma::fill_fragment(", "wmma::fill_fragment(f, "]
)
def test_broken_code_does_not_matter(source: str) -> None:
    assert translate(HEAD + source, path="a.cu").output


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ("wmma::fragment<wmma::accumulator, 32, 8, 16, half> f;", True),
        ("wmma::fragment < wmma::accumulator /* sum */ , 32,\n 8, 16, half> f;", True),
        ("constexpr int M = 4 * 8; wmma::fragment<wmma::accumulator, M, 8, 16, half> f;", True),
        ("enum { M = 32, N = 8 }; wmma::fragment<wmma::accumulator, M, N, 16, half> f;", True),
        ("template <class T, int M = 16> struct S {}; wmma::fragment<wmma::accumulator, 32, (8), 16, half> f;", True),
        ("using F = wmma::fragment<wmma::accumulator, 8 + 8, 16, 16, half>;", False),
        ("template <int M> void f() { wmma::fragment<wmma::accumulator, M, 8, 16, half> f; }", False),
    ],
)
def test_a_shape_is_what_its_constants_come_to(declared: str, found: bool) -> None:
    assert ("HIP502" in ids(declared)) == found
    assert "HIP502" not in ids("/* " + declared.replace("/*", "").replace("*/", "") + " */\n")


def test_fragments_of_one_name_in_two_functions_keep_their_elements() -> None:
    kernel = (
        "__device__ void {}() {{ wmma::fragment<wmma::accumulator, 16, 16, 16, {}> f; wmma::fill_fragment(f, 0); }}\n"
    )
    output = translate(HEAD + kernel.format("a", "half") + kernel.format("b", "float"), path="a.cu").output.decode()
    assert "fill_fragment(f, static_cast<half>(0))" in output
    assert "fill_fragment(f, static_cast<float>(0))" in output


@pytest.mark.parametrize("path", ["a.h", "a.hpp", "a.cpp"])
def test_a_source_without_device_code_is_plain_cpp(path: str) -> None:
    source = f"{HEAD}{DECLARED.format('half')}\n#define LAUNCH(k) k<<<1, 32>>>()\nint w = tid / 32;\n"
    found = [finding.id for finding in translate(source.replace("<<<1, 32>>>", ""), path=path).findings]
    assert found.count("HIP503") == 1
    assert [finding.id for finding in translate(source, path=path).findings].count("HIP503") == 2
