"""Completion in the shells themselves, as docs/completion.md sets it up."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY

SHELLS = ("bash", "zsh", "fish")

# What the shell does when Tab is pressed after these words. zsh completes in a line editor only: its part is called with
# stand-ins for the functions that show what it finds.
ASK = {
    "bash": """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_hipify_py_completion hipify-py "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { :; }
_describe() { print -l -- "${(@P)3%%:*}"; }
compadd() { print -l -- "${(@P)5}"; }
source "$1"; shift
words=("$@"); CURRENT=$#
_hipify_py_completion
""",
    "fish": """
source $argv[1]
complete --do-complete "$argv[2..-1]" | string replace --regex '\\t.*' ''
""",
}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `hipify-py` is this checkout's."""
    tools = tmp_path / "tools"
    tools.mkdir()
    stand_in = tools / "hipify-py"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipify_py "$@"\n')
    stand_in.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(REPOSITORY), "HOME": str(tmp_path)}


def script_of(shell: str, environment: dict[str, str]) -> str:
    asked = {**environment, "_HIPIFY_PY_COMPLETE": f"{shell}_source"}
    done = subprocess.run(["hipify-py"], env=asked, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(environment: dict[str, str], shell: str) -> None:
    script = script_of(shell, environment)
    assert f"_HIPIFY_PY_COMPLETE={shell}_complete" in script
    assert "_hipify_py_completion" in script


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ch"], ["check"]),
        (["co"], ["convert", "config", "compile"]),
        (["check", "--format", "git"], ["github", "gitlab"]),
        (["convert", "--in-p"], ["--in-place"]),
        (["baseline", "pr"], ["prune"]),
    ],
    ids="-".join,
)
@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_completes(
    environment: dict[str, str], tmp_path: Path, shell: str, words: list[str], expected: list[str]
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: its completion is NOT tested")
    script = tmp_path / "completion"
    script.write_text(script_of(shell, environment))
    ask = tmp_path / "ask"
    ask.write_text(ASK[shell])
    plain = {"bash": ["--noprofile", "--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    line = ["hipify-py", *words]
    command = [shell, *plain, str(ask), str(script), *line]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.stderr == ""
    assert sorted(done.stdout.split()) == sorted(expected)


def test_the_page_names_what_each_shell_asks_for() -> None:
    page = (REPOSITORY / "docs" / "completion.md").read_text()
    assert re.findall(r"_HIPIFY_PY_COMPLETE=(\w+)_source hipify-py > ", page) == list(SHELLS)
