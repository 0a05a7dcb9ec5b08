"""`python -m tools.tables` as those run it who keep the tables; what the commands find is tested beside this file."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
TABLE = "library: mine\ntitle: Mine\n\nfunctions:\n  a: b\n"
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def tables(tmp_path: Path) -> Run:
    def run(*arguments: str, cwd: Path = tmp_path) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "HIPIFY_PY_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-m", "tools.tables", *arguments]
        return subprocess.run(command, capture_output=True, cwd=cwd, env=environment, timeout=300)

    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "missing.yaml"), b"missing.yaml"),
        (("verify", "--headers", "nowhere"), b"tools.tables fetch"),
        (("derive", "--headers", "nowhere"), b"tools.tables fetch"),
        (("fetch", "cuda-1.0"), b"cuda-1.0"),
        (("diff",), b"--cuda"),
        (("diff", "--cuda", "nowhere"), b"does not say its version"),
        (("diff", "--cuda", "14.1=nowhere"), b"nowhere"),
        (("coverage", "--against", "missing.csv"), b"missing.csv"),
        (("funk",), b"funk"),
    ],
)
def test_wrong_usage(tables: Run, arguments: tuple[str, ...], message: bytes) -> None:
    run = tables(*arguments)
    assert run.returncode == 2, run.stderr
    assert message in run.stderr
    assert run.stdout == b""


def test_apply_changes_the_tables_of_a_folder(tables: Run, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.yaml").write_text(TABLE)
    (tmp_path / "patch.yaml").write_text("mine: {functions: {c: d, a: null}}\n")
    run = tables("apply", "--tables", "tables", "patch.yaml")
    assert (run.returncode, run.stderr) == (0, b"mine.yaml changed\n")
    assert (tmp_path / "tables" / "mine.yaml").read_text() == TABLE.replace("  a: b", "  c: d")


@pytest.mark.parametrize("patch", ["[1]", "other: {functions: {a: b}}", "mine: {functions: {a: {x: 1}}}", "{", "\0"])
def test_a_wrong_patch_changes_nothing(tables: Run, tmp_path: Path, patch: str) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.yaml").write_text(TABLE)
    (tmp_path / "patch.yaml").write_text(patch)
    assert tables("apply", "--tables", "tables", "patch.yaml").returncode == 2
    assert (tmp_path / "tables" / "mine.yaml").read_text() == TABLE


def test_the_summary_of_the_coverage_is_not_stale(tables: Run) -> None:
    run = tables("coverage", "--check", cwd=REPOSITORY)
    assert (run.returncode, run.stdout) == (0, b"")


def test_a_stale_summary_is_found_and_mended(tables: Run, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (tmp_path / "rows.csv").write_text("cuda,library,hip,roc\ncudaMalloc,runtime,yes,no\n")
    (pages / "gone.md").write_text("A page of a table that is gone.\n")
    coverage = ("coverage", "--out", "pages", "--against", "rows.csv")
    assert tables(*coverage, "--check").returncode == 1
    assert tables(*coverage).returncode == 0
    assert tables(*coverage, "--check").returncode == 0
    assert not (pages / "gone.md").exists()
    assert "`cudaMalloc`" in (pages / "runtime.md").read_text()
    (pages / "runtime.md").unlink()
    assert tables(*coverage, "--check").returncode == 0, "the pages of the tables are built, not checked"
    (tmp_path / "rows.csv").write_text("cuda,library,hip,roc\ncudaMalloc,runtime,yes,no\ncudaNothing,runtime,no,no\n")
    run = tables(*coverage, "--check")
    assert run.returncode == 1
    assert b"cudaNothing of HIPIFY's list has no row" in run.stdout


def test_python_bindings_are_compared_by_their_stubs(tmp_path: Path) -> None:
    from tools.tables.python_bindings import NotInterop, table_of

    wheel = tmp_path / "hip_python_interop-9.9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for module in ("driver", "nvrtc", "runtime"):
            archive.writestr(f"cuda/bindings/{module}.pyi", "def cuInit(flags): ...\ndef cudaFree(pointer): ...\n")
    table = yaml.safe_load(table_of(wheel))
    assert table["source"] == "hip-python-interop 9.9"
    assert "cuInit" not in table["lacking"]["driver"]
    assert "cuCtxCreate" in table["lacking"]["driver"]
    assert "cudaFree" not in table["lacking"]["runtime"]
    (tmp_path / "no.whl").write_bytes(b"")
    with pytest.raises(NotInterop):
        table_of(tmp_path / "no.whl")
