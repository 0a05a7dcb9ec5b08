"""Files that sources include, whatever their names end in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.project.api import check, convert
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.include_graph import IncludeGraph, includes_of
from hipify_py.project.result import CHANGED, UNCHANGED, UNREAD
from hipify_py.project.vendored import vendored_headers

CUDA = "inline void sync() { cudaDeviceSynchronize(); }\n"


def made(root: Path, files: Mapping[str, str | bytes]) -> str:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(root)


def sources(root: str, selection: Selection | None = None) -> list[str]:
    (found,) = discover_groups([Group([root], selection=selection or Selection())])
    return [entry.relative for entry in found.sources]


@pytest.mark.parametrize(
    "name", ["lib/Core", "lib/kernels.tcu", "lib/kernels.cuinl", "lib/ops.kernel", "lib/table.txt"]
)
@pytest.mark.parametrize("include", ['#include "{}"\n', "#include <{}>\n", '#define HELPERS "{}"\n#include HELPERS\n'])
def test_an_included_file_with_cuda_is_a_source(tmp_path: Path, name: str, include: str) -> None:
    root = made(tmp_path, {"main.cu": include.format(name), name: CUDA})
    assert sources(root) == sorted([name, "main.cu"])


def test_files_that_are_included_by_further_files(tmp_path: Path) -> None:
    files = {
        "src/main.cpp": "#include <lib/Dense>\n",
        "include/lib/Dense": '#include "Core"\n',
        "include/lib/Core": '#pragma once\n#include "impl/ops.tcu"\n',
        "include/lib/impl/ops.tcu": CUDA,
    }
    assert sources(made(tmp_path, files)) == sorted(files)


@pytest.mark.parametrize(
    "content",
    [
        b"1.2.3\n",
        b"#!/bin/sh\n# cudaMalloc\n#define X\n",
        b"\x7fELF\0\0cudaMalloc\0",
        "#include <cuda_runtime.h>\n".encode("utf-16"),
        b"",
        b"1, 2, 3,\n",
    ],
    ids=["text", "script", "binary", "utf-16", "empty", "table"],
)
def test_what_says_nothing_to_a_translation_stays(tmp_path: Path, content: bytes) -> None:
    root = made(tmp_path, {"main.cu": "#include <version>\n", "version": content})
    assert sources(root) == ["main.cu"]


def test_files_that_no_source_includes_stay(tmp_path: Path) -> None:
    files = {
        "main.cu": '// #include "notes"\nint main() {}\n',
        "notes": CUDA,
        "more": '#include "notes"\n' + CUDA,
        "other/Core": CUDA,
        "lib/Core": CUDA,
        "lib/a.cu": '#include "Core"\n',
        "README.md": "#include <cuda_runtime.h>\n",
    }
    assert sources(made(tmp_path, files)) == ["lib/Core", "lib/a.cu", "main.cu"]


def test_headers_that_say_nothing_of_cuda_stay(tmp_path: Path) -> None:
    files = {
        "main.cu": "#include <lib/string>\n#include <lib/kernels>\n",
        "lib/string": '#pragma once\n#include "memory"\n#define STRING 1\n',
        "lib/memory": '#include "string"\n#include "plain.h"\n',
        "lib/plain.h": "int plain();\n",
        "lib/kernels": '#include "kernels.cuh"\n',
        "lib/kernels.cuh": CUDA,
    }
    root = made(tmp_path, files)
    assert sources(root) == ["lib/kernels", "lib/kernels.cuh", "lib/plain.h", "main.cu"]


def test_headers_of_the_standard_library_are_no_files_of_the_project_elsewhere(tmp_path: Path) -> None:
    """But those of a standard library in the tree are its own sources'."""
    files = {
        "main.cu": "#include <vector>\n#include <lib/map>\n",
        "third/cuda/std/vector": CUDA,
        "third/lib/map": CUDA,
        "std/include/vector": CUDA,
        "std/src/vector.cpp": "#include <vector>\n",
    }
    taken = ["main.cu", "std/include/vector", "std/src/vector.cpp", "third/lib/map"]
    assert sources(made(tmp_path, files)) == taken
    graph = IncludeGraph({path: includes_of(text.encode()) for path, text in files.items()}).included
    assert graph["main.cu"] == ["third/lib/map"]


def test_sources_that_the_user_has_chosen_are_all(tmp_path: Path) -> None:
    root = made(tmp_path, {"main.cu": '#include "Core"\n', "Core": CUDA})
    assert sources(root, Selection(include=["*.cu"])) == ["main.cu"]
    assert sources(root, Selection(exclude=["Core"])) == ["main.cu"]


def test_it_is_translated_and_reported(tmp_path: Path) -> None:
    core = "#ifdef __CUDACC__\n__device__ inline int f() { return cudaNoSuchThing(); }\n#endif\n" + CUDA
    root = made(tmp_path / "in", {"main.cu": '#include "Core"\n__global__ void k() { f(); }\n', "Core": core})
    report = convert([root], output=tmp_path / "out", jobs=1)
    assert {Path(result.path).name: result.status for result in report.results} == {"Core": CHANGED, "main.cu": CHANGED}
    text = (tmp_path / "out" / "Core").read_text()
    assert "hipDeviceSynchronize" in text
    assert "__HIPCC__" in text
    (finding,) = [each for result in report.results for each in result.findings if each.path.endswith("Core")]
    assert finding.name == "cudaNoSuchThing"


def test_it_tells_sources_of_warps(tmp_path: Path) -> None:
    files = {
        "main.cu": '#include "lib/Dense"\n__device__ int f(int v) { return __shfl_down_sync(~0u, v, WARP_SIZE / 2); }\n',
        "lib/Dense": '#include "Macros"\n',
        "lib/Macros": "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n",
    }
    other = {name.replace("Dense", "Dense.h").replace("Macros", "Macros.h"): text for name, text in files.items()}
    other = {name: text.replace('Dense"', 'Dense.h"').replace('Macros"', 'Macros.h"') for name, text in other.items()}
    told, wanted = (
        [
            (Path(result.path).stem, [(each.id, each.line) for each in result.findings], result.fixes)
            for result in check([made(tmp_path / folder, each)], jobs=1).results
        ]
        for folder, each in (("a", files), ("b", other))
    )
    assert told == wanted


def test_a_kept_run_sees_that_it_is_included_no_more(tmp_path: Path) -> None:
    root = made(tmp_path, {"main.cu": '#include "Core"\n', "Core": CUDA})

    def names() -> list[str]:
        return [Path(result.path).name for result in check([root], jobs=1, cache=True).results]

    assert names() == ["Core", "main.cu"]
    (tmp_path / "main.cu").write_text("int main() {}\n")
    assert names() == ["main.cu", "Core"]
    assert [result.status for result in check([root]).results] == [UNCHANGED, UNREAD]


def test_a_copy_of_cudas_header_stays_a_copy(tmp_path: Path) -> None:
    notice = "// SPDX-FileCopyrightText: Copyright (c) 2023 NVIDIA CORPORATION & AFFILIATES.\n"
    files = {
        "main.cu": "#include <cuda/atomic>\n",
        "include/cuda/atomic": f"{notice}#ifndef _CUDA_ATOMIC\n#define _CUDA_ATOMIC\n#include <cuda_runtime.h>\n#endif\n",
    }
    (found,) = discover_groups([Group([made(tmp_path, files)])])
    assert [*vendored_headers(found).values()] == ["cuda/atomic"]
