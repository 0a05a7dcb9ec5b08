"""Languages: `project(… LANGUAGES CUDA)`, `enable_language(CUDA)`, `check_language(CUDA)`, and `LANGUAGE CUDA`."""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile

_NAMING = frozenset({"project", "enable_language", "check_language"})
_PROPERTIES = frozenset({"set_source_files_properties", "set_target_properties", "set_property"})
_LANGUAGE = frozenset({"LANGUAGE", "LINKER_LANGUAGE"})
_FIELDS = frozenset({"VERSION", "DESCRIPTION", "HOMEPAGE_URL"})


def names_cuda(command: Command) -> list[int]:
    """The indexes of the arguments by which a command turns CMake's CUDA language on, or asks for it."""
    if command.name not in _NAMING:
        return []
    words = command.words
    first = 1 if command.name == "project" else 0
    return [
        index
        for index, word in enumerate(words)
        if index >= first and word == "CUDA" and (index == 0 or words[index - 1] not in _FIELDS)
    ]


def apply(file: CMakeFile) -> None:
    """Write HIP in place of CUDA."""
    for command in file.commands:
        found = names_cuda(command)
        if command.name in _PROPERTIES:
            words = command.words
            found = [n for n, word in enumerate(words) if word == "CUDA" and n and words[n - 1] in _LANGUAGE]
        for index in found:
            argument = command.arguments[index]
            file.replace(argument.inner, argument.inner_end, "HIP")
            file.converted(argument.inner, "CUDA", "language")
