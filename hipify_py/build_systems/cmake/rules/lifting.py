"""Relocatable device code: CMake's HIP language has to be on in every folder that links such code.

With CUDA, a separate step links device code, and the C++ compiler links the program. HIP's compiler does both. CMake
knows a language only in the folder that turns it on, and below.
"""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.properties import is_true

_SEPARABLE = frozenset({"CUDA_SEPARABLE_COMPILATION", "CMAKE_CUDA_SEPARABLE_COMPILATION"})
_OPTIONS = frozenset({"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c"})
_LINES = (
    "# What links relocatable device code is linked by HIP's compiler, in all folders.",
    "include(CheckLanguage)",
    "check_language(HIP)",
    "if(CMAKE_HIP_COMPILER)",
    "  enable_language(HIP)",
    "endif()",
)


def is_relocatable(command: Command) -> bool:
    """Whether the command asks for device code that is linked later."""
    words = command.words
    for index, word in enumerate(words):
        if word in _SEPARABLE and index + 1 < len(words) and is_true(words[index + 1]) is not False:
            return command.name.startswith("set")
        if word in _OPTIONS:
            return True
    return False


def apply(file: CMakeFile) -> None:
    """Turn the language on where the project begins, if HIP is installed."""
    if file.context.lifts_language and file.beginning is not None:
        file.insert_behind(file.beginning.start, file.beginning.end, list(_LINES))
