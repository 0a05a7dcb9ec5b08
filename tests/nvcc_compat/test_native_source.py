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

SOURCE = Path(__file__).with_name("native.hip")


def test_hip_idioms_compile_with_nvcc(tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("NOT COMPILED: there is no nvcc on this machine")
    for path, text in header_tree(load_catalog(), ["fp16"]).items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    command = [nvcc, "-x", "cu", "-std=c++17", "-arch=sm_80", "-Werror", "all-warnings", "-I", str(tmp_path)]
    command += ["-c", str(SOURCE), "-o", os.devnull]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert run.returncode == 0, run.stderr
