"""The files that makefiles include: which paths they write, and which files of the tree these are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.build_systems.make.includes import Tree, include_paths
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group, discover_groups


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("include a.opts b.opts # c\n", ("a.opts", "b.opts")),
        ("-include ../a.opts\nsinclude b\n", ("../a.opts", "b")),
        ("D = conf\ninclude $(D)/a.opts ${D}.mk\n", ("conf/a.opts", "conf.mk")),
        ("D = $(TOP)/conf\ninclude $D/a.opts\n", ("*/conf/a.opts",)),
        ("F = one\nF = two\ninclude $(F).opts\n", ("one.opts", "two.opts")),
        ("include $(wildcard *.d) $(SRC:.c=.d)\n", ("*",)),
        ("include site.$(NAME)\n", ("site.*",)),
        ("A = $(B)\nB = $(A)\ninclude $(A)/x\n", ("*/x",)),
        ("include: x\n\tinclude y\n", ()),
    ],
)
def test_the_paths_that_a_makefile_includes(text: str, expected: tuple[str, ...]) -> None:
    assert include_paths(text.encode()) == expected


FILES = (
    *("app/Makefile", "app/x/Makefile", "app/x/own.opts", "conf/make.opts", "conf/site.lab", "conf/site.home"),
    *("conf/site.lab/notes", "conf/late.opts.in", "root.opts", "far/away.opts", "far/conf/make.opts", ".depend"),
)


@pytest.mark.parametrize(
    ("path", "written", "expected"),
    [
        ("app/x/Makefile", "own.opts", ["app/x/own.opts"]),
        ("app/x/Makefile", "../../conf/make.opts", ["conf/make.opts"]),
        ("app/x/Makefile", "root.opts", ["root.opts"]),
        ("app/Makefile", "*/conf/make.opts", ["conf/make.opts"]),
        ("far/Makefile", "*/conf/make.opts", ["far/conf/make.opts"]),
        ("app/Makefile", "../conf/site.*", ["conf/site.lab", "conf/site.home"]),
        ("app/Makefile", "*/late.opts", ["conf/late.opts.in"]),
        ("app/Makefile", "own.opts", ["app/x/own.opts"]),  # make may run in the folder below
        ("app/Makefile", "away.opts", []),
        ("app/Makefile", "../away.opts", []),
        ("Makefile", ".depend", []),
        ("Makefile", "*", []),
        ("Makefile", "*.opts", []),
    ],
)
def test_the_files_of_a_tree_that_these_are(path: str, written: str, expected: list[str]) -> None:
    assert Tree(FILES).included(path, [written]) == expected


def makefiles(root: Path, selection: Selection | None = None) -> list[str]:
    (found,) = discover_groups([Group([str(root)], selection=selection or Selection())])
    return [entry.relative for entry in found.build_files]


def test_only_text_of_the_tree_that_no_other_tool_reads_is_a_makefile(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("include made.opts data.bin run.sh tool /etc/hosts ../out.opts notes.txt\n")
    for name, text in {
        "data.bin": "\0",
        "run.sh": "",
        "tool": "#!/bin/sh\n",
        "notes.txt": "A = 1\n",
        "b.opts": "",
    }.items():
        (tmp_path / name).write_text(text)
    assert makefiles(tmp_path) == ["Makefile", "notes.txt", "run.sh"]
    assert makefiles(tmp_path, Selection(include=["Makefile"])) == ["Makefile"]
    assert makefiles(tmp_path, Selection(build_files=False)) == []
