"""`report --fail-under`, `--max-effort`, and the same in the configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hipify_py.report.document import document_of, report_of

from .conftest import Run

SOURCE = """\
#include <cublas_v2.h>
void f(cublasHandle_t handle, void *p) {
  cublasCreate(&handle);
  cublasDestroy(handle);
  cudaFree(p);
  cudaFree(p);
  cudaGraphConditionalHandleCreate(0, 0, 0, 0);
  cudaFooBar(1);
}
"""
"""Eight references, four of them to cuBLAS, two of them left; causes of low and medium effort."""


@pytest.fixture(autouse=True)
def _source(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)


def gates(run: Any) -> dict[str, bool]:
    document: dict[str, Any] = json.loads(run.stdout)
    assert document_of(report_of(document)) == document
    return {gate["name"]: gate["passed"] for gate in document["gates"]}


def test_the_counts_that_this_is_about(quickly: Run) -> None:
    totals = json.loads(quickly("report", "a.cu", "--format", "json").stdout)
    assert totals["totals"]["references"]["total"] == 8
    assert totals["totals"]["references"]["coverage"] == 0.75
    assert totals["totals"]["effort"] == {"low": 1, "medium": 1, "high": 0}
    assert totals["libraries"]["cublas"]["coverage"] == 1
    assert totals["gates"] == []


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (("--fail-under", "75"), {"coverage": True}),
        (("--fail-under", "75.001"), {"coverage": False}),
        (("--fail-under", "0"), {"coverage": True}),
        (("--fail-under", "cublas=100"), {"coverage of cublas": True}),
        (("--fail-under", "runtime=50.1"), {"coverage of runtime": False}),
        (("--fail-under", "70", "--fail-under", "runtime=90"), {"coverage": True, "coverage of runtime": False}),
        (("--fail-under", "cufft=100"), {"coverage of cufft": True}),
        (("--fail-under", "10", "--fail-under", "90"), {"coverage": False}),
        (("--max-effort", "high=0"), {"causes of high effort": True}),
        (("--max-effort", "medium=0"), {"causes of medium effort": False}),
        (
            ("--max-effort", "low=1", "--max-effort", "high=0"),
            {"causes of high effort": True, "causes of low effort": True},
        ),
    ],
)
def test_gates(quickly: Run, arguments: tuple[str, ...], passed: dict[str, bool]) -> None:
    run = quickly("report", "a.cu", "--format", "json", *arguments)
    assert gates(run) == passed
    assert run.returncode == (0 if all(passed.values()) else 1)
    assert run.stderr.count(b"gate failed: ") == [*passed.values()].count(False)


def test_a_failed_gate_says_by_how_much(quickly: Run) -> None:
    run = quickly(
        "report", "a.cu", "-q", "--fail-under", "95", "--fail-under", "runtime=100", "--max-effort", "medium=0"
    )
    assert run.returncode == 1
    assert run.stderr.decode().splitlines() == [
        "gate failed: coverage is 75.0 %, 20.0 below the required 95 % (2 of 8 CUDA references left)",
        "gate failed: coverage of runtime is 50.0 %, 50.0 below the required 100 % (2 of 4 CUDA references left)",
        "gate failed: 1 cause of medium effort, 1 more than allowed",
    ]


def test_no_rounding_lets_a_gate_pass(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f(void *p) {\n" + "  cudaFree(p);\n" * 2999 + "  cudaFooBar(1);\n}\n")
    run = quickly("report", "a.cu", "-q", "--fail-under", "100")
    assert run.returncode == 1
    assert b"coverage is 99.9 %, 0.1 below the required 100 %" in run.stderr
    assert quickly("report", "a.cu", "--fail-under", "99.96").returncode == 0


def test_exit_zero_and_failures_win(quickly: Run, tmp_path: Path) -> None:
    assert quickly("report", "a.cu", "--fail-under", "100", "--exit-zero").returncode == 0
    (tmp_path / "b.cu").write_bytes("int a;\n".encode("utf-16"))
    assert quickly("report", "a.cu", "b.cu", "--fail-under", "100").returncode == 3
    assert quickly("report", "a.cu", "--fail-under", "75", "--fail-on", "error").returncode == 1


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("fail-under = 95", {"coverage": False}),
        ("fail-under = 75", {"coverage": True}),
        ("[fail-under]\ntotal = 70\ncublas = 100.0", {"coverage": True, "coverage of cublas": True}),
        ("[fail-under]\nruntime = 90", {"coverage of runtime": False}),
        ("[max-effort]\nhigh = 0\nmedium = 0", {"causes of high effort": True, "causes of medium effort": False}),
    ],
)
def test_the_configuration_has_gates(quickly: Run, tmp_path: Path, text: str, passed: dict[str, bool]) -> None:
    (tmp_path / "hipify-py.toml").write_text(text + "\n")
    run = quickly("report", "a.cu", "--format", "json")
    assert gates(run) == passed
    assert run.returncode == (0 if all(passed.values()) else 1)
    assert quickly("check", "a.cu", "--fail-on", "never").returncode == 0


def test_the_command_line_overrides_one_by_one(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text("[fail-under]\ntotal = 95\ncublas = 100\n[max-effort]\nmedium = 0\n")
    run = quickly("report", "a.cu", "--format", "json", "--fail-under", "70", "--max-effort", "medium=1")
    assert gates(run) == {"coverage": True, "coverage of cublas": True, "causes of medium effort": True}
    assert run.returncode == 0


def test_packages_have_gates_of_their_own(quickly: Run, tmp_path: Path) -> None:
    """Those of a configuration hold for its paths, those of the command line for all together."""
    for name, text in (("one", SOURCE), ("two", "void f(void *p) { cudaFree(p); }\n" * 16)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.cu").write_text(text)
        (tmp_path / name / "hipify-py.toml").write_text("fail-under = 90\n")
    run = quickly("report", "one", "two", "--format", "json", "--max-effort", "medium=1")
    assert gates(run) == {"coverage in one": False, "coverage in two": True, "causes of medium effort": True}
    assert run.returncode == 1
    run = quickly("report", "one", "two", "--format", "json", "--fail-under", "90")
    assert gates(run) == {"coverage": True}
    assert run.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        *[
            ("--fail-under", text)
            for text in ("", "x", "101", "-1", "nan", "inf", "cublas", "cublas=", "=90", "cublas=x")
        ],
        ("--fail-under", "cublass=90"),
        *[("--max-effort", text) for text in ("", "high", "high=", "high=-1", "high=x", "huge=0", "=0", "high=1.5")],
    ],
)
def test_a_wrong_gate_is_a_mistake_in_use(quickly: Run, arguments: tuple[str, ...]) -> None:
    run = quickly("report", "a.cu", *arguments)
    assert run.returncode == 2
    assert arguments[0].encode() in run.stderr
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize(
    "text",
    [
        'fail-under = "95"',
        "fail-under = 101",
        "fail-under = true",
        "fail-under = nan",
        "[fail-under]\ncublas = -1",
        "[fail-under]\ncublass = 95",
        "max-effort = 3",
        "[max-effort]\nhuge = 0",
        "[max-effort]\nhigh = -1",
        "[max-effort]\nhigh = 0.5",
    ],
)
def test_a_wrong_configuration_is_told(quickly: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "hipify-py.toml").write_text(text + "\n")
    run = quickly("report", "a.cu")
    assert run.returncode == 2
    assert b"hipify-py.toml" in run.stderr
    assert b"Traceback" not in run.stderr
