"""Kernels in raw strings, for run-time compilation."""

from __future__ import annotations

import pytest

from hipify_py import translate

SOURCE = """\
#include <nvrtc.h>
static const char *source = R"k(
#include <cuda_fp16.h>
extern "C" __global__ void k(cudaTextureObject_t t) {
  cudaFooBar();
  inner<<<1, 1>>>();  // cudaMalloc
}
)k";
static const char *help = R"(call cudaMalloc<<<1, 2>>>(x))";
static const char *old = "__global__ void k() { cudaFree(0); }";
"""


def test_a_kernels_raw_string_is_translated_and_other_strings_are_not() -> None:
    output = translate(SOURCE).output.decode()
    assert "#include <hip/hip_fp16.h>\n" in output
    assert "k(hipTextureObject_t t)" in output
    assert "// cudaMalloc\n" in output
    assert 'R"(call cudaMalloc<<<1, 2>>>(x))"' in output
    assert '"__global__ void k() { cudaFree(0); }"' in output


def test_no_runtime_header_is_added_inside() -> None:
    assert translate(SOURCE).output.split(b'R"k(')[1].count(b"hip_runtime") == 0


def test_findings_inside_carry_places_of_the_file() -> None:
    (found,) = [finding for finding in translate(SOURCE).findings if finding.name == "cudaFooBar"]
    assert (found.line, found.column) == (5, 3)
    assert SOURCE.encode()[found.offset :].startswith(b"cudaFooBar")


def test_references_inside_carry_places_of_the_file() -> None:
    for reference in translate(SOURCE).references:
        if reference.name == "cudaTextureObject_t":
            assert SOURCE.encode()[reference.offset :].startswith(b"cudaTextureObject_t")
            return
    pytest.fail("no reference inside the raw string")


@pytest.mark.parametrize("prefix", ["", "u8", "L", "u", "U"])
def test_every_prefix_of_a_raw_string_is_read(prefix: str) -> None:
    source = f'auto s = {prefix}R"(__global__ void k(cudaTextureObject_t t);)";'
    assert translate(source, path="a.h").output.decode() == source.replace("cudaT", "hipT")


def test_a_raw_string_in_a_macro_is_read() -> None:
    source = '#define SOURCE R"(__global__ void k(cudaTextureObject_t t);)"\n'
    assert translate(source, path="a.h").output.decode() == source.replace("cudaT", "hipT")


def test_it_is_idempotent() -> None:
    once = translate(SOURCE).output
    assert translate(once).output == once
