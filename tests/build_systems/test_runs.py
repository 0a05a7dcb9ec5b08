"""Build files in runs: places, choices, suppressions, and results that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.api import convert
from tests.cli.conftest import Run

ROOT = b"cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nadd_subdirectory(sub)\n"
SUB = b"add_executable(app a.cu)\ntarget_link_libraries(app CUDA::cublas)\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src" / "sub").mkdir(parents=True)
    (tmp_path / "src" / "CMakeLists.txt").write_bytes(ROOT)
    (tmp_path / "src" / "sub" / "CMakeLists.txt").write_bytes(SUB)
    return tmp_path / "src"


def translated(text: str) -> str:
    return translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS).output.decode()


def ids(text: str) -> list[str]:
    return [found.id for found in translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS).findings]


def test_the_top_finds_what_a_folder_below_links(tree: Path, tmp_path: Path) -> None:
    convert([tree], output=tmp_path / "out")
    assert b"find_package(hipblas REQUIRED)" in (tmp_path / "out" / "CMakeLists.txt").read_bytes()
    assert (tmp_path / "out" / "sub" / "CMakeLists.txt").read_text() == (
        "add_executable(app a.cu)\n"
        "set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n"
        "target_link_libraries(app roc::hipblas)\n"
    )


def test_a_kept_result_goes_when_another_build_file_changes(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    convert([tree], output=tmp_path / "one", cache=True)
    (tree / "sub" / "CMakeLists.txt").write_bytes(SUB.replace(b"cublas", b"cufft"))
    convert([tree], output=tmp_path / "two", cache=True)
    assert b"find_package(hipfft REQUIRED)" in (tmp_path / "two" / "CMakeLists.txt").read_bytes()
    assert b"hipblas" not in (tmp_path / "two" / "CMakeLists.txt").read_bytes()


def test_in_place_and_a_backup(tree: Path) -> None:
    convert([tree], in_place=True, force=True, backup=True)
    assert b"LANGUAGES CXX HIP" in (tree / "CMakeLists.txt").read_bytes()
    assert (tree / "CMakeLists.txt.prehip").read_bytes() == ROOT


def test_a_diff_and_the_choice_to_leave_them(quickly: Run, tree: Path) -> None:
    assert b"+project(p LANGUAGES CXX HIP)" in quickly("convert", "src", "--diff").stdout
    assert quickly("convert", "src", "--diff", "--no-build-files").stdout == b""
    (tree / "hipify-py.toml").write_text("no-build-files = true\n")
    assert quickly("convert", "src", "--diff").stdout == b""


@pytest.mark.parametrize(
    "comment",
    [
        "# hipify: ignore[HIP613]\ntarget_link_libraries(a CUDA::nppc)",
        "target_link_libraries(a CUDA::nppc) # hipify: ignore[HIP613]",
        "# hipify: ignore-file[HIP613]\n\ntarget_link_libraries(a CUDA::nppc)",
        "# hipify: ignore-begin[HIP613]\ntarget_link_libraries(a CUDA::nppc)\n# hipify: ignore-end[HIP613]",
    ],
)
def test_suppressions(comment: str) -> None:
    assert "HIP613" in ids("project(p CUDA)\ntarget_link_libraries(a CUDA::nppc)\n")
    assert ids(f"project(p CUDA)\n{comment}\n") == []


def test_a_suppression_of_nothing_is_told() -> None:
    assert ids("project(p CUDA)\n# hipify: ignore[HIP601]\nadd_executable(a a.cu)\n") == ["HIP907"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("option(USE_CUDA ON)", "option(USE_CUDA ON)"),
        ("set(MY_CUDA_DIR x)", "set(MY_CUDA_DIR x)"),
        ("# CUDA::cublas", "# CUDA::cublas"),
        ('message("CUDA::cublas --use_fast_math")', 'message("CUDA::cublas --use_fast_math")'),
        ("set(x [[CUDA::cublas]])", "set(x [[CUDA::cublas]])"),
        (
            "add_library(cublas x.cpp)\ntarget_link_libraries(a cublas)",
            "add_library(cublas x.cpp)\ntarget_link_libraries(a cublas)",
        ),
        ("set(CUDA_VERSION 3)\nif(CUDA_VERSION)\nendif()", "set(CUDA_VERSION 3)\nif(CUDA_VERSION)\nendif()"),
        ("if(TARGET CUDA::cublasLt)\nendif()", "if(TARGET roc::hipblaslt)\nendif()"),
        ("target_compile_options(a PRIVATE -O3 -G)", "target_compile_options(a PRIVATE -O3 -G)"),
        ("target_compile_options(a PRIVATE -O3 -lineinfo)", "target_compile_options(a PRIVATE -O3 -gline-tables-only)"),
        (
            'target_compile_options(a PRIVATE "SHELL:-Xcompiler -Wall")',
            'target_compile_options(a PRIVATE "SHELL:-Wall")',
        ),
        ('set(CMAKE_CUDA_FLAGS "-Xcompiler=\\"-Wall -O2\\" -g")', 'set(CMAKE_HIP_FLAGS "-Wall -O2 -g")'),
        ('set(CMAKE_CUDA_FLAGS "-rdc=true -arch=sm_70")', 'set(CMAKE_HIP_FLAGS "-fgpu-rdc")'),
        ('set(X 1 CACHE STRING "-gencode flags")', 'set(X 1 CACHE STRING "-gencode flags")'),
        ("set_property(TARGET a PROPERTY CUDA_STANDARD 17)", "set_property(TARGET a PROPERTY HIP_STANDARD 17)"),
        ("get_target_property(x a CUDA_ARCHITECTURES)", "get_target_property(x a HIP_ARCHITECTURES)"),
        ("include_directories(/usr/local/cuda-12.2/include)", "include_directories(/opt/rocm/include)"),
        ("if(CUDA_VERSION VERSION_LESS ${MOST})\nendif()", "if(13.5 VERSION_LESS ${MOST})\nendif()"),
        (
            "target_link_libraries(a $<$<CUDA_COMPILER_ID:NVIDIA>:CUDA::curand>)",
            "target_link_libraries(a $<$<HIP_COMPILER_ID:Clang>:hip::hiprand>)",
        ),
    ],
)
def test_places(before: str, after: str) -> None:
    start = "enable_language(CUDA)\n"
    done = translated(f"{start}{before}\n")
    assert done.startswith("enable_language(HIP)\n")
    lines = [
        line
        for line in done.removeprefix("enable_language(HIP)\n").splitlines()
        if not line.startswith("find_package(")
    ]
    assert "\n".join(lines) == after


@pytest.mark.parametrize("command", ["enable_language(HIP)", "find_package(hip)", "find_package(rocblas REQUIRED)"])
def test_a_project_with_hip_of_its_own_stays(command: str) -> None:
    text = f"project(p CXX)\nif(USE_HIP)\n  {command}\nelse()\n  enable_language(CUDA)\nendif()\n"
    assert translated(text) == text
    assert ids(text) == ["HIP607"]


def test_what_is_whole_before_a_break_is_translated() -> None:
    assert translated('enable_language(CUDA)\nset(x "') == 'enable_language(HIP)\nset(x "'
    assert ids('enable_language(CUDA)\nset(x "') == ["HIP608"]
