"""Link-time optimisation: HIP's compiler links targets with device code, and cannot read GCC's objects for it.

nvcc links with GCC. The linker of HIP's compiler skips such objects with only a warning, and the library lacks what
they define.
"""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.properties import is_true

_NAME = "INTERPROCEDURAL_OPTIMIZATION"
_BLOCKS = frozenset({"if", "foreach", "while", "block"})
_CALLED = frozenset({"function", "macro"})
_ENDS = frozenset(f"end{name}" for name in _BLOCKS | _CALLED)
_ADVICE = "HIP's compiler links and cannot read GCC's link-time code: compile C++ with clang too, or leave it out"
_LINES = (
    'if(CMAKE_HIP_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")',
    "  # HIP's compiler links, and cannot read what GCC leaves to link time.",
    "  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)",
    "endif()",
)


def links_at_the_end(data: bytes) -> bool:
    """Whether a list file may ask for link-time optimisation, even if it does not name CUDA."""
    lower = data.lower()
    return any(name in lower for name in (b"pybind11_add_module", b"nanobind_add_module", _NAME.lower().encode()))


def apply(file: CMakeFile) -> None:
    """Turn off what pybind11 turns on by itself, and report what the project asks for."""
    if not file.context.has_cuda:
        return
    is_off = [False]  # in the list file, and in the open blocks
    for command in file.commands:
        _block(command, is_off)
        if command.name == "pybind11_add_module":
            if "NO_EXTRAS" not in command.words and not is_off[-1]:
                file.insert_before(command.start, _LINES)
                is_off[-1] = True
        elif command.name == "nanobind_add_module":
            _report(file, command, "LTO")
        elif command.name.startswith("set"):
            _asked(file, command)


def _block(command: Command, is_off: list[bool]) -> None:
    """Track the blocks: a block inherits the state around it, but a function may be called from anywhere."""
    if command.name in _BLOCKS:
        is_off.append(is_off[-1])
    elif command.name in _CALLED:
        is_off.append(False)
    elif len(is_off) > 1 and command.name in {"else", "elseif"}:
        is_off[-1] = is_off[-2]
    elif len(is_off) > 1 and command.name in _ENDS:
        is_off.pop()


def _asked(file: CMakeFile, command: Command) -> None:
    words = command.words
    for word, value in pairwise(words):
        if word.removeprefix("CMAKE_").startswith(_NAME) and is_true(value):
            _report(file, command, word)


def _report(file: CMakeFile, command: Command, word: str) -> None:
    for argument in command.arguments[1:] if word == "LTO" else command.arguments:
        if argument.text == word:
            file.left("HIP601", argument.inner, word, "property", _ADVICE)
