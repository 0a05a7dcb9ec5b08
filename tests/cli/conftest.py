"""Runs the command line in a folder of the test's own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipify_py.cli import main

from .in_process import run_here

REPOSITORY = Path(__file__).resolve().parents[2]

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def process(tmp_path: Path) -> Run:
    """`process("check", "a.cu")` as a process of its own; for tests of start-up, signals, pipes and streams."""

    def run(*arguments: str, env: dict[str, str] | None = None, **more: Any) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": "dumb", **(env or {})}
        command = [sys.executable, "-m", "hipify_py", *arguments]
        return subprocess.run(
            command,
            cwd=more.pop("cwd", tmp_path),
            env=environment,
            capture_output=True,
            check=False,
            timeout=1800,
            **more,
        )

    return run


@pytest.fixture
def hipify(tmp_path: Path) -> Run:
    """`hipify("check", "a.cu")` in the test's folder, within this process; `env` adds to the environment."""

    def run(*arguments: str, cwd: Path = tmp_path, **more: Any) -> subprocess.CompletedProcess[bytes]:
        return run_here(cwd, *arguments, **more)

    return run


@pytest.fixture
def quickly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """The same without the short way that `check` has for a few files."""

    def run(*arguments: str, cwd: Path = tmp_path) -> subprocess.CompletedProcess[bytes]:
        monkeypatch.chdir(cwd)
        capfdbinary.readouterr()
        code = main.run(list(arguments))
        out, err = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, code, out, err)

    return run


VECTOR_ADD = b"""\
#include <cuda_runtime.h>

__global__ void add(float *a) { a[threadIdx.x] += 1; }

int main(void) {
    float *a;
    cudaMalloc(&a, 4);
    add<<<1, 1>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small tree: a kernel, a header, a C++ file without CUDA, data, and a file that git ignores."""
    root = tmp_path / "src"
    files = {
        "main.cu": b'#include "lib/util.cuh"\n' + VECTOR_ADD,
        "lib/util.cuh": b"#pragma once\n#include <cuda_runtime.h>\ninline void sync() { cudaDeviceSynchronize(); }\n",
        "plain.cpp": b"int plain() { return 1; }\n",
        "data/table.csv": b"1,2\r\n",
        "build/gen.cu": VECTOR_ADD,
        ".gitignore": b"build/\n",
    }
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root
