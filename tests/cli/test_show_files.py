"""`--show-files`: the sources that would be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def checkout(project: Path) -> None:
    """`.gitignore` counts in a checkout only."""
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)


def test_the_files_of_a_run_are_listed(quickly: Run, project: Path) -> None:
    listed = quickly("check", "src", "--show-files")
    assert (listed.returncode, listed.stderr) == (0, b"1 folder left out; -v lists them\n")
    run = quickly("check", "src", "--format", "json", "--no-cache")
    assert listed.stdout.decode().splitlines() == [file["path"] for file in json.loads(run.stdout)["files"]]


@pytest.mark.parametrize("command", ["check", "convert", "report"])
def test_they_go_by_the_options(quickly: Run, project: Path, command: str) -> None:
    def files(*more: str) -> list[str]:
        return quickly(command, "src", *more, "--show-files").stdout.decode().splitlines()

    assert files() == ["src/lib/util.cuh", "src/main.cu", "src/plain.cpp"]
    assert files("--no-gitignore") == ["src/build/gen.cu", "src/lib/util.cuh", "src/main.cu", "src/plain.cpp"]
    assert files("--exclude", "lib/") == ["src/main.cu", "src/plain.cpp"]
    assert files("--include", "*.csv") == ["src/data/table.csv"]
    (project / "hipify-py.toml").write_text('exclude = ["plain.cpp"]\n')
    assert files() == ["src/lib/util.cuh", "src/main.cu"]


def test_what_is_left_out_is_told_with_the_reason(quickly: Run, project: Path) -> None:
    (project / "out.cuh").symlink_to("/etc/hosts")
    (project / "cuda_runtime.h").write_text("// Copyright NVIDIA Corporation\n#define CUDA_RUNTIME_H\n")
    run = quickly("check", "src", "--exclude", "plain.cpp", "-v", "--show-files")
    assert run.stderr.decode().splitlines() == [
        "src/out.cuh: a symbolic link to outside its tree, not followed",
        "src/cuda_runtime.h: copy of CUDA's cuda_runtime.h",
        "src/build/: ignored by .gitignore",
        "src/plain.cpp: excluded",
    ]
    assert run.stdout.decode().splitlines() == ["src/lib/util.cuh", "src/main.cu"]
    document = json.loads(quickly("check", "src", "--show-files", "--format", "json").stdout)
    assert document["files"] == ["src/lib/util.cuh", "src/main.cu", "src/plain.cpp"]
    assert {"path": "src/build/", "reason": "ignored by .gitignore"} in document["left_out"]
    assert document["unusable"] == []


def test_paths_with_different_configurations_are_listed_together(quickly: Run, project: Path) -> None:
    (project / "lib" / "hipify-py.toml").write_text("include = []\n")
    run = quickly("check", "src", "src/lib", "--show-files")
    assert run.stdout.decode().splitlines() == ["src/main.cu", "src/plain.cpp", "src/lib/util.cuh"]


def test_the_output_is_none_of_them(quickly: Run, project: Path) -> None:
    (project / "hip").mkdir()
    (project / "hip" / "main.cu").write_text("")
    assert b"src/hip/main.cu" in quickly("convert", "src", "--show-files").stdout
    run = quickly("convert", "src", "-o", "src/hip", "-v", "--show-files")
    assert b"src/hip/main.cu" not in run.stdout
    assert b"src/hip/: it is the output folder" in run.stderr
    assert sorted(path.name for path in (project / "hip").iterdir()) == ["main.cu"]


def test_what_cannot_be_read_is_told(quickly: Run, project: Path) -> None:
    run = quickly("check", "src", "nowhere.cu", "--show-files")
    assert (run.returncode, run.stderr) == (
        3,
        b"nowhere.cu: No such file or directory\n1 folder left out; -v lists them\n",
    )
    assert b"src/main.cu\n" in run.stdout
    document = json.loads(quickly("check", "nowhere.cu", "--show-files", "--format", "json").stdout)
    assert document["unusable"] == [{"path": "nowhere.cu", "reason": "No such file or directory"}]


@pytest.mark.skipif(os.name == "nt", reason="names that other systems refuse")
def test_names_are_escaped(quickly: Run, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "src")
    (tmp_path / "src").mkdir()
    for name in (b"a\nb.cu", b"\x1b[31m.cu", b"\xff.cu", b"##vso[task].cu"):
        with open(os.path.join(os.fsencode(tmp_path), b"src", name), "wb"):
            pass
    run = quickly("check", "src", "--show-files")
    assert run.stdout.decode().splitlines() == [
        "src/\\x1b[31m.cu",
        "src/#\\x23vso[task].cu",
        "src/a\\nb.cu",
        "src/\\xff.cu",
    ]
    names = json.loads(quickly("check", "src", "--show-files", "--format", "json").stdout)["files"]
    assert "src/a\nb.cu" in names


def test_standard_input_is_no_file(quickly: Run) -> None:
    run = quickly("check", "-", "--show-files")
    assert (run.returncode, b"not on standard input" in run.stderr) == (2, True)
