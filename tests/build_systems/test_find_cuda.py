"""FindCUDA's commands: what they add to a target besides its sources."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def _out(text: str) -> str:
    """What becomes of a list file; a second pass changes nothing."""
    done = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cuda_add_library(x x.cu host.cpp)\n", "target_link_libraries(x hip::host)\n"),
        ("cuda_add_library(x SHARED ${SOURCES})\n", "target_link_libraries(x hip::host)\n"),
        ("cuda_add_executable(x main.cpp x.cu)\n", "target_link_libraries(x hip::host)\n"),
        (
            "set(CUDA_LINK_LIBRARIES_KEYWORD PRIVATE)\ncuda_add_library(x x.cu)\n",
            "target_link_libraries(x ${CUDA_LINK_LIBRARIES_KEYWORD} hip::host)\n",
        ),
    ],
)
def test_they_link_the_runtime(before: str, after: str) -> None:
    assert after in _out(before)


@pytest.mark.parametrize(
    "text",
    [
        "cuda_add_executable(x WIN32 x.cu y.cu)\n",
        "cuda_add_library(x ${SOURCES})\ntarget_link_libraries(x m ${CUDA_LIBRARIES})\n",
        "cuda_add_executable(x main.cpp x.cu)\ntarget_link_libraries(x m cudart)\n",
    ],
)
def test_a_target_that_has_it_needs_no_more(text: str) -> None:
    assert "target_link_libraries(x hip::host)" not in _out(text)


@pytest.mark.parametrize(
    ("sources", "options"),
    [
        ("x.cu", "-gline-tables-only ${MORE}"),
        ("main.cpp x.cu", "$<$<COMPILE_LANGUAGE:HIP>: -gline-tables-only ${MORE}>"),
        ("${SOURCES}", "$<$<COMPILE_LANGUAGE:HIP>: -gline-tables-only ${MORE}>"),
    ],
)
def test_options_are_not_for_cpp_sources(sources: str, options: str) -> None:
    out = _out(f"cuda_add_library(x {sources} OPTIONS -lineinfo ${{MORE}} -arch=sm_70)\n")
    assert f"target_compile_options(x PRIVATE {options})\n" in out


def test_what_applies_to_all_comes_after_the_version_that_is_required() -> None:
    out = _out("# no project()\ncmake_minimum_required(VERSION 3.21)\nset(S a.cu)\nfind_package(CUDA)\n")
    assert out.startswith("# no project()\ncmake_minimum_required(VERSION 3.21)\n# To CMake .cu files are CUDA")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("target_link_libraries( x m z )\n", "target_link_libraries( x m z hip::host )\n"),
        ("target_link_libraries(x m) # mine\n", "target_link_libraries(x m hip::host) # mine\n"),
        ("if(A)\n  target_link_libraries(x m)\nendif()\n", None),
        ('target_link_libraries(x "m")\n', None),
        ("target_link_libraries(x debug a optimized b)\n", None),
        ("target_link_libraries(y m)\n", None),
    ],
)
def test_the_runtime_is_added_to_what_is_linked_anyway(before: str, after: str | None) -> None:
    out = _out("cuda_add_executable(x ${SOURCES})\n" + before)
    assert out.endswith(after or before)
    assert ("target_link_libraries(x hip::host)\n" in out) is (after is None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'set_target_properties(a PROPERTIES COMPILE_FLAGS "-use_fast_math -O2 -lineinfo")',
            'set_target_properties(a PROPERTIES COMPILE_FLAGS "-O2")',
        ),
        ("add_compile_options(-O2 -use_fast_math)", "add_compile_options(-O2)"),
        ("target_compile_options(a PRIVATE -use_fast_math)", ""),
    ],
)
def test_options_of_nvcc_that_only_the_host_compiler_gets(before: str, after: str) -> None:
    text = _out(f"find_package(CUDA REQUIRED)\ncuda_add_executable(a a.cu a.cpp)\n{before}\n")
    assert text.splitlines()[5:] == ([after] if after else [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('cuda_find_library_local_first(RT cudadevrt "for kernels")', 'set(RT "")'),
        (
            'CUDA_FIND_LIBRARY_LOCAL_FIRST(FFT cufft "transforms")',
            'find_library(FFT hipfft DOC "transforms")',
        ),
    ],
)
def test_its_macro_for_libraries_is_cmakes_command(before: str, after: str) -> None:
    assert after in _out(f"find_package(CUDA REQUIRED)\n{before}\n")
