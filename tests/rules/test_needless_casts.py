"""No cast of what has the type already."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate


def run(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    return result.output.decode(), [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    ("head", "mask"),
    [
        ("", "ULLONG_MAX"),
        ("", "UINT64_MAX"),
        ("", "std::numeric_limits<unsigned long long>::max()"),
        ("enum : unsigned long long { SOME = 0xff00ff00ff00ff00ull };", "SOME"),
        ("struct M { enum Kind : uint64_t { some = 1ull << 40 }; };", "M::some"),
        ("typedef unsigned long long lanes_t;", "lanes_t(-1)"),
        ("using Lanes = std::uint64_t;", "~Lanes{0}"),
        ("using Lanes = uint64_t; using Mask = Lanes;", "(Mask)0xff00ull"),
        ("using Mask = uint64_t; constexpr Mask some = ~Mask(0);", "some"),
    ],
)
def test_a_wide_constant_is_given_as_it_is(head: str, mask: str) -> None:
    source = f"{head}\n__device__ int f(int v) {{ if (v) return 0; return __shfl_sync({mask}, v, 0); }}\n"
    output, findings = run(source)
    assert output == source
    assert "HIP301" not in findings


@pytest.mark.parametrize(
    ("head", "mask"),
    [
        ("enum Kind { SOME = 0xff };", "SOME"),
        ("", "THEIRS"),
        ("#define UINT64_MAX mine()", "UINT64_MAX"),
    ],
)
def test_what_may_be_narrow_is_cast(head: str, mask: str) -> None:
    source = f"{head}\n__device__ int f(int v) {{ if (v) return 0; return __shfl_sync({mask}, v, 0); }}\n"
    assert f"__shfl_sync(static_cast<unsigned long long>({mask}), v, 0)" in run(source)[0]


@pytest.mark.parametrize(
    "source",
    [
        'void f() { int warpSize = 32; printf("%d", warpSize); }\n',
        "void f(int warpSize, int n) { n = std::max(n, warpSize); }\n",
        'struct S { int warpSize; void f() { printf("%d", warpSize); } };\n',
        'static const int warpSize = 32;\nvoid f() { fprintf(stderr, "%d", warpSize); }\n',
        '#define warpSize 32\nvoid f() { printf("%d", warpSize); }\n',
        "template <int warpSize> int f(int n) { return std::min(n, warpSize); }\n",
    ],
)
def test_a_warp_size_of_the_sources_own_is_an_int(source: str) -> None:
    assert "static_cast" not in run(source)[0]


def test_the_built_in_is_cast_beside_one() -> None:
    source = 'void f(int warpSize) { printf("%d", warpSize); }\n__global__ void k() { printf("%d", warpSize); }\n'
    assert run(source)[0].count("static_cast<int>(warpSize)") == 1
