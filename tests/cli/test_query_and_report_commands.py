"""`hipify-py query` and `hipify-py report`."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from .conftest import REPOSITORY, Run


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


def test_query_json_is_as_its_schema_says(quickly: Run) -> None:
    schema = json.loads((REPOSITORY / "hipify_py/report/query/query.schema.json").read_text())
    done = quickly(
        "query",
        "--format",
        "json",
        "--target",
        "roc",
        "cublasSgemm",
        "hipMalloc",
        "cuMemAlloc*",
        "lop3.*",
        "%lane*",
        "nothing*",
    )
    document = json.loads(done.stdout)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
    assert document["for"] == "CUDA 13.5, ROCm 10.0, target roc"
    assert document["symbols"][0]["hip"] == "rocblas_sgemm"
    assert {symbol["outcome"] for symbol in document["symbols"]} >= {"converted", "hip", "unknown"}
    assert done.returncode == 1


def test_query_goes_both_ways(quickly: Run) -> None:
    there = quickly("query", "cudaMemPrefetchAsync", "hipMemPrefetchAsync_v2")
    assert there.returncode == 0
    assert b"becomes: return hipMemPrefetchAsync_v2(devPtr, count, location, flags, stream);" in there.stdout
    assert b", cudaMemPrefetchAsync (called with 5 arguments)" in there.stdout
    assert quickly("query", "hipExtMallocWithFlags").returncode == 0
    older = quickly("query", "--rocm", "6.1", "__shfl_sync").stdout
    assert b"__shfl_sync: converted -> __shfl" in older


def test_query_takes_patterns(quickly: Run) -> None:
    listed = quickly("query", "cublas*gemm3m", "hipMallocA*")
    assert listed.returncode == 0
    assert listed.stdout.decode().splitlines() == [
        "cublasCgemm3m: converted -> hipblasCgemm",
        "cublasZgemm3m: converted -> hipblasZgemm",
        "hipMallocArray: HIP",
        "hipMallocAsync: HIP",
    ]
    none = quickly("query", "cuda*Nonsense")
    assert (none.returncode, none.stdout, none.stderr) == (1, b"cuda*Nonsense: no name matches\n", b"")


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
        "src/build/gen.cu",
        "src/main.cu",
        "src/lib/util.cuh",
        "src/old.cu",
    }
    assert sum(library["total"] for library in document["libraries"].values()) == references["total"]


def test_report_without_cuda(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(b"int a;\n")
    done = hipify("report", "a.cpp")
    assert b"\nThere is no CUDA to port.\n" in done.stdout
    assert done.stdout.endswith(b"\nno CUDA references in 1 file\n")
    assert done.returncode == 0


def test_report_with_a_file_that_fails(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"\0")
    assert hipify("report", "a.cu").returncode == 3


def test_runs_over_folders_say_what_to_do_next(quickly: Run, project: Path) -> None:
    (project / "app.vcxproj").write_bytes(b"<Project>\n<CudaCompile Include='main.cu' />\n")
    for command in ("check", "report"):
        run = quickly(command, "src")
        told = run.stderr.decode()
        cause = "src/app.vcxproj:2: warning HIP612 Visual Studio files are not translated: "
        assert (f"next:\n  {cause}" in told) == (command == "check")  # the verdict of a report has it
        assert (b"Visual Studio files are not translated: " in run.stdout, "next:\n" in told) == (True, True)
        assert "  translate: hipify-py convert src -o DIR\n" in told
        told = quickly(command, "src", "--no-build-files").stderr.decode()
        assert "  1 build file names CUDA and must be ported by hand:\n    src/app.vcxproj:2: " in told
        assert quickly(command, "src", "-q").stderr == b""
        assert b"next:" not in quickly(command, "src/main.cu").stderr
        assert b"next:" not in quickly(command, "src/plain.cpp").stderr
    converted = quickly("convert", "src", "-o", "out").stderr.decode()
    assert "translate: hipify-py" not in converted
    assert "hipify-py compile out\n" in converted
    assert b"next:" not in quickly("convert", "src", "--diff").stderr
    assert b"hipify-py compile src\n" in quickly("convert", "src", "--in-place", "--force").stderr
    (project / "app.vcxproj").unlink()
    assert b"next:" not in quickly("check", "src").stderr
