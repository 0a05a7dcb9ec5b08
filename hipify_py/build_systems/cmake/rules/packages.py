"""`find_package(CUDAToolkit)` and `find_package(CUDA)`, and what else the build has to find or set up for HIP."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.languages import names_cuda
from hipify_py.build_systems.cmake.rules.sources import ENDING, KNOWN
from hipify_py.core.project_context import new_ending
from hipify_py.core.source import CPP_SUFFIXES

_POLICIES = frozenset({"cmake_minimum_required", "cmake_policy"})
"""Commands that come before all others, so that those behave as their version says."""
_KEPT = frozenset({"REQUIRED", "QUIET", "GLOBAL"})

# Lists are searched with MATCHES and FIND: IN_LIST needs a policy, which files that ask for no version do not set.
_SOURCES = """\
# To CMake .cu files are CUDA; those of the targets here and below are HIP.
function(hip_language_of_cu_sources directory)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
      if(source MATCHES "[.]cu$" AND "${languages}" MATCHES "HIP")
        set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY LANGUAGE HIP)
      endif()
    endforeach()
  endforeach()
  get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    hip_language_of_cu_sources("${subdirectory}")
  endforeach()
endfunction()
cmake_language(DEFER CALL hip_language_of_cu_sources "${CMAKE_CURRENT_SOURCE_DIR}")"""

_IS_CU = """\
      if(source MATCHES "[.]cu$" AND "${languages}" MATCHES "HIP")"""
_IS_NAMED = """\
      list(FIND hip_cpp_sources "${source}" place)
      if((source MATCHES "[.]cu$" OR NOT place EQUAL -1) AND "${languages}" MATCHES "HIP")"""
_NAMES = """\
# C++ sources that include what HIP's compiler alone takes, such as rocThrust.
foreach(source IN ITEMS
{names})
  get_filename_component(source "${{source}}" ABSOLUTE BASE_DIR "${{CMAKE_CURRENT_LIST_DIR}}")
  list(APPEND hip_cpp_sources "${{source}}")
endforeach()
"""
_WIDTH = 110
"""How long a line of names may be."""


def anchors(file_commands: list[Command], packages: frozenset[str], modules: frozenset[str]) -> list[Command]:
    """The commands that turn CUDA on: a language, a package, a module."""
    return [
        command
        for command in file_commands
        if (command.name != "check_language" and names_cuda(command))
        or (command.name == "find_package" and command.words[:1] and command.words[0] in packages)
        or (command.name == "include" and command.words[:1] and command.words[0] in modules)
    ]


def apply(file: CMakeFile) -> None:
    """Find HIP's packages in place of CUDA's, and set up once what all targets need."""
    facts, context = file.facts, file.context
    for command in file.commands:
        if command.name == "find_dependency" and command.words[:1] and command.words[0] in facts.packages:
            _depended_on(file, command)
    found = anchors(file.commands, frozenset(facts.packages), frozenset(facts.modules))
    finds = [command for command in found if command.name in {"find_package", "include"}]
    for command in finds:
        _found(file, command)
    if not found:
        return
    if not finds and context.packages:
        lines = [f"find_package({package} REQUIRED)" for package in context.packages]
        is_project = found[0].name == "project" and file.beginning is not None
        for command in [file.beginning or found[0]] if is_project else found:
            file.insert_behind(command.start, command.end, lines)
    lines = ["add_compile_definitions(__HIP_PLATFORM_AMD__=1)"] if context.names_platform else []
    lines += _sources(file).split("\n") if context.finds_sources else []
    if lines:
        _set_up(file, lines)


def _sources(file: CMakeFile) -> str:
    """The function that visits the sources, for the endings that they have in the output."""
    text = _SOURCES
    if file.context.hip_only:
        text = _NAMES.format(names=_lines_of(file.context.hip_only)) + text.replace(_IS_CU, _IS_NAMED)
    new = new_ending(file.project, ENDING)
    if new in {None, KNOWN}:
        return text
    if new in CPP_SUFFIXES:
        file.finding("HIP610", file.commands[0].start, ENDING, f"give the sources that are {new} now LANGUAGE HIP")
        return text
    return text.replace("[.]cu$", f"([.]cu|{new.replace('.', '[.]')})$")


def _lines_of(names: Iterable[str]) -> str:
    """Names as arguments, as many in a line as fit."""
    lines = [""]
    for name in map(_quoted, names):
        if lines[-1] and len(lines[-1]) + len(name) > _WIDTH:
            lines.append("")
        lines[-1] += f" {name}" if lines[-1] else f"    {name}"
    return "\n".join(lines)


def _quoted(name: str) -> str:
    """A path as an argument in CMake's syntax."""
    special = any(sign in name for sign in ' ;"\\$()#')
    escaped = "".join(f"\\{sign}" if sign in '\\"$' else sign for sign in name)
    return f'"{escaped}"' if special else name


def _set_up(file: CMakeFile, lines: list[str]) -> None:
    """Write what applies whichever branch turns HIP on: after the project's beginning, or at the top of a module."""
    if file.beginning is not None:
        file.insert_behind(file.beginning.start, file.beginning.end, lines)
    else:
        first = next((command for command in file.commands if command.name not in _POLICIES), file.commands[-1])
        file.insert_before(first.start, [*lines, ""])


def _depended_on(file: CMakeFile, command: Command) -> None:
    """The dependency of an installed package: those who use it find what its targets link."""
    hip = file.facts.packages[command.words[0]]["hip"]
    first, *more = command.arguments
    file.converted(first.inner, command.words[0], "package")
    file.replace(first.inner, first.inner_end, hip)
    for argument, word in zip(more, command.words[1:], strict=True):
        if word not in _KEPT:
            file.drop_argument(argument)
    others = [f"find_dependency({package})" for package in file.context.packages if package != hip]
    if others:
        file.insert_behind(command.start, command.end, others)


def _found(file: CMakeFile, command: Command) -> None:
    words, arguments = command.words, command.arguments
    row = (file.facts.packages if command.name == "find_package" else file.facts.modules)[words[0]]
    file.converted(arguments[0].inner, words[0], "package")
    options = [word for word in words[1:] if word in _KEPT]
    is_required = "REQUIRED" in options or command.name == "include"
    more = "REQUIRED" if is_required else " ".join(option for option in options if option != "GLOBAL")
    others = [package for package in file.context.packages if package != row["hip"]]
    lines = [f"find_package({package}{' ' + more if more else ''})" for package in others]
    if command.name == "include":
        file.replace(command.start, command.end, f"find_package({row['hip']} REQUIRED)")
    else:
        file.replace(arguments[0].inner, arguments[0].inner_end, row["hip"])
        for argument, word in zip(arguments[1:], words[1:], strict=True):
            if word not in _KEPT:
                file.drop_argument(argument)
    if row.get("language") and not file.context.has_language:
        if "function" in command.block:
            file.finding("HIP605", command.start, command.name, "enable_language(HIP) must be outside functions")
        elif is_required:
            lines.append("enable_language(HIP)")
        else:
            lines += [f"if({row['hip']}_FOUND)", "  enable_language(HIP)", "endif()"]
    if lines:
        file.insert_behind(command.start, command.end, lines)
