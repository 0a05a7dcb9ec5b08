"""OpenMP in the options of C++: the linker of HIP's compiler does not get them.

nvcc has GCC link, which CMake gives the options of C++, and `-fopenmp` among them links the runtime library. HIP's
compiler, which links targets with device code, is given those of HIP alone. Where a target says what it links
(`OpenMP::OpenMP_CXX`), nothing is to be done.
"""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.variables import sets

_FLAGS = frozenset({"CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS"})
_OPTIONS = ("${OpenMP_CXX_FLAGS}", "${OpenMP_C_FLAGS}", "-fopenmp")
_LINES = (
    "# HIP's compiler links targets with device code, and does not get the options of C++.",
    'if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")',
    '  string(APPEND CMAKE_HIP_STANDARD_LIBRARIES " -lgomp")',
    "else()",
    '  string(APPEND CMAKE_HIP_STANDARD_LIBRARIES " -lomp")',
    "endif()",
)
"""The libraries hold for the whole folder, as the options of C++ do. With `-fopenmp` and a GPU's name, clang would link
the runtime for offloading as well."""


def apply(file: CMakeFile) -> None:
    """Have HIP's compiler link the runtime of OpenMP where C++ has it by its options."""
    if not file.told.has_cuda:
        return
    for command, following in pairwise((*file.commands, None)):
        if command is not None and _asks(command) and not (following is not None and _asks(following)):
            file.insert_behind(command.start, command.end, _LINES)


def is_asked_for(data: bytes) -> bool:
    """A list file may give C++ the option, whether it names CUDA or not."""
    return any(option.encode() in data for option in _OPTIONS)


def _asks(command: Command) -> bool:
    is_set = sets(command) in _FLAGS
    return is_set and any(option in argument.text for argument in command.arguments[1:] for option in _OPTIONS)
