"""The statistics of the stand-in for hipify-clang, as text and as CSV."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .conftest import Tool
from .samples import LAUNCH, LEFT, PLAIN, write

TEXT_OF_LEFT = """\

[HIPIFY] info: file 'a.cu' statistics:
  CONVERTED refs count: 2
  UNCONVERTED refs count: 2
  CONVERSION %: 50.0
  REPLACED bytes: 22
  TOTAL bytes: 137
  CHANGED lines of code: 2
  TOTAL lines of code: 6
  CODE CHANGED (in bytes) %: 16.1
  CODE CHANGED (in lines) %: 33.3
  TIME ELAPSED s: 0.00
[HIPIFY] info: CONVERTED refs by type:
  memory: 1
  include_cuda_main_header: 1
[HIPIFY] info: CONVERTED refs by API:
  CUDA RT API: 2
[HIPIFY] info: CONVERTED refs by names:
  cudaFree: 1
  cuda_runtime.h: 1
[HIPIFY] info: UNCONVERTED refs by type:
  graph: 1
  define: 1
[HIPIFY] info: UNCONVERTED refs by API:
  CUDA RT API: 2
[HIPIFY] info: UNCONVERTED refs by names:
  cudaGraphConditionalHandleCreate: 1
  cudaNoSuchThing: 1
"""

CSV_OF_LEFT = """\

file 'a.cu' statistics:
CONVERTED refs count;2
UNCONVERTED refs count;2
CONVERSION %;50.0
REPLACED bytes;22
TOTAL bytes;137
CHANGED lines of code;2
TOTAL lines of code;6
CODE CHANGED (in bytes) %;16.1
CODE CHANGED (in lines) %;33.3
TIME ELAPSED s;0.00

CUDA ref type;Count
memory;1
include_cuda_main_header;1

CUDA API;Count
CUDA RT API;2

CUDA ref name;Count
cudaFree;1
cuda_runtime.h;1

CUDA ref type;Count
graph;1
define;1

CUDA API;Count
CUDA RT API;2

CUDA ref name;Count
cudaGraphConditionalHandleCreate;1
cudaNoSuchThing;1
"""


def timeless(text: str) -> str:
    """A text without the time that something took."""
    return re.sub(r"(TIME ELAPSED s(?:: |;))\d+\.\d\d", r"\g<1>0.00", text)


def test_text(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT)
    done = clang("a.cu", "-examine")
    assert timeless(done.err).endswith(TEXT_OF_LEFT)
    assert len(done.warnings) == 2
    assert timeless(clang("a.cu", "-print-stats").err) == timeless(done.err)


def test_csv(clang: Tool, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    write(tmp_path / "src", a=LEFT)
    clang("src/a.cu", "--print-stats-csv", "-no-output")
    assert timeless((tmp_path / "a.cu.csv").read_text()) == CSV_OF_LEFT.replace("a.cu", "src/a.cu")


def test_places_of_csv_files(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT, b=PLAIN)
    clang("a.cu", "-o-stats=x.csv", "-no-output")
    assert timeless((tmp_path / "x.csv").read_text()) == CSV_OF_LEFT
    clang("a.cu", "b.cu", "-print-stats-csv", "-no-output")
    clang("a.cu", "-print-stats-csv", "-o-dir", "out")
    clang("a.cu", "b.cu", "-print-stats-csv", "-o-dir", "out")
    clang("a.cu", "-o-stats=x.csv", "-o-dir", "out")
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.csv")}
    assert found == {
        "x.csv",
        "sum_stat.csv",
        *(os.path.join("out", name) for name in ("a.cu.csv", "sum_stat.csv", "x.csv")),
    }
    assert clang("a.cu", "-o-stats=absent/\0x").status == 1


def test_several_files(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT, b=PLAIN, c="int nothing;\n")
    done = clang("a.cu", "b.cu", "c.cu", "-examine", "-print-stats-csv")
    total = """\

[HIPIFY] info: file 'GLOBAL' statistics:
  CONVERTED refs count: 7
  UNCONVERTED refs count: 2
  CONVERSION %: 77.8
"""
    assert total in done.err
    assert done.err.endswith("\n[HIPIFY] info: TOTAL statistics:\n  CONVERTED files: 2\n  PROCESSED files: 3\n")
    table = (tmp_path / "sum_stat.csv").read_text()
    assert [line for line in table.splitlines() if line.startswith("file ")] == [
        f"file '{name}' statistics:" for name in ("a.cu", "b.cu", "c.cu", "GLOBAL")
    ]
    assert table.endswith("\nTOTAL statistics:\nCONVERTED files;2\nPROCESSED files;3\n")


def test_nothing_to_convert_is_no_percent(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="int nothing;\n")
    assert "  CONVERSION %: 0.0\n" in clang("a.cu", "-examine").err


def test_an_empty_file_has_no_statistics(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="")
    done = clang("a.cu", "-examine")
    assert done.status == 0
    assert "  ERROR: Statistics is invalid due to failed hipification.\n" in done.err


def test_launches_count_where_they_are_rewritten(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LAUNCH)
    kept = clang("a.cu", "-examine").err
    rewritten = clang("a.cu", "-examine", "-hip-kernel-execution-syntax").err
    assert "kernel_launch" not in kept
    assert "  kernel_launch: 1\n" in rewritten
    assert "  cudaLaunchKernel: 1\n" in rewritten
    assert "  device_function: 1\n" in kept
    assert "  __syncthreads: 1\n" in kept
