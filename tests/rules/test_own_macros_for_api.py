"""Macros of the user's own that bear the name of an API function: some mean that after all, others something else."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

OPTIONS = Options(implicit_runtime=False)
USE = "void f() { cudaMallocHost(&p, 4); }\nvoid stays() { cudaNotYetKnown(); }\n"


def _use(define: str) -> str:
    """What becomes of a use; an unknown name keeps the output from being taken for HIP."""
    once = translate(f"{define}\n{USE}", path="a.cu", options=OPTIONS).output.decode()
    assert translate(once, path="a.cu", options=OPTIONS).output.decode() == once
    return once.rpartition("void f() { ")[2].partition("(&p")[0]


@pytest.mark.parametrize("side", ["cuda", "hip"])
@pytest.mark.parametrize(
    "define",
    [
        "#define cudaMallocHost {}MallocManaged",
        "#define cudaMallocHost(p, n) {}MallocManaged(p, n)",
        "#define cudaMallocHost(p, n) {}Malloc((void **)(p), (n))",
        "#define cudaMallocHost(p, n) {}HostMalloc(p, (n) + 16, 0)",
        "#define cudaMallocHost(p, n) {}HostMalloc(n, p, 0)",
        "#define cudaMallocHost(p, n) {}HostMalloc(p, 2 * n, 0)",
        "#define cudaMallocHost(p, n) {}HostMalloc(counted(p), n, 0)",
        "#define cudaMallocHost(p, n) ({}HostMalloc(p, n, 0), count())",
        "#define cudaMallocHost(...) {}MallocManaged(__VA_ARGS__)",
        "#define cudaMallocHost(p, n) \\\n    {}MallocManaged(p, n)",
        "#define cudaMallocHost /* not pinned */ {}MallocManaged",
    ],
)
def test_a_macro_for_something_else_is_the_users(define: str, side: str) -> None:
    assert _use(define.format(side)) == "cudaMallocHost"


@pytest.mark.parametrize(
    "define",
    [
        "#define cudaMallocHost hipHostMalloc",
        "#define cudaMallocHost(p, n) hipHostMalloc(p, n, hipHostMallocDefault)",
        "#define cudaMallocHost(p, n) hipHostMalloc((void **)(p), (n), 0)",
        "#define cudaMallocHost(p, n) hipHostMalloc((void**)p, n)",
        "#define cudaMallocHost(...) hipHostMalloc(__VA_ARGS__)",
        "#define cudaMallocHost(args...) hipHostMalloc(args)",
        "#define cudaMallocHost(p, n) cudaMallocHost(p, n)",
        "#define cudaMallocHost hipHostMalloc // as in CUDA",
    ],
)
def test_a_macro_for_the_function_itself_means_the_api(define: str) -> None:
    assert _use(define) == "hipHostMalloc"


@pytest.mark.parametrize(
    ("define", "use", "becomes"),
    [
        ("#define cudaThreadSynchronize cudaDeviceSynchronize", "cudaThreadSynchronize()", "hipDeviceSynchronize()"),
        ("#define cusolverDnXgetrs(a, b) cusolverDnCgetrs(a, b)", "cusolverDnXgetrs(h, x)", "cusolverDnXgetrs(h, x)"),
        ("#define cublasXgemm cublasSgemm", "cublasXgemm(h)", "cublasXgemm(h)"),
        ("#define cudaStream_t hipStream_t", "cudaStream_t s", "hipStream_t s"),
        ("#define cudaStream_t hipEvent_t", "cudaStream_t s", "cudaStream_t s"),
        ("#define cudaSuccess hipErrorNotReady", "return cudaSuccess", "return cudaSuccess"),
    ],
)
def test_other_kinds_of_names(define: str, use: str, becomes: str) -> None:
    source = f"{define}\nint f() {{ {use}; }}\nvoid stays() {{ cudaNotYetKnown(); }}\n"
    once = translate(source, path="a.cu", options=OPTIONS).output.decode()
    assert f"{{ {becomes}; }}" in once
    assert translate(once, path="a.cu", options=OPTIONS).output.decode() == once
