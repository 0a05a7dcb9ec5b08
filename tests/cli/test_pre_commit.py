"""The hooks, run by the real pre-commit from a repository that holds this checkout."""

from __future__ import annotations

import importlib.util
import json
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

UNSUPPORTED = b"inline void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"

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


Done = subprocess.CompletedProcess[str]


def configure(hook: str, hooks: tuple[Path, str], user: Path, arguments: list[str] | None = None) -> None:
    """Make this hook the user's only one, with `arguments` as its `args`."""
    repository, revision = hooks
    given = "" if arguments is None else f"        args: {json.dumps(arguments)}\n"
    (user / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {repository}\n    rev: {revision}\n    hooks:\n      - id: {hook}\n{given}"
    )


def pre_commit(home: Path, user: Path, *arguments: str) -> Done:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home)}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, "-m", "pre_commit", "run", "--verbose", "--color", "never", *arguments]
    return subprocess.run(command, cwd=user, env=environment, capture_output=True, check=False, text=True, timeout=1800)


def commit_with(hook: str, hooks: tuple[Path, str], home: Path, user: Path, arguments: list[str] | None = None) -> Done:
    configure(hook, hooks, user, arguments)
    git(user, "add", ".")
    return pre_commit(home, user, "--all-files")


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
    (user / "b.cuh").write_bytes(UNSUPPORTED)
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


def test_what_is_not_staged_is_not_checked(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    configure("hipify-py-check", hooks, user)
    git(user, "add", ".")
    (user / "a.cu").write_bytes(VECTOR_ADD + UNSUPPORTED)
    done = pre_commit(home, user)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout
    assert (user / "a.cu").read_bytes() == VECTOR_ADD + UNSUPPORTED
    git(user, "add", ".")
    (user / "a.cu").write_bytes(VECTOR_ADD)
    done = pre_commit(home, user)
    assert done.returncode == 1
    assert "a.cu:11:19: error HIP101 cudaGraphConditionalHandleCreate" in done.stdout


def test_convert_keeps_changes_that_are_not_staged(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    configure("hipify-py-convert", hooks, user)
    first = b"void g() { cudaDeviceReset(); }\n" + b"// between\n" * 20
    (user / "b.cu").write_bytes(first)
    git(user, "add", ".")
    later = b"void h() { cudaDeviceSynchronize(); }\n"
    (user / "b.cu").write_bytes(first + later)
    done = pre_commit(home, user)
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout, done.stdout + done.stderr
    assert b"hipMalloc" in (user / "a.cu").read_bytes()
    kept = (user / "b.cu").read_bytes()
    assert b"void g() { hipDeviceReset(); }\n" in kept
    assert kept.endswith(later), "it was not staged, and is neither lost nor converted"


def test_convert_never_loses_a_change_beside_its_own(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    configure("hipify-py-convert", hooks, user)
    git(user, "add", ".")
    mine = VECTOR_ADD.replace(b"cudaMalloc(&a, 4);", b"cudaMalloc(&a, 8); // mine")
    (user / "a.cu").write_bytes(mine)
    done = pre_commit(home, user)
    assert done.returncode == 1
    assert "conflicted" in done.stdout + done.stderr
    assert (user / "a.cu").read_bytes() == mine
    assert git(user, "show", ":a.cu").encode() + b"\n" == VECTOR_ADD


def test_a_file_called_like_an_option_is_a_file(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    name = "--output-file=csv=x.cu"
    (user / name).write_bytes(UNSUPPORTED)
    done = commit_with("hipify-py-check", hooks, home, user)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{name}:1:19: error HIP101 " in done.stdout
    assert not (user / "csv=x.cu").exists()
    assert not (user / "x.cu").exists()


def test_check_takes_options_before_the_files(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    (user / "b.cuh").write_bytes(UNSUPPORTED)
    done = commit_with("hipify-py-check", hooks, home, user, ["--ignore=HIP101", "--"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 suppressed" in done.stdout + done.stderr


def test_coverage_is_that_of_the_whole_project(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    (user / "b.cuh").write_bytes(UNSUPPORTED)
    asked = ["--fail-under=95", "--max-effort=high=0", "."]
    done = commit_with("hipify-py-coverage", hooks, home, user, asked)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "gate failed: coverage is " in done.stdout
    git(user, "commit", "-qm", "all")
    (user / "c.cu").write_bytes(VECTOR_ADD)
    git(user, "add", "c.cu")
    done = pre_commit(home, user)
    assert done.returncode == 1, "the commit touches another file, and the project is no better for it"
    (user / "c.cu").write_bytes(VECTOR_ADD * 3)
    git(user, "rm", "-qf", "b.cuh")
    assert pre_commit(home, user).returncode == 0


def test_coverage_goes_by_the_configuration(hooks: tuple[Path, str], home: Path, user: Path) -> None:
    (user / "b.cuh").write_bytes(UNSUPPORTED)
    (user / "hipify-py.toml").write_text("fail-under = 95\n")
    done = commit_with("hipify-py-coverage", hooks, home, user)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "below the required 95 %" in done.stdout
    (user / "hipify-py.toml").write_text("fail-under = 50\n")
    done = commit_with("hipify-py-coverage", hooks, home, user)
    assert done.returncode == 0, done.stdout + done.stderr
