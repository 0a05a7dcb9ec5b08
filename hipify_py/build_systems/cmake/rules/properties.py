"""Properties of targets: `CUDA_STANDARD`, `CUDA_ARCHITECTURES`, `CUDA_SEPARABLE_COMPILATION` and similar ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile

_TRUE, _FALSE = frozenset({"ON", "TRUE", "YES", "Y", "1"}), frozenset({"OFF", "FALSE", "NO", "N", "0"})
PAIRS = frozenset({"set_target_properties", "set_source_files_properties", "set_directory_properties"})
"""Commands that take properties after `PROPERTIES`, each with its value."""
_ASKING = frozenset({"get_target_property", "get_property"})


def relocatable(targets: list[str]) -> list[str]:
    """The commands that compile and link targets with relocatable device code."""
    return [
        line
        for target in targets
        for line in (
            f"target_compile_options({target} PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)",
            f'target_link_options({target} PUBLIC "$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>")',
        )
    ]


def interface_libraries(commands: Iterable[Command]) -> frozenset[str]:
    """The libraries that have no sources of their own, and nothing to compile or link: `add_library(x INTERFACE)`."""
    made = [command.words for command in commands if command.name == "add_library" and command.words]
    return frozenset(words[0] for words in made if words[1:2] == ["INTERFACE"]) - {
        words[0] for words in made if words[1:2] != ["INTERFACE"]
    }


def is_true(text: str) -> bool | None:
    """The value of a constant; None for anything else."""
    return True if text.upper() in _TRUE else False if text.upper() in _FALSE else None


def apply(file: CMakeFile) -> None:
    """Translate properties, pair by pair."""
    for command in file.commands:
        if command.name in PAIRS:
            _pairs(file, command)
        elif command.name == "set_property":
            _set_property(file, command)
        elif command.name in _ASKING:
            _asked(file, command)
        elif command.name == "target_compile_features":
            for argument in command.arguments[1:]:
                if argument.text in file.facts.features:
                    file.replace(argument.inner, argument.inner_end, file.facts.features[argument.text])
                    file.converted(argument.inner, argument.text, "feature")


def _pairs(file: CMakeFile, command: Command) -> None:
    words, arguments = command.words, command.arguments
    if "PROPERTIES" not in words:
        return
    first = words.index("PROPERTIES")
    pairs = list(range(first + 1, len(words) - 1, 2))
    gone: list[int] = []
    lines: list[str] = []
    for index in pairs:
        name = words[index]
        row = file.facts.properties.get(name)
        if row is None:
            if name.isdigit() and index - 2 in gone:  # more architectures, in place of a list
                gone.append(index)
            continue
        if _is_dropped(file, command, index, row, words[index + 1], words[:first], lines):
            gone.append(index)
    if gone and len(gone) == len(pairs) and len(words) == first + 1 + 2 * len(pairs):
        _written(file, command, lines)
        return
    for index in gone:
        file.drop_argument(arguments[index])
        file.drop_argument(arguments[index + 1])
    if lines:
        file.insert_behind(command.start, command.end, lines)


def _set_property(file: CMakeFile, command: Command) -> None:
    words = command.words
    if "PROPERTY" not in words:
        return
    at = words.index("PROPERTY") + 1
    row = file.facts.properties.get(words[at]) if at < len(words) else None
    if row is None:
        return
    targets = words[1 : at - 1] if words[0] == "TARGET" else []
    lines: list[str] = []
    if _is_dropped(file, command, at, row, " ".join(words[at + 1 :]), targets, lines):
        _written(file, command, lines)


def _is_dropped(
    file: CMakeFile,
    command: Command,
    index: int,
    row: Mapping[str, Any],
    value: str,
    targets: list[str],
    lines: list[str],
) -> bool:
    """Translate one property; True if nothing of it is left."""
    argument = command.arguments[index]
    name, place = argument.text, argument.inner
    if "unsupported" in row:
        file.left("HIP601", place, name, "property", row["unsupported"])
        return False
    if "hip" in row:
        file.replace(place, argument.inner_end, row["hip"])
        file.converted(place, name, "property")
        return False
    if row.get("rdc"):
        says = is_true(value)
        if says is None or not targets or targets[0] in {"APPEND", "APPEND_STRING"}:
            file.left("HIP601", place, name, "property", "compile and link with -fgpu-rdc if it is on")
            return False
        if says:
            without_code = interface_libraries(file.commands)
            lines.extend(relocatable([target for target in targets if target not in without_code]))
    file.converted(place, name, "property")
    if "finding" in row:
        file.finding(row["finding"], place, name)
    return True


def _written(file: CMakeFile, command: Command, lines: list[str]) -> None:
    """Write lines in place of a command."""
    if lines:
        file.write_instead(command.start, command.end, lines)
    else:
        file.drop_command(command)


def _asked(file: CMakeFile, command: Command) -> None:
    for argument in command.arguments:
        row = file.facts.properties.get(argument.text)
        if row is not None and "hip" in row:
            file.replace(argument.inner, argument.inner_end, row["hip"])
            file.converted(argument.inner, argument.text, "property")
        elif row is not None and argument.text == "CUDA_ARCHITECTURES":
            file.replace(argument.inner, argument.inner_end, "HIP_ARCHITECTURES")
            file.converted(argument.inner, argument.text, "property")
        elif row is not None:
            file.left("HIP601", argument.inner, argument.text, "property", "HIP's targets have no such property")
