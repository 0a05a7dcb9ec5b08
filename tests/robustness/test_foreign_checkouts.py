"""A checkout whose `.git` names programs, or cannot be read: no program runs, and no work is lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HOSTILE = """\
[core]
\trepositoryformatversion = 0
\tfsmonitor = {program}
\tsshCommand = {program}
\tpager = {program}
\thooksPath = {folder}
\tattributesFile = {folder}/attributes
[filter "f"]
\tclean = {program}
\tprocess = {program}
\trequired = true
[diff]
\texternal = {program}
[include]
\tpath = /dev/zero
"""


@pytest.fixture
def checkout(project: Path) -> Path:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", *identity, *command], cwd=project, check=True, capture_output=True)
    return project


def test_programs_that_a_checkout_names_do_not_run(hipify: Run, checkout: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    program.chmod(0o755)
    (tmp_path / "attributes").write_text("*.cu filter=f\n")
    (checkout / ".git/config").write_text(HOSTILE.format(program=program, folder=tmp_path))
    done = hipify("convert", str(checkout), "--in-place")
    assert done.returncode == 0, done.stderr
    assert b"hipMalloc" in (checkout / "main.cu").read_bytes()
    (checkout / "main.cu").write_bytes(b"void f() { cudaFree(0); }\n")
    assert hipify("convert", str(checkout), "--in-place").returncode == 2
    assert not (tmp_path / "ran").exists()


def test_a_checkout_that_git_itself_refuses_is_still_guarded(hipify: Run, checkout: Path) -> None:
    """git refuses a checkout of another user; what is uncommitted there is kept all the same."""
    (checkout / "main.cu").write_bytes(b"void f() { cudaFree(0); }\n")
    done = hipify("convert", str(checkout), "--in-place", env={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert done.returncode == 2
    assert b"uncommitted changes in" in done.stderr
    assert (checkout / "main.cu").read_bytes() == b"void f() { cudaFree(0); }\n"


@pytest.mark.parametrize("name", ["index", "HEAD"])
def test_a_checkout_that_cannot_be_read_is_left_alone(hipify: Run, checkout: Path, name: str) -> None:
    (checkout / ".git" / name).write_bytes(b"damaged\n")
    before = (checkout / "main.cu").read_bytes()
    done = hipify("convert", str(checkout), "--in-place")
    assert done.returncode == 2
    assert b"cannot check for uncommitted changes" in done.stderr
    assert b"use --force to convert in place anyway" in done.stderr
    assert (checkout / "main.cu").read_bytes() == before
    assert hipify("convert", str(checkout), "--in-place", "--force").returncode == 0
    assert b"hipMalloc" in (checkout / "main.cu").read_bytes()
