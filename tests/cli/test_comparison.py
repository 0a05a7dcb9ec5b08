"""`report --compare FILE|REV`, and `--history`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hipify_py.report.document import document_of, report_of

from .conftest import Run
from .test_since import commit, git

LEFT = "void {}(void *p) {{ cudaFree(p); cudaGraphConditionalHandleCreate(0, 0, 0, 0); }}\n"
DONE = "void {}(void *p) {{ cudaFree(p); }}\n"
BLAS = "void {}(void *p) {{ cublasDestroy(p); cublasFooBar(p); }}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A branch has mended one file, taken one out, and added one with another library."""
    git(tmp_path, "init", "-q", "-b", "main")
    before = {
        "a.cu": LEFT.format("a"),
        "gone.cu": LEFT.format("g"),
        "same.cu": LEFT.format("s"),
        "own.cuh": "#pragma once\n",
    }
    commit(tmp_path, {f"src/{name}": text for name, text in before.items()} | {".gitignore": "*.tmp\n"})
    git(tmp_path, "checkout", "-qb", "feature")
    (tmp_path / "src/gone.cu").unlink()
    commit(tmp_path, {"src/a.cu": DONE.format("a"), "src/new.cu": BLAS.format("n")})
    return tmp_path


def compared(run: Any) -> dict[str, Any]:
    assert run.returncode == 0, run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    assert document_of(report_of(document)) == document
    found: dict[str, Any] = document["comparison"]
    return found


def coverages(changes: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {name: (change["before"]["coverage"], change["after"]["coverage"]) for name, change in changes.items()}


def test_against_a_revision(repository: Path, quickly: Run) -> None:
    found = compared(quickly("report", "src", "--compare", "main", "--format", "json"))
    assert found["against"] == "main"
    assert found["references"]["before"]["total"] == 6
    assert found["references"]["after"]["total"] == 5
    assert coverages(found["libraries"]) == {"runtime": (0.5, 0.6667), "cublas": (1, 0.5)}
    assert found["libraries"]["cublas"]["before"]["total"] == 0
    assert coverages(found["files"]) == {"src/a.cu": (0.5, 1), "src/new.cu": (1, 0.5), "src/gone.cu": (0.5, 1)}
    assert found["effort"]["medium"] == {"before": 1, "after": 1}
    assert found["effort"]["low"] == {"before": 0, "after": 1}
    assert found["findings"] == {"new": 1, "gone": 2}


def test_files_that_others_include_by_any_name_are_compared(repository: Path, quickly: Run) -> None:
    files = {
        "src/main.cu": '#include "lib/Dense"\n',
        "src/lib/Dense": '#include "Core"\n',
        "src/lib/Core": LEFT.format("c"),
        "src/other": LEFT.format("o"),
        "src/Makefile": "include conf/site.opts\n",
        "src/conf/site.opts": "include libs.opts\n",
        "src/conf/libs.opts.in": "LIBS = -lcublas -lnppc\n",
    }
    git(repository, "checkout", "-q", "main")
    commit(repository, files)
    found = compared(quickly("report", "src", "--compare", "HEAD", "--format", "json"))
    assert found["files"] == {}
    assert found["references"]["before"] == found["references"]["after"]


def test_the_text_says_it_too(repository: Path, quickly: Run) -> None:
    text = quickly("report", "src", "--compare", "main").stdout.decode()
    assert "since main: +10.0 points of coverage; 1 new finding, 2 gone; by effort: high 0 → 0, medium 1 → 1" in text
    assert "src/same.cu" not in text.split("Files that differ")[1]


def test_against_an_account_of_an_earlier_run(repository: Path, quickly: Run) -> None:
    """It says what the revision says that it was made of."""
    by_revision = compared(quickly("report", "src", "--compare", "main", "--format", "json"))
    git(repository, "checkout", "-q", "main")
    for command in ("report", "check"):
        quickly(command, "src", "--output-file", "json=before.json")
        git(repository, "checkout", "-q", "feature")
        by_file = compared(quickly("report", "src", "--compare", "before.json", "--format", "json"))
        assert {**by_file, "against": "main"} == by_revision
        git(repository, "checkout", "-q", "main")


@pytest.mark.parametrize("paths", [(".",), ("src",), ("src/a.cu", "src/new.cu", "src/same.cu")])
def test_nothing_has_changed_against_itself(repository: Path, quickly: Run, paths: tuple[str, ...]) -> None:
    found = compared(quickly("report", *paths, "--compare", "HEAD", "--format", "json"))
    assert found["files"] == {}
    assert found["findings"] == {"new": 0, "gone": 0}
    assert found["references"]["before"] == found["references"]["after"]


def test_from_another_folder_and_with_a_configuration(repository: Path, quickly: Run) -> None:
    commit(repository, {"hipify-py.toml": '[per-file-ignores]\n"src/same.cu" = ["HIP101"]\n'})
    found = compared(quickly("report", "..", "--compare", "main", "--format", "json", cwd=repository / "src"))
    assert found["effort"]["medium"] == {"before": 1, "after": 0}
    assert set(found["files"]) == {"../src/a.cu", "../src/new.cu", "../src/gone.cu"}


def test_what_git_holds_is_compared_whatever_it_ignores(repository: Path, quickly: Run) -> None:
    (repository / ".gitignore").write_text("same.cu\n")
    found = compared(quickly("report", "src", "--compare", "HEAD", "--format", "json"))
    assert found["files"] == {}


def test_links_and_other_repositories_are_not_followed(repository: Path, quickly: Run) -> None:
    (repository / "src/link.cu").symlink_to("/etc/passwd")
    (repository / "src/up").symlink_to("../..")
    commit(repository, {"src/z.cu": DONE.format("z")})
    (repository / "src/link.cu").unlink()
    (repository / "src/up").unlink()
    found = compared(quickly("report", "src", "--compare", "HEAD", "--format", "json"))
    assert found["files"] == {}


def test_no_temporary_folder_is_left(repository: Path, quickly: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place = repository / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    compared(quickly("report", "src", "--compare", "main", "--format", "json"))
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("none", None),
        ("b.json", ""),
        ("b.json", "[]"),
        ("b.json", '{"format": 3}'),
        ("b.json", '{"format": 99}'),
        ("b.json", "[" * 100_000),
        ("b.json", '{"format": 3, "configurations": [], "files": [{"path": 1}]}'),
        ("src", None),
    ],
)
def test_what_is_no_earlier_run_is_told(repository: Path, quickly: Run, name: str, text: str | None) -> None:
    if text is not None:
        (repository / name).write_text(text)
    run = quickly("report", "src", "--compare", name)
    assert run.returncode == 2
    assert b"Error: " in run.stderr
    assert b"Traceback" not in run.stderr


def test_outside_of_a_checkout(tmp_path: Path, quickly: Run) -> None:
    (tmp_path / "a.cu").write_text(LEFT.format("a"))
    run = quickly("report", "a.cu", "--compare", "main")
    assert run.returncode == 2
    assert b"not in a git checkout" in run.stderr


def test_folders_that_hold_one_another_many_times_over_are_refused(
    tmp_path: Path, quickly: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository of some kilobytes whose commit has a hundred million files."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.cu").write_text(DONE.format("a"))
    below = f"100644 blob {git(tmp_path, 'hash-object', '-w', 'a.cu')}"
    for _ in range(8):
        entries = "".join(f"{below}\t{number}{'.cu' if 'blob' in below else ''}\n" for number in range(10))
        made = subprocess.run(
            ["git", "mktree"], cwd=tmp_path, input=entries, capture_output=True, check=True, text=True
        )
        below = f"040000 tree {made.stdout.strip()}"
    bomb = git(tmp_path, "commit-tree", below.split()[-1], "-m", "bomb")
    git(tmp_path, "update-ref", "refs/heads/main", bomb)
    monkeypatch.setattr("hipify_py.project.git_history._MOST_ENTRIES", 1000)
    for arguments in (("report", "a.cu", "--compare", "main"), ("check", "a.cu", "--since", "main", "--select", "ALL")):
        (tmp_path / "a.cu").write_text(LEFT.format("b"))
        run = quickly(*arguments)
        assert run.returncode == 2
        assert b"more than 1000 files and folders" in run.stderr
    monkeypatch.undo()
    monkeypatch.setattr("hipify_py.project.at_revision._MOST_BYTES", 1000)
    run = quickly("report", str(tmp_path / "a.cu"), "--compare", "main", cwd=tmp_path)
    assert run.returncode == 2
    assert b"larger than 1000 bytes" in run.stderr


@pytest.mark.parametrize("name", ["..", ".git", ".GIT", "a\\b"])
def test_names_that_lead_out_are_passed_over(repository: Path, quickly: Run, name: str) -> None:
    """git itself would not check such a commit out."""
    blob = git(repository, "rev-parse", "HEAD:src/new.cu")
    own = git(repository, "rev-parse", "HEAD:src")
    folder = _tree(repository, [(b"100644", b"evil.cu", blob)])
    top = _tree(repository, [(b"40000", name.encode(), folder), (b"40000", b"src", own)])
    bad = git(repository, "commit-tree", top, "-m", "bad")
    found = compared(quickly("report", "src", "--compare", bad, "--format", "json"))
    assert found["files"] == {}
    assert not (repository.parent / "evil.cu").exists()


def _tree(folder: Path, entries: list[tuple[bytes, bytes, str]]) -> str:
    data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(digest) for mode, name, digest in entries)
    arguments = ["git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally"]
    done = subprocess.run(arguments, cwd=folder, input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def history(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_run_appends_a_line(repository: Path, quickly: Run) -> None:
    path = repository / "out" / "history.jsonl"
    git(repository, "checkout", "-q", "main")
    for command in ("check", "report"):
        quickly(command, "src", "--history", "out/history.jsonl")
    git(repository, "checkout", "-q", "feature")
    run = quickly("report", "src", "--history", "out/history.jsonl", "--format", "json")
    records = history(path)
    assert [record["commit"] for record in records] == [
        *[git(repository, "rev-parse", "main")] * 2,
        git(repository, "rev-parse", "feature"),
    ]
    assert [record["references"]["coverage"] for record in records] == [0.5, 0.5, 0.6]
    assert [record["findings"]["error"] for record in records] == [3, 3, 1]
    assert [record["effort"]["medium"] for record in records] == [1, 1, 1]
    document = json.loads(run.stdout)
    assert document["history"] == records
    assert document_of(report_of(document)) == document


def test_a_history_goes_on_after_damage(tmp_path: Path, quickly: Run) -> None:
    """Lines that are no records stay, and are passed over."""
    (tmp_path / "a.cu").write_text(LEFT.format("a"))
    path = tmp_path / "history.jsonl"
    path.write_bytes(b'{"format": 1, "date": 3}\n' + b"[" * 9_000 + b'\n\xff\n{"format": 7}\n{"form')
    run = quickly("report", "a.cu", "--history", "history.jsonl", "--format", "json")
    (record,) = json.loads(run.stdout)["history"]
    assert (record["commit"], record["files"]) == ("", 1)
    assert path.read_bytes().count(b"\n") == 6
    assert json.loads(path.read_bytes().splitlines()[-1]) == record


@pytest.mark.parametrize("place", ["a.cu/history.jsonl", "."])
def test_a_history_that_cannot_be_written_is_told(tmp_path: Path, quickly: Run, place: str) -> None:
    (tmp_path / "a.cu").write_text(DONE.format("a"))
    run = quickly("report", "a.cu", "--history", place)
    assert run.returncode == 2
    assert b"cannot write" in run.stderr


def test_a_run_over_the_same_files_is_a_line_again(repository: Path, hipify: Run) -> None:
    for _ in range(2):
        hipify("check", "src", "--history", "history.jsonl")
    assert len(history(repository / "history.jsonl")) == 2
