"""Runs programs, and says what they printed when they fail."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from releasing.refusal import Refusal


def run(
    *command: str | Path,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    expected: tuple[int, ...] = (0,),
) -> str:
    """Run a program and return what it printed on standard output.

    Raises:
        Refusal: when its exit status is none of those that are expected.
    """
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode not in expected:
        raise Refusal(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout
