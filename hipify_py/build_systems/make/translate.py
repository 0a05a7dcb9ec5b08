"""Translate a makefile into a `Translation`, in the same terms as a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.propagate import combined
from hipify_py.build_systems.make.reader import read
from hipify_py.build_systems.make.rules import (
    compilers,
    folders,
    lacking,
    libraries,
    names,
    options,
    platform,
    separable,
    standards,
    tools,
)
from hipify_py.build_systems.make.survey import survey
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, MakeContext, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation


def opened(
    data: bytes, path: str, options: Options, context: MakeContext, project: ProjectContext = NO_PROJECT
) -> MakeFile:
    """A makefile, read, before any rule has visited it."""
    return MakeFile(Source(data, path), read(data), options, context, project)


def build_contexts(
    files: Mapping[str, bytes],
    options: Options,
    project: ProjectContext = NO_PROJECT,
    host_sources: Sequence[str] = (),
) -> dict[str, BuildContext]:
    """What each of a tree's makefiles needs to know about the others, by their paths within the tree.

    Args:
        files: the makefiles.
        options: the user's choices.
        project: the names of the files.
        host_sources: the tree's C and C++ sources that include CUDA's headers.
    """
    before = MakeContext(roots=facts().make.roots)
    surveys = {path: survey(opened(data, path, options, before, project)) for path, data in files.items()}
    return {
        path: BuildContext(make=context)
        for path, context in combined(surveys, host_sources).items()
        if context.has_cuda
    }


_RULES = (options, standards, separable, libraries, platform, compilers, folders, tools, names)


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a makefile."""
    context = project.build.make
    if context is None:
        alone = build_contexts({path: data}, options, project).get(path)
        context = MakeContext() if alone is None or alone.make is None else alone.make
    file = opened(data, path, options, context, project)
    lacking.apply(file)
    if context.own_hip:
        _left_alone(file)
    else:
        for rule in _RULES:
            rule.apply(file)
    return finished(file)


def _left_alone(file: MakeFile) -> None:
    """Report once, if this file calls nvcc, that the project already has a build for HIP."""
    call = compilers.first_call(file)
    if call is not None:
        target = _own_target(file)
        file.finding("HIP607", call.start, call.text, file.context.own_hip + (f" (target {target})" if target else ""))


def _own_target(file: MakeFile) -> str:
    """The first target that hipcc makes by a rule of its own (gpu-benches: `hip-stream` beside `cuda-stream`)."""
    for line in file.lines:
        rule = file.rule_of(line)
        if rule is not None and not line.is_text and file.head(line.words[0]) == (compilers.HIPCC,):
            targets = file.source.data[slice(*rule.targets)].decode("utf-8", "surrogateescape").split()
            if len(targets) == 1 and "%" not in targets[0] and not targets[0].endswith(".o"):
                return targets[0]
    return ""
