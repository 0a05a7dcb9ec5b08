"""A clone runs nothing but git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify_py.survey.child import CannotClone, clone


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.cu").write_text("void f(float *p) { cudaFree(p); }\n")
    (folder / ".gitattributes").write_text("*.cu filter=evil\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    (folder / "b.cu").write_text("int x;\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "two")
    return folder


@pytest.mark.parametrize("form", ["file://{}", "{}"])
def test_the_last_commit_alone(repository: Path, tmp_path: Path, form: str) -> None:
    commit = clone(form.format(repository), str(tmp_path / "clone"))
    assert commit == git(repository, "rev-parse", "HEAD").strip()
    assert (tmp_path / "clone" / "a.cu").is_file()
    assert git(tmp_path / "clone", "rev-list", "--count", "HEAD").strip() == "1"


def test_no_program_of_the_user_or_of_the_repository_runs(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters, hooks and templates that a configuration names; each would leave a file."""
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho x >> {ran}\ncat\n")
    script.chmod(0o755)
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    (template / "post-checkout").write_text(script.read_text())
    (template / "post-checkout").chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f'[filter "evil"]\n\tsmudge = {script}\n\trequired = true\n[core]\n\thooksPath = {template}\n'
        f"\tfsmonitor = {script}\n[init]\n\ttemplateDir = {tmp_path / 'template'}\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "template"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.hooksPath={template}'")
    clone(f"file://{repository}", str(tmp_path / "clone"))
    assert not ran.exists()
    subprocess.run(["git", "clone", "-q", str(repository), str(tmp_path / "usual")], check=False, capture_output=True)
    assert ran.exists()  # which shows that the clone above would have left it, too


def test_submodules_are_left_alone(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "x.cu").write_text("int x;\n")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "one")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    git(repository, "commit", "-qm", "three")
    clone(f"file://{repository}", str(tmp_path / "clone"))
    assert not list((tmp_path / "clone" / "sub").glob("*"))


@pytest.mark.parametrize(
    "url", ["file:///nowhere/at/all", "https://127.0.0.1:1/a.git", "ext::sh -c 'touch ran'", "--upload-pack=touch ran"]
)
def test_what_cannot_be_cloned(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotClone, match="git cannot clone it"):
        clone(url, str(tmp_path / "clone"))
    assert not (tmp_path / "ran").exists()
