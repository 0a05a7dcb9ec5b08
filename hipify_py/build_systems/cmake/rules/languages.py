"""Languages: `project(… LANGUAGES CUDA)`, `enable_language(CUDA)`, `check_language(CUDA)`, and `LANGUAGE CUDA`."""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.sources import ENDING
from hipify_py.build_systems.nvcc_options import runtime_included

_NAMING = frozenset({"project", "enable_language", "check_language"})
_PROPERTIES = frozenset({"set_source_files_properties", "set_target_properties", "set_property"})
_LANGUAGE = frozenset({"LANGUAGE", "LINKER_LANGUAGE"})
_ADDING = frozenset({"APPEND", "APPEND_STRING"})
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
            if found and words[found[0] - 1] == "LANGUAGE":
                _include_runtime(file, command)
        for index in found:
            argument = command.arguments[index]
            file.replace(argument.inner, argument.inner_end, "HIP")
            file.converted(argument.inner, "CUDA", "language")


def _include_runtime(file: CMakeFile, command: Command) -> None:
    """C++ sources that are CUDA by a property: nvcc includes the runtime's header before their text, and HIP does not.

    In the output, sources that end in `.cu` include it themselves.
    """
    words = command.words
    first, end = (1, "PROPERTY") if command.name == "set_property" else (0, "PROPERTIES")
    if command.name == "set_target_properties" or end not in words or (first and words[0] != "SOURCE"):
        return
    last = words.index(end)
    sources = [
        argument
        for argument in command.arguments[first:last]
        if not (command.name == "set_property" and argument.text in _ADDING)
    ]
    if all(argument.text.endswith(ENDING) for argument in sources):
        return
    data = file.source.data
    named = " ".join(data[source.start : source.end].decode("utf-8", "surrogateescape") for source in sources)
    options = runtime_included(file.options.targeting.rocm)
    line = f"set_property(SOURCE {named} APPEND PROPERTY COMPILE_OPTIONS {options})"
    file.insert_behind(command.start, command.end, [line])
