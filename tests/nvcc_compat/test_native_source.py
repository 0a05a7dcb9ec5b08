"""A source written for HIP, with its own idioms, compiles with nvcc through the headers, without a warning."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.nvcc_compat.tree import header_tree

pytestmark = pytest.mark.compiler

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("name", "standard"),
    [
        ("native.hip", "c++11"),
        ("native.hip", "c++17"),
        ("driver.hip", "c++11"),
        ("driver.hip", "c++17"),
        ("builtins.hip", "c++17"),
        ("thrust.hip", "c++17"),
    ],
)
def test_hip_idioms_compile_with_nvcc(name: str, standard: str, tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("NOT COMPILED: there is no nvcc on this machine")
    for path, text in header_tree(load_catalog(), ("fp16", "thrust")).items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    command = [nvcc, "-x", "cu", f"-std={standard}", "-arch=sm_80", "-Werror", "all-warnings", "-I", str(tmp_path)]
    command += ["-c", str(HERE / name), "-o", os.devnull]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert run.returncode == 0, run.stderr
