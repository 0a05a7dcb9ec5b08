"""`hipify-py compile`, with the real hipcc where there is one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.compile.driver import find_hipcc

REPOSITORY = Path(__file__).resolve().parents[2]

needs_hipcc = pytest.mark.skipif(find_hipcc() is None, reason="hipcc is not installed")

KERNEL = b"""\
#include <cuda_runtime.h>
#include "inc/k.cuh"
int main() {
    float *p;
    if (cudaMalloc(&p, 4) != cudaSuccess) return 1;
    k<<<1, 32>>>(p);
    return cudaDeviceSynchronize();
}
"""
HEADER = b"#pragma once\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src/inc").mkdir(parents=True)
    (tmp_path / "src/a.cu").write_bytes(KERNEL)
    (tmp_path / "src/inc/k.cuh").write_bytes(HEADER)
    return tmp_path


def hipify(cwd: Path, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **(env or {})}
    command = [sys.executable, "-m", "hipify_py", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False, timeout=1800)


def test_without_hipcc_it_says_how_to_get_one(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_hipcc", lambda: None)
    from hipify_py.cli.main import run

    assert run(["compile", str(project)]) == 2
    assert "apt-get install hipcc" in capsys.readouterr().err


@pytest.mark.compiler
@needs_hipcc
def test_a_project_compiles_and_nothing_is_kept(project: Path) -> None:
    done = hipify(project, "compile", "src", "--arch", "gfx90a")
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"1 file compiled, 0 with errors" in done.stderr
    assert sorted(path.name for path in project.rglob("*") if path.is_file()) == ["a.cu", "k.cuh"]


@pytest.mark.compiler
@needs_hipcc
def test_a_given_file_takes_its_headers_along(project: Path) -> None:
    (project / "src/inc/k.cuh").write_bytes(HEADER + b"inline cudaError_t f() { return cudaGetLastError(); }\n")
    done = hipify(project, "compile", "src/a.cu", "--arch", "gfx90a")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.compiler
@needs_hipcc
def test_headers_in_include_folders_are_translated_too(project: Path) -> None:
    (project / "src/a.cu").write_bytes(KERNEL.replace(b"inc/k.cuh", b"k.cuh"))
    (project / "src/inc/k.cuh").write_bytes(HEADER + b"inline cudaError_t f() { return cudaGetLastError(); }\n")
    for path in ("src", "src/a.cu"):
        done = hipify(project, "compile", path, "--arch", "gfx90a", "--", "-Isrc/inc")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.compiler
@needs_hipcc
def test_errors_are_shown_at_their_cuda_lines_once(project: Path) -> None:
    (project / "src/a.cu").write_bytes(KERNEL.replace(b"k<<<1, 32>>>(p);", b"cudaFree(p), oops(p);"))
    (project / "src/inc/k.cuh").write_bytes(HEADER + b"inline void f() { cudaError_t e = 3.5f; }\n")
    done = hipify(project, "compile", "src", "--arch", "gfx90a")
    assert done.returncode == 1
    text = done.stdout.decode()
    assert text.count("src/a.cu:6:18: error: use of undeclared identifier 'oops'") == 1
    assert "        cudaFree(p), oops(p);\n" in text
    assert text.count("src/inc/k.cuh:3:31: error:") == 1
    assert "inline void f() { cudaError_t e = 3.5f; }" in text
    assert "hipify-py-" not in text


@pytest.mark.compiler
@needs_hipcc
def test_what_is_hip_already_is_compiled_where_it_is(project: Path) -> None:
    assert hipify(project, "convert", "src", "-o", "hip").returncode == 0
    (project / "hip/a.cu").write_bytes((project / "hip/a.cu").read_bytes() + b"int broken = oops;\n")
    done = hipify(project, "compile", "hip", "--arch", "gfx90a")
    assert done.returncode == 1
    assert b"hip/a.cu:" in done.stdout
    assert b"int broken = oops;" in done.stdout


@pytest.mark.compiler
@needs_hipcc
def test_c_sources_and_plain_cpp(project: Path) -> None:
    (project / "src/host.c").write_bytes(
        b"#include <cuda_runtime_api.h>\nint f(void) { void *class; return cudaMalloc(&class, 4) != cudaSuccess; }\n"
    )
    (project / "src/plain.cpp").write_bytes(b"#error not to be compiled\n")
    done = hipify(project, "compile", "src", "--arch", "gfx90a")
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"2 files compiled" in done.stderr


@pytest.mark.compiler
@needs_hipcc
def test_flags_for_the_compiler(project: Path) -> None:
    (project / "src/a.cu").write_bytes(KERNEL + b"#ifdef BREAK\n#error broken\n#endif\n")
    assert hipify(project, "compile", "src", "--arch", "gfx90a").returncode == 0
    done = hipify(project, "compile", "src", "--arch", "gfx90a", "--", "-DBREAK")
    assert done.returncode == 1
    assert b"src/a.cu:10:2: error: broken" in done.stdout


@pytest.mark.compiler
@needs_hipcc
def test_failures_without_a_place_are_shown(project: Path) -> None:
    done = hipify(project, "compile", "src", "--arch", "gfx90a", "--", "--nonsense")
    assert done.returncode == 1
    assert b"src/a.cu: hipcc failed:" in done.stderr
    assert b"--nonsense" in done.stderr


@pytest.mark.compiler
@needs_hipcc
def test_files_that_cannot_be_translated(project: Path) -> None:
    (project / "src/bad.cu").write_bytes(b"\0\0")
    done = hipify(project, "compile", "src", "--arch", "gfx90a")
    assert done.returncode == 3
    assert b"src/bad.cu: error HIP90" in done.stderr
    assert b"1 file compiled, 0 with errors" in done.stderr


@pytest.mark.compiler
@needs_hipcc
def test_convert_and_compile_in_one_go(project: Path) -> None:
    done = hipify(project, "convert", "src", "-o", "out", "--compile")
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"1 file compiled, 0 with errors" in done.stderr
    (project / "src/a.cu").write_bytes(KERNEL + b"int broken = oops;\n")
    done = hipify(project, "convert", "src", "--in-place", "--force", "--compile")
    assert done.returncode == 1
    assert b"src/a.cu:9:14: error: use of undeclared identifier 'oops'" in done.stdout


@pytest.mark.compiler
@needs_hipcc
def test_nothing_to_compile(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(b"int a;\n")
    done = hipify(tmp_path, "compile", "a.cpp")
    assert done.returncode == 0
    assert b"nothing to compile" in done.stderr


@pytest.mark.compiler
@needs_hipcc
@pytest.mark.parametrize("flags", [(), ("--", "-DUNUSED")])
def test_each_path_is_compiled_by_its_own_configuration(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """A table of one package gives its wrapper a HIP name; the other package has no such table."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.cu").write_text(
            "#include <cuda_runtime.h>\nint main() { void *p; return ourPoolAlloc(&p, 4) != cudaSuccess; }\n"
        )
    (tmp_path / ".git").mkdir()
    (tmp_path / "one" / "ours.yaml").write_text(
        "library: ours\ntitle: Our wrappers\nfunctions:\n  ourPoolAlloc: hipMalloc\n"
    )
    (tmp_path / "one" / "hipify-py.toml").write_text('mappings = ["ours.yaml"]\n')
    (tmp_path / "two" / "hipify-py.toml").write_text('launch = "chevron"\n')
    done = hipify(tmp_path, "compile", "one", "two", "--arch", "gfx90a", *flags)
    assert done.returncode == 1, done.stdout + done.stderr
    assert b"2 files compiled, 1 with errors" in done.stderr
    assert b"two/a.cu:2:30: error: use of undeclared identifier 'ourPoolAlloc'" in done.stdout
    assert b"one/a.cu" not in done.stdout
    written = hipify(tmp_path, "convert", "--in-place", "--force", "--compile", "one", "two")
    assert written.returncode == 1
    assert b"2 files compiled, 1 with errors" in written.stderr


@pytest.mark.compiler
@needs_hipcc
def test_a_path_within_another_is_compiled_once_by_its_own_configuration(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "hipify-py.toml").write_text('launch = "chevron"\n')
    (tmp_path / "inner" / "a.cu").write_bytes(b"__global__ void k() {}\n")
    done = hipify(tmp_path, "compile", ".", "inner", "--verbose")
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path / 'inner' / 'hipify-py.toml'}: for inner" in done.stderr.decode()
    assert done.stderr.decode().endswith("1 file compiled, 0 with errors\n")
