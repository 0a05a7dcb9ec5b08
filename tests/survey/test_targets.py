"""What a list names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.survey.targets import ARCHIVE, GIT, TREE, targets


def test_what_is_given_and_what_stands_in_lists(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "a.tar.gz").write_bytes(b"")
    for part in ("HEAD",):
        (tmp_path / "bare.git").mkdir()
        (tmp_path / "bare.git" / part).write_text("")
    (tmp_path / "bare.git" / "objects").mkdir()
    (tmp_path / "bare.git" / "refs").mkdir()
    (tmp_path / "list.txt").write_text("# mine\n\none\n  a.tar.gz\nbare.git\nhttps://example.org/x/one.git\n../none\n")
    found = targets([str(tmp_path / "list.txt"), str(tmp_path / "one")])
    assert [(target.name, target.kind) for target in found] == [
        ("one", TREE),
        ("a", ARCHIVE),
        ("bare", GIT),
        ("one-2", GIT),
        ("none", ""),
        ("one-3", TREE),
    ]
    assert found[0].source == str(tmp_path / "one")
    assert found[3].source == "https://example.org/x/one.git"
    assert found[4].problem == "no such file or folder"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a.git",
        "git://example.org/a.git",
        "ext::sh -c touch% /tmp/x",
        "fd::17",
        "git@example.org:a/b.git",
        "ssh://-oProxyCommand=touch/x",
        "ssh://user@-oProxyCommand=touch/x",
        "https://example.org/a b",
        "file:// x",
    ],
)
def test_urls_that_are_not_taken(url: str) -> None:
    (target,) = targets([url])
    assert target.kind == ""
    assert target.problem in ("only https, ssh and file URLs are supported", "not a valid URL")


def test_names_are_names_of_folders() -> None:
    given = [
        "https://example.org/..",
        "https://example.org/x/-rf",
        "https://example.org/a%20\x1b[31m.git",
        "https://h/",
    ]
    for target in targets(given):
        assert target.name not in ("", ".", "..")
        assert not target.name.startswith(("-", "."))
        assert os.path.basename(target.name) == target.name
        assert target.name.isprintable()


def test_what_is_neither_file_nor_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tar.gz")
    (tmp_path / "list").write_text("pipe.tar.gz\nlist\n")
    problems = [target.problem for target in targets([str(tmp_path / "list")])]
    assert problems[0] == "it is neither a file nor a folder"
    assert problems[1].startswith("it is not an archive")
