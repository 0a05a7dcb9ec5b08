"""List files as the rules see them, and what the list files of one tree are told of each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hipify_py.build_systems.cmake.lexer import read
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.propagate import combined
from hipify_py.build_systems.cmake.rules.link_time import links_at_the_end
from hipify_py.build_systems.cmake.rules.linked import flows_of, linked_variables
from hipify_py.build_systems.cmake.rules.openmp import is_asked_for
from hipify_py.build_systems.cmake.survey import own_names, survey
from hipify_py.build_systems.kinds import may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, ProjectContext
from hipify_py.core.source import Source


def opened(
    data: bytes, path: str, options: Options, told: BuildContext, project: ProjectContext = NO_PROJECT
) -> CMakeFile:
    """A list file, read, before any rule has seen it."""
    return CMakeFile(Source(data, path), read(data), options, told, project)


def tell(
    files: Mapping[str, bytes],
    options: Options,
    project: ProjectContext = NO_PROJECT,
    hip_only: Collection[str] = (),
) -> dict[str, BuildContext]:
    """What each of a tree's list files is told of the others, by their paths within the tree.

    `project` knows the names of the tree's files by the same paths; `hip_only` are the C++ sources that only HIP's
    compiler takes.
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
    """Something in it matters to HIP's linker where another list file of the project is about CUDA."""
    return links_at_the_end(data) or is_asked_for(data)
