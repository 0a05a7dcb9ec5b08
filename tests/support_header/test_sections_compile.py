"""Every section of the support header compiles alone, and all of them together, with what compiler there is.

`HIPIFY_PY_ROCM_TREES` names a folder with the headers of `rocm-6.4` and `rocm-7.1` for clang-22.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render, section_names

pytestmark = pytest.mark.compiler

USES = Path(__file__).parent / "uses"
TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")
TARGETS = (("rocm-6.4", "gfx90a"), ("rocm-7.1", "gfx1100"))
"""Both widths of a wavefront, and both versions of HIP's headers; all sections together also for a third target."""


def _clang(rocm: str, arch: str) -> list[list[str]]:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    tree = os.path.join(TREE, rocm)
    width = "32" if arch.startswith("gfx1") else "64"  # upstream clang dropped what ROCm's defines
    wavefront = [f"-D__AMDGCN_WAVEFRONT_SIZE={width}", f"-D__AMDGCN_WAVEFRONT_SIZE__={width}"]
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include"]
    return [[*command, *wavefront, side, "-Wall", "-std=c++17"] for side in ("--cuda-device-only", "--cuda-host-only")]


def _compile(command: list[str], source: Path, header: bytes, folder: Path) -> None:
    (folder / HEADER).write_bytes(header)
    full = [*command, "-I", str(folder), "-c", str(source), "-o", os.devnull]
    run = subprocess.run(full, capture_output=True, text=True, errors="replace", timeout=1800, check=False)
    assert run.returncode == 0, f"{' '.join(full)}\n{run.stderr[:4000]}"
    assert HEADER not in run.stderr, run.stderr[:4000]  # nor does it make anybody's build noisy


def _program(name: str, folder: Path) -> Path:
    """What uses a section; those that stand for PTX are used by the tests of its catalogue, and only read here."""
    program = USES / f"{name}.cu"
    if not program.is_file():
        assert name.startswith(("ptx_", "shared_address")), f"{program} is missing"
        program = folder / "include.cu"
        program.write_text(f'#include "{HEADER}"\n')
    return program


@pytest.mark.parametrize(("rocm", "arch"), TARGETS)
@pytest.mark.parametrize("name", section_names())
def test_a_section_compiles_alone(name: str, rocm: str, arch: str, tmp_path: Path) -> None:
    for command in _clang(rocm, arch):
        _compile(command, _program(name, tmp_path), render([name]), tmp_path)


@pytest.mark.parametrize(("rocm", "arch"), [*TARGETS, ("rocm-7.1", "gfx942")])
def test_all_sections_compile_together(rocm: str, arch: str, tmp_path: Path) -> None:
    source = tmp_path / "all.cu"
    source.write_text(f'#include "{HEADER}"\n#include "{HEADER}"\n__global__ void k() {{}}\n')
    for command in _clang(rocm, arch):
        _compile(command, source, render(section_names()), tmp_path)


MACROS = """
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#define __shfl(x, y, z) my_shuffle(x, y, z)
#define __shfl_xor(x, y, z) my_shuffle(x, y, z)
#define __ballot(x) my_vote(x)
#define __any(x) my_vote(x)
#define __activemask() my_vote(1)
"""


@pytest.mark.parametrize(("rocm", "arch"), TARGETS)
def test_a_projects_macros_for_warp_functions_change_nothing(rocm: str, arch: str, tmp_path: Path) -> None:
    source = tmp_path / "macros.cu"
    source.write_text(
        f'{MACROS}#include "{HEADER}"\n__global__ void k(int *o) {{ o[0] = hipify::warp32::ballot(o[1]); }}\n'
    )
    header = render(["ptx_shuffle", "reduce_sync", "warp32", "warp32_groups"])
    for command in _clang(rocm, arch):
        _compile(command, source, header, tmp_path)


def test_no_product_is_merged_with_a_sum(tmp_path: Path) -> None:
    device, _ = _clang("rocm-7.1", "gfx942")
    (tmp_path / HEADER).write_bytes(render(["uncontracted"]))
    command = [*device, "-O3", "-S", "-I", str(tmp_path), str(_program("uncontracted", tmp_path)), "-o", "-"]
    assembly = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True).stdout
    assert "v_mul_f64" in assembly
    assert not re.search(r"\bv_(?:pk_)?(?:fma|fmac|mad|mac)\w*_f(?:32|64)", assembly)


@pytest.mark.parametrize("name", section_names())
def test_a_section_compiles_with_nvcc(name: str, tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("NOT COMPILED: there is no nvcc on this machine")
    if name == "legacy_blas" and not (Path(nvcc).resolve().parents[1] / "include" / "cublas_v2.h").is_file():
        pytest.skip("NOT COMPILED: there is no cuBLAS beside nvcc")
    _compile(
        [nvcc, "-arch=sm_90", "-std=c++17", "--expt-relaxed-constexpr", "-rdc=true"],  # for the device runtime
        _program(name, tmp_path),
        render([name]),
        tmp_path,
    )


def test_host_sources_may_include_it_more_than_once_in_a_program(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None or not TREE:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or g++ is missing")
    (tmp_path / HEADER).write_bytes(render(section_names()))
    (tmp_path / "a.cpp").write_text(f'#include "{HEADER}"\nint main() {{ return hipify::warp_size - 64; }}\n')
    (tmp_path / "b.cpp").write_text(f'#include "{HEADER}"\nhipify::atomic<int> counter;\n')
    flags = ["-std=c++17", "-D__HIP_PLATFORM_AMD__", "-isystem", f"{TREE}/rocm-7.1/include", "-o", "both"]
    run = subprocess.run(
        [compiler, *flags, "a.cpp", "b.cpp"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[:4000]
