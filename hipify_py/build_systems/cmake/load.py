"""Read list files for the rules, and collect what the list files of one tree need to know about each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from posixpath import relpath

from hipify_py.build_systems.cmake.lexer import read
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.link_time import links_at_the_end
from hipify_py.build_systems.cmake.rules.linked import flows_of, linked_variables
from hipify_py.build_systems.cmake.rules.openmp import is_asked_for
from hipify_py.build_systems.cmake.rules.standards import are_old
from hipify_py.build_systems.cmake.survey import Survey, own_names, survey
from hipify_py.build_systems.kinds import LIST_FILE, MODULE_ENDING, may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, ProjectContext
from hipify_py.core.source import Source

# Turns what each list file of a tree declares into what each needs to know about the others.


def folder_of(path: str) -> str:
    """The folder of a path, with `/` at its end; empty for the root."""
    head, slash, _ = path.rpartition("/")
    return head + slash


def combined(surveys: Mapping[str, Survey], hip_only: Collection[str] = ()) -> dict[str, BuildContext]:
    """What each file needs to know: files belong to the nearest project above them, and the top finds the libraries.

    Paths use `/`. `hip_only` are the C++ sources that only HIP's compiler accepts.
    """
    roots = sorted({folder_of(path) for path, said in surveys.items() if said.has_project}, key=len, reverse=True)
    members: dict[str, list[str]] = {}
    for path in surveys:
        members.setdefault(_top(path, roots), []).append(path)
    own_hip: dict[str, str] = {}
    for path, said in sorted(surveys.items()):
        if said.has_hip:
            own_hip.setdefault(_nearest(path, roots), path)
    told: dict[str, BuildContext] = {}
    sources: dict[str, list[str]] = {}
    for path in sorted(hip_only):
        if not own_hip.get(_nearest(path, roots)):
            sources.setdefault(_top(path, roots), []).append(path)
    for top, paths in members.items():
        within = {path: surveys[path] for path in sorted(paths)}
        told.update(_project(top, within, own_hip, roots, sources.get(top, ())))
    return told


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
    targets = frozenset[str]().union(*(said.targets for said in surveys.values()))
    variables = frozenset[str]().union(*(said.variables for said in surveys.values()))
    has_cuda = any(said.has_anchor for said in own.values())
    has_language = any(said.has_language for said in own.values())
    starts = {path for path, said in own.items() if said.has_anchor}
    finders = _highest(starts)
    lifting = _lifting(top, own)
    is_old = are_old(frozenset[str]().union(*(said.cxx_standards for said in own.values())))
    told = {}
    for path in surveys:
        below = own if path in finders else {}
        reach = [said for other, said in below.items() if _reaches(path, other)]
        packages = frozenset[str]().union(*(said.packages for said in reach))
        sources = [source for source in hip_only if path in finders and _reaches(path, source)]
        told[path] = BuildContext(
            has_cuda=has_cuda and path in ported,
            has_language=has_language,
            packages=_with_hip(packages, reach) if path in finders else (),
            finds_sources=bool(sources) or any(said.lists_sources for said in reach) if path in finders else False,
            hip_only=tuple(relpath(source, folder_of(path) or ".") for source in sources),
            inherits_old=is_old and path in finders,
            names_platform=any(said.names_platform for said in reach) if path in finders else False,
            targets=targets,
            variables=variables,
            own_hip=own_hip.get(_nearest(path, roots), ""),
            leads=path in ported and path.endswith(LIST_FILE) and any(_is_below(other, path) for other in starts),
            lifts_language=path == lifting,
        )
    lists = any(context.finds_sources for context in told.values())
    return {path: context._replace(walks=lists) for path, context in told.items()} if lists else told


def _lifting(top: str, own: Mapping[str, Survey]) -> str:
    """The file that turns HIP on for the folders that link relocatable device code; empty if none has to.

    A module turns a language on where it is included, which may be at the top.
    """
    first = top + LIST_FILE
    starts = [path for path, said in own.items() if said.has_anchor]
    is_needed = starts and any(said.is_relocatable for said in own.values())
    is_on = any(path == first or not path.endswith(LIST_FILE) for path in starts)
    return first if is_needed and not is_on else ""


def _with_hip(packages: frozenset[str], reach: list[Survey]) -> tuple[str, ...]:
    """The packages to find, with that of the runtime if the project uses it."""
    is_used = packages or any(said.needs_hip or said.names_platform for said in reach)
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
    data: bytes, path: str, options: Options, told: BuildContext, project: ProjectContext = NO_PROJECT
) -> CMakeFile:
    """A list file, read, before any rule has visited it."""
    return CMakeFile(Source(data, path), read(data), options, told, project)


def tell(
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
    everywhere = BuildContext(
        targets=frozenset[str]().union(*(names.targets for names in own.values())),
        variables=frozenset[str]().union(*(names.variables for names in own.values())),
        linked=linked_variables(flows_of(file.commands) for file in opened_files.values()),
    )
    surveys = {}
    for path, file in opened_files.items():
        file.told = everywhere
        surveys[path] = survey(file, own[path])
    told = {path: said._replace(linked=everywhere.linked) for path, said in combined(surveys, hip_only).items()}
    return {
        path: told[path]
        for path, data in files.items()
        if may_have_cuda(data) or told[path].leads or (told[path].has_cuda and _is_about_linking(data))
    }


def _is_about_linking(data: bytes) -> bool:
    """Whether a file contains what matters to HIP's linker if another list file of the project is about CUDA."""
    return links_at_the_end(data) or is_asked_for(data)
