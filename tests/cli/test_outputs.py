"""Formats on standard output and in files, several in one run."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.report.formats import names
from tests.cli.conftest import REPOSITORY, Run

BAD = b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"


@pytest.fixture(autouse=True)
def _source(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(BAD)


@pytest.mark.parametrize("command", [("check",), ("report",), ("convert", "-o", "out")])
def test_several_formats_in_one_run(hipify: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    run = hipify(
        *command, "a.cu", "--output-file", "json=all.json", "--output-file", "csv=all.csv", "--format", "jsonl"
    )
    document = json.loads((tmp_path / "all.json").read_text())
    assert document["command"] == command[0]
    findings = [finding for file in document["files"] for finding in file["findings"]]
    assert [json.loads(line) for line in run.stdout.splitlines()] == findings
    assert (tmp_path / "all.csv").read_text().count("HIP101") == 1


@pytest.mark.parametrize("command", [("check",), ("report",), ("convert", "-o", "out")])
def test_all_formats_in_one_run(hipify: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    outputs = [part for name in names() for part in ("--output-file", f"{name}=all/{name}")]
    hipify(*command, "a.cu", *outputs)
    assert {path.name for path in (tmp_path / "all").iterdir()} == set(names())
    for name in set(names()) - {"badge", "shields"}:
        said = b"cudaGraph" if command[0] != "report" or name != "text" else b"coverage"
        assert said in (tmp_path / "all" / name).read_bytes()


def test_convert_prints_no_account_unasked(hipify: Run) -> None:
    assert hipify("convert", "a.cu", "-o", "out").stdout == b""


@pytest.mark.parametrize("way", ["--stdout", "--diff"])
def test_standard_output_has_one_use(hipify: Run, tmp_path: Path, way: str) -> None:
    run = hipify("convert", "a.cu", way, "--format", "json")
    assert run.returncode == 2
    assert b"--output-file" in run.stderr
    run = hipify("convert", "a.cu", way, "--output-file", "json=all.json")
    assert b'"format"' not in run.stdout
    assert json.loads((tmp_path / "all.json").read_text())["command"] == "convert"


@pytest.mark.parametrize("wrong", ["json", "json=", "=a", "jsno=a", "=", ""])
def test_a_wrong_output_file_is_a_mistake_in_use(hipify: Run, wrong: str) -> None:
    run = hipify("check", "a.cu", "--output-file", wrong)
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr


def test_two_formats_do_not_go_to_one_file(hipify: Run) -> None:
    assert hipify("check", "a.cu", "--output-file", "json=x", "--output-file", "csv=./x").returncode == 2


def test_a_file_that_cannot_be_written_is_told(hipify: Run) -> None:
    run = hipify("check", "a.cu", "--output-file", "json=a.cu/x")
    assert run.returncode == 2
    assert b"a.cu/x" in run.stderr
    assert b"Traceback" not in run.stderr


def test_folders_are_made(hipify: Run, tmp_path: Path) -> None:
    hipify("check", "a.cu", "--output-file", "json=build/reports/all.json")
    assert json.loads((tmp_path / "build" / "reports" / "all.json").read_text())


def test_a_device_takes_an_account(process: Run) -> None:
    run = process("check", "a.cu", "--output-file", "jsonl=/dev/stdout", "--format", "csv")
    assert run.stdout.count(b"a.cu,1,12,1,44,error,HIP101") == run.stdout.count(b'"id": "HIP101"') == 1


def test_report_obeys_fail_on(hipify: Run) -> None:
    assert hipify("report", "a.cu").returncode == 0
    assert hipify("report", "a.cu", "--fail-on", "error").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "is_colored"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_colours(hipify: Run, arguments: tuple[str, ...], environment: dict[str, str], is_colored: bool) -> None:
    run = hipify("check", "a.cu", "--format", "text", *arguments, env=environment)
    assert (b"\x1b[" in run.stdout) is is_colored


@pytest.mark.parametrize("arguments", [("a.cu",), ("a.cu", "--no-gitignore")])
def test_a_terminal_gets_colours_and_groups(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """By the short way for a few files, and by the whole command line."""
    parent, child = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "hipify_py", "check", *arguments]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=child, stderr=subprocess.DEVNULL) as run:
        os.close(child)
        shown = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        run.wait()
    os.close(parent)
    assert shown.startswith(b"\x1b[1ma.cu\x1b[0m\r\n")


@pytest.mark.parametrize(
    "arguments", [("check", "a.cu"), ("report", "."), ("convert", "a.cu", "-o", "out"), ("convert", "a.cu", "--diff")]
)
def test_the_page_has_the_changes_of_each_command(quickly: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.cu").write_bytes(b"void f() { cudaFree(0); }\n")
    for _ in range(2):  # the second one by the results that the first has kept
        quickly(*arguments, "--output-file", "html=page.html")
        assert r'[1,1,"","void f() { cudaFree(0); }\n' in (tmp_path / "page.html").read_text()


def test_a_link_is_written_through(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("place.json")
    hipify("check", "a.cu", "--output-file", "json=link")
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "place.json").read_text())
