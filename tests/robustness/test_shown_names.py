"""Names and code of a hostile tree cannot forge what a person reads."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FORGED = "b\nfake.cu:1:1: error HIP999 x\x1b[2K\u202ereversed"
CODE = "void f() { cudaFoo\u202eBar(); cudaBaz(); }\n// \x1b]0;title\x07\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / f"{FORGED}.cu").write_text(CODE)
    (folder / f"{FORGED}.txt").write_text("")
    return folder


def is_plain(shown: bytes) -> bool:
    """Nothing but printable characters, newlines and tabs, and no line that a name has made."""
    text = shown.decode()
    return all(c.isprintable() or c in "\n\t" for c in text) and not any(
        line.startswith("fake.cu") for line in text.splitlines()
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "src"],
        ["check", "-v", "src", "--exclude", "*.txt"],
        ["report", "src"],
        ["convert", "src", "-o", "out", "-v"],
        ["query", FORGED],
        ["check", f"missing{FORGED}"],
        ["convert", "src", "-o", f"src/{FORGED}.cu"],
    ],
    ids=" ".join,
)
def test_what_is_shown_is_plain(hipify: Run, tree: Path, arguments: list[str]) -> None:
    done = hipify(*arguments)
    assert done.stdout or done.stderr
    assert is_plain(done.stdout), done.stdout
    assert is_plain(done.stderr), done.stderr


def test_json_stays_exact(hipify: Run, tree: Path) -> None:
    document = json.loads(hipify("check", "src", "--format", "json").stdout)
    assert any(FORGED in file["path"] for file in document["files"])


def test_a_comment_in_the_output_is_plain(hipify: Run, tree: Path) -> None:
    hipify("convert", "src", "-o", "out", "--annotate")
    (output,) = Path(tree.parent, "out").glob("*.cu")
    notes = [line for line in output.read_text().split("\n") if line.startswith("// HIP")]
    assert notes
    assert all(note.isprintable() for note in notes)


def test_a_diff_can_be_applied_and_forges_no_header(hipify: Run, tmp_path: Path) -> None:
    name = 'a\n+++ b/other\t"x\\y\u202e.cu'
    folder = tmp_path / "src"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("void f() { cudaFree(0); }\n")
    patch = hipify("convert", "src", "--diff").stdout
    heads = [line for line in patch.split(b"\n") if line.startswith((b"+++", b"---", b"diff"))]
    assert len(heads) == 3
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True, env={**os.environ, "GIT_DIR": "none"})
    assert "hipFree" in (folder / name).read_text()
