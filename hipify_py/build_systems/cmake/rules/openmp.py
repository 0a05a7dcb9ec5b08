"""OpenMP in the options of C++: the linker of HIP's compiler does not get them.

nvcc links with GCC. CMake gives GCC the options of C++, and `-fopenmp` among them links the runtime library. HIP's
compiler links targets with device code, and gets only the options of HIP. A target that declares what it links
(`OpenMP::OpenMP_CXX`) needs no change.
"""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.variables import sets

_FLAGS = frozenset({"CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS"})
_VARIABLES = ("${OpenMP_CXX_FLAGS}", "${OpenMP_C_FLAGS}")
_OPTION = "-fopenmp"
_PARENT = "PARENT_SCOPE"
_NAME = "CMAKE_HIP_STANDARD_LIBRARIES"
_COMMENT = "# HIP's compiler links targets with device code, and does not get the options of C++."


def apply(file: CMakeFile) -> None:
    """Make HIP's compiler link the OpenMP runtime if C++ gets it through its options."""
    if not file.context.has_cuda:
        return
    begun = file.beginning
    is_begun, depth = begun is None, 0
    early: dict[str, None] = {}
    for command, following in pairwise((*file.commands, None)):
        assert command is not None, "only the very last one has none after it"
        depth += (command.name == "if") - (command.name == "endif")
        is_begun = is_begun or command.name == "project"
        if not _asks(file, command):
            continue
        is_next = following is not None and _asks(file, following)
        if not is_begun and begun is not None:  # the compiler is not known yet
            early.setdefault(sets(command) if depth else "", None)
        elif following is None or not is_next or _is_parents(following) != _is_parents(command):
            file.insert_behind(command.start, command.end, _lines(in_parent=_is_parents(command)))
    if begun is not None:
        for variable in [""] if "" in early else early:
            lines = _lines(in_parent=False)
            if variable:
                lines = [f'if({variable} MATCHES "{_OPTION}($|[ =])")', *(f"  {line}" for line in lines), "endif()"]
            file.insert_behind(begun.start, begun.end, lines)


def is_asked_for(data: bytes) -> bool:
    """Whether a list file may give C++ the option, even if it does not name CUDA."""
    return any(option.encode() in data for option in (*_VARIABLES, _OPTION))


def _lines(*, in_parent: bool) -> list[str]:
    """Link the libraries in the whole folder, because the options of C++ apply to all of it.

    With `-fopenmp` and a GPU's name, clang would link the runtime for offloading as well.
    """
    form = f'set({_NAME} "${{{_NAME}}} -l@" {_PARENT})' if in_parent else f'string(APPEND {_NAME} " -l@")'
    gnu = 'if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")'
    return [_COMMENT, gnu, "  " + form.replace("@", "gomp"), "else()", "  " + form.replace("@", "omp"), "endif()"]


def _asks(file: CMakeFile, command: Command) -> bool:
    if sets(command) not in _FLAGS:
        return False
    if any(variable in argument.text for argument in command.arguments[1:] for variable in _VARIABLES):
        return True
    return any(word.text == _OPTION or word.text.startswith(f"{_OPTION}=") for word in file.words(command))


def _is_parents(command: Command) -> bool:
    return command.words[-1:] == [_PARENT]
