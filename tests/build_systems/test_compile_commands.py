"""Compilation databases as they come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.api import convert

NAME = "compile_commands.json"


def translated(entries: list[dict[str, Any]], indent: int | None = 2) -> Any:
    data = json.dumps(entries, indent=indent).encode()
    done = translate_build_file(data, NAME, DEFAULT_OPTIONS)
    assert translate_build_file(done.output, NAME, DEFAULT_OPTIONS).output == done.output
    return json.loads(done.output)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/usr/local/cuda/bin/nvcc -O3 -c a.cu -o a.o", "/opt/rocm/bin/hipcc -O3 -c a.cu -o a.o"),
        (
            'nvcc -forward-unknown-to-host-compiler -DN=\\"x\\" -I/p/i -isystem=/p/s "--generate-code=arch=compute_52,code=[compute_52,sm_52]" -std=c++17 -Xcompiler=-fPIC -x cu -rdc=true -c a.cu',
            'hipcc -DN=\\"x\\" -I/p/i -isystem /p/s -std=c++17 -fPIC -x hip -fgpu-rdc -c a.cu',
        ),
        ("nvcc --options-file inc.rsp -c 'a b.cu'", "hipcc @inc.rsp -c 'a b.cu'"),
        ("nvcc -DA='\"\u00e9\t\"' -G a.cu", "hipcc -DA='\"\u00e9\t\"' -g a.cu"),
    ],
)  # fmt: skip
def test_commands_of_nvcc(before: str, after: str) -> None:
    entry = {"directory": "/p/build", "command": before, "file": "a.cu"}
    assert translated([entry]) == [entry | {"command": after}]
    assert translated([entry], None) == [entry | {"command": after}]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["nvcc", "-gencode", "arch=compute_70,code=sm_70", "-Xcompiler", "-Wall,-fPIC", "a.cu"], ["hipcc", "-Wall", "-fPIC", "a.cu"]),
        (["/usr/bin/nvcc", "-x", "cu", "-dc", "a.cu", "-arch=sm_70"], ["/usr/bin/hipcc", "-x", "hip", "-fgpu-rdc", "-c", "a.cu"]),
        (["nvcc", "-I/usr/local/cuda/include", "a \"b\".cu", "-lcublas"], ["hipcc", "-I/opt/rocm/include", "a \"b\".cu", "-lhipblas"]),
    ],
)  # fmt: skip
def test_lists_of_arguments(before: list[str], after: list[str]) -> None:
    for indent in (None, 1):
        found = translated([{"directory": "/p", "arguments": before, "file": "a.cu"}], indent)
        assert found[0]["arguments"] == after


def test_compilers_of_the_host_are_told_the_platform() -> None:
    host = {"directory": "/p", "command": "g++ -I/usr/local/cuda/include -c b.cpp", "file": "b.cpp"}
    nvcc = {"directory": "/p", "command": "nvcc -c a.cu", "file": "a.cu"}
    assert translated([host, nvcc])[0]["command"] == "g++ -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include -c b.cpp"
    assert translated([host]) == [host]
    listed = {"directory": "/p", "arguments": host["command"].split(), "file": "b.cpp"}
    assert translated([listed, nvcc])[0]["arguments"][:3] == ["g++", "-D__HIP_PLATFORM_AMD__", "-I/opt/rocm/include"]


@pytest.mark.parametrize("rename", [False, True])
def test_files_are_at_their_places_in_the_output(tmp_path: Path, rename: bool) -> None:
    source, out = tmp_path / "p", tmp_path / "out"
    (source / "src").mkdir(parents=True)
    (source / "src/a.cu").write_text("__global__ void k() {}\n")
    command = f"nvcc -I{source}/src -I{tmp_path}/px -I {source} -c {source}/src/a.cu -o a.o"
    entries = [
        {"directory": f"{source}/build", "command": command, "file": f"{source}/src/a.cu", "output": "a.o"},
        {"directory": f"{source}", "arguments": ["nvcc", f"-I{source}/src", "-c", "src/a.cu"], "file": "src/a.cu"},
    ]
    (source / NAME).write_text(json.dumps(entries, indent=1))
    convert([source], output=out, rename=rename or None)
    name = "a.hip" if rename else "a.cu"
    assert json.loads((out / NAME).read_text()) == [
        {
            "directory": f"{out}/build",
            "command": f"hipcc -I{out}/src -I{tmp_path}/px -I {out} -c {out}/src/{name} -o a.o",
            "file": f"{out}/src/{name}",
            "output": "a.o",
        },
        {"directory": f"{out}", "arguments": ["hipcc", f"-I{out}/src", "-c", f"src/{name}"], "file": f"src/{name}"},
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"command": "nvcc -G"}',
        '[{"command": "nvcc -G}]',
        '[{"command": ["nvcc", "-G"]}]',
        '[{"arguments": "nvcc -G"}]',
        '[[{"command": "x nvcc -G"}]]',
        '[{"command": "clang++ -c a.cu"}]',
        '["nvcc -G"]',
    ],
)
def test_what_is_no_database_of_nvccs_stays(text: str) -> None:
    assert translate_build_file(text.encode(), NAME, DEFAULT_OPTIONS).output == text.encode()
