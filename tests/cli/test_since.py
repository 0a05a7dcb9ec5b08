"""`check --since REV`: findings on lines that a branch has changed, in real git checkouts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Run


def call(name: str, argument: int = 0) -> str:
    return f"void {name}() {{ cudaGraphConditionalHandleCreate({argument}, 0, 0, 0); }}\n"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str], message: str = "commit") -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """`main` has gone on since `feature` parted from it; `feature` is checked out, with one commit."""
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, {"src/a.cu": call("f") + call("g", 1), "src/old.cu": call("old", 9) * 8})
    git(tmp_path, "tag", "-a", "v1", "-m", "one")
    git(tmp_path, "checkout", "-qb", "feature")
    commit(tmp_path, {"src/a.cu": "// first\n" + call("f") + call("new", 2) + call("g", 1)})
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, {"src/a.cu": call("f") + call("g", 1) + call("later", 3)})
    git(tmp_path, "checkout", "-q", "feature")
    return tmp_path


def lines(run: subprocess.CompletedProcess[bytes]) -> list[str]:
    assert run.returncode in (0, 1), run.stderr
    return [":".join(line.split(":")[:2]) for line in run.stdout.decode().splitlines()]


@pytest.mark.parametrize(
    "revision", ["main", "v1", "refs/heads/main", "HEAD~1", "HEAD~", "HEAD^", "@~1", "v1^0", "tags/v1"]
)
def test_only_changed_lines_count(repository: Path, quickly: Run, revision: str) -> None:
    run = quickly("check", "src", "--since", revision)
    assert (run.returncode, lines(run)) == (1, ["src/a.cu:3"])
    assert b"10 known" in run.stderr


def test_digests_and_their_beginnings(repository: Path, quickly: Run) -> None:
    digest = git(repository, "rev-parse", "main")
    for revision in (digest, digest[:9], digest.upper()[:12]):
        assert lines(quickly("check", "src", "--since", revision)) == ["src/a.cu:3"]


def test_packed_repositories_and_remote_branches(repository: Path, quickly: Run) -> None:
    git(repository, "clone", "-q", "--bare", ".", "../bare.git")
    git(repository, "remote", "add", "origin", "../bare.git")
    git(repository, "fetch", "-q", "origin")
    git(repository, "branch", "-qD", "main")
    git(repository, "gc", "-q")
    assert lines(quickly("check", "src", "--since", "origin/main")) == ["src/a.cu:3"]
    shutil.rmtree(repository.parent / "bare.git")


def test_nothing_changed_is_nothing_to_do(repository: Path, quickly: Run) -> None:
    run = quickly("check", "src", "--since", "HEAD")
    assert (run.returncode, run.stdout) == (0, b"")


def test_what_is_not_committed_counts(repository: Path, quickly: Run) -> None:
    (repository / "src/a.cu").write_text((repository / "src/a.cu").read_text() + call("unsaved", 7))
    (repository / "src/untracked.cu").write_text(call("u", 8))
    assert lines(quickly("check", "src", "--since", "HEAD")) == ["src/a.cu:5", "src/untracked.cu:1"]


def test_without_the_merge_base(repository: Path, quickly: Run) -> None:
    """What `main` got meanwhile is a change then, the other way about."""
    git(repository, "checkout", "-q", "main")
    assert lines(quickly("check", "src", "--since", "feature")) == ["src/a.cu:3"]
    assert lines(quickly("check", "src", "--since", "feature", "--no-merge-base")) == ["src/a.cu:3"]
    commit(repository, {"src/a.cu": call("f") + call("new", 2) + call("g", 1)})
    assert lines(quickly("check", "src", "--since", "feature")) == ["src/a.cu:2"]
    assert lines(quickly("check", "src", "--since", "feature", "--no-merge-base")) == []


def test_a_merge_commit_is_held_against_what_it_merged_into(repository: Path, quickly: Run) -> None:
    """As build servers check merge requests out."""
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "feature", "-m", "merge")
    assert lines(quickly("check", "src", "--since", "HEAD^1")) == ["src/a.cu:3"]
    assert lines(quickly("check", "src", "--since", "HEAD^2")) == ["src/a.cu:5"]


def test_renamed_files_keep_their_lines(repository: Path, quickly: Run) -> None:
    (repository / "lib").mkdir()
    (repository / "src/old.cu").rename(repository / "lib/renamed.cu")
    assert lines(quickly("check", "lib", "--since", "main")) == []
    (repository / "lib/renamed.cu").write_text(call("old", 9) * 4 + call("added", 5) + call("old", 9) * 4)
    assert lines(quickly("check", "lib", "--since", "main")) == ["lib/renamed.cu:5"]
    (repository / "lib/other.cu").write_text(call("other", 6))
    assert lines(quickly("check", "lib", "--since", "main")) == ["lib/other.cu:1", "lib/renamed.cu:5"]


def test_line_endings_are_no_change(repository: Path, quickly: Run) -> None:
    path = repository / "src/old.cu"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert lines(quickly("check", "src/old.cu", "--since", "main")) == []


def test_files_of_other_checkouts_are_held_against_theirs(repository: Path, quickly: Run) -> None:
    for name in ("one", "two"):
        (repository / name).mkdir()
        git(repository / name, "init", "-q", "-b", "main")
        commit(repository / name, {"a.cu": call("f")})
        (repository / name / "a.cu").write_text(call("f") + call(name, 1))
    assert lines(quickly("check", "one", "two", "--since", "HEAD")) == ["one/a.cu:2", "two/a.cu:2"]


def test_worktrees(repository: Path, quickly: Run) -> None:
    git(repository, "worktree", "add", "-q", "tree", "feature", "--detach")
    assert lines(quickly("check", ".", "--since", "main", cwd=repository / "tree")) == ["src/a.cu:3"]


def test_with_a_baseline_and_in_json(repository: Path, quickly: Run) -> None:
    quickly("baseline", "create", "src/old.cu", "--baseline", "known.jsonl", "--in-ci")
    run = quickly("check", "src", "--since", "main", "--baseline", "known.jsonl", "--format", "json")
    files = {file["path"]: file for file in json.loads(run.stdout)["files"]}
    assert [len(files[path]["known"]) for path in ("src/a.cu", "src/old.cu")] == [2, 8]
    assert [len(files[path]["findings"]) for path in ("src/a.cu", "src/old.cu")] == [1, 0]


@pytest.mark.parametrize(
    "revision",
    [
        "nothing",
        "",
        "HEAD~9",
        "HEAD^3",
        "../../etc/passwd",
        "config",
        "refs/../config",
        "deadbeef",
        "a\nb",
        "-x",
        "HEAD~999999",
        "main~^^^9",
    ],
)
def test_a_revision_that_is_none_is_told(repository: Path, quickly: Run, revision: str) -> None:
    run = quickly("check", "src", "--since", revision)
    assert run.returncode == 2
    assert b"Error: the git checkout" in run.stderr
    assert b"Traceback" not in run.stderr


def test_outside_of_a_checkout(tmp_path: Path, quickly: Run) -> None:
    (tmp_path / "a.cu").write_text(call("f"))
    run = quickly("check", "a.cu", "--since", "main")
    assert run.returncode == 2
    assert b"a.cu is not in a git checkout" in run.stderr


def test_a_shallow_clone_says_what_it_lacks(repository: Path, quickly: Run) -> None:
    git(repository, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repository}", "shallow")
    folder = repository / "shallow"
    git(folder, "checkout", "-q", "feature")
    run = quickly("check", "src", "--since", "origin/main", cwd=folder)
    assert run.returncode == 2
    assert b"fetch-depth: 0" in run.stderr
    assert lines(quickly("check", "src", "--since", "origin/main", "--no-merge-base", cwd=folder)) == ["src/a.cu:3"]


@pytest.mark.parametrize("damage", ["objects", "ref", "head", "no head"])
def test_a_damaged_repository_is_told(repository: Path, quickly: Run, damage: str) -> None:
    if damage == "objects":
        for path in (repository / ".git/objects").glob("??/*"):
            os.chmod(path, 0o644)
            path.write_bytes(b"\x00damaged")
    elif damage == "ref":
        (repository / ".git/refs/heads/main").write_text("f" * 40 + "\n")
    elif damage == "head":
        (repository / ".git/HEAD").write_text("ref: refs/heads/none\n")
    else:
        (repository / ".git/HEAD").unlink()
    run = quickly("check", "src", "--since", "main")
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr


def test_nothing_of_the_repository_is_run(repository: Path, quickly: Run) -> None:
    """What its configuration names would leave a mark."""
    mark = repository / "mark"
    program = repository / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    with (repository / ".git/config").open("a") as file:
        file.write(f"[core]\n\tfsmonitor = {program}\n\tpager = {program}\n[diff]\n\texternal = {program}\n")
    (repository / ".gitattributes").write_text("*.cu diff=x filter=x\n")
    assert lines(quickly("check", "src", "--since", "main")) == ["src/a.cu:3"]
    assert not mark.exists()


def test_no_merge_base_belongs_to_since(repository: Path, quickly: Run) -> None:
    assert quickly("check", "src", "--no-merge-base").returncode == 2


def test_a_run_is_not_said_again_when_the_branch_has_moved(repository: Path, hipify: Run) -> None:
    for _ in range(2):
        assert hipify("check", "src", "--since", "main").stdout.count(b"\n") == 1
    git(repository, "branch", "-qf", "main", "feature")
    assert hipify("check", "src", "--since", "main").stdout == b""


@pytest.mark.parametrize("paths", [["plain"], ["plain/a.cu"], ["empty"], ["plain", "empty"]])
def test_outside_a_checkout_it_is_an_error_without_findings_too(tmp_path: Path, hipify: Run, paths: list[str]) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "plain" / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    run = hipify("check", *paths, "--since", "HEAD")
    assert run.returncode == 2
    assert b"is not in a git checkout, so changes since HEAD are unknown" in run.stderr


def test_an_unknown_revision_is_an_error_without_findings_too(repository: Path, hipify: Run) -> None:
    commit(repository, {"fine/a.cu": "void f(void *p) { cudaFree(p); }\n"})
    assert hipify("check", "fine", "--since", "HEAD~1").returncode == 0
    run = hipify("check", "fine", "--since", "nosuch")
    assert run.returncode == 2
    assert b"nosuch" in run.stderr


RECIPE = "\tcuobjdump --dump-sass {0}.o\n"


def places(run: subprocess.CompletedProcess[bytes], kind: str = "findings") -> list[list[int]]:
    """The lines of each finding of the files: its own, and the others that it stands for."""
    files = json.loads(run.stdout)["files"]
    found = [finding for file in files for finding in file[kind]]
    return [[finding["line"], *(other["line"] for other in finding["others"])] for finding in found]


def test_a_second_place_of_a_finding_is_new(repository: Path, hipify: Run) -> None:
    """It is told as one finding with the first, and each place counts by itself."""
    before = "NVCC = nvcc\na.o: a.cu\n\t$(NVCC) -c a.cu\ndump:\n" + RECIPE.format("a")
    commit(repository, {"tool/Makefile": before, "tool/a.cu": "void f(void *p) { cudaFree(p); }\n"})
    options = ("--format", "json", "--select", "HIP640", "--fail-on", "never")
    assert places(hipify("check", "tool", *options)) == [[5]]
    assert hipify("baseline", "create", "tool", "--baseline", "known.jsonl", "--select", "HIP640").returncode == 0
    commit(repository, {"tool/Makefile": before + RECIPE.format("b") + RECIPE.format("c")})
    whole = hipify("check", "tool", *options)
    assert places(whole) == [[5, 6, 7]]
    assert b"(and 2 more in this file)" in whole.stdout
    for told in (("--since", "HEAD~1"), ("--baseline", "known.jsonl")):
        run = hipify("check", "tool", *options, *told)
        assert places(run) == [[6, 7]], told
        assert places(run, "known") == [[5]], told
        assert b"(and 1 more in this file)" in run.stdout


def test_a_second_place_in_a_source_is_new_and_kept_for_the_next_run(
    repository: Path, hipify: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    first = "#include <cuComplex.h>\ndouble f(cuDoubleComplex z) { return cuCabs(z); }\n"
    commit(repository, {"math/a.cu": first})
    commit(repository, {"math/a.cu": first + "double g(cuDoubleComplex z) { return 2 * cuCabs(z); }\n"})
    for _ in range(2):
        run = hipify("check", "math", "--format", "json", "--since", "HEAD~1", "--fail-on", "never")
        assert (places(run), places(run, "known")) == ([[3]], [[2]])
