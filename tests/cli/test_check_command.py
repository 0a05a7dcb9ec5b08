"""`hipify-py check`, the quick way and the full one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY, VECTOR_ADD, Run

SOURCES = {
    "clean.cu": VECTOR_ADD,
    "unsupported.cu": b"void f() {\n    cudaGraphConditionalHandleCreate(0, 0, 0, 0);\n}\n",
    "unknown.cu": b"void g() { cudaFooBar(); }\n",
    "latin1.cu": b"// Gr\xfc\xdfe\nvoid h() { cudaFooBaz(); }\n",
    "utf16.cu": "void f() { cudaMalloc(0, 0); }".encode("utf-16"),
    "hip.cu": b"#include <hip/hip_runtime.h>\nvoid f() { hipDeviceSynchronize(); }\n",
    "plain.h": b"int x;\n",
    "empty.cu": b"",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, data in SOURCES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


@pytest.mark.parametrize("names", [[name] for name in SOURCES] + [sorted(SOURCES)], ids="+".join)
def test_the_quick_way_says_what_the_full_one_says(hipify: Run, sources: Path, names: list[str]) -> None:
    quick = hipify("check", *names)
    full = hipify("check", "--fail-on", "error", *names)
    assert (quick.returncode, quick.stdout, quick.stderr) == (full.returncode, full.stdout, full.stderr)


def test_the_quick_way_knows_neighbouring_headers_as_the_full_one_does(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/cufft.h").write_bytes(b"int mine;\n")
    (tmp_path / "sub/a.cu").write_bytes(b'#include "cufft.h"\n')
    quick, full = hipify("check", "sub/a.cu"), hipify("check", "--jobs=1", "sub/a.cu")
    assert (quick.stdout, quick.stderr) == (full.stdout, full.stderr)


def _loaded(sources: Path, *names: str) -> set[str]:
    """The modules that a check of some sources has imported in the end, after one that has kept what it needed."""
    script = (
        f"import os, sys; sys.argv = {['hipify-py', 'check', *names]!r}\n"
        "os._exit = sys.exit\n"
        "from hipify_py.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(sys.modules), file=sys.stderr)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONPYCACHEPREFIX": str(sources / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-c", script], cwd=sources, env=environment, check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{script}"],
        cwd=sources,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return set(eval(done.stderr.splitlines()[-1]))


def test_the_quick_way_loads_none_of_the_slow_modules(sources: Path) -> None:
    loaded = _loaded(sources, "clean.cu", "unsupported.cu")
    slow = {
        "click",
        "rich",
        "pathspec",
        "subprocess",
        "multiprocessing",
        "yaml",
        "concurrent.futures",
        "argparse",
        "logging",
        "difflib",
    }
    assert loaded & slow == set()
    assert "hipify_py.translator.translate" in loaded


def test_nothing_is_loaded_for_a_tree_where_none_is_asked_for(sources: Path) -> None:
    loaded = _loaded(sources, "clean.cu", "hip.cu", "unsupported.cu")
    assert "tree_sitter" not in loaded
    assert "hipify_py.translator.translate" in loaded


def test_findings_go_to_stdout_and_the_summary_to_stderr(hipify: Run, sources: Path) -> None:
    done = hipify("check", "unsupported.cu", "unknown.cu")
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("unsupported.cu:2:5: error HIP101 cudaGraphConditionalHandleCreate (runtime)")
    assert lines[1].startswith("unknown.cu:1:12: warning HIP102 cudaFooBar looks like a runtime symbol")
    assert b"1 unsupported, 1 unknown" in done.stderr
    assert b"1 error, 1 warning" in done.stderr


@pytest.mark.parametrize(
    ("name", "fail_on", "status"),
    [
        ("unsupported.cu", "error", 1),
        ("unsupported.cu", "never", 0),
        ("unknown.cu", "error", 0),
        ("unknown.cu", "warning", 1),
        ("unknown.cu", "note", 1),
        ("clean.cu", "warning", 0),
        ("utf16.cu", "never", 3),
    ],
)
def test_status(hipify: Run, sources: Path, name: str, fail_on: str, status: int) -> None:
    assert hipify("check", name, "--fail-on", fail_on).returncode == status


def test_nothing_to_convert_is_said(hipify: Run, sources: Path) -> None:
    assert b"nothing to convert: no CUDA found" in hipify("check", "plain.h").stderr
    assert b"nothing to convert: no CUDA found" in hipify("check", "empty.cu").stderr
    assert b"nothing was converted: " in hipify("check", "unknown.cu").stderr
    assert b"nothing to convert" not in hipify("check", "clean.cu").stderr


def test_json_holds_what_the_text_says(hipify: Run, sources: Path) -> None:
    done = hipify("check", "--format", "json", "unsupported.cu", "clean.cu", "utf16.cu")
    assert done.returncode == 3
    document = json.loads(done.stdout)
    assert [file["status"] for file in document["files"]] == ["converted", "converted", "failed"]
    finding = document["files"][0]["findings"][0]
    assert (finding["id"], finding["line"], finding["column"], finding["severity"]) == ("HIP101", 2, 5, "error")
    assert document["files"][2]["findings"][0]["id"] == "HIP902"
    references = document["totals"]["references"]
    assert references["total"] == sum(references[k] for k in ("converted", "native", "unsupported", "unknown"))
    assert references["unsupported"] == 1


def test_names_that_another_file_declares_are_the_projects_own(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "own.h").write_bytes(b"inline void cudaFooBar(int) {}\n")
    (tmp_path / "user.cu").write_bytes(b"void g() { cudaFooBar(1); cudaFooBaz(); }\n")
    assert b"cudaFooBar" in hipify("check", "user.cu").stdout
    together = hipify("check", "user.cu", "own.h")
    assert b"cudaFooBar" not in together.stdout
    assert b"cudaFooBaz" in together.stdout
    assert b"1 CUDA reference: 0 converted, 0 native, 0 unsupported, 1 unknown" in together.stderr
    full = hipify("check", ".")
    assert b"cudaFooBar" not in full.stdout


def test_a_reader_that_leaves_is_no_error(sources: Path) -> None:
    for number in range(300):
        (sources / f"n{number}.cu").write_bytes(b"void g() { cudaFooBar(); }\n" * 20)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    process = subprocess.Popen(
        [sys.executable, "-m", "hipify_py", "check", "."],
        cwd=sources,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=1800)
    assert b"Traceback" not in said
    assert b"BrokenPipe" not in said


def test_checking_writes_nothing(hipify: Run, sources: Path) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in sources.iterdir()}
    hipify("check", ".")
    hipify("check", "clean.cu")
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in sources.iterdir()} == before


def test_version_and_help(hipify: Run) -> None:
    assert hipify("--version").stdout.startswith(b"hipify-py ")
    said = hipify("--help")
    assert said.returncode == 0
    for command in (b"convert", b"check", b"report", b"query", b"compile"):
        assert command in said.stdout
        assert hipify(command.decode(), "--help").returncode == 0
    assert hipify("nonsense").returncode == 2
    assert hipify().returncode == 2
