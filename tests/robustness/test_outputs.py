"""Output folders that lead elsewhere, lie within the input, or hold an earlier output."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert
from hipify_py.project.errors import PlanError
from tests.cli.conftest import Run

CUDA = b"void f(void *p) { cudaFree(p); }\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a.cu", "d0/b.cu", "d0/d1/c.txt"):
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(CUDA)
    (tmp_path / "else").mkdir()
    return tmp_path


@pytest.mark.parametrize("place", ["d0", "d0/d1"])
@pytest.mark.parametrize("goal", ["../else", "../../else", "absolute"])
def test_nothing_is_written_through_a_link_out_of_the_output(tree: Path, place: str, goal: str) -> None:
    link = tree / "out" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(tree / "else" if goal == "absolute" else goal)
    (tree / "out" / "else").mkdir()
    outside = link.resolve() != (tree / "out" / "else").resolve()
    if outside:
        with pytest.raises(PlanError, match="is a symbolic link out of"):
            convert([tree / "src"], output=tree / "out")
        assert not (tree / "out" / "a.cu").exists()
    assert list((tree / "else").iterdir()) == []


def test_a_link_in_the_place_of_a_file_is_replaced(tree: Path) -> None:
    (tree / "out").mkdir()
    convert([tree / "src"], output=tree / "other")
    kept = tree / "else" / "kept"
    for content in (b"kept", (tree / "other" / "a.cu").read_bytes()):
        kept.write_bytes(content)
        (tree / "out" / "a.cu").unlink(missing_ok=True)
        (tree / "out" / "a.cu").symlink_to(kept)
        convert([tree / "src"], output=tree / "out")
        assert kept.read_bytes() == content
        assert not (tree / "out" / "a.cu").is_symlink()
        assert b"hipFree" in (tree / "out" / "a.cu").read_bytes()


def test_the_output_folder_itself_may_be_a_link(tree: Path) -> None:
    (tree / "out").symlink_to("else")
    convert([tree / "src"], output=tree / "out")
    assert b"hipFree" in (tree / "else" / "a.cu").read_bytes()


def test_outputs_within_the_input_are_no_input(tree: Path) -> None:
    for name in ("one", "two", "d0/three"):
        report = convert([tree / "src"], output=tree / "src" / name)
        assert sorted(Path(result.path).name for result in report.results) == ["a.cu", "b.cu", "c.txt"]
    assert sorted(path.name for path in (tree / "src" / "two").rglob("*")) == [
        ".hipify-py-output", "a.cu", "b.cu", "c.txt", "d0", "d1",
    ]  # fmt: skip
    report = convert([tree / "src"], in_place=True, force=True)
    assert sorted(Path(path).name for path, _ in report.left_out) == ["one", "three", "two"]
    assert [result.status for result in convert([tree / "src" / "one"], in_place=True, force=True).results] == [
        "unchanged"
    ] * 2


def test_after_a_failure_the_last_line_says_so(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bad.cu").write_bytes(b"\xff\xfei\0")
    (tmp_path / "src" / "plain.cpp").write_bytes(b"int a;\n")
    done = hipify("convert", "src", "-o", "out")
    assert done.returncode == 3
    assert b"nothing to convert" not in done.stderr
    assert b"1 failed" in done.stderr
