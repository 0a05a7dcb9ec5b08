"""`hipify-py init` sets a project up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.project.toml import parse

from .conftest import Run

BAD = "void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("src/a.cu", "third_party/other/b.cu", "src/External/c.cu", "libs/solver/d.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(BAD)
    (tmp_path / ".gitmodules").write_text('[submodule "x"]\n\tpath = libs/solver\n\turl = u\n')
    return tmp_path


def test_a_check_of_the_new_project_passes(quickly: Run, project: Path) -> None:
    run = quickly("init")
    assert run.returncode == 0, run.stderr
    configuration = parse((project / "hipify-py.toml").read_bytes())
    assert configuration == {
        "rocm": NEWEST_ROCM,
        "exclude": ["/libs/solver/", "/src/External/", "/third_party/"],
        "baseline": "hipify-baseline.jsonl",
    }
    head, entry = map(json.loads, (project / "hipify-baseline.jsonl").read_text().splitlines())
    assert (entry["path"], entry["id"]) == ("src/a.cu", "HIP101")
    assert f"ROCm {NEWEST_ROCM}" in head["settings"][0]
    checked = quickly("check", ".")
    assert checked.returncode == 0, checked.stdout
    assert b"1 known" in checked.stderr
    (project / "src/new.cu").write_text(BAD)
    assert quickly("check", ".").returncode == 1


def test_the_hook_sees_sources_and_build_files(quickly: Run, project: Path) -> None:
    quickly("init")
    (repository,) = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"]
    (hook,) = repository["hooks"]
    for name in ("a.cu", "x/b.cuh", "c.hpp", "CMakeLists.txt", "x/Makefile", "x.cmake", "setup.py"):
        assert re.search(hook["files"], name), name
    for name in ("README.md", "a.py", "Makefile.md", "a.cut"):
        assert not re.search(hook["files"], name), name


def test_existing_files_stay(quickly: Run, project: Path) -> None:
    (project / "hipify-py.toml").write_text('rocm = "6.4"\n')
    (project / ".pre-commit-config.yaml").write_text("repos: []\n")
    run = quickly("init", ".", "--rocm", "7.1")
    assert run.returncode == 0
    assert run.stderr.count(b"already exists, left as it is") == 2
    assert (project / "hipify-py.toml").read_text() == 'rocm = "6.4"\n'
    assert "ROCm 7.1" in (project / "hipify-baseline.jsonl").read_text()


def test_what_is_not_wanted_is_not_written(quickly: Run, project: Path) -> None:
    assert quickly("init", "--rocm", "6.4", "--no-baseline", "--no-hook").returncode == 0
    assert not (project / "hipify-baseline.jsonl").exists()
    assert not (project / ".pre-commit-config.yaml").exists()
    assert parse((project / "hipify-py.toml").read_bytes())["rocm"] == "6.4"
    assert quickly("init", "missing").returncode == 2
