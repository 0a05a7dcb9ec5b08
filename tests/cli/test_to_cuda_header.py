"""`hipify-py header --to-cuda`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_the_tree_has_hips_paths(hipify: Run, tmp_path: Path) -> None:
    assert hipify("header", "--to-cuda", "-o", "include").returncode == 0
    text = (tmp_path / "include" / "hip" / "hip_runtime.h").read_text()
    assert "#include <cuda_runtime.h>" in text
    assert "#define hipMalloc cudaMalloc\n" in (tmp_path / "include" / "hipify_to_cuda" / "runtime.h").read_text()


def test_only_some_tables(hipify: Run, tmp_path: Path) -> None:
    assert hipify("header", "--to-cuda", "-o", "include", "--library", "cufft").returncode == 0
    assert (tmp_path / "include" / "hipfft" / "hipfft.h").is_file()
    assert (tmp_path / "include" / "hip" / "hip_runtime.h").is_file()
    assert not (tmp_path / "include" / "hipblas").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--to-cuda"],
        ["--to-cuda", "--support"],
        ["--to-cuda", "-o", "x", "--library", "cufoo"],
        ["--to-cuda", "-o", "x", "lanes"],
        ["--support", "-o", "x"],
        [],
    ],
)
def test_wrong_usage(hipify: Run, tmp_path: Path, arguments: list[str]) -> None:
    result = hipify("header", *arguments)
    assert (result.returncode, b"Traceback" in result.stderr) == (2, False)
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_written(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = hipify("header", "--to-cuda", "-o", "file")
    assert result.returncode == 3
    assert b"Error: cannot write" in result.stderr
