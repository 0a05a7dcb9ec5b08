"""Read list files for the rules, and collect what the list files of one tree need to know about each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from posixpath import relpath
from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import QUOTED, Command, ListFile, read
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.languages import names_cuda
from hipify_py.build_systems.cmake.rules.lifting import is_relocatable
from hipify_py.build_systems.cmake.rules.link_time import links_at_the_end
from hipify_py.build_systems.cmake.rules.linked import flows_of, linked_variables, reached
from hipify_py.build_systems.cmake.rules.openmp import is_asked_for
from hipify_py.build_systems.cmake.rules.packages import anchors
from hipify_py.build_systems.cmake.rules.renames import respelled
from hipify_py.build_systems.cmake.rules.sources import (
    ADDING,
    ENDING,
    KNOWN,
    MAKING,
    MOST,
    TRYING,
    literal_sources,
    loses_sources,
    marked,
    source_variables,
)
from hipify_py.build_systems.cmake.rules.standards import cxx_standards
from hipify_py.build_systems.cmake.rules.targets import libraries_of
from hipify_py.build_systems.cmake.rules.variables import extended, references, sets
from hipify_py.build_systems.kinds import CONFIGURED_ENDING, LIST_FILE, MODULE_ENDING, may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, ProjectContext, new_ending
from hipify_py.core.source import Source

# What one list file declares, for the other list files of its project that need to know it.

_SAYING = frozenset(
    {"message", "install", "set_source_files_properties", "source_group", "configure_file"}
    | {"add_custom_command", "add_custom_target", "execute_process", "add_test"}
)
_DEFINING = frozenset({"function", "macro"})
_MOST_MARKED = 3
"""If more targets have sources in variables, one function that goes through all targets marks them in fewer lines."""
_HIP_PACKAGES = frozenset(
    {"hip", "HIP", "rocblas", "rocfft", "rocprim", "rocrand", "rocsolver", "rocsparse", "rocthrust"}
    | {"hipblas", "hipcub", "hipfft", "hiprand", "hipsolver", "hipsparse"}
)
"""Packages that only a build for AMD GPUs looks for. Tiled-MM's finds rocBLAS and nothing else of ROCm."""
_INCLUDES = frozenset(
    {"CUDA_INCLUDE_DIRS", "CUDAToolkit_INCLUDE_DIRS", "CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES", "CUDA_TOOLKIT_INCLUDE"}
)


class Survey(NamedTuple):
    """What a list file declares.

    Attributes:
        has_project: whether it has a `project()` of its own.
        has_anchor: whether it turns CUDA on.
        has_language: whether it turns CMake's CUDA language on.
        has_find_cuda: whether it uses FindCUDA.
        has_hip: whether it builds for HIP already.
        packages: the ROCm packages that replace the libraries that it names.
        lists_sources: whether it has `.cu` sources in variables, globs or the like.
        marks: how many of its targets get such sources.
        loses_sources: whether such sources may get to a target in another way.
        is_on: whether it turns CUDA on whatever the user chooses.
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
    has_find_cuda: bool = False
    has_hip: bool = False
    packages: frozenset[str] = frozenset()
    lists_sources: bool = False
    marks: int = 0
    loses_sources: bool = False
    is_on: bool = False
    needs_hip: bool = False
    names_platform: bool = False
    targets: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    cxx_standards: frozenset[str] = frozenset()
    is_relocatable: bool = False


class OwnNames(NamedTuple):
    """The targets that a list file makes, the variables that it sets, and the functions and macros that it defines."""

    targets: frozenset[str]
    variables: frozenset[str]
    functions: frozenset[str]


def own_names(read: ListFile) -> OwnNames:
    """The names that a file defines."""
    targets = {command.words[0] for command in read.commands if command.words and command.name in MAKING - ADDING}
    variables = {sets(command) for command in read.commands if command.name != "unset"} - {""}
    functions = {command.words[0].lower() for command in read.commands if command.name in _DEFINING and command.words}
    return OwnNames(frozenset(targets), frozenset(variables), frozenset(functions))


def survey(file: CMakeFile, own: OwnNames, functions: Collection[str]) -> Survey:
    """Read off what the other files need to know; `file` already knows the targets and variables of all files."""
    commands, facts = file.commands, file.facts
    packages = {library.package for _, _, _, library in libraries_of(file) if library and library.package}
    variables: set[str] = set()
    for command in commands:
        for argument in command.arguments:
            if "CUDA" in argument.text:
                variables.update(name for _, _, name, _ in references(argument.text))
    begun = extended(file)
    for name in variables | begun.keys():
        row = facts.variables.get(name, {})
        if row.get("package") and (name in begun or name not in file.context.variables):
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
        has_find_cuda=any(facts.packages.get(command.words[0], {}).get("language") for command in found)
        or any(command.name in facts.commands or command.words[:1] == ["FindCUDA"] for command in commands),
        has_hip=any(map(_is_hip, commands)),
        packages=frozenset(packages - {"hip"}),
        lists_sources=any(_lists_sources(file, command) for command in commands),
        marks=len(marked(commands, file.context.source_variables)),
        loses_sources=new_ending(file.project, ENDING) is not None
        or loses_sources(commands, file.context.source_variables, functions),
        is_on=_is_on(commands, found),
        needs_hip="hip" in packages
        or any("hip" in str(facts.variables.get(name, {}).get("hip", ""))[:3] for name in variables),
        names_platform=bool(variables & _INCLUDES),
        targets=own.targets,
        variables=own.variables,
        cxx_standards=frozenset(standard for command in commands for standard in cxx_standards(command)),
        is_relocatable=any(map(is_relocatable, commands)),
    )


def _is_on(commands: list[Command], turning: list[Command]) -> bool:
    """Whether one of the commands that turn CUDA on is in no block, and stops the build if there is no CUDA."""
    depth, outside = 0, set()
    for command in commands:
        depth += command.nesting
        if not depth:
            outside.add(command.start)
    return any(
        command.start in outside and (names_cuda(command) or command.name == "include" or "REQUIRED" in command.words)
        for command in turning
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
    if command.name in _SAYING | TRYING:
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


# Turns what each list file of a tree declares into what each needs to know about the others.


def folder_of(path: str) -> str:
    """The folder of a path, with `/` at its end; empty for the root."""
    head, slash, _ = path.rpartition("/")
    return head + slash


def combined(surveys: Mapping[str, Survey], hip_only: Collection[str] = ()) -> dict[str, BuildContext]:
    """What each file needs to know: files belong to the nearest project above them, and the top finds the libraries.

    Paths use `/`. `hip_only` are the C++ sources that only HIP's compiler accepts.
    """
    roots = sorted(
        {folder_of(path) for path, surveyed in surveys.items() if surveyed.has_project}, key=len, reverse=True
    )
    members: dict[str, list[str]] = {}
    for path in surveys:
        members.setdefault(_top(path, roots), []).append(path)
    own_hip: dict[str, str] = {}
    for path, surveyed in sorted(surveys.items()):
        if surveyed.has_hip:
            own_hip.setdefault(_nearest(path, roots), path)
    contexts: dict[str, BuildContext] = {}
    sources: dict[str, list[str]] = {}
    for path in sorted(hip_only):
        if not own_hip.get(_nearest(path, roots)):
            sources.setdefault(_top(path, roots), []).append(path)
    for top, paths in members.items():
        within = {path: surveys[path] for path in sorted(paths)}
        contexts.update(_project(top, within, own_hip, roots, sources.get(top, ())))
    return contexts


def _nearest(path: str, roots: list[str]) -> str:
    """The folder of the nearest project above a file."""
    return next((root for root in roots if path.startswith(root)), "")


def _top(path: str, roots: list[str]) -> str:
    """The folder of the outermost project above a file."""
    return next((root for root in reversed(roots) if path.startswith(root)), "")


def _project(
    top: str,
    surveys: Mapping[str, Survey],
    own_hip: Mapping[str, str],
    roots: list[str],
    hip_only: Collection[str],
) -> dict[str, BuildContext]:
    """The files of one project, whose folder is `top`, with those of the projects within it."""
    ported = {path for path in surveys if not own_hip.get(_nearest(path, roots))}
    own = {path: surveys[path] for path in ported}
    targets = frozenset[str]().union(*(surveyed.targets for surveyed in surveys.values()))
    variables = frozenset[str]().union(*(surveyed.variables for surveyed in surveys.values()))
    has_cuda = any(surveyed.has_anchor for surveyed in own.values())
    has_language = any(surveyed.has_language for surveyed in own.values())
    starts = {path for path, surveyed in own.items() if surveyed.has_anchor}
    finders = _highest(starts)
    linked = tuple(sorted(frozenset[str]().union(*(surveyed.packages for surveyed in own.values()))))
    lifting = _lifting(top, own)
    standards = frozenset[str]().union(*(surveyed.cxx_standards for surveyed in own.values()))
    contexts = {}
    for path in surveys:
        below = own if path in finders else {}
        reach = [surveyed for other, surveyed in below.items() if _reaches(path, other)]
        packages = frozenset[str]().union(*(surveyed.packages for surveyed in reach))
        sources = [source for source in hip_only if path in finders and _reaches(path, source)]
        contexts[path] = BuildContext(
            has_cuda=has_cuda and path in ported,
            has_language=has_language,
            owns_nvcc_flags=has_language and not any(surveyed.has_find_cuda for surveyed in own.values()),
            packages=_with_hip(packages, reach)
            if path in finders
            else linked
            if path.endswith(CONFIGURED_ENDING)  # who uses the package links what its targets link
            else (),
            finds_sources=bool(sources) or any(surveyed.lists_sources for surveyed in reach)
            if path in finders
            else False,
            hip_only=tuple(relpath(source, folder_of(path) or ".") for source in sources),
            inherited=standards if path in finders else frozenset(),
            names_platform=any(surveyed.names_platform for surveyed in reach) if path in finders else False,
            targets=targets,
            variables=variables,
            own_hip=own_hip.get(_nearest(path, roots), ""),
            leads=path in ported and path.endswith(LIST_FILE) and any(_is_below(other, path) for other in starts),
            lifts_language=path == lifting,
        )
    if not any(context.finds_sources for context in contexts.values()):
        return contexts
    marks = (
        sum(surveyed.marks for surveyed in own.values()) <= _MOST_MARKED
        and all(own[path].is_on for path in finders)
        and not any(surveyed.loses_sources for surveyed in own.values())
        and not any(context.hip_only for context in contexts.values())
    )
    if marks:
        return {path: context._replace(finds_sources=False, marks_targets=True) for path, context in contexts.items()}
    return {path: context._replace(walks=True) for path, context in contexts.items()}


def _lifting(top: str, own: Mapping[str, Survey]) -> str:
    """The file that turns HIP on for the folders that link relocatable device code; empty if none has to.

    A module turns a language on where it is included, which may be at the top.
    """
    first = top + LIST_FILE
    starts = [path for path, surveyed in own.items() if surveyed.has_anchor]
    is_needed = starts and any(surveyed.is_relocatable for surveyed in own.values())
    is_on = any(path == first or not path.endswith(LIST_FILE) for path in starts)
    return first if is_needed and not is_on else ""


def _with_hip(packages: frozenset[str], reach: list[Survey]) -> tuple[str, ...]:
    """The packages to find, with that of the runtime if the project uses it."""
    is_used = packages or any(surveyed.needs_hip or surveyed.names_platform for surveyed in reach)
    return ("hip", *sorted(packages)) if is_used else ()


def _is_below(path: str, other: str) -> bool:
    return folder_of(path).startswith(folder_of(other))


def _reaches(path: str, other: str) -> bool:
    """Whether a file's setup applies to another one: that one lies below, or one of them is a module."""
    return not path.endswith(LIST_FILE) or other.startswith(folder_of(path)) or other.endswith(MODULE_ENDING)


def _highest(paths: Iterable[str]) -> set[str]:
    """The paths that do not lie below the folder of another list file among them."""
    paths = sorted(paths, key=lambda path: (path.count("/"), path))
    found: list[str] = []
    for path in paths:
        if not any(
            other.endswith(LIST_FILE)
            and folder_of(path).startswith(folder_of(other))
            and folder_of(other) != folder_of(path)
            for other in found
        ):
            found.append(path)
    return set(found)


def opened(
    data: bytes, path: str, options: Options, context: BuildContext, project: ProjectContext = NO_PROJECT
) -> CMakeFile:
    """A list file, read, before any rule has visited it."""
    return CMakeFile(Source(data, path), read(data), options, context, project)


def build_contexts(
    files: Mapping[str, bytes],
    options: Options,
    project: ProjectContext = NO_PROJECT,
    hip_only: Collection[str] = (),
) -> dict[str, BuildContext]:
    """What each of a tree's list files needs to know about the others, by their paths within the tree.

    `project` knows the names of the tree's files by the same paths; `hip_only` are the C++ sources that only HIP's
    compiler accepts.
    """
    opened_files = {path: opened(data, path, options, BuildContext(), project) for path, data in files.items()}
    own = {path: own_names(file.read) for path, file in opened_files.items()}
    flows = [flows_of(file.commands) for file in opened_files.values()]
    everywhere = BuildContext(
        targets=frozenset[str]().union(*(names.targets for names in own.values())),
        variables=frozenset[str]().union(*(names.variables for names in own.values())),
        linked=linked_variables(flows),
        source_variables=reached(
            (name for file in opened_files.values() for name in source_variables(file.commands)),
            (pair for one in flows for pair in one.pairs),
        ),
    )
    functions = frozenset[str]().union(*(names.functions for names in own.values()))
    surveys = {}
    for path, file in opened_files.items():
        file.context = everywhere
        surveys[path] = survey(file, own[path], functions)
    contexts = {
        path: surveyed._replace(linked=everywhere.linked, source_variables=everywhere.source_variables)
        for path, surveyed in combined(surveys, hip_only).items()
    }
    return {
        path: contexts[path]
        for path, data in files.items()
        if may_have_cuda(data)
        or contexts[path].leads
        or (contexts[path].has_cuda and (links_at_the_end(data) or is_asked_for(data)))  # they matter to HIP's linker
    }
