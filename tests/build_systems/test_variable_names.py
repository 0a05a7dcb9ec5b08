"""Names of CUDA's variables as arguments: of commands, and of the project's own macros and functions."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS

HEAD = "# for CUDA\n"


def _out(text: str) -> tuple[str, list[str]]:
    """What becomes of a list file, and the ids of its findings; a second pass changes nothing."""
    done = translate_build_file((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().removeprefix(HEAD), [found.id for found in done.findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("strip(CMAKE_CUDA_FLAGS_${KIND})", "strip(CMAKE_HIP_FLAGS_${KIND})"),
        ('strip("CMAKE_CUDA_FLAGS_${KIND}" "-g")', 'strip("CMAKE_HIP_FLAGS_${KIND}" "-g")'),
        ("strip(CUDA_NVCC_FLAGS_${KIND})", "strip(CMAKE_HIP_FLAGS_${KIND})"),
        ('foreach(name CMAKE_CXX_FLAGS "CMAKE_CUDA_FLAGS")', 'foreach(name CMAKE_CXX_FLAGS "CMAKE_HIP_FLAGS")'),
        ('set(CMAKE_CUDA_FLAGS_${KIND} "-lineinfo -O2")', 'set(CMAKE_HIP_FLAGS_${KIND} "-gline-tables-only -O2")'),
        ("list(APPEND CUDA_NVCC_FLAGS_${KIND} -O2)", 'string(APPEND CMAKE_HIP_FLAGS_${KIND} " -O2")'),
        (
            "list(APPEND CUDA_NVCC_FLAGS_${KIND} ${MORE})",
            'string(JOIN " " CMAKE_HIP_FLAGS_${KIND} ${CMAKE_HIP_FLAGS_${KIND}} ${MORE})',
        ),
    ],
)
def test_another_variable_may_hold_the_end_of_a_name(before: str, after: str) -> None:
    assert _out(before + "\n") == (after + "\n", [])


@pytest.mark.parametrize(
    "text",
    ['option(FAST "CMAKE_CUDA_FLAGS for speed")', 'set(TEXT "CMAKE_CUDA_FOO")', "strip(CUDA_VERSION${KIND})"],
)
def test_other_texts_stay(text: str) -> None:
    assert _out(text + "\n") == (text + "\n", [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(CUDA_LIBRARIES ${CUDA_LIBRARIES} m)\n", "set(CUDA_LIBRARIES hip::host m)\n"),
        ("list(APPEND CUDA_LIBRARIES m)\n", "list(APPEND CUDA_LIBRARIES hip::host m)\n"),
        (
            "list(APPEND CUDA_CUBLAS_LIBRARIES a)\nlist(APPEND CUDA_CUBLAS_LIBRARIES b)\n",
            "list(APPEND CUDA_CUBLAS_LIBRARIES roc::hipblas a)\nlist(APPEND CUDA_CUBLAS_LIBRARIES b)\n",
        ),
        ("set(CUDA_LIBRARIES m)\nlist(APPEND CUDA_LIBRARIES z)\n", None),
    ],
)
def test_a_variable_that_the_project_extends_begins_with_hips_value(before: str, after: str | None) -> None:
    assert _out(before) == (after or before, [])


def test_the_packages_of_such_variables_are_found() -> None:
    text = "find_package(CUDA REQUIRED)\nlist(APPEND CUDA_CUBLAS_LIBRARIES a)\n"
    assert "find_package(hipblas REQUIRED)\n" in _out(text)[0]
