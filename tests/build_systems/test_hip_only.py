"""C++ sources that include what only HIP's compiler takes are HIP to CMake, and no others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.project.api import convert

TOP = "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(app main.cpp k.cu)\n"
KERNEL = "__global__ void k() {}\n"


def _named(tmp_path: Path, files: Mapping[str, str], file: str = "CMakeLists.txt", **choices: object) -> list[str]:
    """The C++ sources that a list file of a converted tree names as HIP."""
    for name, text in {"CMakeLists.txt": TOP, "k.cu": KERNEL, **files}.items():
        path = tmp_path / "p" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    convert([tmp_path / "p"], output=tmp_path / "out", **choices)  # type: ignore[arg-type]
    text = (tmp_path / "out" / file).read_text()
    _, found, rest = text.partition("foreach(source IN ITEMS\n")
    return rest.partition(")")[0].split() if found else []


@pytest.mark.parametrize(
    "text",
    [
        "#include <thrust/complex.h>\n",
        "#  include <cub/cub.cuh>\n",
        '#include "thrust/host_vector.h"\n',
        "#include <cuda_bf16.h>\n",
        "#include <cuda_fp8.h>\n",
        "#ifdef USE_CUDA\n#include <thrust/complex.h>\n#endif\n",
        "#ifndef __CUDACC__\n#include <thrust/complex.h>\n#endif\n",
        "#ifdef __CUDACC__\n#include <a.h>\n#else\n#include <thrust/complex.h>\n#endif\n",
        "#if defined(__CUDACC__) || defined(USE_CUDA)\n#include <thrust/complex.h>\n#endif\n",
    ],
)
def test_a_source_that_includes_it_is_named(text: str, tmp_path: Path) -> None:
    assert _named(tmp_path, {"main.cpp": text + "int main() {}\n"}) == ["main.cpp"]


@pytest.mark.parametrize(
    "text",
    [
        "int main() {}\n",
        "#include <cuda_runtime.h>\n",
        "#include <cuda_fp16.h>\n",
        "// #include <thrust/complex.h>\n",
        'char const *a = "#include <thrust/complex.h>";\n',
        "#ifdef __CUDACC__\n#include <thrust/complex.h>\n#endif\n",
        "#if defined(USE_CUDA) && defined(__NVCC__)\n#include <thrust/complex.h>\n#endif\n",
        "#ifndef __CUDACC__\n#include <a.h>\n#else\n#include <thrust/complex.h>\n#endif\n",
        "#if defined(__CUDACC__)\n#if 1\n#include <thrust/complex.h>\n#endif\n#endif\n",
        "#include <my/thrust/complex.h>\n",
        "#include <thrust.h>\n",
    ],
)
def test_others_are_not(text: str, tmp_path: Path) -> None:
    assert _named(tmp_path, {"main.cpp": text}) == []


def test_headers_of_the_project_are_followed(tmp_path: Path) -> None:
    files = {
        "main.cpp": '#include "lib/a.hpp"\n',
        "other.cpp": '#include "lib/b.hpp"\n',
        "lib/a.hpp": "#pragma once\n#include <lib/inner.hpp>\n",
        "lib/b.hpp": '#pragma once\n#ifdef __CUDACC__\n#include "inner.hpp"\n#endif\n',
        "lib/inner.hpp": "#include <thrust/complex.h>\n",
        "lib/deep/c.cc": "#include <lib/a.hpp>\n",
        "lib/d.c": '#include "lib/a.hpp"\n',
    }
    assert _named(tmp_path, files) == ["lib/deep/c.cc", "main.cpp"]


def test_the_list_file_that_turns_cuda_on_names_those_below_it(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.21)\nproject(p CXX)\nadd_subdirectory(gpu)\n",
        "gpu/CMakeLists.txt": "enable_language(CUDA)\nadd_library(g src/a.cpp k.cu)\n",
        "gpu/src/a.cpp": "#include <thrust/complex.h>\n",
        "gpu/k.cu": KERNEL,
    }
    assert _named(tmp_path, files, "gpu/CMakeLists.txt") == ["src/a.cpp"]


def test_a_module_names_them_from_its_own_folder(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.21)\nproject(p CXX)\ninclude(cmake/gpu.cmake)\n",
        "cmake/gpu.cmake": "enable_language(CUDA)\n",
        "src/a.cpp": "#include <thrust/complex.h>\n",
    }
    assert _named(tmp_path, files, "cmake/gpu.cmake") == ["../src/a.cpp"]


def test_a_project_with_a_build_for_hip_is_left_alone(tmp_path: Path) -> None:
    files = {"CMakeLists.txt": TOP + "find_package(hip)\n", "a.cpp": "#include <thrust/complex.h>\n"}
    assert _named(tmp_path, files) == []


def test_renamed_sources_are_named_as_they_are_called_then(tmp_path: Path) -> None:
    files = {"main.cpp": "#include <thrust/complex.h>\n"}
    assert _named(tmp_path, files, rename={".cpp": ".hip.cpp"}) == ["main.hip.cpp"]


def test_names_are_quoted_where_cmake_wants_that(tmp_path: Path) -> None:
    for name in ("a b.cpp", "c$d.cpp"):
        (tmp_path / "p").mkdir(exist_ok=True)
        (tmp_path / "p" / name).write_text("#include <thrust/complex.h>\n")
    _named(tmp_path, {})
    text = (tmp_path / "out" / "CMakeLists.txt").read_text()
    assert '    "a b.cpp" "c\\$d.cpp")\n' in text


@pytest.mark.parametrize(
    ("line", "is_given"),
    [
        ("set(CMAKE_CXX_STANDARD 14)", True),
        ("set_target_properties(app PROPERTIES CXX_STANDARD 11)", True),
        ("target_compile_features(app PUBLIC cxx_std_14)", True),
        ("set(CMAKE_CXX_STANDARD 17)", False),
        ("set(CMAKE_CXX_STANDARD 20)", False),
        ("set(CMAKE_CXX_STANDARD 14)\nset_target_properties(app PROPERTIES CXX_STANDARD 20)", False),
        ("set(CMAKE_CXX_STANDARD ${STANDARD})", False),
        ("", False),
    ],
)
def test_hip_sources_do_not_take_over_an_old_standard(line: str, is_given: bool, tmp_path: Path) -> None:
    _named(tmp_path, {"CMakeLists.txt": TOP + line + "\n", "main.cpp": "#include <thrust/complex.h>\n"})
    assert ("set(CMAKE_HIP_STANDARD 17)" in (tmp_path / "out" / "CMakeLists.txt").read_text()) is is_given


def test_an_old_standard_is_taken_over_where_nothing_stands_on_rocprim(tmp_path: Path) -> None:
    _named(tmp_path, {"CMakeLists.txt": TOP + "set(CMAKE_CXX_STANDARD 14)\n", "main.cpp": "int main() {}\n"})
    assert "HIP_STANDARD" not in (tmp_path / "out" / "CMakeLists.txt").read_text()
