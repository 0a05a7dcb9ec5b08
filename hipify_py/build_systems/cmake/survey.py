"""What one list file declares, for the other list files of its project that need to know it."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import QUOTED, Command, ListFile
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.languages import names_cuda
from hipify_py.build_systems.cmake.rules.lifting import is_relocatable
from hipify_py.build_systems.cmake.rules.packages import anchors
from hipify_py.build_systems.cmake.rules.renames import respelled
from hipify_py.build_systems.cmake.rules.sources import ADDING, ENDING, KNOWN, MAKING, MOST, literal_sources
from hipify_py.build_systems.cmake.rules.standards import cxx_standards
from hipify_py.build_systems.cmake.rules.targets import libraries_of
from hipify_py.build_systems.cmake.rules.variables import references, sets
from hipify_py.core.project_context import new_ending

_SAYING = frozenset(
    {"message", "install", "set_source_files_properties", "source_group", "configure_file"}
    | {"add_custom_command", "add_custom_target", "execute_process", "add_test"}
)
_HIP_PACKAGES = frozenset({"hip", "HIP"})
_INCLUDES = frozenset(
    {"CUDA_INCLUDE_DIRS", "CUDAToolkit_INCLUDE_DIRS", "CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES", "CUDA_TOOLKIT_INCLUDE"}
)


class Survey(NamedTuple):
    """What a list file declares.

    Attributes:
        has_project: whether it has a `project()` of its own.
        has_anchor: whether it turns CUDA on.
        has_language: whether it turns CMake's CUDA language on.
        has_hip: whether it builds for HIP already.
        packages: the ROCm packages that replace the libraries that it names.
        lists_sources: whether it has `.cu` sources in variables, globs or the like.
        needs_hip: whether it uses what the package hip has.
        names_platform: whether it gives CUDA's include folders to C++ sources.
        targets: the targets that it makes.
        variables: the variables that it sets.
        cxx_standards: the standards that it names for C++ sources.
        is_relocatable: whether it compiles device code that is linked later.
    """

    has_project: bool = False
    has_anchor: bool = False
    has_language: bool = False
    has_hip: bool = False
    packages: frozenset[str] = frozenset()
    lists_sources: bool = False
    needs_hip: bool = False
    names_platform: bool = False
    targets: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    cxx_standards: frozenset[str] = frozenset()
    is_relocatable: bool = False


class OwnNames(NamedTuple):
    """The targets that a list file makes, and the variables that it sets."""

    targets: frozenset[str]
    variables: frozenset[str]


def own_names(read: ListFile) -> OwnNames:
    """The targets that a file makes, and the variables that it sets."""
    targets = {command.words[0] for command in read.commands if command.words and command.name in MAKING - ADDING}
    variables = {sets(command) for command in read.commands if command.name != "unset"} - {""}
    return OwnNames(frozenset(targets), frozenset(variables))


def survey(file: CMakeFile, own: OwnNames) -> Survey:
    """Read off what the other files need to know; `file` already knows the targets and variables of all files."""
    commands, facts = file.commands, file.facts
    packages = {library.package for _, _, _, library in libraries_of(file) if library and library.package}
    variables: set[str] = set()
    for command in commands:
        for argument in command.arguments:
            if "CUDA" in argument.text:
                variables.update(name for _, _, name, _ in references(argument.text))
    for name in variables:
        row = facts.variables.get(name, {})
        if row.get("package") and name not in file.told.variables:
            packages.add(row["package"])
    for command in commands:
        row = facts.commands.get(command.name, {})
        if "links" in row:
            packages.add(facts.libraries[row["links"]].package)
    found = anchors(commands, frozenset(facts.packages), frozenset(facts.modules))
    return Survey(
        has_project=any(command.name == "project" for command in commands),
        has_anchor=bool(found),
        has_language=any(names_cuda(command) for command in found),
        has_hip=any(map(_is_hip, commands)),
        packages=frozenset(packages - {"hip"}),
        lists_sources=any(_lists_sources(file, command) for command in commands),
        needs_hip="hip" in packages
        or any("hip" in str(facts.variables.get(name, {}).get("hip", ""))[:3] for name in variables),
        names_platform=bool(variables & _INCLUDES),
        targets=own.targets,
        variables=own.variables,
        cxx_standards=frozenset(standard for command in commands for standard in cxx_standards(command)),
        is_relocatable=any(map(is_relocatable, commands)),
    )


def _is_hip(command: Command) -> bool:
    words = command.words
    if command.name == "find_package":
        return bool(words) and words[0] in _HIP_PACKAGES
    if command.name == "enable_language":
        return "HIP" in words
    return command.name == "project" and "HIP" in words[1:]


def _lists_sources(file: CMakeFile, command: Command) -> bool:
    """Whether a command has `.cu` sources that the command that makes their target does not name one by one."""
    if command.name in _SAYING:
        return False
    are_known = new_ending(file.project, ENDING) == KNOWN
    if command.name == "aux_source_directory":
        return not are_known
    words = file.words(command)
    endings = [
        argument.text
        for argument in command.arguments
        if argument.text.rstrip(">").endswith(ENDING)
        for _ in range(1 if argument.kind == QUOTED else argument.text.count(f"{ENDING};") + 1)
    ]
    if are_known:
        kept = [word for word in words if word.text.endswith(ENDING) and respelled(file, word.text) is None]
        return any(len(word.text) > len(ENDING) for word in kept)
    if command.name == "file" and command.words[:1] in (["GLOB"], ["GLOB_RECURSE"]):
        return bool(endings) or any(word.text.endswith("*") for word in words[1:])
    literal = literal_sources(command)
    return (
        len(endings) > len(literal)
        or len(literal) > MOST
        or (command.name in MAKING and bool(command.block) and bool(literal))
    )
