"""Paths are inside the roots, whatever leads there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.agent_server import limits
from hipify_py.agent_server.roots import Refused, Roots


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    (tmp_path / "root/src").mkdir(parents=True)
    (tmp_path / "root/src/a.cu").write_text("int a;\n")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside/secret.cu").write_text("int secret;\n")
    (tmp_path / "root-2").mkdir()
    os.symlink(tmp_path / "beside", tmp_path / "root/out")
    os.symlink("src", tmp_path / "root/in")
    os.symlink("loop", tmp_path / "root/loop")
    os.mkfifo(tmp_path / "root/pipe")
    return Roots([str(tmp_path / "root")])


@pytest.mark.parametrize("path", ["src", "src/a.cu", ".", "in/a.cu", "./src/"])
def test_a_path_inside_stays_as_it_is_written(roots: Roots, path: str) -> None:
    assert roots.inputs([path]) == [path]


def test_an_absolute_path_inside_is_taken(roots: Roots) -> None:
    path = os.path.join(roots.first, "src")
    assert roots.inputs([path]) == [path]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("..", "contains '..'"),
        ("src/../src", "contains '..'"),
        ("../root/src", "contains '..'"),
        ("/etc/passwd", "outside of the server's folders"),
        ("out/secret.cu", "outside of the server's folders"),
        ("out", "outside of the server's folders"),
        ("~/a.cu", "No such file"),
        ("src/missing.cu", "No such file"),
        ("src/a.cu/b", "Not a directory"),
        ("loop", "symbolic links"),
        ("pipe", "neither a regular file nor a folder"),
        ("a\0b", "NUL"),
        ("", "1 to 4,096 characters"),
        ("a" * 5000, "1 to 4,096 characters"),
        ("b" * 300, "name too long"),
    ],
)
def test_other_paths_are_refused(roots: Roots, path: str, words: str) -> None:
    with pytest.raises(Refused, match=words.replace("'", ".").replace(".", r".") if words else None) as caught:
        roots.inputs([path])
    assert len(str(caught.value)) < 1000
    assert "\0" not in str(caught.value)


def test_a_device_is_refused() -> None:
    with pytest.raises(Refused, match="neither a regular file nor a folder"):
        Roots(["/dev"]).inputs(["null"])


def test_a_root_whose_name_begins_like_another_is_another(roots: Roots) -> None:
    with pytest.raises(Refused, match="outside"):
        roots.inputs([f"{roots.first}-2"])


def test_a_huge_file_is_refused(roots: Roots) -> None:
    with open(os.path.join(roots.first, "huge.cu"), "wb") as file:
        file.truncate(limits.LARGEST_FILE + 1)
    with pytest.raises(Refused, match="larger than 16 MiB"):
        roots.inputs(["huge.cu"])


@pytest.mark.parametrize("paths", [[], ["src"] * (limits.MOST_PATHS + 1)])
def test_so_are_no_paths_and_too_many(roots: Roots, paths: list[str]) -> None:
    with pytest.raises(Refused):
        roots.inputs(paths)


def test_a_path_is_never_an_option(roots: Roots, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(roots.first, "--in-place").write_text("int a;\n")
    Path(roots.first, "-").write_text("int a;\n")
    assert roots.inputs(["--in-place", "-"]) == ["./--in-place", "./-"]


def test_an_output_is_new_or_empty(roots: Roots) -> None:
    os.mkdir(os.path.join(roots.first, "empty"))
    assert roots.output("new/folder") == "new/folder/"
    assert roots.output("empty") == "empty/"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("src", "not empty"),
        ("src/a.cu", "not a folder"),
        ("out/new", "outside"),
        ("../new", "contains"),
        ("/tmp/new", "outside"),
        (".", "not empty"),
        ("pipe", "not a folder"),
        (".git/hooks/new", "version control"),
        ("src/.HG", "version control"),
        ("history/new", "version control"),
    ],
)
def test_other_outputs_are_refused(roots: Roots, path: str, words: str) -> None:
    os.symlink(".svn", os.path.join(roots.first, "history"))
    with pytest.raises(Refused, match=words):
        roots.output(path)


def test_an_empty_root_is_not_an_output(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="a root of the server"):
        Roots([str(tmp_path)]).output(".")


def test_what_leads_out_afterwards_is_noticed(roots: Roots) -> None:
    roots.refuse_strangers(["src/a.cu"])
    os.rename(os.path.join(roots.first, "src"), os.path.join(roots.first, "was"))
    os.symlink(os.path.join(roots.first, "out"), os.path.join(roots.first, "src"))
    with pytest.raises(Refused, match="leads out"):
        roots.refuse_strangers(["src/secret.cu"])


def test_a_root_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not a folder"):
        Roots([str(tmp_path / "missing")])
