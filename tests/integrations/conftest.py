"""Runs the shell parts of the integrations as a build server does, in a small project, with this checkout's hipify-py."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]

PORTABLE = b"void f() { float *a; cudaMalloc(&a, 4); }\n"
UNSUPPORTED = b"void g() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"

HOSTILE = "$(touch pwned)`touch pwned`; touch pwned # ' \" \\"
"""A name that runs a command wherever it becomes part of a shell's text."""

Shell = Callable[..., "subprocess.CompletedProcess[str]"]


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


def check_schema(schema: str, *files: Path) -> None:
    """Assert that the files fit the schema of that name, which check-jsonschema brings along."""
    if importlib.util.find_spec("check_jsonschema") is None:
        pytest.skip("check-jsonschema is not installed: the schemas of the integrations are NOT checked")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    # Azure's schema has patterns that are no Unicode regular expressions.
    command += ["--regex-variant", "nonunicode", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with a file that HIP takes whole and one that it does not."""
    root = tmp_path / "checkout"
    (root / "src").mkdir(parents=True)
    (root / "src" / "good.cu").write_bytes(PORTABLE)
    (root / "src" / "bad.cu").write_bytes(UNSUPPORTED)
    return root


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The server's folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def shell(tmp_path: Path, project: Path) -> Shell:
    """`shell(text, {"NAME": "value"}, "bash", "-e")` runs a text at the top of the project."""
    tools = tmp_path / "tools"
    tools.mkdir()
    stand_in = tools / "hipify-py"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipify_py "$@"\n')
    stand_in.chmod(0o755)

    def run(text: str, variables: Mapping[str, str], *command: str) -> subprocess.CompletedProcess[str]:
        assert shutil.which(command[0]) is not None, f"{command[0]} is not installed"
        script = tmp_path / "script.sh"
        script.write_text(text)
        environment = {
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY),
            "CI": "true",
            **variables,
        }
        return subprocess.run(
            [*command, str(script)], cwd=project, env=environment, capture_output=True, text=True, timeout=600
        )

    return run
