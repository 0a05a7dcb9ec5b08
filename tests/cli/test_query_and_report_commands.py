"""`hipify-py query` and `hipify-py report`."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run


def test_query_status_says_whether_all_names_are_known(hipify: Run) -> None:
    known = hipify("query", "cudaMalloc", "cudaGraphConditionalHandleCreate")
    assert known.returncode == 0
    assert b"cudaMalloc: converted -> hipMalloc" in known.stdout
    assert b"cudaGraphConditionalHandleCreate: unsupported" in known.stdout
    unknown = hipify("query", "cudaMalloc", "cudaMaloc")
    assert unknown.returncode == 1
    assert b"did you mean: cudaMalloc" in unknown.stdout
    assert hipify("query").returncode == 2


def test_query_json(hipify: Run) -> None:
    document = json.loads(hipify("query", "--format", "json", "cudaMalloc", "cudaFree").stdout)
    assert [symbol["hip"] for symbol in document["symbols"]] == ["hipMalloc", "hipFree"]


def test_report_text_and_json_agree(hipify: Run, project: Path) -> None:
    (project / "old.cu").write_bytes(b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n")
    text = hipify("report", "src")
    assert text.returncode == 0
    assert b"cudaGraphConditionalHandleCreate" in text.stdout
    document = json.loads(hipify("report", "src", "--format", "json").stdout)
    references = document["totals"]["references"]
    assert f"of {references['total']} CUDA references".encode() in text.stdout
    assert document["unsupported"] == [
        {"name": "cudaGraphConditionalHandleCreate", "library": "runtime", "references": 1}
    ]
    assert {file["path"] for file in document["files"] if file["references"]["total"]} == {
        "src/main.cu",
        "src/lib/util.cuh",
        "src/old.cu",
    }
    assert sum(library["total"] for library in document["libraries"].values()) == references["total"]


def test_report_without_cuda(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(b"int a;\n")
    done = hipify("report", "a.cpp")
    assert done.stdout == b"no CUDA references in 1 file\n"
    assert done.returncode == 0


def test_report_with_a_file_that_fails(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"\0")
    assert hipify("report", "a.cu").returncode == 3
