"""`hipify-py mappings` as its users run it; what the subcommands find is tested in tests/maintenance."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import REPOSITORY, Run

TABLE = "library: mine\ntitle: Mine\n\nfunctions:\n  a: b\n"
CUDA = "#define CUDA_VERSION 14010\nint cudaNewThing(int a);\n"


@pytest.mark.slow
def test_lint_of_the_shipped_tables(hipify: Run) -> None:
    run = hipify("mappings", "lint")
    assert (run.returncode, run.stdout) == (0, b"")


def test_lint_of_a_table_of_ones_own(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(TABLE + "  0: c\n")
    run = hipify("mappings", "lint", "mine.yaml")
    assert run.returncode == 1
    assert run.stdout.startswith(b"mine.yaml:")
    (tmp_path / "mine.yaml").write_text(TABLE.replace("  a: b\n", "  b: c\n  a: b\n"))
    assert hipify("mappings", "lint", "mine.yaml").returncode == 1
    assert hipify("mappings", "lint", "--fix", "mine.yaml").returncode == 0
    assert hipify("mappings", "lint", "mine.yaml").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lint", "missing.yaml"), b"missing.yaml"),
        (("apply", "missing.yaml"), b"missing.yaml"),
        (("verify", "--headers", "nowhere"), b"mappings fetch"),
        (("derive", "--headers", "nowhere"), b"mappings fetch"),
        (("fetch", "cuda-1.0"), b"cuda-1.0"),
        (("diff",), b"--cuda"),
        (("diff", "--cuda", "nowhere"), b"does not say its version"),
        (("diff", "--cuda", "14.1=nowhere"), b"nowhere"),
        (("coverage", "--against", "missing.csv"), b"missing.csv"),
        (("funk",), b"funk"),
    ],
)
def test_wrong_usage(hipify: Run, arguments: tuple[str, ...], message: bytes) -> None:
    run = hipify("mappings", *arguments)
    assert run.returncode == 2, run.stderr
    assert message in run.stderr
    assert run.stdout == b""


def test_apply_changes_the_tables_of_a_folder(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.yaml").write_text(TABLE)
    (tmp_path / "patch.yaml").write_text("mine: {functions: {c: d, a: null}}\n")
    run = hipify("mappings", "apply", "--tables", "tables", "patch.yaml")
    assert (run.returncode, run.stderr) == (0, b"mine.yaml changed\n")
    assert (tmp_path / "tables" / "mine.yaml").read_text() == TABLE.replace("  a: b", "  c: d")


@pytest.mark.parametrize("patch", ["[1]", "other: {functions: {a: b}}", "mine: {functions: {a: {x: 1}}}", "{", "\0"])
def test_a_wrong_patch_changes_nothing(hipify: Run, tmp_path: Path, patch: str) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.yaml").write_text(TABLE)
    (tmp_path / "patch.yaml").write_text(patch)
    assert hipify("mappings", "apply", "--tables", "tables", "patch.yaml").returncode == 2
    assert (tmp_path / "tables" / "mine.yaml").read_text() == TABLE


def test_the_summary_of_the_coverage_is_not_stale(hipify: Run) -> None:
    run = hipify("mappings", "coverage", "--check", cwd=REPOSITORY)
    assert (run.returncode, run.stdout) == (0, b"")


def test_a_stale_summary_is_found_and_mended(hipify: Run, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (tmp_path / "rows.csv").write_text("cuda,library,hip,roc\ncudaMalloc,runtime,yes,no\n")
    (pages / "gone.md").write_text("A page of a table that is gone.\n")
    coverage = ("mappings", "coverage", "--out", "pages", "--against", "rows.csv")
    assert hipify(*coverage, "--check").returncode == 1
    assert hipify(*coverage).returncode == 0
    assert hipify(*coverage, "--check").returncode == 0
    assert not (pages / "gone.md").exists()
    assert "`cudaMalloc`" in (pages / "runtime.md").read_text()
    (pages / "runtime.md").unlink()
    assert hipify(*coverage, "--check").returncode == 0, "the pages of the tables are built, not checked"
    (tmp_path / "rows.csv").write_text("cuda,library,hip,roc\ncudaMalloc,runtime,yes,no\ncudaNothing,runtime,no,no\n")
    run = hipify(*coverage, "--check")
    assert run.returncode == 1
    assert b"cudaNothing of HIPIFY's list has no row" in run.stdout
