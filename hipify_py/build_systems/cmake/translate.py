"""Translate a list file into a `Translation`, in the same terms as a source."""

from __future__ import annotations

from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.load import build_contexts, opened
from hipify_py.build_systems.cmake.rules import (
    commands,
    conditions,
    definitions,
    emptied,
    expressions,
    finding,
    flags,
    languages,
    lifting,
    link_time,
    minimum,
    openmp,
    packages,
    properties,
    renames,
    sources,
    standards,
    targets,
    variables,
)
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.kinds import may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_BUILD, NO_PROJECT, BuildContext, ProjectContext
from hipify_py.core.translation import Translation

_RULES = (
    conditions,
    standards,
    languages,
    lifting,
    link_time,
    openmp,
    packages,
    commands,
    properties,
    targets,
    finding,
    variables,
    definitions,
    expressions,
    flags,
    sources,
    minimum,
    emptied,
)


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a list file."""
    context = project.build
    if context == NO_BUILD:
        context = build_contexts({path: data}, options).get(path, BuildContext())
    file = opened(data, path, options, context, project)
    renames.apply(file)
    if file.context.own_hip:
        _left_alone(file)
    elif not may_have_cuda(data):
        minimum.apply(file)
        lifting.apply(file)
        link_time.apply(file)
        openmp.apply(file)
    elif file.context.has_cuda or _names_cuda(file):
        for rule in _RULES:
            rule.apply(file)
        if file.read.broken >= 0:
            file.finding("HIP608", file.read.broken, "")
    return finished(file)


def _names_cuda(file: CMakeFile) -> bool:
    return b"CUDA" in file.source.data or b"cuda" in file.source.data or b"nvcc" in file.source.data


def _left_alone(file: CMakeFile) -> None:
    """Report once, if this file is about CUDA, that the project already has a build for HIP."""
    found = packages.anchors(file.commands, frozenset(file.facts.packages), frozenset(file.facts.modules))
    if found:
        file.finding("HIP607", found[0].start, found[0].name, file.context.own_hip)
