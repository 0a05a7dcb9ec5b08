"""A client of the server, as coding agents have one: the SDK's own, over standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

mcp = pytest.importorskip("mcp", reason="the extra [mcp] is not installed")

REPOSITORY = Path(__file__).resolve().parents[2]


def parameters(folder: Path, *arguments: str) -> Any:
    """How the server of this checkout is started in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "hipify_py", "mcp", *arguments], env=environment, cwd=folder
    )


def talk(folder: Path, conversation: Callable[[Any], Awaitable[None]], *arguments: str) -> None:
    """Start the server in a folder, and have a conversation with it."""

    async def main() -> None:
        with anyio.fail_after(240):
            async with mcp.Client(parameters(folder, *arguments)) as client:
                await conversation(client)

    anyio.run(main)


async def called(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a call that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    found: dict[str, Any] = result.structured_content
    return found


async def refused(client: Any, tool: str, **arguments: Any) -> str:
    """The words of a call that fails."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    said: str = result.content[0].text
    return said
