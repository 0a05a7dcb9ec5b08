"""Diffs from edits, checked by `git apply` and by difflib's own account."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.core.diff import unified_diff
from hipify_py.core.edits import Edit, apply


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    lines = draw(st.lists(st.sampled_from([b"a", b"bb", b"", b"c\r", b"ddd"]), max_size=30))
    data = b"\n".join(lines)
    places = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    texts = st.sampled_from([b"", b"x", b"new\n", b"\n", b"y\r\nz"])
    pairs = list(zip(places[::2], places[1::2], strict=False))
    edits: list[Edit] = []
    for start, end in pairs:
        if edits and start <= edits[-1].end:
            continue
        edits.append(Edit(start, end, draw(texts)))
    return data, [edit for edit in edits if data[edit.start : edit.end] != edit.text]


@given(edited())
def test_patching_the_input_gives_the_output(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    assert patched(data, unified_diff(data, edits, "a.cu", "a.cu")) == apply(data, edits)


def patched(data: bytes, diff: bytes) -> bytes:
    """A second, simple-minded reading of the format."""
    source = data.splitlines(keepends=True) if b"\r" not in data else _split(data)
    out: list[bytes] = []
    at = 0
    lines = _split(diff)[3:]
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.startswith(b"@@"):
            old = line.split(b" ")[1][1:]
            start, count = map(int, old.split(b","))
            begin = start - 1 if count else start
            out += source[at:begin]
            at = begin
        else:
            text = line[1:]
            if index + 1 < len(lines) and lines[index + 1].startswith(b"\\"):
                text = text.removesuffix(b"\n")
            if line[:1] in b" -" and not line.startswith(b"\\"):
                assert source[at] == text
                at += 1
            if line[:1] in (b" ", b"+"):
                out.append(text)
        index += 1
    return b"".join(out + source[at:])


def _split(data: bytes) -> list[bytes]:
    pieces = data.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


@pytest.mark.parametrize(
    ("data", "edits"),
    [
        (b"one\ntwo\nthree", [Edit(8, 13, b"3")]),
        (b"one\r\ntwo\r\n", [Edit(0, 0, b"zero\r\n")]),
        (b"x\n" * 50, [Edit(0, 1, b"y"), Edit(40, 42, b""), Edit(99, 99, b"end")]),
        (b"", [Edit(0, 0, b"new\n")]),
    ],
)
def test_git_applies_it(tmp_path: Path, data: bytes, edits: list[Edit]) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    diff = unified_diff(data, edits, "a.cu", "a.cu")
    done = subprocess.run(["git", "apply", "-"], input=diff, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == apply(data, edits)


def test_a_renaming_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"x\n")
    diff = unified_diff(b"x\n", [Edit(0, 1, b"y")], "a.cu", "a.hip")
    assert b"rename from a.cu\nrename to a.hip\n--- a/a.cu\n+++ b/a.hip\n@@ -1,1 +1,1 @@\n-x\n+y\n" in diff
    subprocess.run(["git", "apply", "-"], input=diff, cwd=tmp_path, check=True)
    assert (tmp_path / "a.hip").read_bytes() == b"y\n"


def test_nothing_changed_is_no_diff() -> None:
    assert unified_diff(b"x\n", [], "a.cu", "a.cu") == b""
