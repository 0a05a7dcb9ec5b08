"""The program's own modules are found as Python would find them."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

import pytest

import hipify_py
from hipify_py.cli.finder import OwnModules, find_own_modules

ROOT = Path(hipify_py.__file__).parent
NAMES = sorted(
    path.relative_to(ROOT.parent).with_suffix("").as_posix().removesuffix("/__init__").replace("/", ".")
    for path in ROOT.rglob("*.py")
    if path.parent != ROOT or path.stem != "__init__"
)


def folder_of(name: str) -> list[str]:
    """The folder that a module of the package lies in."""
    return [str(ROOT.parent.joinpath(*name.split(".")[:-1]))]


def test_every_module_is_found_as_python_finds_it() -> None:
    finder = OwnModules(hipify_py)
    assert len(NAMES) > 400
    for name in NAMES:
        ours, theirs = finder.find_spec(name, folder_of(name)), PathFinder.find_spec(name, folder_of(name))
        assert ours is not None
        assert theirs is not None
        for field in ("name", "origin", "cached", "has_location", "submodule_search_locations", "parent"):
            assert getattr(ours, field) == getattr(theirs, field), name
        assert type(ours.loader) is type(theirs.loader)


@pytest.mark.parametrize(
    "name", ["hipify_py", "hipify_pyx.edits", "json.decoder", "hipify_py.nothing", "hipify_py.cli.no"]
)
def test_all_else_is_left_to_python(name: str) -> None:
    assert OwnModules(hipify_py).find_spec(name, folder_of(name)) is None
    assert OwnModules(hipify_py).find_spec(name) is None


def test_it_is_there_once_and_for_files_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [each for each in sys.meta_path if type(each) is not OwnModules])
    before = [*sys.meta_path]
    find_own_modules(ModuleType("hipify_py"))  # as out of an archive: not loaded from a file
    assert sys.meta_path == before
    find_own_modules(hipify_py)
    find_own_modules(hipify_py)
    assert sys.meta_path[1:] == before
