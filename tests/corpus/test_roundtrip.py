"""Converted corpus programs compile with nvcc through the headers that map HIP's names back (a few of them)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compiler, pytest.mark.xdist_group("roundtrip")]

ROOT = Path(__file__).parents[2]
PROGRAMS = (
    "vector_add",
    "templates_launch",
    "symbols",
    "warp_shuffles",
    "coop_groups",
    "heat_graph",
    "managed_memory",
    "both_vendors",
)


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("nvcc") is None:
        pytest.skip("NOT COMPILED: there is no nvcc on this machine")
    folder = tmp_path_factory.mktemp("roundtrip")
    tool = str(ROOT / "tools" / "roundtrip_corpus.py")
    subprocess.run([sys.executable, tool, "--emit", str(folder), *PROGRAMS], check=True)
    return folder


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_converted_program_compiles_for_nvidia_again(emitted: Path, program: str) -> None:
    command = ["bash", str(emitted / "run.sh"), program]
    run = subprocess.run(command, env={**os.environ, "COMPILE_ONLY": "1"}, capture_output=True, text=True, timeout=1800)
    log = (emitted / "out" / f"{program}.log").read_text(errors="replace")
    assert f"{program}: compiled" in run.stdout, log
