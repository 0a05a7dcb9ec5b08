"""`find_package(HipifyPy)`: sources are converted in the build, and only what has changed is done again."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from hipify_py.cmake import FOLDER
from tests.builds.projects import SOURCES as SOURCES_OF_PROJECT
from tests.builds.projects import run, run_well, write

pytestmark = pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("c++") is None, reason="NOT BUILT: there is no cmake, or no compiler"
)

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(p LANGUAGES CXX)
find_package(HipifyPy REQUIRED)
add_library(sum STATIC src/sum.cu)
set_source_files_properties(src/sum.cu PROPERTIES LANGUAGE CXX COMPILE_DEFINITIONS OWN=1)
target_include_directories(sum PUBLIC include)
hipify_py_target(sum)
add_executable(app src/main.cpp)
hipify_py_target(app)
target_link_libraries(app PRIVATE sum)
"""
"""It asks for an old CMake: the module has policies of its own."""

SOURCES = """\
cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
find_package(HipifyPy REQUIRED)
hipify_py_sources(TRANSLATED SOURCES src/sum.cu src/main.cpp INCLUDE_DIRECTORIES include OPTIONS --rocm 6.4)
add_executable(app ${TRANSLATED})
target_include_directories(app PRIVATE ${TRANSLATED_INCLUDE_DIRECTORIES} include)
"""

GENERATED = """\
cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
find_package(HipifyPy 0.0 REQUIRED)
add_custom_command(OUTPUT made.cu DEPENDS src/sum.cu
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/src/sum.cu made.cu)
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/src/local.h
  COMMAND ${CMAKE_COMMAND} -E sleep 1
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/local.in ${CMAKE_CURRENT_BINARY_DIR}/src/local.h)
add_library(headers INTERFACE)
target_include_directories(headers INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/other;${CMAKE_CURRENT_SOURCE_DIR}/include>")
add_executable(app src/main.cpp made.cu ${CMAKE_CURRENT_BINARY_DIR}/src/local.h)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/src)
target_link_libraries(app PRIVATE $<BUILD_INTERFACE:headers>)
hipify_py_target(app)
hipify_py_target(app)
"""

GENERATORS = [
    pytest.param("Ninja", marks=pytest.mark.skipif(shutil.which("ninja") is None, reason="there is no ninja")),
    pytest.param("Unix Makefiles", marks=pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")),
]
CONVERTING = "Converting the CUDA sources"


def configured(tree: Path, generator: str, build: str = "build") -> Path:
    program = Path(sys.executable).with_name("hipify-py")
    options = [f"-DHipifyPy_DIR={FOLDER}", f"-DHipifyPy_EXECUTABLE={program}", "-Wno-dev"]
    text = run_well(["cmake", "-G", generator, "-S", ".", "-B", build, *options], tree)
    assert "Warning" not in text
    return tree


def built(tree: Path) -> str:
    return run_well(["cmake", "--build", "build"], tree)


def changed(path: Path, old: str, new: str) -> None:
    """Change a file, at a later time than the build's."""
    path.write_text(path.read_text().replace(old, new))
    later = time.time() + 2
    os.utime(path, (later, later))


@pytest.fixture(params=GENERATORS)
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return configured(write(tmp_path / "p", {"CMakeLists.txt": PROJECT}), request.param)


def objects(tree: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in tree.rglob("*.o")}


def test_a_target_is_built_from_its_translation(tree: Path) -> None:
    built(tree)
    assert run(["build/app"], tree).returncode == 0
    assert "hip/hip_runtime.h" in (tree / "build/hipify-py/sum/src/sum.hip.cpp").read_text()
    assert "<<<1, 64>>>" in (tree / "src/sum.cu").read_text()


def test_a_build_with_nothing_to_do(tree: Path) -> None:
    built(tree)
    before = objects(tree)
    assert CONVERTING not in built(tree)
    assert objects(tree) == before


def test_only_what_has_changed_is_done_again(tree: Path) -> None:
    built(tree)
    before = objects(tree)
    changed(tree / "src/local.h", "2 * x", "x + x")
    text = built(tree)
    assert text.count(CONVERTING) == 1
    after = objects(tree)
    assert {name for name in after if after[name] != before[name]} == {"sum.hip.cpp.o"}
    assert run(["build/app"], tree).returncode == 0


def test_a_header_of_a_header_that_has_no_cuda(tree: Path) -> None:
    """All that includes it is compiled again, in this build."""
    built(tree)
    before = objects(tree)
    changed(tree / "include/lib/depth.h", "DEPTH 1", "DEPTH 3")
    built(tree)
    after = objects(tree)
    assert [name for name in after if after[name] == before[name]] == []
    assert run(["build/app"], tree).returncode == 1


def test_a_time_alone_compiles_nothing(tree: Path) -> None:
    built(tree)
    before = objects(tree)
    changed(tree / "src/sum.cu", "", "")
    assert CONVERTING in built(tree)
    assert objects(tree) == before


def test_errors_are_at_the_lines_of_the_cuda_source(tree: Path) -> None:
    changed(tree / "src/sum.cu", "void sum(", "int wrong = undeclared;\nvoid sum(")
    result = run(["cmake", "--build", "build"], tree)
    assert result.returncode != 0
    assert f"{tree / 'src/sum.cu'}:5:" in result.stdout + result.stderr


def test_findings_are_shown_before_the_compilers_errors(tree: Path) -> None:
    changed(tree / "src/sum.cu", "void sum(", "int missing = cudaGraphConditionalHandleCreate(0, 0, 0, 0);\nvoid sum(")
    result = run(["cmake", "--build", "build"], tree)
    text = result.stdout + result.stderr
    assert result.returncode != 0
    assert 0 <= text.find("sum.cu:5:15: error HIP101") < text.find("sum.cu:5:15: error: ")


def test_a_source_that_cannot_be_read_stops_the_build(tree: Path) -> None:
    (tree / "src/sum.cu").write_bytes("__global__ void k();".encode("utf-16"))
    result = run(["cmake", "--build", "build"], tree)
    assert result.returncode != 0
    assert "UTF-16" in result.stdout + result.stderr


def test_a_header_that_is_made_later_is_noticed(tree: Path) -> None:
    text = (tree / "src/local.h").read_text()
    (tree / "src/local.h").unlink()
    assert run(["cmake", "--build", "build"], tree).returncode != 0
    time.sleep(1.1)
    (tree / "src/local.h").write_text(text)
    built(tree)
    assert run(["build/app"], tree).returncode == 0


@pytest.mark.parametrize("build", ["build", "../elsewhere"])
@pytest.mark.parametrize("generator", GENERATORS)
def test_generated_sources_and_headers(tmp_path: Path, generator: str, build: str) -> None:
    """And folders in generator expressions, and a second call for a target."""
    tree = write(tmp_path / "p", {"CMakeLists.txt": GENERATED, "local.in": SOURCES_OF_PROJECT["src/local.h"]})
    (tree / "src/local.h").unlink()
    configured(tree, generator, build)
    run_well(["cmake", "--build", build, "-j2"], tree)
    assert run([f"{build}/app"], tree).returncode == 0
    assert CONVERTING not in run_well(["cmake", "--build", build], tree)


@pytest.mark.parametrize("generator", GENERATORS)
def test_sources(tmp_path: Path, generator: str) -> None:
    tree = configured(write(tmp_path / "p", {"CMakeLists.txt": SOURCES}), generator)
    built(tree)
    assert run(["build/app"], tree).returncode == 0
    assert CONVERTING not in built(tree)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hipify_py_target(nothing)", "there is no target nothing"),
        ("add_subdirectory(sub)\nhipify_py_target(in_sub)", "where in_sub is made"),
        ("find_package(HipifyPy 99 REQUIRED)", 'compatible with requested version "99"'),
        ("hipify_py_sources(X)", "needs SOURCES"),
        ("hipify_py_sources(X WRONG b SOURCES a.cu)", "does not know these arguments: WRONG"),
        ("hipify_py_sources(X SOURCES /elsewhere/a.cu)", "is not below ROOT"),
    ],
)
def test_wrong_use(tmp_path: Path, line: str, message: str) -> None:
    text = f"cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX)\nfind_package(HipifyPy REQUIRED)\n{line}\n"
    tree = write(tmp_path / "p", {"CMakeLists.txt": text, "sub/CMakeLists.txt": "add_library(in_sub ../src/sum.cu)\n"})
    program = Path(sys.executable).with_name("hipify-py")
    result = run(
        ["cmake", "-S", ".", "-B", "build", f"-DHipifyPy_DIR={FOLDER}", f"-DHipifyPy_EXECUTABLE={program}"], tree
    )
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())
