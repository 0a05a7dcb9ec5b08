"""The walk over given files and folders."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hipify_py.project.discovery import BUILD, LINK, OTHER, SOURCE, Discovery, Selection, discover


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def kinds(found: Discovery) -> dict[str, str]:
    return {entry.relative: entry.kind for entry in found.entries}


def test_kinds_and_order(tmp_path: Path) -> None:
    make(
        tmp_path,
        "b.cu",
        "a/z.cuh",
        "a/B.CPP",
        "c.hip",
        "Makefile",
        "d.inl",
        "a.txt",
        "e.cpp.Cuda",
        "e.h.in",
        "f.in",
        "g.hpp.cmake",
        "h.cmake",
    )
    found = discover([str(tmp_path)])
    assert list(kinds(found).items()) == [
        ("Makefile", BUILD),
        ("a/B.CPP", SOURCE),
        ("a/z.cuh", SOURCE),
        ("a.txt", OTHER),
        ("b.cu", SOURCE),
        ("c.hip", SOURCE),
        ("d.inl", SOURCE),
        ("e.cpp.Cuda", SOURCE),
        ("e.h.in", SOURCE),
        ("f.in", OTHER),
        ("g.hpp.cmake", SOURCE),
        ("h.cmake", BUILD),
    ]
    assert found == discover([str(tmp_path)])


def test_given_files_are_taken_whatever_their_suffix_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path, "kernel.txt", "src/a.cu")
    found = discover(["kernel.txt", "./kernel.txt", "src", "src/a.cu", str(tmp_path / "kernel.txt")])
    assert [(entry.path, entry.kind) for entry in found.entries] == [("kernel.txt", SOURCE), ("src/a.cu", SOURCE)]


def test_git_ignores_what_we_ignore(tmp_path: Path) -> None:
    """git itself is asked what its rules mean."""
    make(
        tmp_path,
        "a.cu", "gen.cu", "build/x.cu", "lib/gen.cu", "lib/keep.cu", "lib/deep/x.cu", "lib/deep/build/y.cu",
        "docs/only.cu", "sub/docs/only.cu", "space name.cu", "lib/deep/z.log",
    )  # fmt: skip
    (tmp_path / ".gitignore").write_bytes(b"gen*\nbuild/\n/docs\n*.log\n# comment\n")
    (tmp_path / "lib/.gitignore").write_bytes(b"!gen.cu\nkeep.cu\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    )
    expected = {os.fsdecode(name) for name in listed.stdout.split(b"\0") if name}
    assert set(kinds(discover([str(tmp_path)]))) == expected
    assert "lib/gen.cu" in expected
    assert "lib/keep.cu" not in expected


def test_ignore_files_above_the_given_folder_hold_up_to_the_repository(tmp_path: Path) -> None:
    make(tmp_path, "repo/lib/a.cu", "repo/lib/gen.cu")
    (tmp_path / ".gitignore").write_bytes(b"a.cu\n")
    (tmp_path / "repo/.gitignore").write_bytes(b"gen.cu\n")
    assert set(kinds(discover([str(tmp_path / "repo/lib")]))) == {"a.cu", "gen.cu"}
    (tmp_path / "repo/.git").mkdir()
    assert set(kinds(discover([str(tmp_path / "repo/lib")]))) == {"a.cu"}
    assert set(kinds(discover([str(tmp_path / "repo/lib")], Selection(gitignore=False)))) == {"a.cu", "gen.cu"}


def test_version_control_is_never_walked(tmp_path: Path) -> None:
    make(tmp_path, ".git/x.cu", ".svn/x.cu", "a.cu", ".hidden/b.cu")
    assert set(kinds(discover([str(tmp_path)], Selection(gitignore=False)))) == {"a.cu", ".hidden/b.cu"}


def test_selection(tmp_path: Path) -> None:
    make(tmp_path, "a.cu", "b.cpp", "third_party/c.cu", "x/third_party/d.cu", "kernels.txt")
    found = discover([str(tmp_path)], Selection(include=["*.cu", "kernels.txt"], exclude=["third_party/"]))
    assert kinds(found) == {"a.cu": SOURCE, "b.cpp": OTHER, "kernels.txt": SOURCE}
    assert discover([str(tmp_path / "a.cu")], Selection(exclude=["*.cu"])).entries == []


def test_links(tmp_path: Path) -> None:
    make(tmp_path, "tree/a.cu", "tree/sub/b.cu", "outside/c.cu")
    (tmp_path / "tree/alias.cu").symlink_to("a.cu")
    (tmp_path / "tree/sub/loop").symlink_to("..")
    (tmp_path / "tree/self").symlink_to("self")
    (tmp_path / "tree/out").symlink_to("../outside")
    (tmp_path / "tree/broken.cu").symlink_to("nowhere")
    found = discover([str(tmp_path / "tree")])
    assert kinds(found) == {"a.cu": SOURCE, "alias.cu": LINK, "sub/b.cu": SOURCE, "sub/loop": LINK}
    assert {entry.relative: entry.points_to for entry in found.entries if entry.kind == LINK} == {
        "alias.cu": "a.cu",
        "sub/loop": ".",
    }
    assert [problem.path for problem in found.problems] == [str(tmp_path / "tree/broken.cu")]
    assert {os.path.basename(path) for path, _ in found.skipped} == {"out", "self"}


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    make(tmp_path, "a.cu")
    os.mkfifo(tmp_path / "pipe.cu")
    os.mkfifo(tmp_path / "pipe")
    found = discover([str(tmp_path), "/dev/null", str(tmp_path / "missing"), str(tmp_path / "a.cu/b")])
    assert kinds(found) == {"a.cu": SOURCE}
    assert [(os.path.basename(path), message) for path, message in found.problems] == [
        ("pipe.cu", "not a regular file"),
        ("null", "not a regular file"),
        ("missing", "No such file or directory"),
        ("b", "Not a directory"),
    ]
    assert [os.path.basename(path) for path, _ in found.skipped] == ["pipe"]


def test_folders_left_out_by_the_caller(tmp_path: Path) -> None:
    make(tmp_path, "a.cu", "out/b.cu")
    assert set(kinds(discover([str(tmp_path)], without=[str(tmp_path / "out")]))) == {"a.cu"}


def test_what_git_tracks_is_taken_even_where_gitignore_fits(tmp_path: Path) -> None:
    make(tmp_path, "gen/a.cu", "gen/new.cu", "b.cu", "c.cu", "build/deep/d.cu", "build/deep/e.cu", "other/f.cu")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    tracked = ["gen/a.cu", "b.cu", "build/deep/d.cu"]
    subprocess.run(["git", "add", *tracked], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_bytes(b"gen/\nb*\nc.cu\nother/*\n")
    for start in (tmp_path, tmp_path / "build"):
        found = discover([str(start)])
        assert [entry.path for entry in found.sources] == sorted(
            str(tmp_path / name) for name in tracked if str(tmp_path / name).startswith(str(start))
        )
    left_out = {os.path.relpath(path, tmp_path): why for path, why in discover([str(tmp_path)]).left_out}
    assert set(left_out) == {"gen/new.cu", "c.cu", "build/deep/e.cu", "other/f.cu"}
    assert set(left_out.values()) == {"ignored by .gitignore"}


def test_all_that_is_left_out_is_listed(tmp_path: Path) -> None:
    make(tmp_path, "a.cu", "b.cu", "third_party/c.cu", "out/d.cu", "log/x", ".git/e.cu")
    (tmp_path / ".gitignore").write_bytes(b"log/\n")
    found = discover([str(tmp_path)], Selection(exclude=["third_party/", "b.cu"]), without=[str(tmp_path / "out")])
    assert [(os.path.relpath(path, tmp_path) + "/" * path.endswith("/"), why) for path, why in found.left_out] == [
        ("b.cu", "excluded"),
        ("log/", "ignored by .gitignore"),
        ("out/", "it is the output folder"),
        ("third_party/", "excluded"),
    ]


def test_nothing_is_ignored_in_release_archives(tmp_path: Path) -> None:
    make(tmp_path, "scripts/tool.cu", "notes.o", "Makefile", "a.cu")
    (tmp_path / ".gitignore").write_text("scripts/\n*.o\nMakefile*\n")
    assert set(kinds(discover([str(tmp_path)]))) == {".gitignore", "scripts/tool.cu", "notes.o", "Makefile", "a.cu"}
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    assert set(kinds(discover([str(tmp_path)]))) == {".gitignore", "a.cu"}
