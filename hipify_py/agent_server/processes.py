"""Does a run in a process of its own, passes on its progress, and ends it if the client cancels the call."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.server.mcpserver.exceptions import ToolError

from hipify_py.agent_server.request import PROGRESS, RESULT, Request, answer_in

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""Passes on how far a run is: the files that are done, their number if it is known, and what is being done."""

_JOB = "hipify_py.agent_server.job"
_LONGEST_LINE = 8 << 20
_GRACE = 10.0
"""Seconds that a cancelled run has to remove its temporary files."""


async def do(asked: Request, tell: Tell) -> dict[str, Any]:
    """Do a run; returns its result.

    Raises:
        ToolError: the run was refused or failed; the message is for the agent.
    """
    process = await anyio.open_process(
        [sys.executable, "-m", _JOB],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None,  # what it says to people goes where the server's own messages go
        start_new_session=os.name == "posix",
    )
    try:
        return await _answer(process, asked, tell)
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _answer(process: Process, asked: Request, tell: Tell) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(anyio.BrokenResourceError):  # it has ended, as the missing answer tells
        await process.stdin.send(asked.line())
        await process.stdin.aclose()
    lines = BufferedByteReceiveStream(process.stdout)
    while True:
        try:
            line = await lines.receive_until(b"\n", _LONGEST_LINE)
        except anyio.DelimiterNotFound as error:
            raise ToolError("the run answers with an endless line; the server goes on") from error
        except (anyio.IncompleteRead, anyio.EndOfStream) as error:
            status = await process.wait()
            raise ToolError(f"the run ended without an answer, with status {status}; the server goes on") from error
        kind, value = answer_in(line)
        if kind == PROGRESS:
            await tell(value["done"], value["files"] or None, value["phase"])
        elif kind == RESULT:
            result: dict[str, Any] = value
            return result
        else:
            raise ToolError(value)


async def _end(process: Process) -> None:
    """End a run that is still going: first as Ctrl-C does, so that it can remove its temporary files."""
    if process.returncode is None:
        with anyio.move_on_after(0.5):  # one that has answered ends by itself
            await process.wait()
    for harsh in (False, True):
        if process.returncode is not None:
            break
        with suppress(ProcessLookupError):
            _stop(process, harsh=harsh)
        with anyio.move_on_after(_GRACE):
            await process.wait()
    await process.aclose()


def _stop(process: Process, *, harsh: bool) -> None:
    """Ask a run, and the compilers that it has started, to end, or end them."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL if harsh else signal.SIGINT)
    else:
        process.terminate()
