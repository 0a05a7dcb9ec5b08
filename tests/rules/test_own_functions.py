"""Functions of the source's own that HIP has as well, in front of whatever they are called."""

from __future__ import annotations

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    "definition",
    [
        "__device__ float atomicMax(float *a, float v) { return v; }",
        "__device__ auto atomicMax(float *a, float v) -> float { return v; }",
        "__device__ static inline float\natomicMax(float *a, float v) { return v; }",
        "__device__ float /* the largest */ atomicMax(float *a, float v) { return v; }",
        "float __device__ atomicMax(float *a, float v) { return v; }",
    ],
)
def test_a_definition_is_guarded_however_it_begins(definition: str) -> None:
    calls = "__device__ void f(float *a) { if (a[0] > 1) atomicMax(a, 1.f); float b = -atomicMax(a, 2.f); }"
    found = translate(definition + "\n" + calls, path="a.cu")
    assert "HIP120" in {finding.id for finding in found.findings}
    assert b"#ifndef __HIP__" in found.output


@pytest.mark.parametrize(
    "definition",
    [
        "#define GPU __device__\nGPU float atomicMax(float *a, float v) { return v; }",
        "#define GPU static __device__\nGPU float atomicMax(float *a, float v) { return v; }",
        "#define GPU __device__\n#define QUICK __forceinline__\nGPU QUICK\nuint64_t atomicAdd(\n    std::uint64_t *a,\n"
        "    std::uint64_t v) { return v; }",
        "#ifdef __CUDACC__\n#define GPU __device__\n#else\n#define GPU\n#endif\nGPU size_t atomicCAS(size_t *a, size_t c, "
        "size_t v) { return v; }",
        "#define GPU __device__  // for kernels\nGPU double atomicMin(double *a, double v) { return v; }",
    ],
)
def test_a_definition_is_guarded_whose_qualifiers_are_macros(definition: str) -> None:
    found = translate("__device__ int x;\n" + definition + "\n", path="a.cu")
    assert "HIP120" in {finding.id for finding in found.findings}
    guarded = found.output.decode().partition("#ifndef __HIP__  // HIP has it\n")[2].partition("\n#endif")[0]
    assert guarded == definition[definition.rindex("GPU ") :].replace("static ", "")
    assert translate(found.output, path="a.cu").output == found.output


@pytest.mark.parametrize(
    "definition",
    [
        "#define BOTH __host__ __device__\nBOTH float atomicMax(float *a, float v) { return v; }",
        "#define CPU static\nCPU float atomicMax(float *a, float v) { return v; }",
        "#define GPU __device__\nGPU float atomicMax(float *a, int v) { return v; }",
    ],
)
def test_other_definitions_with_macros_stay(definition: str) -> None:
    found = translate("__device__ int x;\n" + definition + "\n", path="a.cu")
    assert "HIP120" not in {finding.id for finding in found.findings}
    assert b"#ifndef __HIP__" not in found.output


def test_calls_are_no_definitions() -> None:
    calls = (
        "__device__ float f(float *a) { atomicMax(a, 1.f); if (a[0] > 1) atomicMax(a, 1.f); return atomicMax(a, 2.f); }"
    )
    assert "HIP120" not in {finding.id for finding in translate(calls, path="a.cu").findings}
