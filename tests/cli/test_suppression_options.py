"""`--ignore`, `ignore` and `per-file-ignores`, `--annotate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

BAD = b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"


@pytest.fixture(autouse=True)
def sources(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(BAD)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "b.cu").write_bytes(BAD)


def test_suppressed_findings_do_not_count_but_are_counted(hipify: Run) -> None:
    assert hipify("check", "a.cu").returncode == 1
    result = hipify("check", "a.cu", "--ignore", "hip101")
    assert (result.returncode, result.stdout) == (0, b"")
    assert b"1 unsupported" in result.stderr
    assert b"1 suppressed" in result.stderr
    document = json.loads(hipify("check", "a.cu", "--ignore", "HIP101", "--format", "json").stdout)
    assert document["totals"]["suppressed"] == 1
    assert document["totals"]["findings"]["error"] == 0
    assert [finding["id"] for finding in document["files"][0]["suppressed"]] == ["HIP101"]


def test_the_configuration_suppresses_everywhere(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text('ignore = ["HIP101"]\n')
    assert hipify("check", ".").returncode == 0
    assert hipify("check", ".", "--ignore", "HIP305").returncode == 0  # the command line adds to it


def test_the_configuration_suppresses_by_file_from_wherever_it_runs(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text('[per-file-ignores]\n"old/" = ["HIP101"]\n')
    assert hipify("check", "old").returncode == 0
    assert hipify("check", "a.cu").returncode == 1
    assert hipify("check", "b.cu", cwd=tmp_path / "old").returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        'ignore = ["HIP999"]',
        'ignore = "HIP101"',
        "ignore = [1]",
        'per-file-ignores = ["HIP101"]',
        '[per-file-ignores]\n"*.cu" = "HIP101"',
        '[per-file-ignores]\n"*.cu" = ["HIP0"]',
        '[per-file-ignores]\n"!" = ["HIP101"]',
    ],
)
def test_a_wrong_configuration_is_told(hipify: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "hipify-py.toml").write_text(text + "\n")
    result = hipify("check", "a.cu")
    assert result.returncode == 2
    assert b"hipify-py.toml" in result.stderr
    assert b"Traceback" not in result.stderr


def test_an_unknown_id_on_the_command_line_is_told(hipify: Run) -> None:
    result = hipify("check", "a.cu", "--ignore", "HIP999")
    assert result.returncode == 2
    assert b"HIP999" in result.stderr


def test_annotate_writes_findings_above_their_lines(hipify: Run, tmp_path: Path) -> None:
    assert hipify("convert", "a.cu", "--in-place", "--force", "--annotate", "--fail-on", "never").returncode == 0
    text = (tmp_path / "a.cu").read_bytes()
    assert b"\n// HIP101: cudaGraphConditionalHandleCreate" in b"\n" + text
    hipify("convert", "a.cu", "--in-place", "--force", "--annotate", "--force", "--fail-on", "never")
    assert (tmp_path / "a.cu").read_bytes() == text


def test_the_report_adds_up_what_is_left_by_file(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "old" / "b.cu").write_bytes(
        BAD * 2 + b"void g() { cudaFooBar(1); }\n" + BAD[:-1] + b" // hipify: ignore\n"
    )
    document = json.loads(hipify("report", ".", "--format", "json").stdout)
    assert document["totals"]["effort"] == {"low": 1, "medium": 1, "high": 0}
    efforts = {file["path"]: [finding["effort"] for finding in file["findings"]] for file in document["files"]}
    assert efforts == {"a.cu": ["medium"], "old/b.cu": ["medium", "medium", "low"]}
    assert document["totals"]["suppressed"] == 1
    text = hipify("report", ".").stdout.decode()
    assert "\n1 cause blocks the port (effort: 1 medium), " in text
    assert "\n1 finding suppressed\n" in text
    assert "Findings by file and effort" in text
