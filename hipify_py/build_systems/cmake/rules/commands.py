"""FindCUDA's commands: `cuda_add_executable`, `cuda_include_directories`, `cuda_select_nvcc_arch_flags` …"""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import UNQUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.linked import LINKING
from hipify_py.build_systems.cmake.rules.sources import ENDING
from hipify_py.build_systems.cmake.rules.targets import libraries_of
from hipify_py.build_systems.cmake.rules.variables import references

_RUNTIME = "hip::host"
_KEYWORD = "CUDA_LINK_LIBRARIES_KEYWORD"
_OPTIONS = "OPTIONS"
_KINDS = ("STATIC", "SHARED", "MODULE", "WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL")
_FOR_HIP = " $<$<COMPILE_LANGUAGE:HIP>:"
_SECTIONS = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE", "debug", "optimized"})
_CONFIGURATIONS = frozenset({"RELEASE", "DEBUG", "RELWITHDEBINFO", "MINSIZEREL"})


def apply(file: CMakeFile) -> None:
    """Write CMake's own commands in place of FindCUDA's."""
    with_runtime: frozenset[str] | None = None
    for command in file.commands:
        row = file.facts.commands.get(command.name)
        if row is None:
            continue
        written = file.source.data[command.start : command.name_end].decode("utf-8", "replace")
        at = 2 if "format" in row else 0
        if at and command.words[1:2] != [row["format"]]:
            file.left(
                "HIP601", command.start, written, "command", file.facts.commands["cuda_compile_ptx"]["unsupported"]
            )
            continue
        if row.get("makes") == "objects" and not _has_own_name(command, at):
            detail = "the name of its target is unknown here: add the sources with add_library(… OBJECT …)"
            file.left("HIP601", command.start, written, "command", detail)
            continue
        if "unsupported" in row:
            file.left("HIP601", command.start, written, "command", row["unsupported"])
            continue
        file.converted(command.start, written, "command")
        if row.get("drop"):
            file.drop_command(command)
            if "finding" in row:
                file.finding(row["finding"], command.start, written)
        elif "links" in row:
            target = file.facts.libraries[row["links"]].target
            file.replace(command.start, command.name_end, "target_link_libraries")
            file.replace(command.end - 1, command.end - 1, f" {target}")
        else:
            file.replace(command.start, command.name_end, row["hip"])
            if row.get("makes") == "objects":
                _objects(file, command, at)
            elif row.get("makes") and command.words:
                _kinds(file, command)
                _options(file, command, command.words[0], 0)
                if with_runtime is None:
                    with_runtime = _with_runtime(file)
                is_linked_by_hip = command.name == "cuda_add_executable" and _are_device_code(command.words[1:])
                if command.words[0] not in with_runtime and not is_linked_by_hip:
                    _runtime(file, command)


def _kinds(file: CMakeFile, command: Command) -> None:
    """Write the kind of target after its name: FindCUDA accepts it anywhere among the sources, CMake only there.

    Source: the macro CUDA_GET_SOURCES_AND_OPTIONS of FindCUDA; CMake's documentation of add_library.
    """
    words, arguments = command.words, command.arguments
    first = 1
    while first < len(words) and words[first] in _KINDS:
        first += 1
    behind = words.index(_OPTIONS) if _OPTIONS in words else len(words)
    late = [n for n in range(first, behind) if words[n] in _KINDS and arguments[n].kind == UNQUOTED]
    if late:
        place = arguments[first - 1].end
        file.replace(place, place, "".join(f" {words[n]}" for n in sorted(late, key=lambda n: _KINDS.index(words[n]))))
        for n in late:
            file.drop_argument(arguments[n])


def _with_runtime(file: CMakeFile) -> frozenset[str]:
    """The targets that the file links with the runtime."""
    found = {index for index, _, _, library in libraries_of(file) if library and library.target == _RUNTIME}
    for index, command in enumerate(file.commands):
        names = [name for word in command.words for _, _, name, _ in references(word)]
        if any(file.facts.variables.get(name, {}).get("value") == _RUNTIME for name in names):
            found.add(index)
    linking = [file.commands[index] for index in found if file.commands[index].name in LINKING]
    return frozenset(command.words[0] for command in linking if command.words)


def _are_device_code(sources: list[str]) -> bool:
    """Whether all sources are known, and are for HIP's compiler."""
    return all(word.endswith(ENDING) and "$<" not in word for word in sources if word not in _KINDS)


def _runtime(file: CMakeFile, command: Command) -> None:
    """Link the runtime, which also brings the folder of its headers to C++ sources.

    Source: the macros CUDA_ADD_LIBRARY and CUDA_ADD_EXECUTABLE of FindCUDA, which add CUDA's include folder and link
    CUDA_LIBRARIES, with the project's keyword if it has one.
    """
    keyword = f" ${{{_KEYWORD}}}" if _KEYWORD in file.context.variables else ""
    linking = None if keyword else _linking(file, command)
    if linking:
        end = linking.arguments[-1].end
        file.replace(end, end, f" {_RUNTIME}")
        return
    file.insert_behind(command.start, command.end, [f"target_link_libraries({command.words[0]}{keyword} {_RUNTIME})"])


def _linking(file: CMakeFile, making: Command) -> Command | None:
    """The command that links a target to libraries wherever the one that makes it is run; None if there is none."""
    depth = 0
    if making.words[0] not in file.linked_targets:
        return None
    for command in file.commands[file.commands.index(making) + 1 :]:
        depth += command.nesting
        if depth < 0 or (not depth and command.name in {"else", "elseif"}):
            return None
        is_linking = command.name == "target_link_libraries" and command.words[:1] == making.words[:1]
        if not depth and is_linking and len(command.words) > 1:
            return None if _SECTIONS & set(command.words) or command.arguments[-1].kind != UNQUOTED else command
    return None


def _has_own_name(command: Command, at: int) -> bool:
    """Whether the variable that a command fills is known, and filled once."""
    return len(command.words) > at and "$" not in command.words[at] and not command.block


def _objects(file: CMakeFile, command: Command, at: int) -> None:
    """`cuda_compile(variable sources…)` makes a target of objects, which the variable then holds.

    Source: the macros CUDA_COMPILE and CUDA_WRAP_SRCS of FindCUDA: they compile code for shared libraries if the
    command asks for it, the second one also if BUILD_SHARED_LIBS does.
    """
    variable, arguments = command.words[at], command.arguments
    target = variable + "_objects"
    while target in file.context.targets:
        target += "_"
    if at:
        file.replace_whole(arguments[0].start, arguments[at].start, "")
    file.replace(arguments[at].end, arguments[at].end, target.removeprefix(variable) + " OBJECT")
    behind = command.words.index(_OPTIONS) if _OPTIONS in command.words else len(arguments)
    kinds = [
        argument for argument in arguments[at + 1 : behind] if argument.kind == UNQUOTED and argument.text in _KINDS
    ]
    for argument in kinds:
        file.drop_argument(argument)
    lines = [f"set({variable} $<TARGET_OBJECTS:{target}>)"]
    if any(argument.text != "STATIC" for argument in kinds) or (at and not kinds):
        lines.insert(0, f"set_target_properties({target} PROPERTIES POSITION_INDEPENDENT_CODE ON)")
    _options(file, command, target, at)
    file.insert_behind(command.start, command.end, lines)


def _options(file: CMakeFile, command: Command, target: str, at: int) -> None:
    """Take nvcc's options out of a list of sources: they belong to the target, but not to its C++ sources."""
    words = command.words
    if _OPTIONS not in words:
        return
    first = words.index(_OPTIONS)
    flags = command.arguments[first + 1 :]
    if any(argument.text in _CONFIGURATIONS for argument in flags):
        file.finding("HIP605", command.arguments[first].start, _OPTIONS, "set them with target_compile_options")
        return
    if all(_is_held_anyway(file, argument.text) for argument in flags):
        file.drop_word(command.arguments[first].start, command.end - 1)
        return
    # The text written here no longer names CUDA, and its flags are translated in their new place.
    data = file.source.data
    argument = command.arguments[first]
    gap = argument.start
    while data[gap - 1] in b" \t\r\n":
        gap -= 1
    are_for_all = _are_device_code(words[at + 1 : first])
    file.replace(gap, argument.end, f")\ntarget_compile_options({target} PRIVATE{'' if are_for_all else _FOR_HIP}")
    if not are_for_all:
        file.replace(flags[-1].end, flags[-1].end, ">")


def _is_held_anyway(file: CMakeFile, text: str) -> bool:
    """Whether it is the value of a variable with options that all sources get (`${CMAKE_CUDA_FLAGS}`)."""
    row = file.facts.variables.get(text[2:-1], {}) if text.startswith("${") and text.endswith("}") else {}
    return "holds" in row
