"""The comparison of two versions, with small stand-ins for the versions, and with this one itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "compare_versions.py"

STAND_IN = """\
import os
from typing import NamedTuple


class Options(NamedTuple):
    fixes: frozenset = frozenset()
    word: str = {word!r}


class Finding(NamedTuple):
    line: int
    column: int
    id: str
    severity: str
    message: str


class FileResult(NamedTuple):
    path: str
    status: str
    findings: tuple


class Report(NamedTuple):
    results: list


def translate(data, path, options):
    return data


def convert(paths, *, output, options, jobs, gitignore):
    assert jobs == 1 and not gitignore
    if options.word == "raise":
        raise RuntimeError("no way")
    results = []
    for folder, _, names in sorted(os.walk(paths[0])):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path) as file:
                text = file.read()
            target = os.path.join(output, os.path.relpath(path, paths[0]))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w") as file:
                file.write(text.replace("cudaFree", options.word))
            found = [
                Finding(number, 1, {id!r}, "warning", "look at " + options.word)
                for number, line in enumerate(text.splitlines(), 1)
                if "look" in line
            ]
            results.append(FileResult(path, "converted", tuple(found)))
    return Report(results)
"""


def checkout(folder: Path, word: str, id: str = "HIP301") -> Path:
    """A folder with a package that replaces `cudaFree` by a word."""
    package = folder / "hipify_py"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(STAND_IN.format(word=word, id=id))
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.cu").write_text("int a;\ncudaFree(p);\n// look\n")
    (folder / "b.h").write_text("int b;\n")
    (folder / "data.bin").write_text("cudaFree look\n")
    return folder


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, *map(str, arguments)], capture_output=True, text=True)


def changes(results: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (results / "changes.jsonl").read_text().splitlines()]


def test_changed_outputs_and_findings_are_told(tmp_path: Path, tree: Path) -> None:
    old, new = checkout(tmp_path / "old", "hipFree"), checkout(tmp_path / "new", "hipFreeAsync")
    done = run("--old", old, "--new", new, "--results", tmp_path / "results", tree)
    assert done.returncode == 1, done.stderr
    [change] = changes(tmp_path / "results")
    assert (change["tree"], change["file"]) == ("project", "src/a.cu")
    assert change["diff"].splitlines() == [
        "--- old/src/a.cu",
        "+++ new/src/a.cu",
        "@@ -1,3 +1,3 @@",
        " int a;",
        "-hipFree(p);",
        "+hipFreeAsync(p);",
        " // look",
    ]
    assert (change["appeared"], change["vanished"]) == ([], [])
    [[before, after]] = change["changed"]
    assert (before["line"], before["message"], after["message"]) == (3, "look at hipFree", "look at hipFreeAsync")
    assert "'hipFree' -> 'hipFreeAsync'  project/src/a.cu:2" in done.stdout
    assert done.stdout == (tmp_path / "results" / "summary.txt").read_text()


def test_wording_may_be_left_aside(tmp_path: Path, tree: Path) -> None:
    old, new = checkout(tmp_path / "old", "hipFree"), checkout(tmp_path / "new", "free")
    (tree / "src" / "a.cu").write_text("// look\n")
    arguments = ("--old", old, "--new", new, tree)
    assert run(*arguments).returncode == 1
    assert run(*arguments, "--no-wording").returncode == 0


def test_another_id_at_the_same_place_is_a_change(tmp_path: Path, tree: Path) -> None:
    old, new = checkout(tmp_path / "old", "hipFree"), checkout(tmp_path / "new", "hipFree", "HIP305")
    done = run("--old", old, "--new", new, "--results", tmp_path / "results", tree)
    assert done.returncode == 1, done.stderr
    [change] = changes(tmp_path / "results")
    assert change["diff"] == ""
    assert [[finding["id"] for finding in pair] for pair in change["changed"]] == [["HIP301", "HIP305"]]


def test_options_of_one_version_only(tmp_path: Path, tree: Path) -> None:
    version = checkout(tmp_path / "version", "hipFree")
    arguments = ("--old", version, "--new", version, tree)
    assert run(*arguments).returncode == 0
    done = run(*arguments, "--new-options", '{"word": "free"}')
    assert done.returncode == 1, done.stderr
    assert "'hipFree' -> 'free'" in done.stdout


def test_what_a_second_pass_changes_is_told(tmp_path: Path, tree: Path) -> None:
    (tree / "src" / "a.cu").write_text("int a;\nint b;\ncudaFree(p);\n")
    version = checkout(tmp_path / "version", "no_cudaFree")
    arguments = ("--old", version, "--new", version, "--results", tmp_path / "results", tree)
    assert run(*arguments).returncode == 0
    done = run(*arguments, "--second-pass")
    assert done.returncode == 1, done.stderr
    [change] = changes(tmp_path / "results")
    assert change["diff"] == ""
    assert "-no_cudaFree(p);\n+no_no_cudaFree(p);\n" in change["second_pass"]
    assert "'no_cudaFree' -> 'no_no_cudaFree'  project/src/a.cu:3" in done.stdout


def test_a_version_that_fails_on_a_tree_is_told(tmp_path: Path, tree: Path) -> None:
    old, new = checkout(tmp_path / "old", "hipFree"), checkout(tmp_path / "new", "raise")
    done = run("--old", old, "--new", new, tree)
    assert done.returncode == 2
    assert "project: the new version failed" in done.stdout
    assert "RuntimeError: no way" in done.stdout


def test_this_version_is_the_same_as_itself(tmp_path: Path) -> None:
    program = ROOT / "corpus" / "vector_add"
    done = run("--old", ROOT, "--new", ROOT, "--results", tmp_path, program)
    assert done.returncode == 0, done.stdout + done.stderr
    [output] = tmp_path.glob("translated/*/vector_add/output/*.cu")
    assert b"hipMalloc" in output.read_bytes()
