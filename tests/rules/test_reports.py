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
        'asm("mov.u32 %0, %%laneid;" : "=r"(r));',
        'asm volatile("bar.sync 0;");',
        '__asm__ __volatile__("membar.gl;" ::: "memory");',
        'asm volatile(\n  "{ .reg .pred p;"\n  "  setp.ne.u32 p, %0, 0; }" :: "r"(r));',
        'asm(R"(mov.u32 %0, %%laneid;)" : "=r"(r));',
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


@pytest.mark.parametrize("mask", ["0xffffffff", "0xFFFFFFFFu", "~0", "-1", "~0u", "0xffff'ffff", "0x1"])
def test_a_narrow_lane_mask_is_reported_at_the_mask(mask: str) -> None:
    source = f"__device__ int f(int v) {{ return __shfl_down_sync({mask}, v, 1); }}"
    (found,) = [finding for finding in run(source).findings if finding.id == "HIP301"]
    assert source[found.offset :].startswith(mask)
    assert mask in found.message


@pytest.mark.parametrize(
    "definition",
    [
        "#define FULL_MASK 0xffffffff",
        "#define FULL_MASK (0xffffffffu)",
        "constexpr unsigned FULL_MASK = 0x0000ffff;",
        "unsigned FULL_MASK;",
    ],
)
def test_a_narrow_mask_behind_a_name_is_reported(definition: str) -> None:
    source = f"{definition}\n__device__ int f(int v) {{ return __shfl_down_sync(FULL_MASK, v, 1); }}"
    assert "HIP301" in ids(source)


@pytest.mark.parametrize(
    "definition", ["#define FULL_MASK 0xffffffffffffffffull", "constexpr uint64_t FULL_MASK = ~0ull;", ""]
)
def test_a_name_that_may_be_wide_is_not_reported(definition: str) -> None:
    source = f"{definition}\n__device__ int f(int v) {{ return __shfl_down_sync(FULL_MASK, v, 1); }}"
    assert "HIP301" not in ids(source)


@pytest.mark.parametrize(
    "mask", ["0xffffffffffffffff", "0xffffffffffffffffull", "~0ull", "-1LL", "__activemask()", "g.ballot(1)"]
)
def test_a_wide_lane_mask_is_not_reported(mask: str) -> None:
    assert "HIP301" not in ids(f"__device__ int f(int v) {{ return __shfl_down_sync({mask}, v, 1); }}")


@pytest.mark.parametrize(
    "name", ["__shfl_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync"]
)
def test_every_masked_built_in_is_looked_at(name: str) -> None:
    assert "HIP301" in ids(f"__device__ int f(int v) {{ return {name}(0xffffffff, v, 1); }}")


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
def test_a_fixed_warp_size_is_reported(line: str) -> None:
    assert ids(f"{line}\n__global__ void k() {{}}") == ["HIP302"]


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
    ("condition", "id"),
    [
        ("#if __CUDA_ARCH__ >= 700", "HIP401"),
        ("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)", "HIP401"),
        ("#if CUDART_VERSION >= 11000", "HIP402"),
        ("#if CUDA_VERSION < 12000", "HIP402"),
        ("int v = CUDART_VERSION / 1000;", "HIP402"),
    ],
)
def test_a_comparison_of_versions_is_reported_once(condition: str, id: str) -> None:
    assert ids(f"{condition}\n#endif\n") == [id]


@pytest.mark.parametrize("condition", ["#ifdef __CUDA_ARCH__", "#if defined(CUDART_VERSION)", "#ifndef CUDA_VERSION"])
def test_a_test_for_being_defined_is_not_reported(condition: str) -> None:
    assert ids(f"{condition}\n#endif\n") == []
