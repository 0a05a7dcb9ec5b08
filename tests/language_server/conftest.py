"""A server for each test, as editors start it: a process that speaks over its standard streams."""

from __future__ import annotations

import sys

import pytest_lsp

from .editor import Editor, environment, make_editor


@pytest_lsp.fixture(
    config=pytest_lsp.ClientServerConfig(
        server_command=[sys.executable, "-m", "hipify_py", "lsp"],
        client_factory=make_editor,
        server_env={**environment()},
    )
)
async def editor(lsp_client: Editor):  # type: ignore[no-untyped-def]
    """An editor with a server that has not been spoken to yet."""
    yield
    await lsp_client.shutdown_session()
