"""Texture references that become pointers, and accesses that need texture units."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

DECLARATION = "texture<float, 1, cudaReadModeElementType> t;\n"


def hip(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    return result.output.decode(), [finding.id for finding in result.findings]


def test_all_that_is_done_with_it_follows() -> None:
    output, found = hip(
        "static texture<int2, cudaTextureType1D> t;\n"
        "__device__ double f(int i) { int2 v = tex1Dfetch(t, g(i, 1) /* here */); return h(v); }\n"
        "cudaError_t bind(int2 *p, size_t n) { size_t o; return cudaBindTexture(&o, t, p, desc, n); }\n"
        "void end() { CHECK(cudaUnbindTexture(t)); }\n"
    )
    assert "static __device__ const int2 *t;\n" in output
    assert "int2 v = t[g(i, 1)]" in output
    assert "return [&] { *(&o) = 0; const int2 *values = (const int2 *)(p); return hipMemcpyToSymbol(" in output
    assert "CHECK(hipSuccess)" in output
    assert found == ["HIP250"]
    assert hip(output)[0] == output


@pytest.mark.parametrize(
    "source",
    [
        "texture<float, 2> t;\n",
        "texture<uchar4, 1, cudaReadModeNormalizedFloat> t;\n",
        f"extern {DECLARATION}",
        DECLARATION + "void f() { t.normalized = true; }\n",
        DECLARATION + "#define GET(i) tex1Dfetch(t, i)\n",
        DECLARATION + "__device__ float f(float x) { return tex1D(t, x); }\n",
        DECLARATION + "void f(cudaArray *a) { cudaBindTextureToArray(t, a); }\n",
        DECLARATION + "void f(int t) { g(t); }\n",
        f"#ifdef A\n{DECLARATION}#else\ntexture<int> t;\n#endif\n",
        DECLARATION + "void f() { cudaBindTexture(0, t",
        "texture<float> t, u;\n__device__ float f() { return tex1Dfetch(t, 0); }\n",
        DECLARATION + "__device__ float f(int i) { return tex1Dfetch(i, t); }\n",
    ],
)
def test_what_is_not_plain_memory_stays(source: str) -> None:
    output, found = hip(source)
    assert "texture<" in output
    assert "HIP251" in found
    assert "HIP250" not in found


@pytest.mark.parametrize("source", ["// texture<float> t;\n", '"texture<float> t;"', "struct texture { int t; };"])
def test_no_texture(source: str) -> None:
    assert hip(source) == (source, [])


def test_accesses_are_reported_once() -> None:
    source = "__device__ float f(hipTextureObject_t t) { return tex2D<float>(t, 0, 0) + tex1D<float>(t, 0); }\n"
    assert hip(source)[1] == ["HIP252"]


@pytest.mark.parametrize(
    "declaration",
    [
        "texture<int2> t;\n",
        "texture </* pairs */ int2> t;\n",
        "texture<int2, /* of one dimension */ cudaTextureType1D> // of pairs\n    t;\n",
        "texture<int2,\\\n 1> t;\n",
        "static texture<int2, 1, cudaReadModeElementType> t;\n",
        "texture<" + "very::long_name::" * 10 + "int2> t;\n",
    ],
)
@pytest.mark.parametrize(
    ("bind", "bound"),
    [
        ("cudaBindTexture(0, t, p, n)", "HIP_SYMBOL(t)"),
        ("cudaBindTexture(&state->" + "inner." * 40 + "offset, t, p, n)", "HIP_SYMBOL(t)"),
        ("cudaBindTexture(offset(a, (b)), &t, p, n)", "HIP_SYMBOL(t)"),
        ("cudaBindTexture(0 /* no (offset) */, // none\n  t, p, n)", "HIP_SYMBOL(t)"),
        ("::cudaBindTexture(0, t, p, n)", "; [&] {"),
    ],
)
def test_a_texture_is_found_wherever_it_stands(declaration: str, bind: str, bound: str) -> None:
    output, found = hip(
        f"{declaration}void f(int2 *p) {{ ; {bind}; }}\n__device__ int2 g() {{ return tex1Dfetch(t, 1); }}\n"
    )
    assert found == ["HIP250"]
    assert bound in output
    assert "return t[1];" in output
    assert "texture" not in output.replace("cudaTextureType1D", "")
