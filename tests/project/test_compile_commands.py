"""What compilation databases say of sources: to the include graph, and to `compile`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hipify_py.build_systems.compile_commands.database import Settings, settings_in
from hipify_py.build_systems.compile_commands.options import options_of
from hipify_py.compile.check import compile_groups
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.compile_commands import CompileCommands, compile_commands
from hipify_py.project.errors import PlanError
from hipify_py.project.groups import Group
from hipify_py.project.include_graph import IncludeGraph, includes_of
from hipify_py.project.plan import make_plan
from tests.cli.conftest import Run, quickly

__all__ = ["quickly"]


def said(command: str | list[str], responses: dict[str, bytes] | None = None) -> Settings:
    key = "command" if isinstance(command, str) else "arguments"
    data = json.dumps([{"directory": "/b", "file": "../s/a.cu", key: command}]).encode()
    (settings,) = settings_in(data, lambda path: (responses or {}).get(path, b"")).items()
    assert settings[0] == "/s/a.cu"
    return settings[1]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("nvcc -I../i -I /j -isystem=/k -c a.cu", Settings(folders=("/i", "/j"), system=("/k",))),
        (["g++", "-iquote", "q r", "-idirafter/x", "-c"], Settings(quoted=("/b/q r",), system=("/x",))),
        ("nvcc -std=c++17 -DA -D B=2 -DC='\"x y\"' -UD", Settings(macros=(("A", "1"), ("B", "2"), ("C", '"x y"'), ("D", None)), standard="c++17")),
        ("nvcc --std c++14 --include-path=i --define-macro A=1 --undefine-macro B", Settings(folders=("/b/i",), macros=(("A", "1"), ("B", None)), standard="c++14")),
        ("nvcc -include pre.h -includes x -c a.cu", Settings(included=(("pre.h", "/b/pre.h"),))),
        ("nvcc --options-file o.rsp -DB", Settings(folders=("/b/i",), macros=(("A", "1"), ("B", "1")))),
        ("nvcc @o.rsp", Settings(folders=("/b/i",), macros=(("A", "1"),))),
        ("nvcc 'unfinished -Ix", Settings()),
        ("nvcc -I", Settings()),
        ("", Settings()),
    ],
)  # fmt: skip
def test_what_a_command_says(command: str | list[str], expected: Settings) -> None:
    assert said(command, {"/b/o.rsp": b"-I i\n-DA\n"}) == expected


def test_response_files_that_name_themselves_end() -> None:
    assert said("nvcc @o.rsp", {"/b/o.rsp": b"-DA @o.rsp"}).macros == (("A", "1"),) * 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[",
        b"[" * 100_000,
        b'[1, null, "x", {}]',
        b'[{"directory": 1, "file": "a.cu", "command": "x"}]',
        b'[{"directory": "rel", "file": "a.cu", "command": "x"}]',
        b'[{"directory": "/b", "file": ["a"], "command": "x"}]',
        b'[{"directory": "/b\\u0000", "file": "a", "command": "x"}]',
        b"\xff\xfe[",
    ],
)
def test_what_is_no_database_says_nothing(data: bytes) -> None:
    assert settings_in(data, lambda path: b"") == {}


def test_an_include_is_looked_for_in_the_folders_of_its_source() -> None:
    includes = {
        path: includes_of(text)
        for path, text in {
            "/p/src/a.cu": b'#include "sizes.h"\n',
            "/p/src/b.cu": b"#include <sizes.h>\n",
            "/p/src/c.cu": b'#include "sizes.h"\n',
            "/p/one/deep/sizes.h": b'#include "more.h"\n',
            "/p/two/deep/sizes.h": b"",
            "/p/one/more.h": b"",
            "/p/two/more.h": b"",
        }.items()
    }
    commands = CompileCommands(
        {
            "/p/src/a.cu": Settings(folders=("/p/one/deep", "/p/one")),
            "/p/src/b.cu": Settings(system=("/absent", "/p/two/deep", "/p/one/deep")),
        }
    )
    found = IncludeGraph(includes, commands).included
    assert found["/p/src/a.cu"] == ["/p/one/deep/sizes.h"]
    assert found["/p/src/b.cu"] == ["/p/two/deep/sizes.h"]
    # A source without a command may be compiled as any of the others.
    assert found["/p/src/c.cu"] == ["/p/one/deep/sizes.h", "/p/two/deep/sizes.h"]
    assert found["/p/one/deep/sizes.h"] == ["/p/one/more.h"]
    without = IncludeGraph(includes).included
    assert without["/p/src/a.cu"] == ["/p/one/deep/sizes.h", "/p/two/deep/sizes.h"]


def database(folder: Path, entries: list[dict[str, Any]], place: str = "compile_commands.json") -> Path:
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entries))
    return path


def test_where_a_tree_has_its_database(tmp_path: Path) -> None:
    entry = {"directory": str(tmp_path), "file": "a.cu", "arguments": ["nvcc", "-DA"]}
    assert not compile_commands([str(tmp_path)])
    database(tmp_path, [entry | {"arguments": ["nvcc", "-DB"]}], "build/compile_commands.json")
    database(tmp_path, [entry | {"arguments": ["nvcc", "-DC"]}], "out/other.json")
    source = str(tmp_path / "a.cu")
    (found,) = [compile_commands([str(tmp_path)]).of(source)]
    assert found is not None
    assert found.macros == (("B", "1"),)
    database(tmp_path, [entry])
    assert compile_commands([str(tmp_path)]).of(source) == Settings(macros=(("A", "1"),))
    assert compile_commands([str(tmp_path)], str(tmp_path / "out/other.json")).of(source) == Settings(
        macros=(("C", "1"),)
    )


def test_what_is_no_regular_file_is_no_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "compile_commands.json")
    (tmp_path / "build").mkdir()
    (tmp_path / "build/compile_commands.json").mkdir()
    assert not compile_commands([str(tmp_path)])


def test_a_file_that_is_named_and_is_none_is_told(tmp_path: Path) -> None:
    from hipify_py.project.discovery import discover

    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    options = DEFAULT_OPTIONS._replace(compile_commands=str(tmp_path / "a.cu"))
    with pytest.raises(PlanError, match="not a compilation database"):
        make_plan(discover([str(tmp_path)]), options)


def test_the_command_line_and_the_configuration_name_one(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_text("__global__ void k() {}\n")
    assert quickly("check", "src", "--compile-commands", "absent.json").returncode == 2
    database(tmp_path, [{"directory": str(tmp_path), "file": "src/a.cu", "arguments": ["nvcc"]}], "db/x.json")
    assert quickly("check", "src", "--compile-commands", "db/x.json").returncode == 0
    (tmp_path / "hipify-py.toml").write_text('compile-commands = "db/absent.json"\n')
    assert quickly("check", "src").returncode == 2
    (tmp_path / "hipify-py.toml").write_text('compile-commands = "/etc/passwd"\n')
    assert b"is outside the folder of the configuration" in quickly("check", "src").stderr


def test_nothing_hostile_becomes_an_option(tmp_path: Path) -> None:
    hostile = tmp_path / '-fplugin=x"$(touch y)'
    hostile.mkdir()
    toolkit = tmp_path / "cuda"
    toolkit.mkdir()
    (toolkit / "cuda_runtime_api.h").touch()
    (tmp_path / "inc").mkdir()
    settings = Settings(
        folders=(str(hostile), str(tmp_path / "inc"), str(tmp_path / "absent"), str(toolkit)),
        macros=(("A", "1"), ("-fplugin=x", "1"), ("B", "$(touch z)"), ("C\n#include <x>", ""), ("D", "1\n#error"), ("__CUDACC__", "1"), ("F(x)", "x + 1")),
        included=(("-x", str(hostile / "a.h")),),
        standard="c++17 -fplugin=x",
    )  # fmt: skip
    given = options_of(settings)
    assert given.flags == (f"-I{tmp_path / 'inc'}",)
    assert given.standard == ""
    assert given.definitions == "#undef A\n#define A 1\n#undef B\n#define B $(touch z)\n#undef F\n#define F(x) x + 1\n"


RECORDING = """#!{python}
import sys
header = [sys.argv[n + 1] for n, word in enumerate(sys.argv) if word == "-include"]
with open({record!r}, "a") as file:
    print(*sys.argv[1:], sep="\\n", file=file)
    for path in header:
        file.write(open(path).read())
"""


def test_compile_hands_on_folders_macros_and_the_standard(tmp_path: Path) -> None:
    source = tmp_path / "p"
    (source / "inc").mkdir(parents=True)
    (source / "a.cu").write_text('#include "k.cuh"\nint main() { return cudaGetLastError(); }\n')
    (source / "inc/k.cuh").write_text("#pragma once\nvoid f() { cudaDeviceSynchronize(); }\n")
    (source / "inc/pre.h").write_text("#pragma once\n")
    command = f"nvcc -std=c++14 -I{source}/inc -DN=3 -DNAME='\"a b\"' -include pre.h -fplugin=evil.so -c a.cu"
    database(source, [{"directory": str(source), "file": "a.cu", "command": command}])
    hipcc, record = tmp_path / "hipcc", tmp_path / "record"
    hipcc.write_text(RECORDING.format(python=sys.executable, record=str(record)))
    hipcc.chmod(0o755)
    staged = tmp_path / "staged"
    staged.mkdir()
    report = compile_groups(str(hipcc), [Group([str(source)])], str(staged))
    assert (report.compiled, report.failed) == (1, 0)
    words = record.read_text().splitlines()
    mirrored = f"-I{os.path.realpath(staged)}/0/tree/inc"
    assert words.index(mirrored) < words.index(f"-I{source}/inc")
    assert "-std=c++14" in words
    assert '#define NAME "a b"' in words
    assert f"{os.path.realpath(staged)}/0/tree/inc/pre.h" in words
    assert not [word for word in words if "plugin" in word]
    record.unlink()
    (staged / "again").mkdir()
    compile_groups(str(hipcc), [Group([str(source)])], str(staged / "again"), std="c++20")
    assert [word for word in record.read_text().splitlines() if word.startswith("-std")] == ["-std=c++20"]
