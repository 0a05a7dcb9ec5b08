"""Standard streams that are closed or full, and errors of ours: the exit status says what happened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY

CODE = b"".join(b"void f%d(void *p) { cudaFree(p); cudaNoSuchThing%d(); }\n" % (n, n) for n in range(2000))
COMMANDS = (
    "check src/a.cu",
    "check src --format json",
    "check -",
    "convert src/a.cu --stdout",
    "convert src --diff",
    "query cuda*",
    "--help",
)
needs_posix = pytest.mark.skipif(os.name != "posix", reason="shells and devices of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(CODE)
    return tmp_path


def shell(folder: Path, command: str, around: str) -> subprocess.CompletedProcess[bytes]:
    """A command within a line of bash, at the place of `{}`."""
    line = around.replace("{}", f"'{sys.executable}' -m hipify_py {command}")
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, timeout=120, check=False
    )


@needs_posix
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output_is_said(folder: Path, command: str) -> None:
    done = shell(folder, command, "{} > /dev/full < src/a.cu")
    assert done.returncode == 3
    assert b"Error: cannot write to standard output: " in done.stderr
    assert b"Traceback" not in done.stderr


@needs_posix
@pytest.mark.parametrize("command", ["check src/a.cu", "check -", "convert src --diff", "explain HIP301", "--help"])
@pytest.mark.parametrize("streams", [">&-", ">&- 2>&-", "2>&- >/dev/null", "2>/dev/full >/dev/null"])
def test_streams_that_nobody_wants_change_nothing(folder: Path, command: str, streams: str) -> None:
    done = shell(folder, command, f"{{}} < src/a.cu {streams}")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr


@needs_posix
@pytest.mark.parametrize(
    "command", ["check src", "report src --format json", "query cuda*", "convert src/a.cu --stdout"]
)
def test_a_reader_that_leaves_ends_the_run_quietly(folder: Path, command: str) -> None:
    done = shell(folder, command, "{} | true; exit ${PIPESTATUS[0]}")
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@needs_posix
def test_files_do_not_get_the_numbers_of_closed_streams(folder: Path) -> None:
    """What a compiler or a library prints would go into them."""
    done = shell(folder, "convert src -o out", "{} <&- >&- 2>&-")
    assert done.returncode == 0
    assert (folder / "out" / "a.cu").read_bytes().endswith(CODE.replace(b"cudaFree", b"hipFree"))


@needs_posix
def test_a_closed_standard_input_is_an_empty_one(folder: Path) -> None:
    done = shell(folder, "convert - --stdout", "{} <&-")
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("command", ["check src", "check src/a.cu", "report src", "doctor"])
def test_an_error_of_ours_is_no_finding(folder: Path, command: str) -> None:
    breaks = "import sys; import hipify_py.report.text as text\nimport hipify_py.cli.main as command_line\n"
    breaks += "def fail(*given, **more): raise ZeroDivisionError('of a test')\n"
    breaks += "import hipify_py.cli.quick as quick\nquick._check = command_line.cli.main = fail\n"
    breaks += f"sys.argv[1:] = {command.split()!r}\nfrom hipify_py.__main__ import main\nmain()\n"
    done = subprocess.run([sys.executable, "-c", breaks], cwd=folder, capture_output=True, timeout=120, check=False)
    assert done.returncode == 4
    assert b"ZeroDivisionError: of a test\nError: an internal error in hipify-py " in done.stderr
