"""Converted corpus programs compile: with the hipcc of Debian (ROCm 5.2), and with clang for newer ROCms.

The second wants clang++-22, and `rocm-7.1` and `rocm-6.4` with `include/` and `amdgcn/bitcode` in the folder that
HIPIFY_PY_ROCM_TREES names. It generates the code of host and device in full: undefined device functions and
assembly would pass a mere check of the syntax. A program that does not compile for an architecture says so with its reason
in its `program.yaml` (`hip: {not_for: {gfx942: why}}`), and is told when it does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from hipify_py import Options, ProjectContext, translate
from hipify_py.core.targeting import Targeting
from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

pytestmark = pytest.mark.compiler

CORPUS = Path(__file__).parents[2] / "corpus"
PROGRAMS = sorted(path for path in CORPUS.iterdir() if path.is_dir())
NOT_SOURCES = ("program.yaml", "expected.txt")
OLDEST = "5.2"
TREES = Path(os.environ.get("HIPIFY_PY_ROCM_TREES", ""))
CLANG = shutil.which("clang++-22")
NO_LIBRARY = re.compile(r"fatal error: '((?:hip|mi|ro?c)\w+/[\w/.]+)' file not found")
ARCHITECTURES = {"gfx942": ("7.1", 64), "gfx1100": ("7.1", 32), "gfx90a": ("6.4", 64)}
"""The ROCm to compile with and the lanes of a wavefront, by architecture."""


def _convert(program: Path, target: Path, rocm: str = "") -> None:
    """The whole program's folder in HIP, every file under its own name; for the newest ROCm where none is given."""
    targeting = Targeting(rocm=rocm)
    files = sorted(path for path in program.rglob("*") if path.is_file() and path.name not in NOT_SOURCES)
    local = frozenset(path.relative_to(program).as_posix() for path in files)
    sections: set[str] = set()
    for path in files:
        name = path.relative_to(program)
        header = "../" * (len(name.parts) - 1) + HEADER
        options = Options(support_header=header, targeting=targeting)
        result = translate(path.read_bytes(), path=name.as_posix(), options=options, project=ProjectContext(local))
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
            timeout=1800,
            check=False,
        )
        assert run.returncode == 0, f"{' '.join(command)}\n{run.stderr[:6000]}"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_a_converted_program_compiles_for(program: Path, architecture: str, tmp_path: Path) -> None:
    rocm, lanes = ARCHITECTURES[architecture]
    tree = TREES / f"rocm-{rocm}"
    if CLANG is None or not (tree / "include").is_dir():
        pytest.skip("NOT COMPILED: no clang++-22, or HIPIFY_PY_ROCM_TREES names no folder with the headers")
    manifest = yaml.safe_load((program / "program.yaml").read_text(encoding="utf-8"))
    _convert(program, tmp_path, rocm if rocm != "7.1" else "")
    command = [
        CLANG,
        "-x",
        "hip",
        f"--offload-arch={architecture}",
        f"--rocm-path={tree}",
        "-isystem",
        f"{tree}/include",
    ]
    command += ["-std=c++17", "-O1", "-w", f"-D__AMDGCN_WAVEFRONT_SIZE={lanes}", f"-D__AMDGCN_WAVEFRONT_SIZE__={lanes}"]
    command += ["-DHIPBLAS_V2"] if rocm == "7.1" else []  # the only interface of ROCm 7's hipBLAS
    command += [flag for flag in manifest["nvcc"] if flag.startswith(("-I", "-D"))]
    errors = ""
    for source in manifest["sources"]:
        for side in ("--cuda-device-only", "--cuda-host-only"):
            run = subprocess.run(
                [*command, side, "-c", source, "-o", os.devnull],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=1800,
                check=False,
            )
            errors += run.stderr[:3000] if run.returncode else ""
    lacking = NO_LIBRARY.search(errors)
    if lacking and not (tree / "include" / lacking[1]).is_file():
        pytest.skip(f"NOT COMPILED: rocm-{rocm} of HIPIFY_PY_ROCM_TREES lacks {lacking[1]}")
    reason = (manifest["hip"].get("not_for") or {}).get(architecture)
    if reason is None:
        assert not errors, f"{' '.join(command)}\n{errors}"
    else:
        assert errors, f"compiles now, although program.yaml says: {reason}"
