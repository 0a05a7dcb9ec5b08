"""Most paths are told at once that no pattern of a `.gitignore` matches them."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest

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
