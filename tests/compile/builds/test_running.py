"""The programs of a build end with us, however we end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipify_py.compile.builds.running import Step, run_step

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")

REPOSITORY = Path(__file__).resolve().parents[3]
LINGERS = "echo $$; sleep 600 & echo $!; wait"
"""Says its own number and that of a program that it starts."""


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def are_gone(numbers: list[int]) -> bool:
    for _ in range(200):
        if not any(map(is_running, numbers)):
            return True
        time.sleep(0.05)
    return False


def test_lines_and_status(tmp_path: Path) -> None:
    heard: list[str] = []
    command = ["sh", "-c", "echo one; echo two >&2; pwd; printf 'X%s' $X; exit 3"]
    assert run_step(Step("building", command, str(tmp_path)), {**os.environ, "X": "y"}, heard.append) == 3
    assert heard == ["one", "two", os.path.realpath(tmp_path), "Xy"]


def test_a_program_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_step(Step("building", ["/nowhere/make"], str(tmp_path)), os.environ, print)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
def test_all_ends_when_we_are_interrupted(tmp_path: Path) -> None:
    heard: list[int] = []

    def hear(line: str) -> None:
        heard.append(int(line))
        if len(heard) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_step(Step("building", ["sh", "-c", LINGERS], str(tmp_path)), os.environ, hear)
    assert len(heard) == 2
    assert are_gone(heard)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_all_ends_when_we_are_killed(tmp_path: Path, number: signal.Signals) -> None:
    program = (
        "import os\n"
        "from hipify_py.__main__ import install_signal_handlers\n"
        "from hipify_py.compile.builds.running import Step, run_step\n"
        "install_signal_handlers()\n"
        f"step = Step('building', ['sh', '-c', {LINGERS!r}], {str(tmp_path)!r})\n"
        "run_step(step, os.environ, lambda line: print(line, flush=True))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as run:
        assert run.stdout is not None
        started = [int(run.stdout.readline()) for _ in range(2)]
        assert all(map(is_running, started))
        run.send_signal(number)
        run.wait()
        assert are_gone(started)
