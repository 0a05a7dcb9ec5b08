"""Runs the stand-ins in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.in_process import run_here


class Ended(NamedTuple):
    """What a tool printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def warnings(self) -> list[str]:
        """The lines that are warnings."""
        return [line for line in self.err.splitlines() if "warning: " in line]


Tool = Callable[..., Ended]


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    """`tool("perl", "-inplace", "a.cu")`: runs a stand-in in `tmp_path`."""

    def run(name: str, *arguments: str) -> Ended:
        done = run_here(tmp_path, "as", name, *arguments)
        texts = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
        return Ended(done.returncode, *texts)

    return run


@pytest.fixture
def perl(tool: Tool) -> Tool:
    """Runs the stand-in for hipify-perl."""
    return lambda *arguments: tool("perl", *arguments)


@pytest.fixture
def clang(tool: Tool) -> Tool:
    """Runs the stand-in for hipify-clang."""
    return lambda *arguments: tool("clang", *arguments)
