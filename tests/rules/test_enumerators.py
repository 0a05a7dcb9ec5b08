"""HIP114: numbers in the place of enumerators whose numbers differ (curandRngType_t's 100 is 400 in HIP)."""

from __future__ import annotations

import pytest

from hipify_py import translate


def places(source: str) -> list[tuple[int, int]]:
    found = translate(source, path="a.cpp").findings
    return [(finding.line, finding.column) for finding in found if finding.id == "HIP114"]


@pytest.mark.parametrize(
    "source",
    [
        "auto k = (curandRngType_t)100;",
        "auto k = (curandRngType_t) 0x64;",
        "auto k = curandRngType_t(100);",
        "auto k = curandRngType_t{100};",
        "auto k = static_cast<curandRngType_t>(100);",
        "auto k = static_cast< const curandRngType_t >(100u);",
        "curandRngType_t k = (100);",
        "curandRngType_t k{100};",
        "void f(curandRngType_t k = 100);",
        "bool f(curandRngType_t k) { return k == 100; }",
        "bool f(curandRngType_t k) { return 100 != k; }",
        "void f(curandRngType_t k) { k = 100; }",
        "void f() { curandCreateGenerator(&g, 100); }",
        "void f() { curandCreateGenerator(&g, /* default */ 100); }",
        "void f() { curandCreateGeneratorHost(&g, 0144); }",
        "auto k = (curandRngType_t /* the default */) 100;",
        "auto k = static_cast<curandRngType_t>(\n    // the default\n    100);",
        "curandRngType_t other = CURAND_RNG_PSEUDO_DEFAULT, k = 100;",
        "curandRngType_t kinds[] = {CURAND_RNG_PSEUDO_DEFAULT, 100};",
        "struct S { curandRngType_t k = 100; };",
        "#define KIND ((curandRngType_t) \\\n  100)",
        "template <int N> bool f(curandRngType_t k) { return k == /* the default */ 100; }",
        "bool f(curandRngType_t k) { return k == \\\n  100; }",
        "bool f(curandRngType_t k) { return 100 /* the default */ != k; }",
    ],
)
def test_a_number_is_found(source: str) -> None:
    assert len(places(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "auto k = (curandRngType_t)n;",
        "auto k = CURAND_RNG_PSEUDO_DEFAULT; int j = 100;",
        "int f(curandRngType_t k) { return 100; }",
        "bool f(curandRngType_t k, S *s) { return s->k == 100 || s.k == 100; }",
        "bool f(int k) { return k == 100; } void g(curandRngType_t k);",
        "void f() { curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); }",
        "void f() { curandCreateGenerator(&g, x + 100); }",
        "// (curandRngType_t)100\n",
        'const char *s = "(curandRngType_t)100";',
        "bool f(curandRngType_t k) { return k == 0; }",
        "bool f(curandRngType_t k) { return k == 1000; }",
        "bool f(curandRngType_t k) { return k == 100 - 1; }",
        "void f(curandRngType_t k) {\n#pragma omp parallel if (k == 100)\n}",
        "std::map<curandRngType_t, int> f(100);",
        "curandRngType_t *k = (curandRngType_t *)100;",
    ],
)
def test_other_numbers_are_not(source: str) -> None:
    assert places(source) == []


def test_the_message_names_the_enumerator() -> None:
    (finding,) = [f for f in translate("auto k = (curandRngType_t)100;", path="a.cpp").findings if f.id == "HIP114"]
    assert "HIPRAND_RNG_PSEUDO_DEFAULT" in finding.message
    assert "400" in finding.message
    assert (finding.line, finding.column) == (1, 27)


@pytest.mark.parametrize(("number", "evidence"), [("7", ("lexical",)), ("0x64", ("lexical", "tree-sitter"))])
def test_sources_without_a_number_that_differs_are_not_parsed(number: str, evidence: tuple[str, ...]) -> None:
    assert translate(f"void f(curandRngType_t k = {number});", path="a.cpp").evidence == evidence
