"""Standards of C++ are raised for sources that include Thrust or CUB, and for no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert


def _lists(tmp_path: Path, text: str, source: str = "#include <thrust/sort.h>\n", header: str = "") -> tuple[str, int]:
    """What becomes of a list file beside a source, and how often HIP611 is reported."""
    tree = tmp_path / "p"
    tree.mkdir(exist_ok=True)
    (tree / "a.cu").write_text(source)
    (tree / "h.cuh").write_text(header)
    (tree / "CMakeLists.txt").write_text(text)
    report = convert([tree], output=tmp_path / "out")
    found = [finding.id for result in report.results for finding in result.findings].count("HIP611")
    return (tmp_path / "out" / "CMakeLists.txt").read_text(), found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(CMAKE_CUDA_STANDARD 11)", "set(CMAKE_HIP_STANDARD 17)"),
        ('set(CMAKE_CUDA_STANDARD 14 CACHE STRING "C++")', 'set(CMAKE_HIP_STANDARD 17 CACHE STRING "C++")'),
        (
            "set_target_properties(a PROPERTIES CUDA_STANDARD 11 CXX_STANDARD 11)",
            "set_target_properties(a PROPERTIES HIP_STANDARD 17 CXX_STANDARD 11)",
        ),
        ("set_property(TARGET a PROPERTY CUDA_STANDARD 98)", "set_property(TARGET a PROPERTY HIP_STANDARD 17)"),
        ("target_compile_features(a PUBLIC cuda_std_14)", "target_compile_features(a PUBLIC hip_std_17)"),
        ('string(APPEND CMAKE_CUDA_FLAGS " -std=c++0x")', 'string(APPEND CMAKE_HIP_FLAGS " -std=c++17")'),
        ("list(APPEND CUDA_NVCC_FLAGS --std=gnu++11)", 'string(APPEND CMAKE_HIP_FLAGS " --std=gnu++17")'),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-std=c++14>)",
            "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-std=c++17>)",
        ),
    ],
)
def test_an_old_standard_is_raised(before: str, after: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, before + "\n") == (after + "\n", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(CMAKE_CUDA_STANDARD 17)", "set(CMAKE_HIP_STANDARD 17)"),
        ("set(CMAKE_CUDA_STANDARD 20)", "set(CMAKE_HIP_STANDARD 20)"),
        ("set(CMAKE_CUDA_STANDARD ${S})", "set(CMAKE_HIP_STANDARD ${S})"),
        ("set(CMAKE_CXX_STANDARD 11) # .cu", "set(CMAKE_CXX_STANDARD 11) # .cu"),
        ("add_compile_options(-std=c++11) # .cu", "add_compile_options(-std=c++11) # .cu"),
        ('message("CUDA -std=c++11")', 'message("CUDA -std=c++11")'),
    ],
)
def test_other_standards_stay(before: str, after: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, before + "\n") == (after + "\n", 0)


@pytest.mark.parametrize("source", ["", "// #include <thrust/sort.h>\n", '#include "thrust.h"\n', "int cub;\n"])
def test_without_thrust_and_cub_it_stays(source: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, "set(CMAKE_CUDA_STANDARD 11)\n", source) == ("set(CMAKE_HIP_STANDARD 11)\n", 0)


def test_a_header_counts_as_well(tmp_path: Path) -> None:
    out = _lists(tmp_path, "set(CMAKE_CUDA_STANDARD 11)\n", "", "#  include <cub/cub.cuh>\n")
    assert out == ("set(CMAKE_HIP_STANDARD 17)\n", 1)


def test_a_run_after_thrust_has_come_raises_it(tmp_path: Path) -> None:
    text = "set(CMAKE_CUDA_STANDARD 11)\n"
    assert _lists(tmp_path, text, "") == ("set(CMAKE_HIP_STANDARD 11)\n", 0)
    assert _lists(tmp_path, text) == ("set(CMAKE_HIP_STANDARD 17)\n", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "project(p CXX CUDA)\nset(CMAKE_CXX_STANDARD 98)\n",
            "project(p CXX HIP)\nset(CMAKE_HIP_STANDARD 17)\nset(CMAKE_CXX_STANDARD 98)\n",
        ),
        (
            "project(p CXX CUDA)\nset(CMAKE_CXX_STANDARD 98)\nset(CMAKE_CXX_STANDARD 11)\n",
            "project(p CXX HIP)\nset(CMAKE_HIP_STANDARD 17)\nset(CMAKE_CXX_STANDARD 98)\nset(CMAKE_CXX_STANDARD 11)\n",
        ),
        ("set(CMAKE_CUDA_STANDARD 03)\n", "set(CMAKE_HIP_STANDARD 17)\n"),
        ("target_compile_features(a PUBLIC cuda_std_03)\n", "target_compile_features(a PUBLIC hip_std_17)\n"),
    ],
)
def test_the_oldest_ones_are_raised_for_all_sources(before: str, after: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, before, "__global__ void k() {}\n") == (after, 1)


def test_a_newer_one_is_enough_without_thrust(tmp_path: Path) -> None:
    text = "project(p CXX CUDA)\nset(CMAKE_CXX_STANDARD 11)\nset(CMAKE_CUDA_STANDARD 14)\n"
    out = text.replace("CUDA", "HIP")
    assert _lists(tmp_path, text, "__global__ void k() {}\n") == (out, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "add_compile_options(-Wall -std=gnu++14)",
            "add_compile_options(-Wall $<$<COMPILE_LANGUAGE:CXX>:-std=gnu++14>)",
        ),
        (
            'target_compile_options(a PRIVATE "-std=c++11")',
            'target_compile_options(a PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-std=c++11>")',
        ),
        (
            "target_compile_options(a PRIVATE $<$<CXX_COMPILER_ID:GNU>:-std=c++0x>)",
            "target_compile_options(a PRIVATE $<$<CXX_COMPILER_ID:GNU>:$<$<COMPILE_LANGUAGE:CXX>:-std=c++0x>>)",
        ),
        ("add_definitions(-std=c++11)", "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-std=c++11>)"),
        (
            'set_target_properties(a PROPERTIES COMPILE_FLAGS "-O3 -std=c++0x")',
            'set_target_properties(a PROPERTIES COMPILE_FLAGS "-O3")\n'
            "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-std=c++0x>)",
        ),
    ],
)
def test_a_standard_for_all_languages_is_that_of_cpp_only(before: str, after: str, tmp_path: Path) -> None:
    begun = "find_package(CUDA REQUIRED)\ncuda_add_executable(a a.cu)\n"
    text, found = _lists(tmp_path, f"{begun}{before}\n")
    assert text.endswith(f"\n{after}\n")
    assert found == 1
    again, _ = _lists(tmp_path, text)
    assert again == text


@pytest.mark.parametrize(
    "text",
    [
        'set_target_properties(b PROPERTIES COMPILE_FLAGS "-O3 -std=c++0x")',
        "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-std=c++11>)",
        "add_compile_options($<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-std=c++11>)",
        "add_compile_options(-std=c++17)",
    ],
)
def test_a_standard_that_hip_sources_do_not_get(text: str, tmp_path: Path) -> None:
    begun = "find_package(CUDA REQUIRED)\ncuda_add_executable(a a.cu)\nadd_library(b b.cpp)\n"
    new, found = _lists(tmp_path, f"{begun}{text}\n")
    assert (new.splitlines()[-1], found) == (text.replace("COMPILE_LANGUAGE:CUDA", "COMPILE_LANGUAGE:HIP"), 0)
