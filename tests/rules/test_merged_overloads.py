"""Overloads and specialisations for types that CUDA tells apart and HIP does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.semantics.signatures import VOID_HANDLES

MAPPINGS = Path(__file__).resolve().parents[2] / "mappings"
PLAIN = Options(implicit_runtime=False)
LEFT_OUT = "#if 0  // CUresult is hipError_t, as cudaError_t is\n"


def outcome(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cpp", options=PLAIN)
    assert translate(result.output, path="a.cpp", options=PLAIN).output == result.output
    return result.output.decode(), [finding.id for finding in result.findings if finding.id in ("HIP134", "HIP135")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("void f(cudaError_t e) { a(e); }", "void f(CUresult e) { b(e); }"),
        ("static inline int f(const cudaError_t &e) { return 1; }", "static inline int f(CUresult const &r) { return 2; }"),
        ("int f(cudaError_t *p, int n = 1) { return 1; }", "int f(CUresult *q, int m) { return 2; }"),
        ("template <> struct T<cudaError_t> { int v; };", "template <> struct T<CUresult> { int w; };"),
        ("template <> constexpr int v<cudaError_t> = 1;", "template <> constexpr int v<CUresult> = 2;"),
        ("template <> int g<cudaError_t>(cudaError_t e) { return 1; }", "template <> int g<CUresult>(CUresult e) { return 2; }"),
        ("template <class T> int g(T t, cudaError_t e) { return 1; }", "template <class T> int g(T t, CUresult e) { return 2; }"),
        ("template void g<cudaError_t>(cudaError_t);", "template void g<CUresult>(CUresult);"),
        ("bool C::ok(cudaError_t e) const { return !e; }", "bool C::ok(CUresult e) const { return !e; }"),
        ("int f(const cudaError_t e) { return 1; }", "int f(CUresult) { return 2; }"),
        ("std::ostream &operator<<(std::ostream &o, cudaError_t e) { return o; }",
         "std::ostream &operator<<(std::ostream &o, CUresult e) { return o; }"),
        ("int f(cudaError_t e) { return 1; }", "int f(CUresult e)\n{\n  // two\n  return 2;\n}  // end"),
    ],
)  # fmt: skip
def test_the_second_definition_is_left_out(first: str, second: str) -> None:
    hip = [text.replace("cudaError_t", "hipError_t").replace("CUresult", "hipError_t") for text in (first, second)]
    output, found = outcome(f"{first}\n{second}\nint x;\n")
    assert output == f"{hip[0]}\n{LEFT_OUT}{hip[1]}\n#endif\nint x;\n"
    assert found == ["HIP134"]


def test_members_of_a_class_are_left_out_too() -> None:
    source = """struct C {
  C(cudaError_t e);
  C(CUresult e);
  bool ok(cudaError_t e) const;
  bool ok(CUresult e) const;
  bool ok(CUresult e);
  friend int g(cudaError_t e) { return 1; }
  friend int g(CUresult e) { return 2; }
};
"""
    output, found = outcome(source)
    assert found == ["HIP134"] * 3
    assert (
        output.replace(LEFT_OUT, "#if 0\n")
        == """struct C {
  C(hipError_t e);
#if 0
  C(hipError_t e);
#endif
  bool ok(hipError_t e) const;
#if 0
  bool ok(hipError_t e) const;
#endif
  bool ok(hipError_t e);
  friend int g(hipError_t e) { return 1; }
#if 0
  friend int g(hipError_t e) { return 2; }
#endif
};
"""
    )


@pytest.mark.parametrize(
    "source",
    [
        "void f(cudaError_t e);\nvoid f(CUresult e);\n",
        "void f(cudaError_t e) {}\nvoid f(cudaStream_t s) {}\nCUresult r;\n",
        "void f(cudaError_t e) {}\nvoid g(CUresult e) {}\n",
        "void f(cudaError_t e) {}\nvoid f(CUresult e, int n) {}\n",
        "namespace a { void f(cudaError_t e) {} }\nnamespace b { void f(CUresult e) {} }\n",
        "struct A { void f(cudaError_t e) {} };\nstruct B { void f(CUresult e) {} };\n",
        "#ifdef A\nvoid f(cudaError_t e) {}\n#else\nvoid f(CUresult e) {}\n#endif\n",
        "void f(cudaError_t *e) {}\nvoid f(CUresult e) {}\n",
        "struct A { void f(cudaError_t e) {} void f(CUresult e) const {} };\n",
    ],
)
def test_what_stays_two_things_stays(source: str) -> None:
    output, found = outcome(source)
    assert output == source.replace("cudaError_t", "hipError_t").replace("CUresult", "hipError_t").replace(
        "cudaStream_t", "hipStream_t"
    )
    assert found == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("int f(void *p) { return 1; }\nint f(CUdeviceptr p) { return 2; }\n", "CUdeviceptr is hipDeviceptr_t, as void * is"),
        ("int f(CUdeviceptr p) { return 1; }\nint f(void *p) { return 2; }\n", "void * is hipDeviceptr_t, as CUdeviceptr is"),
    ],
)  # fmt: skip
def test_an_address_of_the_driver_is_a_pointer(source: str, why: str) -> None:
    output, found = outcome(source)
    assert found == ["HIP134"]
    assert f"#if 0  // {why}\n" in output


@pytest.mark.parametrize(
    "source",
    [
        "void f(cudaError_t e) {} void f(CUresult e) {}\n",
        "#ifdef A\nvoid f(cudaError_t e) {}\n#endif\n#ifdef B\nvoid f(CUresult e) {}\n#endif\n",
    ],
)
def test_what_cannot_be_left_out_is_reported(source: str) -> None:
    output, found = outcome(source)
    assert "#if 0" not in output
    assert found == ["HIP135"]


def test_of_a_conditional_definition_and_one_without_the_conditional_one_goes() -> None:
    output, found = outcome("#ifdef A\nvoid f(cudaError_t e) {}\n#endif\nvoid f(CUresult e) {}\n")
    assert output == (
        "#ifdef A\n#if 0  // cudaError_t is hipError_t, as CUresult is\n"
        "void f(hipError_t e) {}\n#endif\n#endif\nvoid f(hipError_t e) {}\n"
    )
    assert found == ["HIP134"]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("void f(cusparseMatDescr_t d) {}", "void f(cusparseDnVecDescr_t d) {}", "cusparseDnVecDescr_t and cusparseMatDescr_t"),
        ("template <> struct T<cublasHandle_t> {};", "template <> struct T<cusolverDnHandle_t> {};",
         "cusolverDnHandle_t and cublasHandle_t"),
        ("void f(CUdeviceptr p) {}", "void f(cublasHandle_t p) {}", "cublasHandle_t and void *"),
    ],
)  # fmt: skip
def test_handles_of_libraries_are_reported(first: str, second: str, names: str) -> None:
    result = translate(f"{first}\n{second}\n", path="a.cpp", options=PLAIN)
    assert b"#if 0" not in result.output
    found = [finding.message for finding in result.findings if finding.id == "HIP135"]
    assert found == [f"{names} are both void * in HIP: this definition and the one on line 1 define the same function"]


def test_two_names_of_one_handle_are_one() -> None:
    output, found = outcome("void f(cudaExternalMemory_t m) {}\nvoid f(CUexternalMemory m) {}\n")
    assert found == ["HIP134"]
    assert "#if 0  // CUexternalMemory is hipExternalMemory_t, as cudaExternalMemory_t is" in output


def test_the_handles_are_those_of_the_headers() -> None:
    rows = [line.split("\t") for line in (MAPPINGS / "declarations" / "hip.tsv").read_text().splitlines()]
    void = {row[0] for row in rows if row[1:2] == ["type"] and row[-1] == "void *"}
    assert {name.decode() for name in VOID_HANDLES} <= void
