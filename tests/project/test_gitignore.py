"""What `.gitignore` files exclude, compared with git; most paths match no pattern, which is seen at once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest

from hipify_py.project.discovery import discover
from hipify_py.project.gitignore import globs, may_match

PATTERNS = (
    *(
        "*.o",
        "/build/",
        "!keep.o",
        "a/**/b",
        "doc/*.txt",
        "**/foo",
        "# c",
        "",
        "[ab]c?",
        "x\\ ",
        "*",
        "!*/",
        "/*",
        "**",
    ),
    *("a/", "!a/b/", "foo/**", "*.[oa]", "\\!x", "a**b", "é*", "**/x/**", "[!a]b", "a\\*", "*.py[cod]", "a.b", "a+(b)"),
)
PARTS = (
    *("a", "b", "foo", "x", "x ", "build", "doc", "k.o", "keep.o", "ac1", "bcz", "é1", "a*", "!x", "a.txt", "ab"),
    *("q.pyc", "a\nb", "axb", "a+(b)", "aab"),
)


@hypothesis.given(
    patterns=st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=6),
    parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=4),
    is_folder=st.booleans(),
)
@hypothesis.settings(max_examples=400)
def test_what_a_pattern_matches_may_match(patterns: list[str], parts: list[str], is_folder: bool) -> None:
    spec = globs(patterns)
    assert spec is not None
    path = "/".join(parts) + "/" * is_folder
    if spec.check_file(path).include is not None:
        assert may_match(spec)(path)


@pytest.mark.parametrize("path", ["b.cu", "deep/down/b.cu", "building/a.cu", "src/build.cu", "foot"])
def test_what_no_pattern_matches(path: str) -> None:
    spec = globs(["*.o", "/build/", "# comment", "!keep.o", "doc/*.txt", "foo"])
    assert spec is not None
    assert not may_match(spec)(path)
    assert spec.check_file(path).include is None


@pytest.mark.parametrize(
    "patterns",
    [
        ["*", "!*.*", "!*/", "*.o", "!Makefile"],
        ["*", "!*/", "!*.cu"],
        ["/*", "!/src", "/src/*", "!/src/deep/"],
        ["build", "!build/"],
        ["src", "!src/a.cu"],
        ["deep/", "!src/deep/b.cu"],
    ],
)
def test_same_files_as_git(tmp_path: Path, patterns: list[str]) -> None:
    for name in ("a.cu", "src/a.cu", "src/a.o", "src/deep/b.cu", "src/deep/Makefile", "build/c.cu", "Makefile"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("void f() { cudaFree(0); }\n" if name.endswith(".cu") else "")
    (tmp_path / ".gitignore").write_text("\n".join(patterns))
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    found = discover([str(tmp_path)])
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert sorted(os.path.relpath(entry.path, tmp_path) for entry in found.sources) == sorted(
        name for name in listed.stdout.split() if name.endswith(".cu")
    )
