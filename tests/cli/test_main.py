"""What holds for all commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.catalog import TableError
from hipify_py.cli.main import run
from hipify_py.cli.quick import quick_check

from .conftest import REPOSITORY, VECTOR_ADD


def test_wrong_tables_are_a_matter_of_the_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(targeting: object) -> None:
        raise TableError("runtime.yaml: wrong")

    path = tmp_path / "a.cu"
    path.write_bytes(VECTOR_ADD)
    for check in (quick_check, run):  # they load their modules, which else would keep `fail` for later tests
        assert check(["check", str(path)]) == 0
    capsys.readouterr()
    monkeypatch.setattr("hipify_py.catalog.load_catalog", fail)
    monkeypatch.setattr("hipify_py.project.run.load_catalog", fail)
    monkeypatch.setattr("hipify_py.translator.translate.load_catalog", fail)
    assert quick_check(["check", str(path)]) is None
    assert run(["check", str(path)]) == 2
    assert capsys.readouterr().err == "Error: runtime.yaml: wrong\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["convert", "a.cu"],
        ["check", "-v", "a.cu"],
        ["check", "a.cu", "-v"],
        ["check", "a.cu", "-qv"],
        ["check", "a.cu", "---quiet"],
        ["check", "a.cu", "--quiet=1"],
        ["check", "a.cu", "--baseline", "known.jsonl"],
        ["check", "a.cu", "--rocm"],
        ["check", "a.cu", "--select", "-q"],
        ["check", "."],
        ["check", "missing.cu"],
        ["check", "a.cu", "./a.cu"],
        ["check", "a\0.cu"],
        ["check", "--"],
        ["check", "--", "--", "a.cu"],
        ["check", "--", "-a.cu"],
        ["check"] + ["a.cu"] * 40,
    ],
)
def test_the_quick_way_leaves_the_rest_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.cu", "-a.cu"):
        (tmp_path / name).write_bytes(VECTOR_ADD)
    assert quick_check(arguments) is None


@pytest.mark.parametrize("before", [[], ["--"]])
def test_the_quick_way_takes_files_with_and_without_a_mark_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], before: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_bytes(b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n")
    assert quick_check(["check", *before, "a.cu"]) == 1
    assert capsys.readouterr().out.startswith("a.cu:1:12: error HIP101 ")


def test_a_terminal_shows_progress_and_still_forks_safely(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    for number in range(60):
        (tmp_path / f"f{number}.cu").write_bytes(VECTOR_ADD * 60)
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": "xterm", "PYTHONWARNINGS": "error"}
    process = subprocess.Popen(
        [sys.executable, "-m", "hipify_py", "check", ".", "-j", "2"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=follower,
    )
    os.close(follower)
    said = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:
            break
        if not block:
            break
        said += block
    os.close(leader)
    process.communicate(timeout=1800)
    assert process.returncode == 0, said
    assert b"checking" in said
    assert b"60 files: 60 to convert, 0 unchanged" in said
