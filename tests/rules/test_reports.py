"""Rules that only report: inline PTX, lane masks, warp sizes, version comparisons."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate


def run(source: str) -> Translation:
    return translate(source, options=Options(implicit_runtime=False))


def ids(source: str) -> list[str]:
    return [finding.id for finding in run(source).findings if finding.id[3] in "234"]


@pytest.mark.parametrize(
    "statement",
    [
        'asm("mov.u32 %0, %%nsmid;" : "=r"(r));',
        'asm volatile("frobnicate.sync.b32 %0, 0; mov.u32 %0, 1;" : "=r"(r));',
        '__asm__ __volatile__("mov.u32 %0, %%gridid;" : "=r"(r) :: "memory");',
        'asm(R"(mov.u32 %0, %%nsmid;)" : "=r"(r));',
    ],
)
def test_inline_ptx_is_reported_once_at_its_place(statement: str) -> None:
    result = run(f"__device__ void f() {{\n  int r;\n  {statement}\n}}")
    assert [(found.id, found.line, found.column) for found in result.findings] == [("HIP201", 3, 3)]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("" ::: "memory");',
        '// asm("bar.sync 0;");',
        'puts("asm(\\"bar.sync 0;\\")");',
        "asm_(1); my_asm(2);",
    ],
)
def test_what_is_no_ptx_is_not_reported(statement: str) -> None:
    assert ids(f"__device__ void f() {{\n  {statement}\n}}") == []


def test_the_report_of_ptx_names_its_instructions() -> None:
    (found,) = run('__device__ void f() { asm("add.cc.u32 %0, %1, %2; addc.u32 %3, 0, 0;" : "=r"(r)); }').findings
    assert "add.cc.u32" in found.message
    assert "addc.u32" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "#define WARP_SIZE 32",
        "#define WARPSIZE (32)",
        "#define MY_WARP_SIZE 32u",
        "constexpr int kWarpSize = 32;",
        "static const unsigned warp_size{32};",
        "enum { WARP_SIZE = 32 };",
    ],
)
def test_a_fixed_warp_size_alone_is_not_reported(line: str) -> None:
    assert ids(f"{line}\n__global__ void k() {{}}") == []


@pytest.mark.parametrize(
    "line",
    [
        "#define TILE 32",
        "#define WARP_SIZE 64",
        "int warp_size = f();",
        "// #define WARP_SIZE 32",
        "#define WARP_SIZE 320",
    ],
)
def test_other_constants_are_not_reported(line: str) -> None:
    assert ids(f"{line}\n__global__ void k() {{}}") == []


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("#if __CUDA_ARCH__ >= 700", []),
        ("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)", []),
        ("#if CUDART_VERSION >= 11000", []),
        ("#if CUDA_VERSION < 12000", []),
        ("int v = CUDART_VERSION / 1000;", ["HIP402"]),
    ],
)
def test_a_version_is_reported_where_something_is_to_be_done(condition: str, found: list[str]) -> None:
    assert ids(f"{condition}\n#endif\n") == found


@pytest.mark.parametrize("condition", ["#ifdef __CUDA_ARCH__", "#if defined(CUDART_VERSION)", "#ifndef CUDA_VERSION"])
def test_a_test_for_being_defined_is_not_reported(condition: str) -> None:
    assert ids(f"{condition}\n#endif\n") == []
