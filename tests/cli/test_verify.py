"""`--verify`: a compiler's errors are findings of the run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from hipify_py.clang.toolchain import Part, Toolchain
from hipify_py.cli import verification
from hipify_py.compile.check import CompileReport
from hipify_py.compile.diagnostics import Message

from .conftest import Run

SOURCE = b"#include <cuda_runtime.h>\nvoid f(S *s) {\n  cudaFree(s->p);\n  cudaFoo(1);\n}\n"
PART = Part("/there", "7.1", "fetched")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_bytes(SOURCE)
    return tmp_path


def says(monkeypatch: pytest.MonkeyPatch, *messages: tuple[int, str]) -> None:
    """Have libclang find these errors, by their lines."""

    def checked(*_: object, **__: object) -> Sequence[CompileReport]:
        found = [Message("src/a.cu", line, 3, "error", text) for line, text in messages]
        return [CompileReport(3, 1, found, [], [])]

    monkeypatch.setattr(verification, "find_hipcc", lambda: None)
    monkeypatch.setattr(verification, "find_toolchain", lambda **_: Toolchain(PART, PART, PART, PART))
    monkeypatch.setattr(verification, "check_groups", checked)


def test_its_errors_join_the_list(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, (3, "no member named 'p' in 'S'"))
    document = json.loads(quickly("report", "--verify", "src", "--format", "json").stdout)
    assert document["verified"] == {
        "tool": "libclang 7.1 with the headers of HIP 7.1",
        "did": "parsed",
        "sources": 3,
        "failed": 1,
        "missing": [],
    }
    assert [(cause["id"], cause["title"]) for cause in document["causes"] if cause["severity"] == "error"] == [
        ("HIP920", "no member named 'p' in 'S'")
    ]


def test_what_was_announced_is_not_repeated(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "src/a.cu").write_bytes(b"void f(T g, H *h) { cudaGraphConditionalHandleCreate(h, g); }\n")
    says(monkeypatch, (1, "use of undeclared identifier"))
    (cause,) = json.loads(quickly("report", "--verify", "src", "--format", "json").stdout)["causes"]
    assert cause["id"] == "HIP101"


def test_a_header_that_is_not_installed_is_not_the_ports_fault(
    quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, (1, "'hipblas/hipblas.h' file not found"), (2, "'cublas_v2.h' file not found"))
    document = json.loads(quickly("report", "--verify", "src", "--format", "json").stdout)
    assert document["verified"]["missing"] == ["hipblas/hipblas.h"]
    assert [cause["title"] for cause in document["causes"] if cause["id"] == "HIP920"] == [
        "'cublas_v2.h' file not found"
    ]


def test_a_conversion_is_tried_as_well(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, (3, "no member named 'p' in 'S'"))
    run = quickly("convert", "--verify", "src", "-o", "out")
    assert run.returncode == 1
    assert b"src/a.cu:3:3: error HIP920 no member named 'p' in 'S'" in run.stderr
    assert b"hipFree(s->p);" in (project / "out/a.cu").read_bytes()


def test_without_any_compiler_it_is_refused(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "find_hipcc", lambda: None)
    monkeypatch.setattr(verification, "find_toolchain", lambda **_: Toolchain(None, None, None, None))
    run = quickly("report", "--verify", "src")
    assert run.returncode == 2
    assert b"--verify needs hipcc, or libclang with HIP's headers; " in run.stderr
    assert b"hipify-py fetch-headers" in run.stderr
