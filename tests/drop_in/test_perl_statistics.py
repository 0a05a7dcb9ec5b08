"""What the stand-in for hipify-perl tells: warnings, statistics, notes."""

from __future__ import annotations

import os
from pathlib import Path

from .conftest import Tool
from .samples import LAUNCH, LEFT, PLAIN, write

STATISTICS_OF_PLAIN = """\

[HIPIFY] info: file 'a.cu' statistics:
  CONVERTED refs count: 5
  TOTAL lines of code: 9
  WARNINGS: 0
[HIPIFY] info: CONVERTED refs by names:
  cudaDeviceSynchronize => hipDeviceSynchronize: 2
  cudaFree => hipFree: 1
  cudaMalloc => hipMalloc: 1
  cudaThreadSynchronize => hipDeviceSynchronize: 2
  cuda_runtime.h => hip/hip_runtime.h: 1
"""
"""The number beside a name counts its HIP name, which two CUDA names may have."""


def test_statistics_of_a_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    assert perl("-print-stats", "-no-output", "a.cu").err == STATISTICS_OF_PLAIN
    assert perl("-examine", "a.cu").err == STATISTICS_OF_PLAIN
    assert perl("-print-stats", "a.cu").err == STATISTICS_OF_PLAIN
    assert perl("a.cu").err == ""


def test_functions_for_device_code_count_once_in_files_with_kernels(perl: Tool, tmp_path: Path) -> None:
    """`sqrtf` and `__syncthreads`, and the header: 3; a launch counts where it is rewritten."""
    write(tmp_path, a=LAUNCH, b="float f(float x) { return sqrtf(x) + sqrtf(x); }\n")
    assert "  CONVERTED refs count: 3\n" in perl("-examine", "a.cu").err
    assert "  CONVERTED refs count: 4\n" in perl("-examine", "-hip-kernel-execution-syntax", "a.cu").err
    assert perl("-examine", "b.cu").err == ""


def test_a_function_of_a_namespace_is_not_cudas(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="__global__ void f(float *x) { *x = my::sqrtf(*x); }\n")
    assert "  CONVERTED refs count: " not in perl("-examine", "a.cu").err.replace("count: 0", "")


def test_statistics_of_several_files(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b=LEFT, c="int nothing;\n")
    done = perl("-examine", "-quiet-warnings", "a.cu", "b.cu", "c.cu")
    of_b = """\

[HIPIFY] info: file 'b.cu' statistics:
  CONVERTED refs count: 2
  TOTAL lines of code: 6
  WARNINGS: 0
[HIPIFY] info: CONVERTED refs by names:
  cudaFree => hipFree: 1
  cuda_runtime.h => hip/hip_runtime.h: 1
"""
    total = """\

[HIPIFY] info: file 'GLOBAL' statistics:
  CONVERTED refs count: 7
  TOTAL lines of code: 16
  WARNINGS: 0
[HIPIFY] info: CONVERTED refs by names:
  cudaDeviceSynchronize => hipDeviceSynchronize: 2
  cudaFree => hipFree: 2
  cudaMalloc => hipMalloc: 1
  cudaThreadSynchronize => hipDeviceSynchronize: 2
  cuda_runtime.h => hip/hip_runtime.h: 2

"""
    assert done.err == STATISTICS_OF_PLAIN + of_b + total


def test_warnings(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT)
    done = perl("-examine", "a.cu")
    assert done.status == 0
    unknown, unsupported = done.warnings
    assert unknown.startswith("  warning: a.cu:#3 : HIP102 cudaNoSuchThing looks like a runtime symbol")
    assert unsupported.startswith("  warning: a.cu:#5 : HIP101 cudaGraphConditionalHandleCreate (runtime) has no HIP")
    assert "  WARNINGS: 2\n" in done.err


def test_a_finding_at_several_places_is_a_warning_at_each(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="void f() {\n    cudaNoSuchThing();\n    cudaNoSuchThing();\n}\n")
    assert [line.split(" : ")[0] for line in perl("a.cu").warnings] == ["  warning: a.cu:#2", "  warning: a.cu:#3"]


def test_quiet_warnings_and_whitelist(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT)
    assert perl("-quiet-warnings", "a.cu").err == ""
    assert len(perl("-whitelist=cudaNoSuchThing,cudaOther", "a.cu").warnings) == 1
    assert len(perl("-whitelist", "cudaNo.*", "a.cu").warnings) == 1
    assert len(perl("-whitelist=cudaNo", "a.cu").warnings) == 2
    assert len(perl("-whitelist=(", "a.cu").warnings) == 2


def test_excluded_files(perl: Tool, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path, a=PLAIN, b=PLAIN)
    write(tmp_path / "sub", c=PLAIN)
    done = perl("-examine", "-exclude-files=a.cu,x.cu", f"-exclude-dirs={tmp_path / 'sub'}", "a.cu", "b.cu", "sub/c.cu")
    assert done.err.count("statistics:") == 2
    assert "a.cu is left out: it is excluded\n" in done.err
    assert f"sub/c.cu is left out: its folder {tmp_path / 'sub'} is excluded\n" in done.err
    assert perl("-no-output", "-exclude-files=./a.cu", "-exclude-dirs=sub", "a.cu", "sub/c.cu").err == ""


def test_sums_are_shown_even_where_nothing_is_left(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b=PLAIN)
    done = perl("-examine", f"-exclude-dirs={tmp_path}", "a.cu", "b.cu")
    assert "file 'GLOBAL' statistics:\n  CONVERTED refs count: 0\n" in done.err


def test_unknown_options_are_told_and_skipped(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    done = perl("-print-stats-csv", "-perl", "-no-output", "a.cu")
    assert done == (0, "", "Unknown option: print-stats-csv (did you mean print-stats?)\nUnknown option: perl\n")


def test_what_follows_two_dashes_is_a_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    done = perl("-no-output", "a.cu", "--", "-Iinclude")
    assert done == (2, "", "error: could not open -Iinclude: No such file or directory\n")


def test_help_and_version(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    done = perl("-help")
    assert (done.status, done.out) == (0, "")
    assert "-exclude-dirs=DIR,DIR" in done.err
    assert perl("-version", "-no-output", "a.cu") == (0, "", "HIP version 10.0.0\n")


def test_the_version_is_that_of_the_chosen_rocm(perl: Tool, tmp_path: Path) -> None:
    os.environ["HIPIFY_PY_ROCM"], before = "6.4", os.environ["HIPIFY_PY_ROCM"]
    try:
        assert perl("-version").err == "HIP version 6.4.0\n"
        os.environ["HIPIFY_PY_ROCM"] = "many"
        assert perl("-version").status == 2
    finally:
        os.environ["HIPIFY_PY_ROCM"] = before
