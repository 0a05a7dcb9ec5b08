"""`convert --dual`: one tree that builds for both vendors."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.build_systems.dual import can_choose, kept, kept_name
from hipify_py.build_systems.kinds import PRESETS, kind_of
from hipify_py.cli import main
from hipify_py.core.options import NVCC_HEADERS, Options
from hipify_py.nvcc_compat.tree import header_tree
from hipify_py.project.api import convert
from hipify_py.project.discovery import is_source_name
from hipify_py.project.errors import PlanError
from tests.build_systems.projects_of import NAMES, PROJECTS

DUAL = Options(dual=True)
LIST = b"cmake_minimum_required(VERSION 3.21)\nproject(a LANGUAGES CUDA)\nadd_executable(a a.cu)\n"


def files_of(folder: Path) -> dict[str, bytes]:
    """What a folder holds, by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_both_builds_are_there(name: str, tmp_path: Path) -> None:
    convert([PROJECTS / name], output=tmp_path / "amd")
    report = convert([PROJECTS / name], output=tmp_path / "both", options=DUAL)
    assert not report.failed
    before, amd, both = files_of(PROJECTS / name), files_of(tmp_path / "amd"), files_of(tmp_path / "both")
    build_files = [path for path in amd if not is_source_name(path)]
    chosen = {path for path in build_files if can_choose(path) and amd[path] != before[path]}
    for path, data in amd.items():
        if path in chosen:
            assert data in both.pop(path)
            assert both.pop(kept_name(path)) == kept(before[path])
        elif kind_of(path) == PRESETS:
            assert both.pop(path) == before[path]
        else:
            said = both.pop(path)
            assert said == data or b"defined(__CUDACC__) || defined(__HIPCC__)" in said
    headers = {path: text for path, text in both.items() if path.startswith(f"{NVCC_HEADERS}/")}
    assert both == headers
    assert bool(headers) is bool(chosen)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_pass_changes_nothing(name: str, tmp_path: Path) -> None:
    convert([PROJECTS / name], output=tmp_path / "once", options=DUAL)
    convert([tmp_path / "once"], output=tmp_path / "again", options=DUAL)
    assert files_of(tmp_path / "again") == files_of(tmp_path / "once")


def test_in_place_the_build_is_kept_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "CMakeLists.txt").write_bytes(LIST)
    (tmp_path / "sub" / "more.cmake").write_bytes(b"set(CMAKE_CUDA_STANDARD 17)\n")
    (tmp_path / "a.cu").write_bytes(b"#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n")
    for _ in range(2):
        convert([tmp_path], in_place=True, force=True, options=DUAL)
        assert (tmp_path / "CMakeLists.nvidia.cmake").read_bytes() == kept(LIST)
        assert (tmp_path / "sub" / "more.nvidia.cmake").read_bytes() == kept(b"set(CMAKE_CUDA_STANDARD 17)\n")
        assert "hip/hip_runtime.h" in header_tree_of(tmp_path / NVCC_HEADERS)
    lines = (tmp_path / "CMakeLists.txt").read_text().splitlines()
    assert lines.count("project(a LANGUAGES HIP)") == 1
    assert '  include_directories("${CMAKE_CURRENT_LIST_DIR}/nvcc-include")' in lines
    assert "include_directories" not in (tmp_path / "sub" / "more.cmake").read_text()


def header_tree_of(folder: Path) -> dict[str, str]:
    """The headers that are there, which are those that `header --to-cuda` writes."""
    from hipify_py.catalog import load_catalog

    found = {path: data.decode() for path, data in files_of(folder).items()}
    assert found == header_tree(load_catalog())
    return found


def test_lines_end_as_those_of_the_file_do(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + LIST.replace(b"\n", b"\r\n")
    (tmp_path / "CMakeLists.txt").write_bytes(data)
    convert([tmp_path], output=tmp_path / "out", options=DUAL)
    for name in ("CMakeLists.txt", "CMakeLists.nvidia.cmake"):
        text = (tmp_path / "out" / name).read_bytes()
        assert text.startswith(b"\xef\xbb\xbf#")
        assert text.count(b"\n") == text.count(b"\r\n")


def test_a_file_of_somebody_elses_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "CMakeLists.txt").write_bytes(LIST)
    (tmp_path / "src" / "CMakeLists.nvidia.cmake").write_bytes(b"message(mine)\n")
    report = convert([tmp_path / "src"], in_place=True, force=True, options=DUAL)
    assert [Path(result.path).name for result in report.failed] == ["CMakeLists.nvidia.cmake"]
    assert (tmp_path / "src" / "CMakeLists.nvidia.cmake").read_bytes() == b"message(mine)\n"


def test_files_without_cuda_do_not_choose(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "CMakeLists.txt").write_bytes(b"project(cuda_helpers C)\n")
    convert([tmp_path / "src"], output=tmp_path / "out", options=DUAL)
    assert files_of(tmp_path / "out").keys() == {"CMakeLists.txt"}


def test_names_of_sources_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "CMakeLists.txt").write_bytes(LIST)
    with pytest.raises(PlanError, match="cannot rename sources"):
        convert([tmp_path], output=tmp_path / "out", rename=True, options=DUAL)
    monkeypatch.chdir(tmp_path)
    assert main.run(["convert", ".", "-o", "out", "--dual", "--rename"]) == 2
    assert "cannot rename sources" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("nvcc") is None or shutil.which("cmake") is None, reason="NOT BUILT: no nvcc or cmake")
@pytest.mark.parametrize("name", ["one_program", "optional", "presets", "make_one_program", "make_recursive"])
def test_the_tree_builds_for_nvidia_gpus(name: str, tmp_path: Path) -> None:
    convert([PROJECTS / name], output=tmp_path / "source", options=DUAL)
    configure = ["cmake", "-S", "source", "-B", "build", "-DHIP_PLATFORM=nvidia"]
    commands = [configure, ["cmake", "--build", "build"]]
    if not (tmp_path / "source" / "CMakeLists.txt").is_file():
        commands = [["make", "-C", "source", "HIP_PLATFORM=nvidia"]]
    run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run
    for command in commands:
        done = run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
