"""Beginnings of CUDA's names that macros paste onto, and what their uses paste behind them."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.translation import Translation


def run(source: str, path: str = "a.cu") -> Translation:
    return translate(source, path=path)


def lines_of(source: str, path: str = "a.cu") -> str:
    return run(source, path).output.decode().removeprefix("#include <hip/hip_runtime.h>\n")


CALLED = "#define %s\nvoid f(void *p, size_t n) { %s }"


@pytest.mark.parametrize(
    ("macro", "use", "hip_macro", "hip_use"),
    [
        ("C(f) cuda##f", "C(Malloc(&p, n)); C(Free(p));", "C(f) hip##f", "C(Malloc(&p, n)); C(Free(p));"),
        ("C(f) cuda ## f", "C(ThreadSynchronize());", "C(f) hip ## f", "C(DeviceSynchronize());"),
        ("C(f) check(cuda##f, #f)", "C(Free(p));", "C(f) check(hip##f, #f)", "C(Free(p));"),
        ("cuda(f) cuda ## f", "cuda(Free(p));", "cuda(f) hip ## f", "cuda(Free(p));"),
        ("B(t, f) cublas##t##f", "B(S, axpy)(h);", "B(t, f) hipblas##t##f", "B(S, axpy)(h);"),
        ("B(t) cusparse##t##csrmv", "B(S)(h);", "B(t) hipsparse##t##csrmv", "B(S)(h);"),
        ("D(f) cu##f", "D(CtxSynchronize());", "D(f) hip##f", "D(CtxSynchronize());"),
        ("F(t) CUFFT_##t", "int a = F(R2C);", "F(t) HIPFFT_##t", "int a = F(R2C);"),
        (
            "R(f) CURAND_CALL(curand##f)",
            "R(DestroyGenerator(g));",
            "R(f) CURAND_CALL(hiprand##f)",
            "R(DestroyGenerator(g));",
        ),
    ],
)
def test_beginnings_become_hips(macro: str, use: str, hip_macro: str, hip_use: str) -> None:
    done = run(CALLED % (macro, use))
    assert done.output.decode().endswith(CALLED % (hip_macro, hip_use))
    assert "HIP110" not in {finding.id for finding in done.findings}
    again = run(done.output.decode())
    assert again.output == done.output


def test_macros_that_hand_on_what_they_are_given() -> None:
    before = "#define A(f) cuda##f\n#define B(f) if (A(f)) stop()\nvoid f(void *p) { B(ThreadSynchronize()); }"
    after = "#define A(f) hip##f\n#define B(f) if (A(f)) stop()\nvoid f(void *p) { B(DeviceSynchronize()); }"
    done = run(before)
    assert done.output.decode().endswith(after)
    assert "HIP110" not in {finding.id for finding in done.findings}


def test_a_header_is_reported_since_others_use_it() -> None:
    done = run("#ifdef SINGLE\n#define C(x) cublasS##x\n#else\n#define C(x) cublasD##x\n#endif\n", "gpu.h")
    assert done.output == b"#ifdef SINGLE\n#define C(x) hipblasS##x\n#else\n#define C(x) hipblasD##x\n#endif\n"
    assert [(finding.id, finding.name) for finding in done.findings] == [
        ("HIP110", "cublasS##"),
        ("HIP110", "cublasD##"),
    ]


@pytest.mark.parametrize(
    ("use", "name", "said"),
    [
        ("C(MallocHost(&p, n));", "cudaMallocHost", "called in another way"),
        ("C(FuncGetName(&p, p));", "cudaFuncGetName", "which HIP lacks"),
        ("C(NoSuchThing(p));", "cudaNoSuchThing", "which is not known"),
    ],
)
def test_what_hip_calls_otherwise_is_reported_where_it_is_used(use: str, name: str, said: str) -> None:
    done = run(CALLED % ("C(f) cuda##f", use))
    found = [finding for finding in done.findings if finding.id == "HIP110"]
    assert [finding.name for finding in found] == [name]
    assert said in found[0].message
    assert use.encode() in done.output


def test_uses_that_cannot_be_followed_are_told_of_at_the_macro() -> None:
    done = run("#define C(f) cuda##f\n#define ALIAS C\nvoid f(void *p) { ALIAS(Free(p)); }")
    assert [finding.name for finding in done.findings if finding.id == "HIP110"] == ["cuda##"]


def test_one_use_of_two_macros_that_want_different_names_is_left() -> None:
    source = (
        "#ifdef D\n#define C(f) cuda##f\n#else\n#define C(f) cuda##Thread##f\n#endif\nvoid f() { C(Synchronize()); }"
    )
    done = run(source)
    assert b"C(Synchronize())" in done.output
    assert "HIP110" in {finding.id for finding in done.findings}


def test_texts_and_comments_stay() -> None:
    assert lines_of('const char *s = "cuda##f"; // cuda##f\nint cudaX;').startswith(
        'const char *s = "cuda##f"; // cuda##f'
    )
