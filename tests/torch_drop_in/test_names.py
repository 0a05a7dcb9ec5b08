"""The other names of the module."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from hipify_py.torch import hipify_python
from hipify_py.torch.hipify_python import GeneratedFileCleaner, InputError, match_extensions, matched_files_iter


@pytest.mark.parametrize("name", ["Trie", "processKernelLaunches", "PYTORCH_MAP", "replace_math_functions"])
def test_parts_of_how_the_original_translates_are_explained(name: str) -> None:
    with pytest.raises(AttributeError, match="which hipify-py does in another way"):
        getattr(hipify_python, name)


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = hipify_python.nothing


def test_everything_that_is_offered_is_there() -> None:
    assert [name for name in hipify_python.__all__ if not hasattr(hipify_python, name)] == []


def test_truth_values() -> None:
    assert hipify_python.str2bool("Yes")
    assert not hipify_python.str2bool("0")
    with pytest.raises(argparse.ArgumentTypeError):
        hipify_python.str2bool("maybe")


def test_errors_of_input() -> None:
    assert str(InputError("no end")) == "Input error: no end"


def test_colours_and_the_marker() -> None:
    assert hipify_python.bcolors.OKGREEN + hipify_python.bcolors.ENDC == "\033[92m\033[0m"
    assert hipify_python.HIPIFY_C_BREADCRUMB.startswith("// !!! This is a file automatically generated")


def test_text_is_read_without_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\xe9b")
    with hipify_python.openf(str(tmp_path / "a"), "r") as file:
        assert file.read() == "ab"


def test_endings() -> None:
    assert match_extensions("a.cuh", [".cu", ".cuh"])
    assert not match_extensions("a.hip", [".cu", ".cuh"])


def test_files_are_found_by_patterns(tmp_path: Path) -> None:
    for name in ("a.cu", "b.txt", "third_party/nvfuser/c.cu", "third_party/d.cu", ".git/e.cu", "x/.git/f.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = matched_files_iter(str(tmp_path), ("*",), ("*/d.cu",), (".cu",), is_pytorch_extension=True)
    assert sorted(os.path.relpath(path, tmp_path) for path in found) == [
        "a.cu",
        "third_party/nvfuser/c.cu",
        "x/.git/f.cu",
    ]


def test_a_cleaner_removes_what_was_made_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a").write_text("a")
    with GeneratedFileCleaner() as cleaner:
        cleaner.makedirs(str(tmp_path / "mine" / "deep" / "er"))
        cleaner.makedirs(str(tmp_path / "full"))
        for name in ("mine/a", "mine/deep/er/b", "gone"):
            with cleaner.open(str(tmp_path / name), "w") as file:
                file.write("new")
        (tmp_path / "full" / "other").touch()
        (tmp_path / "gone").unlink()
    assert sorted(os.path.relpath(path, tmp_path) for path in tmp_path.rglob("*")) == [
        "full",
        "full/other",
        "mine",
        "mine/a",
    ]


def test_a_cleaner_can_keep_everything(tmp_path: Path) -> None:
    with GeneratedFileCleaner(keep_intermediates=True) as cleaner, cleaner.open(str(tmp_path / "a"), "w"):
        pass
    assert (tmp_path / "a").exists()


def test_a_call_tells_a_cleaner_what_it_makes(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "cuda").mkdir(parents=True)
    (folder / "cuda" / "a.cu").write_text("__device__ unsigned f(bool b) { return __ballot_sync(~0u, b); }\n")
    with GeneratedFileCleaner() as cleaner:
        hipify_python.hipify(str(folder), output_directory=str(folder), is_pytorch_extension=True, clean_ctx=cleaner)
        assert (folder / "hip" / "a.hip").exists()
        assert (folder / "hipify_support.hpp").exists()
    assert sorted(os.path.relpath(path, folder) for path in folder.rglob("*")) == ["cuda", "cuda/a.cu"]
