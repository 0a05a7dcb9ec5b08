"""Link-time optimisation: HIP's compiler links targets with device code, and cannot read GCC's objects for it.

nvcc has GCC link. The linker of HIP's compiler leaves such objects out with a warning only, and the library lacks what
they define.
"""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.properties import is_true

_NAME = "INTERPROCEDURAL_OPTIMIZATION"
_ADVICE = (
    "HIP's compiler links and cannot read what GCC leaves to link time: have clang compile C++ too, or leave it out"
)
_LINES = (
    'if(CMAKE_HIP_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")',
    "  # HIP's compiler links, and cannot read what GCC leaves to link time.",
    "  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)",
    "endif()",
)


def apply(file: CMakeFile) -> None:
    """Turn off what pybind11 turns on by itself, and report what the project asks for."""
    if not file.told.has_cuda:
        return
    for command in file.commands:
        if command.name == "pybind11_add_module":
            if "NO_EXTRAS" not in command.words:
                file.insert_before(command.start, _LINES)
        elif command.name == "nanobind_add_module":
            _report(file, command, "LTO")
        elif command.name.startswith("set"):
            _asked(file, command)


def _asked(file: CMakeFile, command: Command) -> None:
    words = command.words
    for word, value in pairwise(words):
        if word.removeprefix("CMAKE_").startswith(_NAME) and is_true(value):
            _report(file, command, word)


def _report(file: CMakeFile, command: Command, word: str) -> None:
    for argument in command.arguments[1:] if word == "LTO" else command.arguments:
        if argument.text == word:
            file.left("HIP601", argument.inner, word, "property", _ADVICE)
