"""A build that goes on without CUDA's compiler goes on without HIP's."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def _out(text: str) -> str:
    done = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode()


@pytest.mark.parametrize(
    "command",
    [
        "unset({})",
        "unset({} CACHE)",
        "set({})",
        'set({} "")',
        "set({} OFF)",
        "set({} NOTFOUND)",
        "set({} NVCC-NOTFOUND CACHE FILEPATH nvcc FORCE)",
        "set({} CACHE INTERNAL none)",
        "set({} PARENT_SCOPE)",
    ],
)
def test_a_compiler_that_is_cleared(command: str) -> None:
    text = f"{command}\nif({{}})\n  message(compiled)\nendif()\n"
    assert _out(text.replace("{}", "CMAKE_CUDA_COMPILER")) == text.replace("{}", "CMAKE_HIP_COMPILER")


@pytest.mark.parametrize("command", ["set({} nvcc)", "set({} ${{X}}/bin/nvcc CACHE FILEPATH nvcc)", "set({} ${{N}})"])
def test_a_compiler_that_is_chosen_is_left_to_cmake(command: str) -> None:
    assert _out(command.format("CMAKE_CUDA_COMPILER") + "\n") == ""


@pytest.mark.parametrize("command", ["unset(CMAKE_CUDA_HOST_COMPILER)", "unset(CMAKE_CUDA_ARCHITECTURES)"])
def test_what_is_not_the_compiler_of_hip_is_not_cleared(command: str) -> None:
    assert _out(command + "\n") == ""


@pytest.mark.parametrize(
    "text",
    [
        "unset(CMAKE_CUDA_COMPILER CACHE)\nset(CMAKE_CUDA_COMPILER /usr/bin/nvcc)\n",
        'unset(CMAKE_CUDA_COMPILER CACHE)\nset(CMAKE_CUDA_COMPILER ${X} CACHE FILEPATH "")\n',
        "set(CMAKE_CUDA_COMPILER NOTFOUND)\nset(A 1)\nset(CMAKE_CUDA_COMPILER /usr/bin/nvcc)\n",
    ],
)
def test_the_users_choice_stays_where_another_compiler_was_to_be_given(text: str) -> None:
    assert "COMPILER" not in _out("project(a LANGUAGES CXX CUDA)\n" + text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set({} /usr/bin/nvcc)\nunset({})\n", "unset({})\n"),
        (
            "if(A)\n  unset({})\nelseif(B)\n  set({} /usr/bin/nvcc)\nendif()\n",
            "if(A)\n  unset({})\nendif()\n",
        ),
    ],
)
def test_a_compiler_that_is_cleared_where_none_is_given_then(before: str, after: str) -> None:
    about = "# built without CUDA\n"
    assert _out(about + before.replace("{}", "CMAKE_CUDA_COMPILER")) == about + after.replace(
        "{}", "CMAKE_HIP_COMPILER"
    )
