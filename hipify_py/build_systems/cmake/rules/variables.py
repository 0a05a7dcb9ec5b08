"""Variables of CMake's CUDA support, of FindCUDA and of FindCUDAToolkit: their names, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hipify_py.build_systems.cmake.lexer import BRACKET, CLOSE, OPEN, QUOTED, UNQUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.properties import is_true
from hipify_py.core.translation import UNKNOWN

_SETTING = frozenset({"set", "unset", "option"})
_CONDITIONS = frozenset({"if", "elseif", "while"})
_SAYING = frozenset({"message"})
_NO_VALUES = frozenset({"", "NOTFOUND", "CACHE", "PARENT_SCOPE"})
_RESERVED = "CMAKE_CUDA_"
_NEW = (_RESERVED, "CUDAToolkit_")
"""Names that CMake itself reserves: such a name that is in no table is unknown."""
_OLD_PATHS = ("/usr/local/cuda", "/opt/cuda")
_ROCM = "/opt/rocm"
_ENVIRONMENT = "ROCM_PATH"
_COMPILER_ID = "Clang"


def sets(command: Command) -> str:
    """The variable that a command sets or changes; empty for others."""
    words = command.words
    if command.name in _SETTING and words:
        return words[0]
    if command.name in {"list", "string"} and len(words) > 1 and words[0] in {"APPEND", "PREPEND"}:
        return words[1]
    return ""


def described(file: CMakeFile, name: str) -> Mapping[str, Any] | None:
    """The row of a variable in the tables; another one may hold the end of its name (`CMAKE_CUDA_FLAGS_${TYPE}`).

    Without FindCUDA, its list of options is a variable of the project's own.
    """
    row = file.facts.variables.get(beginning(name))
    is_own = row is not None and row.get("holds") == "list of flags" and file.context.owns_nvcc_flags
    return None if is_own else row


def beginning(name: str) -> str:
    """The name of a variable up to what another variable holds."""
    head, mark, _ = name.partition("${")
    return name if mark and not head.endswith("_") else head


def apply(file: CMakeFile) -> None:
    """Rename variables, and replace the others by what they held."""
    given = {sets(command): command.start for command in file.commands if sets(command) and not _clears(command)}
    for name, command in extended(file).items():
        _begun(file, command, name)
    for command in file.commands:
        name = sets(command)
        row = _row(file, name)
        if row is not None and _is_done(file, command, name, row, given.get(name, -1)):
            continue
        for index, argument in enumerate(command.arguments):
            if argument.kind in {BRACKET, OPEN, CLOSE}:
                continue
            _references(file, command, argument)
            if argument.kind == UNQUOTED or argument.text.startswith(_RESERVED):
                _bare(file, command, index, argument)
            if argument.text == "NVIDIA" and _is_asked(command, index):
                file.replace(argument.inner, argument.inner_end, _COMPILER_ID)
            _path(file, argument)


def _is_asked(command: Command, index: int) -> bool:
    """Whether an argument is compared with the name of CUDA's compiler."""
    words = command.words
    return (
        command.name in _CONDITIONS
        and index >= 2
        and words[index - 1] in {"STREQUAL", "MATCHES", "IN_LIST"}
        and words[index - 2] in {"CMAKE_CUDA_COMPILER_ID", "${CMAKE_CUDA_COMPILER_ID}"}
    )


def _row(file: CMakeFile, name: str) -> Mapping[str, Any] | None:
    """The row of a variable in the tables; None for those that FindCUDA would set and the project sets itself."""
    row = described(file, name)
    if row is not None and row.get("found") and not {"set", "hip"} & row.keys() and name in file.context.variables:
        return None
    return row


def extended(file: CMakeFile) -> dict[str, Command]:
    """The variables of FindCUDA that the file extends before it sets them to another value, and where it does that."""
    first: dict[str, Command] = {}
    for command in file.commands:
        if sets(command):
            first.setdefault(sets(command), command)
    return {name: command for name, command in first.items() if _extends(file, command, name)}


def _extends(file: CMakeFile, command: Command, name: str) -> bool:
    row = described(file, name)
    if row is None or not row.get("found") or not row.get("value") or _row(file, name) is not None:
        return False
    if command.name == "list":
        return command.words[0] == "APPEND" and row["value"] not in command.words
    return any(used == name and not kind for word in command.words[1:] for _, _, used, kind in references(word))


def _begun(file: CMakeFile, command: Command, name: str) -> None:
    """Write what FindCUDA gave to a variable that the project then extends: `list(APPEND CUDA_LIBRARIES mine)`."""
    value = _value(file, file.facts.variables[name])
    file.converted(command.arguments[0].inner, name, "variable")
    if command.name == "list":
        end = command.arguments[1].end
        file.replace(end, end, f" {value}")
        return
    for argument in command.arguments[1:]:
        for start, end, used, kind in references(argument.text):
            if used == name and not kind:
                file.replace(argument.at(start) - 2, argument.at(end) + 1, value)


def _is_done(file: CMakeFile, command: Command, name: str, row: Mapping[str, Any], given: int) -> bool:
    """Take out commands that set a variable which HIP does not have; True if the command is done with.

    Commands that clear it first go too, as they would throw away the user's choice for HIP. The last command that gives
    the variable a value is at `given`.
    """
    place = command.arguments[1 if command.name in {"list", "string"} else 0].inner
    if row.get("set") == "drop":
        only_clears = row.get("clear") == "rename" and _clears(command)
        if only_clears and (given < command.start or not _is_given_below(file, command, name)):
            return False
        file.converted(place, name, "variable")
        file.drop_command(command)
        if "finding" in row and command.name != "unset" and not only_clears:
            file.finding(row["finding"], place, name)
        return True
    if "rdc" in row and command.name in {"set", "unset"}:
        says = is_true(command.words[1]) if command.name == "set" and len(command.words) > 1 else False
        if says is None:
            file.left("HIP601", place, name, "variable", "compile and link with -fgpu-rdc if it is on")
            return True
        file.converted(place, name, "variable")
        if says:
            file.write_instead(
                command.start,
                command.end,
                [
                    "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)",
                    'add_link_options("$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>")',
                ],
            )
        else:
            file.drop_command(command)
        return True
    return False


def _is_given_below(file: CMakeFile, command: Command, name: str) -> bool:
    """Whether a later command gives the variable a value; one in another branch of a condition does not."""
    depth = lowest = 0
    is_other_branch = False
    for below in file.commands[file.commands.index(command) + 1 :]:
        depth += (below.name == "if") - (below.name == "endif")
        if depth < lowest:
            lowest, is_other_branch = depth, False
        elif depth == lowest and below.name in {"else", "elseif"}:
            is_other_branch = True
        if not is_other_branch and sets(below) == name and not _clears(below):
            return True
    return False


def _clears(command: Command) -> bool:
    """Whether the command leaves the variable without a value, or with a false one."""
    if command.name == "unset":
        return True
    value = command.words[1] if len(command.words) > 1 else ""
    return command.name == "set" and (value in _NO_VALUES or value.endswith("-NOTFOUND") or is_true(value) is False)


def references(text: str) -> Iterator[tuple[int, int, str, str]]:
    """The names in `${…}`, `$ENV{…}` and `$CACHE{…}`: start and end of the name, the name, the kind (`""`, `ENV`)."""
    at = text.find("{")
    while at >= 0:
        for kind in ("ENV", "CACHE", ""):
            if text.endswith("$" + kind, 0, at):
                end = at + 1
                while end < len(text) and (text[end].isalnum() or text[end] in "_./+-"):
                    end += 1
                yield at + 1, end, text[at + 1 : end], kind
                break
        at = text.find("{", at + 1)


def _references(file: CMakeFile, command: Command, argument: Argument) -> None:
    text = argument.text
    if "{" not in text:
        return
    for start, end, name, kind in references(text):
        first, last = argument.at(start), argument.at(end)
        if kind == "ENV":
            if name in file.facts.environment:
                file.replace(first, last, _ENVIRONMENT)
                file.converted(first, name, "environment")
                _lib64(file, argument, end + 1)
            continue
        row = _row(file, name)
        if row is None:
            _unknown(file, command, first, name)
        elif "hip" in row:
            file.replace(first, last, row["hip"])
            file.converted(first, name, "variable")
            continue
        if row is None or command.name in _SAYING:
            continue
        if "value" in row and text[end : end + 1] == "}":
            file.replace(first - 2, last + 1, _value(file, row))
            file.converted(first, name, "variable")
            if row["value"].startswith("cuda"):
                file.finding("HIP609", first, name, _value(file, row))
            elif "/" in row["value"]:
                _lib64(file, argument, end + 1)
        elif "unsupported" in row:
            file.left("HIP601", first, name, "variable", row["unsupported"])
        elif "set" in row or "rdc" in row:
            file.left("HIP601", first, name, "variable", "HIP has no such setting")


def _lib64(file: CMakeFile, argument: Argument, at: int) -> None:
    """Write `lib` in place of `lib64`, as ROCm's libraries are there."""
    if argument.text.startswith("/lib64", at) and argument.text[at + 6 : at + 7] in {"", "/", ";", " "}:
        file.replace(argument.at(at), argument.at(at + 6), "/lib")


def version_of(file: CMakeFile, argument: Argument) -> tuple[str, str]:
    """The variable whose value an argument of a condition is, and the value, if that is CUDA's version; else empty."""
    name = argument.text
    if name.startswith("${") and name.find("}") == len(name) - 1:
        name = name[2:-1]
    elif argument.kind != UNQUOTED:
        return name, ""
    row = _row(file, name)
    is_version = row is not None and str(row.get("value", "")).startswith("cuda")
    return name, _value(file, row) if row is not None and is_version else ""


def _value(file: CMakeFile, row: Mapping[str, Any]) -> str:
    version = file.cuda
    major, _, minor = version.partition(".")
    value: str = row["value"]
    return {"cuda": version, "cuda major": major, "cuda minor": minor}.get(value, value)


def _bare(file: CMakeFile, command: Command, index: int, argument: Argument) -> None:
    """Translate a variable that is named without `${…}`: one that a command sets or asks for."""
    name = argument.text
    if index == 0 and command.name in {"list", "project"}:
        return
    if name.startswith("-DCMAKE_CUDA_"):
        _defined(file, argument)
        return
    if name.startswith("ENV{") or (index and command.arguments[index - 1].text == "ENV"):
        word = name.removeprefix("ENV{").removesuffix("}")
        if word in file.facts.environment:
            start = argument.inner + (4 if name.startswith("ENV{") else 0)
            file.replace(start, start + len(word), _ENVIRONMENT)
            file.converted(start, word, "environment")
        return
    row = _row(file, name)
    if row is None:
        if argument.kind == UNQUOTED and "$" not in name:
            _unknown(file, command, argument.inner, name)
        return
    if command.name in _SAYING:
        return
    place = argument.inner
    if "hip" in row:
        file.replace(place, place + len(beginning(name)), row["hip"])
        file.converted(place, name, "variable")
    elif command.name in _CONDITIONS and "value" in row and row["value"].startswith("cuda"):
        words = command.words
        if index and words[index - 1] == "DEFINED":
            file.left("HIP605", place, name, "variable", "HIP has no such variable, so this is false")
        else:
            file.replace(place, argument.inner_end, _value(file, row))
            file.converted(place, name, "variable")
            file.finding("HIP609", place, name, _value(file, row))
    elif command.name in _CONDITIONS and "value" in row:
        file.replace(place, argument.inner_end, "hip_FOUND" if row["value"] else "FALSE")
        file.converted(place, name, "variable")
    elif "unsupported" in row:
        file.left("HIP601", place, name, "variable", row["unsupported"])
    elif command.name in _CONDITIONS:
        file.left("HIP605", place, name, "variable", "HIP has no such setting, so this is false")


def _defined(file: CMakeFile, argument: Argument) -> None:
    """Translate `-DCMAKE_CUDA_FLAGS=…`, as an external project gets it."""
    name = argument.text[2:].partition("=")[0].partition(":")[0]
    row = file.facts.variables.get(name)
    place = argument.inner + 2
    if row is None:
        file.left("HIP601", place, name, "variable", "CMake's HIP support has no variable of that name", UNKNOWN)
    elif row.get("set") == "drop":
        file.converted(place, name, "variable")
        file.drop_argument(argument)
        if "finding" in row:
            file.finding(row["finding"], place, name)
    elif "hip" in row:
        file.replace(place, place + len(name), row["hip"])
        file.converted(place, name, "variable")
    else:
        file.left("HIP601", place, name, "variable", "HIP has no such setting")


def _unknown(file: CMakeFile, command: Command, place: int, name: str) -> None:
    if (
        name.startswith(_NEW)
        and command.name not in _SAYING
        and name not in file.context.variables
        and name.isidentifier()
    ):
        file.left("HIP601", place, name, "variable", "CMake's HIP support has no variable of that name", UNKNOWN)


def is_of_toolkit(file: CMakeFile, path: str) -> bool:
    """Whether a path begins with the folder of the CUDA toolkit, or one in it."""
    if path.startswith(_OLD_PATHS):
        return True
    start, _, name, kind = next(references(path), (0, 0, "", ""))
    if path[: start - 1] not in {"$", "$ENV"}:
        return False
    return name in file.facts.environment if kind else _row(file, name) is not None


def _path(file: CMakeFile, argument: Argument) -> None:
    """Translate the default installation folder of CUDA."""
    if argument.kind not in {UNQUOTED, QUOTED}:
        return
    for old in _OLD_PATHS:
        if not argument.text.startswith(old):
            continue
        end = len(old)
        if argument.text[end : end + 1] == "-":
            end += 1
            while argument.text[end : end + 1].isdigit() or argument.text[end : end + 1] == ".":
                end += 1
        if argument.text[end : end + 1] in {"", "/"}:
            place = argument.inner
            file.replace(place, argument.at(end), _ROCM)
            file.converted(place, old, "path")
            _lib64(file, argument, end)
        return
