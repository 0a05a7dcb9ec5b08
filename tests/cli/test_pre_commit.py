"""The hooks, run by the real pre-commit from a repository that holds this checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY, VECTOR_ADD

pytestmark = [
    pytest.mark.slow,  # it makes an environment and installs the package
    pytest.mark.xdist_group("pre-commit"),
    pytest.mark.skipif(
        importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed: the hooks are NOT tested"
    ),
]

PACKAGED = ("hipify_py", "mappings", "pyproject.toml", ".pre-commit-hooks.yaml")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A git repository of this checkout as it stands, and its revision."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in PACKAGED:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for name in ("README.md", "LICENSE"):  # the build asks for them; what they say is no matter here
        (folder / name).write_text("\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "hooks")
    return folder, git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pre-commit-home")


def commit_with(hook: str, hooks: tuple[Path, str], home: Path, user: Path) -> subprocess.CompletedProcess[str]:
    repository, revision = hooks
    (user / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {repository}\n    rev: {revision}\n    hooks:\n      - id: {hook}\n"
    )
    git(user, "add", ".")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home)}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose", "--color", "never"]
    return subprocess.run(command, cwd=user, env=environment, capture_output=True, check=False, text=True, timeout=1800)


@pytest.fixture
def user(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.cu").write_bytes(VECTOR_ADD)
    (tmp_path / "notes.txt").write_bytes(b"cudaMalloc\n")
    return tmp_path


def test_check_passes_portable_code_and_stops_the_rest(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    done = commit_with("hipify-py-check", hooks, home, user)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout
    (user / "b.cuh").write_bytes(b"inline void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n")
    done = commit_with("hipify-py-check", hooks, home, user)
    assert done.returncode == 1
    assert "b.cuh:1:19: error HIP101 cudaGraphConditionalHandleCreate" in done.stdout
    assert (user / "a.cu").read_bytes() == VECTOR_ADD


def test_convert_changes_the_files_once(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    done = commit_with("hipify-py-convert", hooks, home, user)
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout, done.stdout + done.stderr
    assert b"hipMalloc" in (user / "a.cu").read_bytes()
    assert (user / "notes.txt").read_bytes() == b"cudaMalloc\n"
    again = commit_with("hipify-py-convert", hooks, home, user)
    assert again.returncode == 0, again.stdout + again.stderr
