"""`hipify-py mappings lint` as its users run it; what it finds is tested in tests/tables/test_lint.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

TABLE = "library: mine\ntitle: Mine\n\nfunctions:\n  a: b\n"


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


@pytest.mark.parametrize(("arguments", "message"), [(("lint", "missing.yaml"), b"missing.yaml"), (("funk",), b"funk")])
def test_wrong_usage(hipify: Run, arguments: tuple[str, ...], message: bytes) -> None:
    run = hipify("mappings", *arguments)
    assert run.returncode == 2, run.stderr
    assert message in run.stderr
    assert run.stdout == b""
