"""OpenMP that C++ has by its options is linked by HIP's compiler, too."""

from __future__ import annotations

from textwrap import indent

import pytest

from hipify_py.build_systems.cmake.load import build_contexts
from hipify_py.build_systems.cmake.translate import translate
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import ProjectContext

HEAD = "project(x CXX CUDA)\n"
LINKED = (
    "# HIP's compiler links targets with device code, and does not get the options of C++.\n"
    'if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")\n'
    '  string(APPEND CMAKE_HIP_STANDARD_LIBRARIES " -lgomp")\n'
    "else()\n"
    '  string(APPEND CMAKE_HIP_STANDARD_LIBRARIES " -lomp")\n'
    "endif()\n"
)
CXX = 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} ${OpenMP_CXX_FLAGS}")\n'


def _out(text: str, head: str = HEAD) -> str:
    done = translate((head + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().partition(head.replace("CUDA", "HIP"))[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CXX, CXX + LINKED),
        ('string(APPEND CMAKE_CXX_FLAGS " -fopenmp")\n', 'string(APPEND CMAKE_CXX_FLAGS " -fopenmp")\n' + LINKED),
        (CXX.replace("CXX", "C") + CXX, CXX.replace("CXX", "C") + CXX + LINKED),
        (f"if(A)\n  {CXX}endif()\n", f"if(A)\n  {CXX}{indent(LINKED, '  ')}endif()\n"),
        (f"{CXX}add_library(a a.cpp)\n{CXX}", f"{CXX}{LINKED}add_library(a a.cpp)\n{CXX}{LINKED}"),
    ],
)
def test_the_runtime_is_linked(before: str, after: str) -> None:
    assert _out(before) == after


PARENTS = 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -fopenmp" PARENT_SCOPE)\n'
LINKED_THERE = LINKED.replace(
    'string(APPEND CMAKE_HIP_STANDARD_LIBRARIES " -l',
    'set(CMAKE_HIP_STANDARD_LIBRARIES "${CMAKE_HIP_STANDARD_LIBRARIES} -l',
).replace('omp")', 'omp" PARENT_SCOPE)')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PARENTS, PARENTS + LINKED_THERE),
        (CXX + PARENTS, CXX + LINKED + PARENTS + LINKED_THERE),
        (
            f"function(f)\n  {PARENTS}endfunction()\n",
            f"function(f)\n  {PARENTS}{indent(LINKED_THERE, '  ')}endfunction()\n",
        ),
    ],
)
def test_the_runtime_is_linked_in_the_scope_that_has_the_options(before: str, after: str) -> None:
    assert _out(before) == after


EARLY = 'set(CMAKE_CXX_FLAGS "-fopenmp")\n'


@pytest.mark.parametrize(
    ("head", "behind"),
    [
        (EARLY, LINKED),
        (EARLY + "set(A 1)\n" + EARLY, LINKED),
        (
            f"if(A)\n  {EARLY}endif()\n",
            'if(CMAKE_CXX_FLAGS MATCHES "-fopenmp($|[ =])")\n' + indent(LINKED, "  ") + "endif()\n",
        ),
    ],
)
def test_the_compiler_is_asked_for_behind_the_project(head: str, behind: str) -> None:
    done = translate((head + HEAD).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == head + HEAD.replace("CUDA", "HIP") + behind


@pytest.mark.parametrize(
    "text",
    [
        'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -fopenmp-simd")\n',
        "string(APPEND CMAKE_CXX_FLAGS -fopenmp-version=50)\n",
        'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Wall")\n',
        'message(STATUS "${OpenMP_CXX_FLAGS}")\n',
        "target_link_libraries(x PRIVATE OpenMP::OpenMP_CXX)\n",
        'set(MY_FLAGS "-fopenmp")\n',
        '# set(CMAKE_CXX_FLAGS "-fopenmp")\n',
    ],
)
def test_other_settings_stay(text: str) -> None:
    assert _out(text) == text


def test_without_cuda_nothing_is_added() -> None:
    text = "project(x CXX)\n" + CXX
    assert translate(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS).output == text.encode()


def test_a_list_file_that_does_not_name_cuda() -> None:
    files = {"CMakeLists.txt": HEAD.encode() + b"add_subdirectory(lib)\n", "lib/CMakeLists.txt": CXX.encode()}
    told = build_contexts(files, DEFAULT_OPTIONS)["lib/CMakeLists.txt"]
    done = translate_build_file(
        files["lib/CMakeLists.txt"], "lib/CMakeLists.txt", DEFAULT_OPTIONS, ProjectContext(build=told)
    )
    assert done.output.decode() == CXX + LINKED
