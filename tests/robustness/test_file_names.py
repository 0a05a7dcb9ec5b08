"""Files of a tree are handed to a compiler as files, whatever they are called."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import VECTOR_ADD, Run

RECORDING = """\
#!{python}
import json, sys
with open({record!r}, "a") as file:
    print(json.dumps(sys.argv[1:]), file=file)
"""
HIP = b"#include <hip/hip_runtime.h>\n__global__ void k() {}\n"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hipcc that records what it is called with."""
    folder = tmp_path / "bin"
    folder.mkdir()
    hipcc = folder / "hipcc"
    hipcc.write_text(RECORDING.format(python=sys.executable, record=str(tmp_path / "commands")))
    hipcc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "commands"


def called(commands: Path) -> list[list[str]]:
    return [json.loads(line) for line in commands.read_text().splitlines()] if commands.exists() else []


@pytest.mark.parametrize("source", [HIP, VECTOR_ADD])
@pytest.mark.parametrize("name", ["@r", "-o", "-fplugin=.so", "--offload-arch=evil", "-", "a b", "x;touch y", "é"])
def test_no_name_is_an_option(hipify: Run, tmp_path: Path, commands: Path, name: str, source: bytes) -> None:
    folder = tmp_path / "src"
    (folder / name).mkdir(parents=True)
    for path in (folder / f"{name}.hip", folder / name / f"{name}.cu"):
        path.write_bytes(source)
    done = hipify("compile", ".", cwd=folder)
    assert done.returncode == 0, done.stderr
    (one, two) = called(commands)
    for command in (one, two):
        source_at = command.index("hip") + 1  # behind -x
        assert command[source_at].startswith("/")
        assert os.path.basename(command[source_at]).startswith(name)
        assert not [word for word in command if word.startswith("@") or word in {f"{name}.hip", f"{name}.cu"}]
        # All else that the name is part of is the value of an option that we give.
        rest = [word for word in command[: source_at - 3] if name in word and not word.startswith(("-iquote/", "-I/"))]
        assert rest == []


@pytest.mark.parametrize("name", ["a\nb", 'a"b', "a$(x)b", "a`x`b", "a\\b", "a\x1bb"])
def test_names_that_a_shell_would_read_are_not_compiled(hipify: Run, tmp_path: Path, commands: Path, name: str) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / f"{name}.hip").write_bytes(HIP)
    done = hipify("compile", "src")
    assert done.returncode == 3
    assert b"hipcc cannot take a file name with these characters" in done.stderr
    assert called(commands) == []


def test_a_conversion_compiles_what_it_has_written(hipify: Run, tmp_path: Path, commands: Path) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "a.cu").write_bytes(VECTOR_ADD)
    assert hipify("convert", "src", "-o", "out", "--compile").returncode == 0
    assert hipify("convert", "src", "--in-place", "--force", "--rename", "--compile").returncode == 0
    sources = [command[command.index("-x") + 2] for command in called(commands)]
    assert sources == [str(tmp_path / "out/a.cu"), str(tmp_path / "src/a.hip")]
    assert sorted(path.name for path in folder.iterdir()) == ["a.hip"]
