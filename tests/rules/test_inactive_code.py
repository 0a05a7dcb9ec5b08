"""What AMD GPUs do not compile is counted, and nothing is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Counts, Options, Translation, convert, translate
from hipify_py.project.api import ConversionReport

LACKED = "cudaGraphConditionalHandleCreate(h, g, 0, 0);"
PLAIN = Options(implicit_runtime=False)


def run(source: str) -> Translation:
    return translate(source, path="a.cu", options=PLAIN)


def outcomes(result: Translation) -> list[str]:
    return [reference.outcome for reference in result.references]


@pytest.mark.parametrize(
    "condition",
    [
        "#ifdef __HIP_PLATFORM_NVIDIA__",
        "#ifndef USE_ROCM",
        "#if !defined(__HIPCC__)",
        "#if !defined(MY_ENABLE_HIP) && defined(SOMETHING)",
        "#if HIP_VERSION < 50000000",
        "#ifdef _MSC_VER",
        "#if 0\n#elif 1\n#else",
    ],
)
@pytest.mark.parametrize("code", [LACKED, "cudaFooBar(1);", "#include <nvcomp/snappy.h>", "cutlass::Array<int, 2> a;"])
def test_an_unconverted_reference_there_is_inactive(condition: str, code: str) -> None:
    result = run(f"{condition}\n{code}\n#endif\n")
    assert result.findings == []
    assert set(outcomes(result)) == {"inactive"}


def test_what_stands_behind_else_and_endif_is_no_code() -> None:
    """Compilers ignore it, as they do a misspelt directive in a section that is left out."""
    for source in (
        "#ifdef __CUDA_ARCH__\nint a;\n#endif __CUDA_ARCH__\n",
        "#if __CUDA_ARCH__ < 200\nint a;\n#elseif (__CUDA_ARCH__ < 300)\nint b;\n#endif\n",
        "#ifdef __CUDA_ARCH__\nint a;\n#else if __CUDA_ARCH__ < 300\nint b;\n#endif\n",
        "#ifdef A\nint a;\n#else cuGLMapBufferObject\nint b;\n#endif (CUDART_VERSION >= 9000)\n",
        "#ifdef A\nint a;\n#endif cudaFree(p)\n",
    ):
        result = run(source)
        assert result.findings == []
        assert result.output.decode().splitlines()[2:] == source.splitlines()[2:]


@pytest.mark.parametrize(
    "condition", ["#ifdef USE_ROCM", "#ifdef SOMETHING", "#if HIP_VERSION >= 50000000", "#if 1", "#ifndef MINE"]
)
def test_what_may_be_compiled_is_reported(condition: str) -> None:
    result = run(f"{condition}\n{LACKED}\n#endif\n")
    assert [finding.id for finding in result.findings] == ["HIP101"]
    assert outcomes(result) == ["unsupported"]


@pytest.mark.parametrize(
    "conditions",
    [
        "#define FAST 1\n#if !FAST",
        "#if 1\n#define FAST 1\n#else\n#define FAST 0\n#endif\n#if !FAST",
        "#if CUDART_VERSION >= 9000\n#define SYNC 1\n#else\n#define SYNC 0\n#endif\n#if !SYNC",
        "#if CUDART_VERSION >= 9000\n#define HAS_SYNC\n#endif\n#ifndef HAS_SYNC",
        "#if CUDART_VERSION >= 9000\n#define HAS_SYNC\n#endif\n#ifdef HAS_SYNC\n#define NEW_SYNC\n#endif\n#ifndef NEW_SYNC",
        "#if defined(A)\n#define TABLE 2\n#else\n#define TABLE 2\n#endif\n#define IN_CACHE 1\n#if !IN_CACHE",
        "#ifndef DEPTH\n#define DEPTH 4\n#endif\n#if DEPTH == 0",
        "#ifndef A_CUH\n#define A_CUH\n#define WIDE\n#endif\n#ifndef WIDE",
    ],
)
def test_a_macro_that_the_source_certainly_defines_decides(conditions: str) -> None:
    result = run(f"{conditions}\nvoid f() {{ {LACKED} }}\n#endif\n")
    assert [finding.id for finding in result.findings if finding.id == "HIP101"] == []
    assert "inactive" in outcomes(result)


@pytest.mark.parametrize(
    "conditions",
    [
        "#ifdef SMALL\n#define FAST 1\n#endif\n#if FAST\n#else",
        "#ifdef SMALL\n#define FAST 1\n#endif\n#if FAST",
        "#ifdef SMALL\n#define FAST\n#endif\n#ifndef FAST",
        "#ifdef SMALL\n#define FAST 1\n#else\n#define FAST 0\n#endif\n#if FAST",
        "#define FAST\n#undef FAST\n#ifndef FAST",
        "#ifndef FAST",  # before its definition
    ],
)
def test_a_macro_that_the_source_may_define_does_not_decide(conditions: str) -> None:
    result = run(f"{conditions}\nvoid f() {{ {LACKED} }}\n#endif\n#define FAST\n")
    assert [finding.id for finding in result.findings] == ["HIP101"]


def test_what_is_converted_there_stays_converted() -> None:
    result = run(f"#ifndef USE_ROCM\ncudaFree(p); {LACKED} dim3 g;\n#endif\n")
    assert outcomes(result) == ["converted", "inactive", "native"]
    assert result.counts == Counts(1, 1, 0, 0, 1)


def test_a_note_on_a_name_stands_at_the_first_place_that_is_compiled() -> None:
    use = "void f() { cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1); }\n"
    (found,) = run(f"#ifndef USE_ROCM\n{use}#endif\n{use}{use}{use}").findings
    assert (found.id, found.line) == ("HIP103", 4)
    assert found.message.endswith(" (and 2 more in this file)")


def test_names_of_which_the_same_is_said_share_a_note() -> None:
    result = run("void f() { cuFileDriverOpen(); cuFileDriverClose(); }")
    assert [finding.id for finding in result.findings] == ["HIP103"]
    assert "(and 1 more in this file)" in result.findings[0].message


def test_a_suppression_there_is_not_called_unused() -> None:
    source = f"#ifndef USE_ROCM\n{LACKED}  // hipify: ignore[HIP101]\n#endif\n"
    result = run(source)
    assert result.findings == []
    assert outcomes(result) == ["inactive"]


def test_a_texture_access_that_only_the_hosts_pass_parses() -> None:
    """Without `__CUDA_ARCH__`, the host's pass takes the branch for old GPUs: images are missing on the device only."""
    source = "#if __CUDA_ARCH__ < 350\n#define AT(i) tex1Dfetch(texels, (i))\n#else\n#define AT(i) __ldg(&cells[i])\n#endif\n"
    assert run(source + "__device__ float f(int i) { return AT(i); }\n").findings == []
    other = "__device__ float f(int i) { return tex1Dfetch<float>(texels, i); }\n"
    assert [finding.id for finding in run(source + other).findings] == ["HIP252"]


def test_managed_memory_is_pointed_out_where_it_is_compiled() -> None:
    source = "#ifdef __HIP_PLATFORM_NVIDIA__\n__managed__ int a;\n#endif\n__managed__ int b;\n__managed__ int c;\n"
    (finding,) = run(source).findings
    assert (finding.id, finding.line) == ("HIP701", 4)


def test_a_launch_in_device_code_of_the_hosts_pass_is_inactive() -> None:
    source = "__global__ void c();\n__global__ void k() {\n#ifndef __CUDA_ARCH__\nc<<<1, 1>>>();\n#endif\n}\n"
    result = run(source)
    assert "HIP202" not in [finding.id for finding in result.findings]
    assert "unsupported" not in outcomes(result)


def test_a_second_pass_leaves_the_same_out() -> None:
    source = f"#if CUDART_VERSION >= 11000\ncudaFooBar(1);\n#else\n{LACKED}\n#endif\n"
    first = run(source)
    assert [finding.id for finding in first.findings if finding.severity != "note"] == ["HIP102"]
    assert [finding.id for finding in run(first.output.decode()).findings] == ["HIP102"]


def counted(report: ConversionReport) -> tuple[Counts, list[str]]:
    found = [finding.id for result in report.results for finding in result.findings if finding.severity != "note"]
    return report.counts, found


@pytest.mark.parametrize("code", [LACKED, "cudaFooBar(1);", "#include <nvcomp/snappy.h>"])
def test_what_depends_on_a_macro_of_another_file_moves_over(tmp_path: Path, code: str) -> None:
    (tmp_path / "use.cu").write_text(f'#include "flags.cuh"\n#ifdef WIDE\n{code}\n#endif\n')
    (tmp_path / "flags.cuh").write_text("#if __CUDA_ARCH__ >= 1000\n#define WIDE\n#endif\n")
    counts, found = counted(convert([tmp_path]))
    assert found == []
    assert (counts.unsupported, counts.unknown, counts.inactive) == (0, 0, 1)
    (tmp_path / "flags.cuh").write_text("#define WIDE\n")
    counts, found = counted(convert([tmp_path]))
    assert len(found) == 1
    assert (counts.unsupported + counts.unknown, counts.inactive) == (1, 0)


def test_two_macros_of_other_files_take_a_reference_over_once(tmp_path: Path) -> None:
    (tmp_path / "use.cu").write_text(f'#include "flags.cuh"\n#ifdef WIDE\n#ifdef DEEP\n{LACKED}\n#endif\n#endif\n')
    (tmp_path / "flags.cuh").write_text("#if __CUDA_ARCH__ >= 1000\n#define WIDE\n#define DEEP\n#endif\n")
    report = convert([tmp_path])
    counts, found = counted(report)
    assert (counts.unsupported, counts.inactive, found) == (0, 1, [])
    assert [result.left for result in report.results] == [{}, {}]
