"""FindCUDA's commands: `cuda_add_executable`, `cuda_include_directories`, `cuda_select_nvcc_arch_flags` …"""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.model import BuildFile

_OPTIONS = "OPTIONS"
_CONFIGURATIONS = frozenset({"RELEASE", "DEBUG", "RELWITHDEBINFO", "MINSIZEREL"})


def apply(file: BuildFile) -> None:
    """Write CMake's own commands in place of FindCUDA's."""
    for command in file.commands:
        row = file.facts.commands.get(command.name)
        if row is None:
            continue
        written = file.source.data[command.start : command.name_end].decode("utf-8", "replace")
        if "unsupported" in row:
            file.left("HIP601", command.start, written, "command", row["unsupported"])
            continue
        file.converted(command.start, written, "command")
        if row.get("drop"):
            file.drop(command)
            if "finding" in row:
                file.finding(row["finding"], command.start, written)
        elif "links" in row:
            target = file.facts.libraries[row["links"]].target
            file.replace(command.start, command.name_end, "target_link_libraries")
            file.replace(command.end - 1, command.end - 1, f" {target}")
        else:
            file.replace(command.start, command.name_end, row["hip"])
            if row.get("makes"):
                _options(file, command)


def _options(file: BuildFile, command: Command) -> None:
    """Take nvcc's options out of a list of sources: they belong to the target."""
    words = command.words
    if _OPTIONS not in words:
        return
    first = words.index(_OPTIONS)
    flags = command.arguments[first + 1 :]
    if any(argument.text in _CONFIGURATIONS for argument in flags):
        file.finding("HIP605", command.arguments[first].start, _OPTIONS, "set them with target_compile_options")
        return
    # What is written here names CUDA no more, and its flags are translated where they stand now.
    data = file.source.data
    argument = command.arguments[first]
    gap = argument.start
    while data[gap - 1] in b" \t\r\n":
        gap -= 1
    file.replace(gap, argument.end, f")\ntarget_compile_options({words[0]} PRIVATE")
