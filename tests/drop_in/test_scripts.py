"""The scripts that search a folder, the command `as`, and the names under which all are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hipify_py.__main__ as start
from hipify_py.drop_in.file_search import SearchFailed, code_files
from hipify_py.drop_in.tools import TOOLS
from hipify_py.project.toml import parse

from .conftest import Tool
from .samples import LEFT, PLAIN, PLAIN_HIP, write

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files of all kinds, and a name with a space."""
    folder = tmp_path / "the tree"
    (folder / "sub").mkdir(parents=True)
    for name in (
        "b.h",
        "a.cpp",
        "k.cu",
        "K.CU",
        "x.cuh",
        "u.CPP",
        "H.HPP",
        "notes.txt",
        "k.cu.prehip",
        "sub/k.cu",
        "z.hxx",
    ):
        (folder / name).write_text(PLAIN)
    return folder


def test_the_order_of_code_files(tree: Path) -> None:
    names = [os.path.relpath(path, tree) for path in code_files(str(tree))]
    assert names == ["K.CU", "k.cu", "sub/k.cu", "a.cpp", "u.CPP", "x.cuh", "b.h", "z.hxx", "H.HPP"]
    assert [os.path.relpath(path, tree) for path in code_files(str(tree), "headers")] == [
        "x.cuh",
        "b.h",
        "z.hxx",
        "H.HPP",
    ]
    assert [os.path.relpath(path, tree) for path in code_files(str(tree), "custom")] == ["k.cu", "sub/k.cu", "K.CU"]
    assert code_files(str(tree / "k.cu")) == [str(tree / "k.cu")]
    with pytest.raises(SearchFailed):
        code_files(str(tree / "absent"))


def test_hipexamine(tool: Tool, tree: Path) -> None:
    before = sorted(os.listdir(tree))
    for name in ("hipexamine", "hipexamine-perl"):
        done = tool(name, tree.name)
        assert (done.status, done.out) == (0, "")
        assert done.err.count("statistics:") == 10 + (name == "hipexamine")
        assert "file 'GLOBAL' statistics:" in done.err
    assert sorted(os.listdir(tree)) == before


def test_hipexamine_hands_options_on(tool: Tool, tree: Path) -> None:
    write(tree, left=LEFT)
    assert "warning" not in tool("hipexamine-perl", tree.name, "-quiet-warnings").err
    done = tool("hipexamine", tree.name, "-print-stats-csv", "--cuda-path=/opt/cuda", "--", "-Iinclude")
    assert done.status == 0
    assert (tree.parent / "sum_stat.csv").exists()


@pytest.mark.parametrize("name", [name for name in TOOLS if name.startswith("hip")])
@pytest.mark.parametrize("word", ["-help", "--help", "-h"])
def test_scripts_tell_what_they_take(tool: Tool, tree: Path, name: str, word: str) -> None:
    done = tool(name, tree.name, word)
    assert (done.status, done.err) == (0, "")
    assert f"Usage: hipify-py-{name} [FOLDER|FILE" in done.out
    assert ("[-- COMPILER_ARGUMENT...]" in done.out) == (not name.endswith("-perl"))
    assert ("-filter" in done.out) == (name == "hipconvertinplace-perl")
    assert (tree / "k.cu").read_text() == PLAIN


def test_help_after_the_separator_is_the_compilers(tool: Tool, tree: Path) -> None:
    assert "statistics:" in tool("hipexamine", tree.name, "--", "--help").err


def test_without_a_folder_the_current_one_is_searched(tool: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    assert "file './a.cu' statistics:" in tool("hipexamine-perl").err


def test_hipconvertinplace_perl(tool: Tool, tree: Path) -> None:
    done = tool("hipconvertinplace-perl", tree.name, "-filter=sources", "-hip-kernel-execution-syntax")
    assert done.status == 0
    assert (tree / "sub" / "k.cu").read_text() == PLAIN_HIP
    assert (tree / "sub" / "k.cu.prehip").read_text() == PLAIN
    assert (tree / "b.h").read_text() == PLAIN
    assert tool("hipconvertinplace-perl", tree.name).status == 0
    assert "hipMalloc" in (tree / "b.h").read_text()


def test_hipconvertinplace(tool: Tool, tree: Path) -> None:
    done = tool("hipconvertinplace", tree.name, "--", "-std=c++17")
    assert done.status == 0
    assert "  PROCESSED files: 9\n" in done.err
    assert (tree / "sub" / "k.cu").read_text() == PLAIN_HIP
    assert not (tree / "sub" / "k.cu.prehip").exists()


def test_a_folder_that_does_not_exist(tool: Tool) -> None:
    perl, clang = tool("hipexamine-perl", "absent"), tool("hipexamine", "absent")
    assert (perl.status, perl.err) == (0, "error: absent: there is no such file or directory\n")
    assert clang.status == 1
    assert clang.err.endswith("[HIPIFY] error: no source is given\n")


def test_a_large_list_of_files_is_translated_by_several_processes(tool: Tool, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    write(folder, **{f"f{number}": PLAIN + "// more\n" * 500 for number in range(40)})
    assert tool("hipconvertinplace-perl", "many").status == 0
    assert all(path.read_text() == PLAIN_HIP + "// more\n" * 500 for path in folder.glob("*.cu"))


def test_unknown_tools_are_refused(tool: Tool) -> None:
    assert tool("python").status == 2


def test_every_tool_is_installed() -> None:
    scripts = parse((REPOSITORY / "pyproject.toml").read_bytes())["project"]["scripts"]
    found = {name: place for name, place in scripts.items() if name != "hipify-py"}
    assert found == {f"hipify-py-{tool}": f"hipify_py.__main__:{tool.replace('-', '_')}" for tool in TOOLS}
    assert all(callable(getattr(start, tool.replace("-", "_"))) for tool in TOOLS)


@pytest.mark.parametrize("arguments", [["-print-stats", "a.cu"], ["--", "a.cu"], ["--help"], ["-h"]])
def test_an_installed_tool_is_the_command_as(tmp_path: Path, arguments: list[str]) -> None:
    write(tmp_path, a=PLAIN)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    lines = [
        [sys.executable, "-c", "from hipify_py.__main__ import perl; perl()", *arguments],
        [sys.executable, "-m", "hipify_py", "as", "perl", *arguments],
    ]
    one, two = (subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True) for line in lines)
    assert one.returncode == two.returncode == 0
    assert (one.stdout, one.stderr) == (two.stdout, two.stderr)
    assert one.stdout.decode() == (PLAIN_HIP if "a.cu" in arguments else "")


def test_a_configuration_of_hipify_py_does_not_matter(tool: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    (tmp_path / "hipify-py.toml").write_text("launch = [wrong\n")
    assert tool("perl", "a.cu") == (0, PLAIN_HIP, "")
