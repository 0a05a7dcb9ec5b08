"""Beginnings of CUDA's names that macros paste onto, and what their uses paste behind them."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.core.translation import Translation


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
        ("C(MallocHost(&p, n));", "cudaMallocHost", "and calls differently"),
        ("C(FuncGetName(&p, p));", "cudaFuncGetName", "which HIP lacks"),
        ("C(NoSuchThing(p));", "cudaNoSuchThing", "which no mapping table has"),
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


@pytest.mark.parametrize(
    ("macro", "use", "hip_macro", "hip_use"),
    [
        ("E(n) cudaError##n", "int e = E(InvalidValue);", "E(n) hipError##n", "int e = E(InvalidValue);"),
        ("E(n) cudaError ## n", "int e = E(MemoryAllocation);", "E(n) hipError ## n", "int e = E(OutOfMemory);"),
        ("L(n) cudaLimit##n", "int e = L(StackSize);", "L(n) hipLimit##n", "int e = L(StackSize);"),
        ("T(n) cuda##n##_t", "T(Error) e; T(Stream) s;", "T(n) hip##n##_t", "T(Error) e; T(Stream) s;"),
        ("R(n) cudaMemcpyKind v = cudaMemcpy##n", "R(Default);", "R(n) hipMemcpyKind v = hipMemcpy##n", "R(Default);"),
    ],
)
def test_beginnings_that_are_names_themselves(macro: str, use: str, hip_macro: str, hip_use: str) -> None:
    done = run(CALLED % (macro, use))
    assert done.output.decode().endswith(CALLED % (hip_macro, hip_use))
    assert not [finding for finding in done.findings if finding.id == "HIP110"]
    assert run(done.output.decode()).output == done.output


def test_a_beginning_that_is_a_types_name_is_reported_in_a_header() -> None:
    done = run("#define E(n) cudaError##n\ncudaError_t f();\n", "e.h")
    assert done.output.decode().endswith("#define E(n) hipError##n\nhipError_t f();\n")
    assert [finding.name for finding in done.findings if finding.id == "HIP110"] == ["cudaError##"]


@pytest.mark.parametrize(
    "source",
    [
        "#define C(f) int my_##f(void *p) { return cuda##f(p); }\nC(FreeHost)\nint g(void *p) { return my_FreeHost(p); }",
        "#define C(f) static int f(void *p) { return cuda##f(p); }\nC(FreeHost)\nint g(void *p) { return FreeHost(p); }",
        '#define C(f) (printf("%s", #f), cuda##f)\nint g(void *p) { return C(FreeHost)(p); }',
        "#ifdef MINE\n#define C(f) my##f\n#else\n#define C(f) cuda##f\n#endif\nint g(void *p) { return C(FreeHost)(p); }",
        "#define A(f) cuda##f\n#define C(f) int my_##f(void *p) { return A(f)(p); }\nC(FreeHost)",
        "#define A(f) cuda##f\n#define C(f) name(#f), A(f)\nint g(void *p) { return C(FreeHost)(p); }",
        "#define A(f) cuda##f\n#define B(f) my##f\n#define C(f) A(f)(B(f))\nint g() { return C(FreeHost); }",
        "#define C(f) cuda##f(f##_data)\nint g(void *FreeHost_data) { return C(FreeHost); }",
        "#define A(f) name(#f), cuda##f\n#define C(f) A(f)\nint g(void *p) { return C(FreeHost)(p); }",
        "#ifdef MINE\n#define C my\n#else\n#define C(f) cuda##f\n#endif\nint g(void *p) { return C(FreeHost)(p); }",
    ],
)
def test_an_argument_that_the_macro_needs_for_more_is_left(source: str) -> None:
    done = run(source)
    assert b"C(FreeHost)" in done.output
    found = [finding for finding in done.findings if finding.id == "HIP110"]
    assert [finding.name for finding in found] == ["cudaFreeHost"]
    assert "hipHostFree" in found[0].message


def test_an_argument_that_is_the_end_of_several_names_is_translated() -> None:
    source = (
        "#define A(f) cuda##f\n#define C(f, p) (A(f)(p), cuda ## f(p) /* f */, %s)\nint g(void *p) { return C(%s, p); }"
    )
    done = run(source % ('"f"', "FreeHost"))
    assert done.output.decode().endswith(
        (source % ('"f"', "HostFree")).replace("cuda##", "hip##").replace("cuda ##", "hip ##")
    )
    assert not [finding for finding in done.findings if finding.id == "HIP110"]


@pytest.mark.parametrize(
    ("own", "use"),
    [
        ("int cudaMine(int);", "C(Mine)(1)"),
        ("int cudaMine(int);", "C(Mine)(1) + C(Free)(p)"),
        ("#define cudaMine(x) (x)", "C(Mine)(1)"),
        ("static int cudaMine(int x) { return x; }", "C(Mine)(1) + C(FreeHost)(p)"),
        ("struct cudaMine { int x; };", "sizeof(C(Mine))"),
        ("int cudaMine;\n#define ALIAS C", "ALIAS(Mine)"),
    ],
)
def test_beginnings_of_the_users_own_names_stay(own: str, use: str) -> None:
    source = f"{own}\n#define C(f) cuda##f\nint g(void *p) {{ return {use}; }}\n"
    done = run(source)
    assert done.output.decode().endswith(source)
    found = [finding for finding in done.findings if finding.id == "HIP110"]
    assert [finding.name for finding in found] == ["cuda##"]
    assert "cudaMine is declared here" in found[0].message


def test_a_header_with_names_of_its_own_that_begin_so_stays() -> None:
    source = "#define API(f) cuda##f\nint cudaOwn(int);\n"
    done = run(source, "inc.cuh")
    assert done.output.decode().endswith(source)
    assert [finding.name for finding in done.findings if finding.id == "HIP110"] == ["cuda##"]


def test_a_beginning_of_a_name_that_is_not_known_stays() -> None:
    done = run(CALLED % ("C(f) cuda##f", "C(NoSuchThing(p)); C(FreeHost(p));"))
    assert done.output.decode().endswith(CALLED % ("C(f) cuda##f", "C(NoSuchThing(p)); C(FreeHost(p));"))
    assert {finding.name for finding in done.findings if finding.id == "HIP110"} == {"cuda##", "cudaNoSuchThing"}


def test_what_more_is_pasted_to_is_not_followed() -> None:
    done = run("#define A(f) cuda##f\n#define B(f) A(Free##f)\nvoid g(void *p) { B(Host)(p); }")
    assert b"B(Host)" in done.output
    assert [finding.name for finding in done.findings if finding.id == "HIP110"] == ["cuda##"]


@pytest.mark.parametrize("parameters", ["f, ...", "f, args..."])
def test_variable_arguments_may_be_left_out(parameters: str) -> None:
    before = f"#define C({parameters}) check(cuda##f)\nvoid g(void *p) {{ C(FreeHost, p); C(ThreadSynchronize); }}"
    done = run(before)
    after = before.replace("cuda##", "hip##").replace("FreeHost", "HostFree").replace("ThreadSync", "DeviceSync")
    assert done.output.decode().endswith(after)
    assert not [finding for finding in done.findings if finding.id == "HIP110"]


def test_what_is_pasted_of_variable_arguments_is_not_followed() -> None:
    done = run("#define C(...) cuda##__VA_ARGS__\nvoid g(void *p) { C(FreeHost)(p); }")
    assert b"C(FreeHost)" in done.output
    assert [finding.name for finding in done.findings if finding.id == "HIP110"] == ["cuda##"]


def test_macros_that_use_one_another_many_times() -> None:
    levels = "".join(f"#define M{n + 1}(f) {f'M{n}(f); ' * 24}\n" for n in range(4))
    done = run(f"#define M0(f) cuda##f\n{levels}void g() {{ M4(ThreadSynchronize()) }}\n")
    assert done.output.decode().endswith(f"#define M0(f) hip##f\n{levels}void g() {{ M4(DeviceSynchronize()) }}\n")
    assert not [finding for finding in done.findings if finding.id == "HIP110"]
