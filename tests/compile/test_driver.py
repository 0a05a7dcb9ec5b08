"""Finding and running hipcc."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hipify_py.compile import driver
from hipify_py.compile.driver import Unit, compile_units, find_hipcc


def executable(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("variable", ["HIP_PATH", "ROCM_PATH"])
def test_found_by_variables(tmp_path: Path, variable: str) -> None:
    hipcc = executable(tmp_path / "rocm/bin/hipcc")
    assert find_hipcc({"PATH": "", variable: str(tmp_path / "rocm")}) == str(hipcc)


def test_path_comes_first(tmp_path: Path) -> None:
    hipcc = executable(tmp_path / "bin/hipcc")
    executable(tmp_path / "rocm/bin/hipcc")
    assert find_hipcc({"PATH": str(tmp_path / "bin"), "HIP_PATH": str(tmp_path / "rocm")}) == str(hipcc)


def test_a_file_that_cannot_be_run_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(tmp_path / "bin/hipcc").chmod(0o644)
    monkeypatch.setattr(driver, "_homes", lambda environment: iter([str(tmp_path)]))
    assert find_hipcc({"PATH": str(tmp_path / "bin")}) is None


def test_what_is_run(tmp_path: Path) -> None:
    script = f"#!{sys.executable}\nimport os, sys\nprint(os.environ['HIP_PLATFORM'], *sys.argv[1:])\nsys.exit(3)\n"
    hipcc = executable(tmp_path / "hipcc", script)
    units = [Unit("a.cu", ("-iquotehere",)), Unit("b.c")]
    first, second = compile_units(
        str(hipcc), units, "/obj", arch=["gfx90a", "gfx1100"], std="c++17", flags=["-DX"], jobs=2
    )
    folder = os.getcwd()
    assert first.status == 3
    assert first.messages == (
        f"amd --offload-arch=gfx90a --offload-arch=gfx1100 -std=c++17 -iquotehere -DX -c -x hip {folder}/a.cu -o /obj/0.o\n"
    )
    assert f"-x c {folder}/b.c -o /obj/1.o" in second.messages
