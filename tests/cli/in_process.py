"""The command line within the test's own process: a process for each of many hundred command lines takes minutes."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.cli import main
from hipify_py.cli.quick import quick_check


def run_here(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None, input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """What `hipify-py` prints and returns in a folder; `env` adds to the environment."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in {"TERM": "dumb", **(env or {})}.items():
            patch.setenv(name, value)
        for name, stream in (("stdin", io.TextIOWrapper(io.BytesIO(input))), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        status = quick_check(list(arguments))
        if status is None:
            status = main.run(list(arguments))
    printed = (stream.buffer.getvalue() for stream in (out, err))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, status, *printed)
