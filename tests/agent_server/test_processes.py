"""A run that falls over or is cancelled ends alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import anyio
import pytest

from hipify_py.agent_server import request
from hipify_py.agent_server.request import Request

from .client import REPOSITORY

processes = pytest.importorskip("hipify_py.agent_server.processes", reason="the extra [mcp] is not installed")
ToolError = processes.ToolError


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    monkeypatch.setenv("PYTHONPATH", f"{REPOSITORY}{os.pathsep}{tmp_path}")
    (tmp_path / "a.cu").write_text("void f() { cudaFoo(); }\n")
    return Request(request.CHECK, [str(tmp_path)], ["a.cu"], limit=10)


async def ignore(done: float, of: float | None, what: str) -> None:
    pass


def test_a_run_that_ends_without_an_answer(asked: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_JOB", "no_such_module")
    with pytest.raises(ToolError, match="ended without an answer, with status 1"):
        anyio.run(processes.do, asked, ignore)


def test_a_run_that_crashes(asked: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crashing.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setattr(processes, "_JOB", "crashing")
    with pytest.raises(ToolError, match="ended without an answer, with status -11"):
        anyio.run(processes.do, asked, ignore)


def test_an_endless_line_is_not_kept(asked: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text("while True: print('x' * 65536, end='')\n")
    monkeypatch.setattr(processes, "_JOB", "endless")
    with pytest.raises(ToolError, match="endless line"):
        anyio.run(processes.do, asked, ignore)


@pytest.mark.parametrize("deaf", [False, True])
def test_a_cancelled_run_is_ended(asked: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: bool) -> None:
    program = "import signal, time\n"
    program += "signal.signal(signal.SIGINT, signal.SIG_IGN)\n" if deaf else ""
    program += 'print(\'{"kind": "progress", "value": {"done": 1, "files": 2, "phase": "x"}}\', flush=True)\n'
    (tmp_path / "slow.py").write_text(program + "time.sleep(600)\n")
    monkeypatch.setattr(processes, "_JOB", "slow")
    monkeypatch.setattr(processes, "_GRACE", 0.5)
    started: list[Any] = []
    real = anyio.open_process

    async def opened(*arguments: Any, **more: Any) -> Any:
        started.append(await real(*arguments, **more))
        return started[-1]

    monkeypatch.setattr(processes.anyio, "open_process", opened)

    async def main() -> None:
        with anyio.CancelScope() as scope:

            async def cancel(done: float, of: float | None, what: str) -> None:
                assert (done, of, what) == (1, 2, "x")
                scope.cancel()

            await processes.do(asked, cancel)
        assert scope.cancelled_caught

    anyio.run(main)
    assert started[0].returncode == (-9 if deaf else -2)
