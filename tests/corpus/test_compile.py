"""Converted corpus programs compile with the hipcc of Debian (ROCm 5.2)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from hipify_py import Options, translate
from hipify_py.support import HEADER
from hipify_py.support.header import render

CORPUS = Path(__file__).parents[2] / "corpus"
PROGRAMS = sorted(path for path in CORPUS.iterdir() if path.is_dir())
NOT_SOURCES = ("program.yaml", "expected.txt")
OLDEST = "5.2"


def _convert(program: Path, target: Path) -> None:
    """The whole program's folder in HIP, every file under its own name."""
    files = sorted(path for path in program.rglob("*") if path.is_file() and path.name not in NOT_SOURCES)
    local = frozenset(path.relative_to(program).as_posix() for path in files)
    sections: set[str] = set()
    for path in files:
        name = path.relative_to(program)
        options = Options(local_headers=local, support_header="../" * (len(name.parts) - 1) + HEADER)
        result = translate(path.read_bytes(), path=name.as_posix(), options=options)
        sections |= result.support
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(result.output)
    if sections:
        (target / HEADER).write_bytes(render(sections))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_a_converted_program_compiles(program: Path, tmp_path: Path) -> None:
    manifest = yaml.safe_load((program / "program.yaml").read_text(encoding="utf-8"))
    needs = manifest["hip"]
    if needs["rocm"] != OLDEST:
        pytest.skip(f"wants ROCm {needs['rocm']}: {needs['why']}")
    hipcc = shutil.which("hipcc")
    if hipcc is None:
        pytest.skip("NOT COMPILED: there is no hipcc on this machine")
    _convert(program, tmp_path)
    includes = [flag for flag in manifest["nvcc"] if flag.startswith(("-I", "-D"))]
    for source in manifest["sources"]:
        command = [hipcc, "-x", "hip", "--offload-arch=gfx90a", "-std=c++17", *includes, "-c", source, "-o", os.devnull]
        run = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "HIP_PLATFORM": "amd"},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            check=False,
        )
        assert run.returncode == 0, f"{' '.join(command)}\n{run.stderr[:6000]}"
