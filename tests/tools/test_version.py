"""The version comes from git's tags, wherever the package is built from, and is there without git, too."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from build import ProjectBuilder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("pyproject.toml", "README.md", "LICENSE", ".git_archival.txt", ".gitattributes", ".gitignore")


def git(folder: Path, *arguments: str) -> bytes:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with what a build reads, as it is here, and the tag of a version."""
    folder = tmp_path / "checkout"
    (folder / "mappings").mkdir(parents=True)
    (folder / "mappings" / "cuda.yaml").write_text("\n")
    (folder / "hipify_py" / "core").mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py", "core/installation.py"):
        shutil.copy(ROOT / "hipify_py" / name, folder / "hipify_py" / name)
    for name in COPIED:
        shutil.copy(ROOT / name, folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "A release")
    git(folder, "tag", "-a", "-m", "A release", "v1.2.0")
    return folder


def built(source: Path, kind: str, output: Path) -> Path:
    """A wheel or an sdist, made by what the environment of the tests has installed."""
    return Path(ProjectBuilder(source, runner=quiet).build(kind, output))


def quiet(command: Sequence[str], cwd: str | None = None, extra_environ: Mapping[str, str] | None = None) -> None:
    environment = {**os.environ, **(extra_environ or {})}
    subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)


def version_of(source: Path, output: Path) -> str:
    """The version of a wheel that is built from a folder; the package that is imported from it says the same."""
    wheel = built(source, "wheel", output)
    version = wheel.name.split("-")[1]
    code = "import hipify_py; print(hipify_py.__version__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(wheel)},
        cwd=output,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == version
    return version


def unpacked(archive: bytes, place: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(place, filter="data")
    (folder,) = place.iterdir()
    return folder


def test_a_tag_is_the_version(checkout: Path, tmp_path: Path) -> None:
    assert version_of(checkout, tmp_path) == "1.2.0"


def test_commits_after_a_tag_count_towards_the_next_version(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "commit", "--allow-empty", "-qm", "More")
    commit = git(checkout, "rev-parse", "HEAD").decode()
    assert version_of(checkout, tmp_path).startswith(f"1.2.1.dev1+g{commit[:7]}")


def test_an_archive_knows_its_version(checkout: Path, tmp_path: Path) -> None:
    archive = git(checkout, "archive", "--format=tar", "--prefix=hipify-py/", "v1.2.0")
    assert version_of(unpacked(archive, tmp_path / "archive"), tmp_path) == "1.2.0"


def test_a_source_distribution_knows_its_version(checkout: Path, tmp_path: Path) -> None:
    sdist = built(checkout, "sdist", tmp_path)
    assert version_of(unpacked(sdist.read_bytes(), tmp_path / "unpacked"), tmp_path) == "1.2.0"


def test_a_copy_without_git_can_be_built(checkout: Path, tmp_path: Path) -> None:
    shutil.rmtree(checkout / ".git")
    assert version_of(checkout, tmp_path) == "0.0.0"


def test_a_copy_in_another_repository_does_not_take_its_version(checkout: Path, tmp_path: Path) -> None:
    shutil.rmtree(checkout / ".git")
    (tmp_path / "output").mkdir()
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "checkout")
    git(tmp_path, "commit", "-qm", "Vendored")
    git(tmp_path, "tag", "v9.9.9")
    assert version_of(checkout, tmp_path / "output") == "0.0.0"


def test_a_checkout_that_nothing_was_built_from_can_be_run(checkout: Path) -> None:
    code = "import hipify_py; print(hipify_py.__version__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True)
    assert done.stdout == "0.0.0\n"


def test_the_tests_build_with_what_a_build_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["build-system"]["requires"]) <= set(project["project"]["optional-dependencies"]["dev"])
