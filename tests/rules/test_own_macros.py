"""The project's own macros under names of the tables: which places mean them, and which CUDA's symbols."""

from __future__ import annotations

import pytest

from hipify_py.core.options import Options, Targeting
from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate

PLAIN = Options(implicit_runtime=False, targeting=Targeting(rocm="7.1"))


def run(source: str, path: str = "a.cu") -> Translation:
    translation = translate(source, path=path, options=PLAIN)
    assert translate(translation.output, path=path, options=PLAIN).output == translation.output
    return translation


def converted(source: str) -> str:
    return run(source).output.decode()


KEPT = {
    "constant": "#define CUDART_LN2_F 0.69f\nfloat f() { return CUDART_LN2_F; }\n",
    "constant behind a guard": "#ifndef CUDART_SQRT_2\n#define CUDART_SQRT_2 1.41\n#endif\ndouble d = CUDART_SQRT_2;\n",
    "constant that is taken back first": "#ifdef CUDART_L2E_F\n#undef CUDART_L2E_F\n#endif\n#define CUDART_L2E_F 1.44f\n"
    "float f = CUDART_L2E_F;\n",
    "guard with defined": "#if !defined(CURAND_2PI)\n#define CURAND_2PI 6.28f\n#endif\nfloat f = CURAND_2PI;\n",
    "flag": "#define cudaDeviceMapHost 0\nint f() { return cudaDeviceMapHost; }\n",
    "what HIP lacks": "#define CUB_SMEM_BANKS(arch) 32\n#define CUB_SUBSCRIPTION_FACTOR(arch) CUB_SMEM_BANKS(arch)\n"
    "int n = CUB_SUBSCRIPTION_FACTOR(0);\n",
    "object-like macro for what HIP lacks": "#define CUDNN_DIM_MAX 8\nint sizes[CUDNN_DIM_MAX];\n",
    "condition on what HIP lacks": "#define CUB_MAX_DEVICES 4\n#ifdef CUB_MAX_DEVICES\nint n[CUB_MAX_DEVICES];\n#endif\n",
    "another form in HIP": "#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))\nint n = CUB_QUOTIENT_CEILING(7, 2);\n",
    "width of a warp": "#define CUB_PTX_WARP_THREADS 32\nint lane(int t) { return t % CUB_PTX_WARP_THREADS; }\n",
    "function": "#define cudaEventQuery(e) polled(e)\nint f(void *e) { return cudaEventQuery(e); }\n",
    "function of the global scope": "#define cudaEventQuery(e) polled(e)\nint f(void *e) { return ::cudaEventQuery(e); }\n",
    "macro that calls it": "#define USE(f) f(0)\n#define cudaSetDevice(n) chosen(n)\nint f() { return USE(cudaSetDevice); }\n",
    "body before the definition": "#define FIRST() cudaSetDevice(0)\n#define cudaSetDevice(n) chosen(n)\nint f() { FIRST(); }\n",
    "other name for it": "#define cudaSetDevice(n) chosen(n)\n#define CHOOSE cudaSetDevice\nint f() { CHOOSE(0); }\n",
}


@pytest.mark.parametrize("name", KEPT)
def test_an_own_macro_keeps_its_name(name: str) -> None:
    translation = run(KEPT[name])
    assert translation.output.decode() == KEPT[name]
    assert [finding for finding in translation.findings if finding.severity != "note"] == []
    assert [reference.outcome for reference in translation.references if reference.kind != "device"] == []


OF_CUDA = {
    "in parentheses": ("#define cudaMemset(p, v, n) set(p, v, n)\nint f(void *p) { return (@Memset)(p, 0, 1); }\n"),
    "address": "#define cudaMemset(p, v, n) set(p, v, n)\nauto f = &@Memset;\nauto g = @Memset;\n",
    "argument of a function": "#define cudaSetDevice(n) chosen(n)\nint f() { return with(@SetDevice, 1); }\n",
    "own body": "#define cudaSetDevice(n) (count(), @SetDevice(n))\nint f() { return cudaSetDevice(0); }\n",
    "own body, in parentheses": "#define cudaSetDevice(n) (count(), (@SetDevice)(n))\nint f() { return cudaSetDevice(0); }\n",
    "own body without parameters": "#define cudaSetDevice count(), @SetDevice\nint f() { return cudaSetDevice(0); }\n",
    "before": "int chosen(int n) { return @SetDevice(n); }\n#define cudaSetDevice(n) chosen(n)\nint f() { cudaSetDevice(0); }\n",
    "afterwards": "#define cudaSetDevice(n) chosen(n)\nint f() { cudaSetDevice(0); }\n#undef cudaSetDevice\n"
    "int g() { return @SetDevice(0); }\n",
    "taken back if it is there": "#define cudaSetDevice(n) chosen(n)\n#ifdef cudaSetDevice\n#undef cudaSetDevice\n#endif\n"
    "int g() { return @SetDevice(0); }\n",
    "defined again": "#define cudaSetDevice(n) one(n)\n#undef cudaSetDevice\nint f() { @SetDevice(0); }\n"
    "#define cudaSetDevice(n) two(n)\nint g() { cudaSetDevice(0); }\n",
}
"""Sources in which `@` begins the names that are CUDA's."""


@pytest.mark.parametrize("name", OF_CUDA)
def test_where_the_macro_is_not_expanded_the_name_is_cudas(name: str) -> None:
    source = OF_CUDA[name].replace("@", "cuda") + "void stays() { cudaNotYetKnown(); }\n"
    assert converted(source) == OF_CUDA[name].replace("@", "hip") + "void stays() { cudaNotYetKnown(); }\n"


def test_an_undef_that_some_builds_have_ends_nothing() -> None:
    source = (
        "#define cudaSetDevice(n) chosen(n)\n#ifdef RAW\n#undef cudaSetDevice\n#endif\nint f() { cudaSetDevice(0); }\n"
    )
    assert converted(source) == source


RENAMED = {
    "function": "#ifdef TRACED\n#define cudaStreamDestroy(s) gone(s)\n#endif\nint f(void *s) { return cudaStreamDestroy(s); }\n",
    "constant": "#ifdef SINGLE\n#define CUDART_PIO2 1.57f\n#endif\ndouble d = CUDART_PIO2;\n",
    "taken back": "#if FAKE\n#define cudaFree(p) free(p)\n#endif\nint f(void *p) { cudaFree(p); }\n#undef cudaFree\n",
    "for another platform": "#ifdef ON_HOST\n#define cudaStream_t int\n#define cudaSuccess 0\n#else\n"
    "#include <cuda_runtime_api.h>\n#endif\ncudaStream_t s;\nint ok = cudaSuccess;\n",
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_definition_that_only_some_builds_have_is_renamed_with_its_uses(name: str) -> None:
    renamed = RENAMED[name].replace("cudaS", "hipS").replace("cudaF", "hipF").replace("CUDART_PIO2", "HIP_PIO2")
    assert converted(RENAMED[name]) == renamed.replace("cuda_runtime_api", "hip/hip_runtime_api")


def test_it_is_not_renamed_to_a_name_that_the_source_uses() -> None:
    source = (
        "#ifdef TRACED\n#define cudaFree(p) (count(), hipFree(p))\n#endif\nint f(void *p) { return cudaFree(p); }\n"
    )
    assert converted(source) == source


def test_who_imitates_the_compiler_defines_no_macro_of_the_projects() -> None:
    source = "#ifdef __EDITOR__\n#define __CUDACC__\n#endif\n#ifdef __CUDACC__\nint a;\n#endif\n"
    assert converted(source) == source.replace("ifdef __CUDACC__", "ifdef __HIPCC__")
    version = "#ifndef CUDART_VERSION\n#define CUDART_VERSION 0\n#endif\n#if CUDART_VERSION >= 9000\nint a;\n#endif\n"
    assert "#if HIP_VERSION >= 9000" in converted(version)
