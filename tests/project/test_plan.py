"""Where files go."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.discovery import discover
from hipify_py.project.errors import PlanError
from hipify_py.project.plan import DEFAULT_RENAMES, make_plan
from hipify_py.project.renaming import Renaming


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("src/a.cu", "src/lib/b.cuh", "src/lib/cufft.h", "src/readme.txt", "other/a.cu"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("a.cu", "a.hip"),
        ("a.cuh", "a.hip.h"),
        ("a.b.cu", "a.b.hip"),
        ("a.cpp", "a.cpp"),
        (".cu", ".cu"),
        ("acu", "acu"),
    ],
)
def test_default_renames(name: str, new: str) -> None:
    assert Renaming(discover([]), DEFAULT_RENAMES).name(name) == new


def test_the_longest_ending_decides() -> None:
    assert Renaming(discover([]), {".h": ".hpp", ".cu.h": ".hip.h"}).name("a.cu.h") == "a.hip.h"


def test_nothing_is_written_without_a_destination() -> None:
    plan = make_plan(discover(["src"]), DEFAULT_OPTIONS)
    assert [(task.path, task.target) for task in plan.tasks] == [
        ("src/a.cu", None),
        ("src/lib/b.cuh", None),
        ("src/lib/cufft.h", None),
    ]


def test_a_mirrored_tree() -> None:
    plan = make_plan(discover(["src"]), DEFAULT_OPTIONS, output="out", rename=DEFAULT_RENAMES)
    assert {task.path: task.target for task in plan.tasks} == {
        "src/a.cu": "out/a.hip",
        "src/lib/b.cuh": "out/lib/b.hip.h",
        "src/lib/cufft.h": "out/lib/cufft.h",
        "src/readme.txt": "out/readme.txt",
    }
    assert plan.project.common.renames == {"src/a.cu": "a.hip", "src/lib/b.cuh": "lib/b.hip.h"}


def test_the_projects_files_are_known_by_both_their_names() -> None:
    names = make_plan(discover(["src"]), DEFAULT_OPTIONS).project.common.local_headers
    assert {"lib/cufft.h", "src/lib/cufft.h"} <= names
    assert "cufft.h" not in names


def test_a_given_files_neighbours_are_known() -> None:
    names = make_plan(discover(["src/lib/b.cuh"]), DEFAULT_OPTIONS).project.common.local_headers
    assert names == {"src/lib/b.cuh", "src/lib/cufft.h"}


def test_files_of_one_name_collide() -> None:
    with pytest.raises(PlanError, match=r"src/a\.cu and other/a\.cu would both become out/a\.cu"):
        make_plan(discover(["src/a.cu", "other/a.cu"]), DEFAULT_OPTIONS, output="out")


def test_an_input_is_not_overwritten() -> None:
    with pytest.raises(PlanError, match=r"src/a\.cu would replace src/a\.cu, which is an input"):
        make_plan(discover(["src/a.cu"]), DEFAULT_OPTIONS, output="src")
    with pytest.raises(PlanError, match=r"src/a\.cu would replace other/a\.cu, which is an input"):
        make_plan(discover(["src/a.cu", "other"]), DEFAULT_OPTIONS, output="other")
