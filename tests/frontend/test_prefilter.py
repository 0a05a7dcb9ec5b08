"""The prefilter lets every file through in which some table has a say."""

from __future__ import annotations

import pytest

from hipify_py.catalog import Row, load_catalog
from hipify_py.frontend import prefilter
from hipify_py.frontend.prefilter import may_have_cuda
from tools.tables.prefilter import TARGET, module


def _matters(row: Row) -> bool:
    return not row.is_native and not row.is_standard and row.kind != "member"


def test_the_pattern_is_that_of_the_tables() -> None:
    """Run tools/update_prefilter.py after a change of the tables' names."""
    assert TARGET.read_text(encoding="utf-8") == module()


def test_every_name_that_is_not_valid_hip_passes() -> None:
    missed = [
        row.name
        for row in load_catalog().rows()
        if _matters(row) and not may_have_cuda(b" " + row.name.encode() + b"(")
    ]
    assert missed == []


@pytest.mark.parametrize("mark", [b"__global__", b"__device__", b"__device__x", b"a<<<"])
def test_the_marks_are_among_what_the_pattern_matches(mark: bytes) -> None:
    assert prefilter._MARKED.search(mark) is not None
    assert prefilter._cuda().search(mark) is not None


@pytest.mark.parametrize("text", [b"my__global__", b"my__device__x", b"__global__x", b"a << b"])
def test_what_only_contains_a_mark_is_no_cuda(text: bytes) -> None:
    assert not may_have_cuda(text)


def test_every_header_that_changes_passes() -> None:
    headers = [row.name for row in load_catalog().rows() if row.kind == "header" and not row.is_native]
    assert len(headers) > 100
    assert [name for name in headers if not may_have_cuda(f"#include <{name}>".encode())] == []


def test_every_name_of_a_family_passes() -> None:
    families = load_catalog().families
    assert len(families) > 50
    texts = {f.prefix: f"#include <{f.prefix}x.h>" if f.is_header else f" {f.prefix}X(" for f in families}
    assert [prefix for prefix, text in texts.items() if not may_have_cuda(text.encode())] == []


@pytest.mark.parametrize(
    "text",
    [
        b"k<<<1, 2>>>();",
        b"__global__ void k();",
        b"__device__ int x;",
        b"extern __shared__ float s[];",
        b"CUdeviceptr p;",
        b"cuInit(0);",
        b"thrust::sort(a, b);",
        b"namespace cg = cooperative_groups;",
        b"nvcuda::wmma::fill_fragment(f, 0);",
        b"cub::DeviceReduce::Sum();",
        b"cublasFooBar();",
        b"int i = threadIdx.x;",
        b"__syncthreads();",
        b"#include <mma.h>",
    ],
)
def test_cuda_passes(text: bytes) -> None:
    assert may_have_cuda(text)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"#include <vector>\nint main() { std::vector<int> v{1, 2}; return v.size() << 3 >> 1; }\n",
        b"#include <cuchar>\n#include <map>\nclass Cucumber { int accumulate; };\n",
        b"struct Cube { double cut, cubic; }; // a cup of tea, current\n",
        b"template <class T> T cube(T x) { return x * x * x; }\n",
        b"#include <hip/hip_runtime.h>\nvoid f(void *p) { hipFree(p); hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0); }\n",
        b"enum class Color { RED, GREEN }; constexpr int FOCUS_X = 1; int DISCUS_Y;\n",
        b"def f(x):\n    return x\n",
    ],
)
def test_plain_cpp_does_not(text: bytes) -> None:
    assert not may_have_cuda(text)
