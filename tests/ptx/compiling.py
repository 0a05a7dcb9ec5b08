"""Compiles HIP code of the PTX tests for one GPU, where there is a compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render, section_names

TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")
TARGETS = ["gfx942", "gfx1100"]


def assert_compiles(code: bytes, arch: str, folder: Path) -> None:
    """Compile code beside a support header of all sections; skips the test where clang or the headers are missing."""
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    source = folder / "program.hip"
    source.write_bytes(code)
    (folder / HEADER).write_bytes(render(section_names()))
    width = "32" if arch.startswith("gfx1") else "64"
    tree = os.path.join(TREE, "rocm-7.1")
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include", "-w"]
    command += [f"-D__AMDGCN_WAVEFRONT_SIZE={width}", "-std=c++17", "-O1", "--cuda-device-only", "-c", str(source)]
    run = subprocess.run([*command, "-o", os.devnull], capture_output=True, text=True, errors="replace", check=False)
    assert run.returncode == 0, run.stderr[:4000]
