"""The command line and the CMake functions of hipify_torch."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.torch.hipify_cli import main
from tests.torch_drop_in.conftest import Write

SOURCE = "void f() { cudaFree(0); ourAlloc(0); }\n"
CMAKE = """\
cmake_minimum_required(VERSION 3.19)
project(x LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "{modules}")
include(Hipify)
hipify(CUDA_SOURCE_DIR ${{CMAKE_CURRENT_SOURCE_DIR}} IGNORES */left/* */b.cu)
set(SOURCES csrc/cuda/a.cu csrc/b.cu main.cpp)
get_hipified_list("${{SOURCES}}" SOURCES)
message(STATUS "sources: ${{SOURCES}}")
"""


@pytest.fixture
def folder(write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, which is the current folder."""
    files = {"csrc/cuda/a.cu": SOURCE, "csrc/b.cu": SOURCE, "left/c.cu": SOURCE, "main.cpp": "int main() {}\n"}
    place = write(dict(files))
    monkeypatch.chdir(place)
    return place


def dumped(folder: Path, name: str = "hipify_output_dict_dump.txt") -> dict[str, tuple[str, str]]:
    """What the file of the results says, by path."""
    results = json.loads((folder / name).read_text())
    return {
        str(Path(path).relative_to(folder)): (str(Path(each["hipified_path"]).relative_to(folder)), each["status"])
        for path, each in results.items()
    }


def test_a_folder_is_translated_and_the_results_are_dumped(folder: Path) -> None:
    arguments = ["--project-directory", str(folder), "--ignores", "[*/left/*;*/b.cu]", "--dump-dict-file", "dump.json"]
    assert main(arguments) == 0
    assert dumped(folder, "dump.json") == {
        "csrc/cuda/a.cu": ("csrc/hip/a.hip", "[ok]"),
        "main.cpp": ("main.cpp", "[skipped, no changes]"),
    }


def test_results_can_go_to_a_stream(folder: Path) -> None:
    (folder / "dump").symlink_to("/dev/null")
    assert main(["--project-directory", ".", "--dump-dict-file", "dump"]) == 0
    assert (folder / "dump").readlink() == Path("/dev/null")


def test_an_output_folder_begins_as_a_copy(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert (
        main(["--project-directory", str(folder), "--output-directory", str(output), "--v2", "--list-files-only"]) == 0
    )
    assert (output / "csrc/hip/a.hip").exists()
    assert not (folder / "csrc/hip").exists()


def test_arguments_can_be_in_a_file(folder: Path) -> None:
    (folder / "cmake").mkdir()
    (folder / "map.json").write_text('{"custom_map": {"ourAlloc": "ourHipAlloc"}}')
    config = {
        "project_directory": "..",
        "extra_files": ["csrc/b.cu"],
        "hipify_extra_files_only": True,
        "custom_map_json": "map.json",
    }
    (folder / "cmake/hipify.json").write_text(json.dumps(config))
    assert main(["--config-json", "cmake/hipify.json"]) == 0
    assert dumped(folder) == {"csrc/b.cu": ("csrc/b.hip", "[ok]")}
    assert "hipFree(0); ourHipAlloc(0);" in (folder / "csrc/b.hip").read_text()


def test_a_file_that_fails_is_status_3(folder: Path) -> None:
    (folder / "bad.cu").write_bytes(SOURCE.encode("utf-16"))
    assert main(["--project-directory", "."]) == 3
    assert dumped(folder)["bad.cu"][1].startswith("[failed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--project-directory or --config-json is required"),
        (["--config-json", "missing.json"], "missing.json: "),
        (["--config-json", "list.json"], "list.json: not an object"),
        (["--project-directory", "absent"], "absent: there is no such folder"),
        (["--config-json", "empty.json"], "empty.json: project_directory is missing"),
        (["--project-directory", ".", "--custom-map-json", "empty.json"], "custom_map is not an object of names"),
    ],
)
def test_wrong_usage_is_status_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "list.json").write_text("[]")
    (folder / "empty.json").write_text("{}")
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_the_folder_of_the_cmake_functions_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cmakedir"]) == 0
    assert (Path(capsys.readouterr().out.strip()) / "Hipify.cmake").is_file()


@pytest.mark.skipif(shutil.which("cmake") is None, reason="NOT RUN: CMake is not installed")
def test_cmake_gets_the_names_of_the_translations(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--cmakedir"])
    (folder / "CMakeLists.txt").write_text(CMAKE.format(modules=capsys.readouterr().out.strip()))
    command = ["cmake", "-S", ".", "-B", "build", f"-DPython_EXECUTABLE={sys.executable}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert f"sources: {folder}/csrc/hip/a.hip;{folder}/csrc/b.cu;{folder}/main.cpp" in done.stdout, done.stderr
