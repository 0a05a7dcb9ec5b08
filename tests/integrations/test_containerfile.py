"""The Containerfile: linted where hadolint is there, and built in no test."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY

FILE = REPOSITORY / "Containerfile"
LINES = FILE.read_text().replace("\\\n", "").splitlines()

HADOLINT = shutil.which("hadolint")


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed: the Containerfile is NOT linted")
def test_hadolint_finds_nothing() -> None:
    assert HADOLINT is not None
    done = subprocess.run([HADOLINT, "--failure-threshold", "style", str(FILE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_runs_as_somebody_else_than_root() -> None:
    users = [line.split()[1] for line in LINES if line.startswith("USER ")]
    assert len(users) == 1
    assert all(int(number) > 0 for number in users[0].split(":"))


@pytest.mark.slow
def test_what_it_copies_is_enough_to_build_from(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for line in LINES:
        copied = re.fullmatch(r"COPY (?!--)(.*) (/source\S*)", line)
        if copied is None:
            continue
        target = tmp_path / copied[2].strip("/")
        for name in copied[1].split():
            if (REPOSITORY / name).is_dir():
                shutil.copytree(REPOSITORY / name, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                source.mkdir(exist_ok=True)
                shutil.copy(REPOSITORY / name, target)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("hipify_py-*.whl"))) == 1
