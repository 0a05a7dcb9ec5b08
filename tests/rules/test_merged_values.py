"""Enumerators that are one value in HIP, where their values told them apart."""

from __future__ import annotations

import pytest

from hipify_py import translate

RUNTIME, DRIVER = "cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE"


def found(source: str) -> list[str]:
    """The names that HIP133 is about."""
    result = translate(source.replace("@R", RUNTIME).replace("@D", DRIVER), path="a.cu")
    assert b"cudaErrorInvalidValue" not in result.output
    return [finding.name for finding in result.findings if finding.id == "HIP133"]


@pytest.mark.parametrize(
    "source",
    [
        'const std::map<int, const char *> names = {{@R, "r"}, {@D, "d"}};',
        'std::unordered_map<int, const char *> names{{(int)@R, "r"}, {static_cast<int>(@D), "d"}};',
        'struct { int e; const char *s; } table[] = {{@R, "r"}, {0, "0"}, {@D, "d"}};',
        'auto table = make({std::make_pair(@R, "r"), std::make_pair(@D, "d")});',
        "#define ENTRY(x) {x, #x}\nstatic Entry table[] = {ENTRY(@R), ENTRY(@D)};",
        "std::set<int> codes = {@R, @D};",
        "const std::unordered_set<int> codes{@R, @D};",
        "void f(std::map<int, int> m) { m[@R] = 1; m[@D] = 2; }",
        "void f(std::map<int, int> &m) { m.emplace(@R, 1); m.insert({@D, 2}); }",
        "void f(std::set<int> s) { s.insert(@R); s.insert(@D); }",
        "int f(int e) { if (e == @R) return 1; else if (e == @D) return 2; return 0; }",
        "int f(int e) { if (e == @R) return 1; if (@D == e) return 2; return 0; }",
        "int f(int e) { return e == @R ? 1 : e == @D ? 2 : 3; }",
        "int f(int e) { return e == @R && e != @D; }",
        "int f(int e) { if (e == @R) return 1; return e == @D; }",
        "void f(int e) { bool r = e == @R; bool d = e == @D; use(r, d); }",
        "int f(S *s) { if (s->code == @R) { g(); } else { if ((int)s->code == (int)@D) h(); } return 0; }\n"
        "struct S { int code; };",
        "#ifdef A\nstd::set<int> codes = {@R, @D};\n#endif",
    ],
)
def test_it_is_reported_where_the_values_told_them_apart(source: str) -> None:
    assert found(source) == [DRIVER]


@pytest.mark.parametrize(
    "source",
    [
        "int f(int e) { return e == @R || e == @D; }",
        "int f(int e) { return e != @R && e != @D; }",
        "int f(int e, int d) { if (e == @R) return 1; if (d == @D) return 2; return 0; }",
        "int f(int e) { if (e == @R) return 1; e = next(); if (e == @D) return 2; return 0; }",
        "int f(int e) { if (e == @R) return 1; next(&e); if (e == @D) return 2; return 0; }",
        "int f(int e) { return e == @R; }\nint g(int e) { return e == @D; }",
        "std::set<int> a = {@R};\nstd::set<int> b = {@D};",
        "std::set<int> codes = {\n#ifdef A\n@R\n#else\n@D\n#endif\n};",
        "const std::map<int, int> codes = {{1, @R}, {2, @D}};",
        "int codes[] = {@R, @D};",
        "void f() { use(@R); use(@D); }",
        "std::map<int, int> a = {{@R, 1}, {cudaErrorUnknown, 2}};",
    ],
)
def test_nothing_is_said_where_nothing_changes(source: str) -> None:
    assert found(source) == []


def test_the_message_says_what_becomes_of_it() -> None:
    source = "int f(int e) { if (e == cudaSuccess) return 1; else if (e == CUDA_SUCCESS) return 2; return 0; }"
    (finding,) = (found for found in translate(source, path="a.cu").findings if found.id == "HIP133")
    assert finding.message == (
        "CUDA_SUCCESS and cudaSuccess both become hipSuccess: both comparisons of the value have the same result"
    )
