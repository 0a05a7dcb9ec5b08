"""The folders that decide which headers are found."""

from __future__ import annotations

import os
from pathlib import Path

from hipify_py.clang.search_paths import folders_in, searched


def test_options_in_one_word_or_in_two() -> None:
    arguments = ["-Ia", "-isystem", "b", "-iquotec", "-idirafter", "d", "-DI", "-include", "e.h", "-I"]
    assert folders_in(arguments) == ["a", "b", "c", "d"]


def test_folders_within_those_that_are_searched(tmp_path: Path) -> None:
    first, last = (str(tmp_path / name) for name in ("first", "last"))
    os.makedirs(os.path.join(first, "lib"))
    os.makedirs(os.path.join(last, "lib", "deep"))
    read = os.path.join(last, "lib", "deep", "one.h")
    found = searched(["-I" + first, "-isystem", last], [read])
    assert {first, last, os.path.join(first, "lib"), os.path.dirname(read)} <= {*found}
    assert os.path.join(first, "lib", "deep") not in found
    assert os.path.join(first, "gone") not in searched(["-I" + first], [], ["gone/two.h"])
    assert os.path.join(first, "lib") in searched(["-I" + first], [], ["lib/two.h"])


def test_a_header_of_the_systems_own_folders(tmp_path: Path) -> None:
    folder = str(tmp_path / "bits")
    os.mkdir(folder)
    assert folder in searched(["-I" + str(tmp_path)], ["/usr/include/c++/12/bits/stl_pair.h"])


def test_a_folder_that_is_not_there_may_come() -> None:
    assert searched(["-I/nowhere/inc"], []) == ["/nowhere/inc"]
