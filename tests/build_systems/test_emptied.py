"""Commands and arguments of which nothing is left."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS

FOR_CUDA = "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("target_compile_options(t PRIVATE --extended-lambda)\n", ""),
        ('target_compile_options(t PRIVATE "--extended-lambda")\n', ""),
        (f"target_compile_options(t PUBLIC {FOR_CUDA})\n", ""),
        (f"add_compile_options({FOR_CUDA})\n", ""),
        ("target_compile_options(t PRIVATE --extended-lambda -O2)\n", "target_compile_options(t PRIVATE -O2)\n"),
        ("set(MORE --extended-lambda)\n", 'set(MORE "")\n'),
        ("SET( MORE --extended-lambda --expt-relaxed-constexpr )\n", 'SET( MORE "")\n'),
        ("set(MORE ${CUDA_cudadevrt_LIBRARY})\n", 'set(MORE "")\n'),
        ("set(MORE m ${CUDA_cudadevrt_LIBRARY})\n", "set(MORE m)\n"),
        ("target_link_libraries(t m ${CUDA_cudadevrt_LIBRARY} z)\n", "target_link_libraries(t m z)\n"),
        ("set(MORE\n  --extended-lambda # lambdas\n)\n", "set(MORE\n   # lambdas\n)\n"),
        ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --extended-lambda")\n', ""),
        (
            'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --keep-dir=x -g")\n',
            'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -g")\n',
        ),
        ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS}")\n', 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS}")\n'),
        ('set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} "--threads 0")\n', ""),
        ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-arch=sm_70)\n", ""),
        ("set(MORE --extended-lambda PARENT_SCOPE)\n", "set(MORE PARENT_SCOPE)\n"),
    ],
)
def test_they_are_written_as_a_person_would(before: str, after: str) -> None:
    text = "# nvcc\n" + before
    done = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == "# nvcc\n" + after
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output


def test_architectures_that_are_no_list_go_together() -> None:
    text = "set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 60 61 70 75 80 CXX_STANDARD 17)\n"
    done = translate_build_file(("# nvcc\n" + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == "# nvcc\nset_target_properties(t PROPERTIES CXX_STANDARD 17)\n"
