"""Translate a makefile into a `Translation`, in the same terms as a source."""

from __future__ import annotations

from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.make.load import opened, tell
from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.rules import (
    compilers,
    folders,
    libraries,
    names,
    options,
    platform,
    separable,
    standards,
    tools,
)
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, MakeContext, ProjectContext
from hipify_py.core.translation import Translation

_RULES = (options, standards, separable, libraries, platform, compilers, folders, tools, names)


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a makefile.

    Args:
        data: its bytes.
        path: its name, which findings carry.
        options: the user's choices.
        project: what its project knows about it: the other makefiles, and the names of the files.
    """
    told = project.build.make
    if told is None:
        alone = tell({path: data}, options, project).get(path)
        told = MakeContext() if alone is None or alone.make is None else alone.make
    file = opened(data, path, options, told, project)
    if told.own_hip:
        _left_alone(file)
    else:
        for rule in _RULES:
            rule.apply(file)
    return finished(file)


def _left_alone(file: MakeFile) -> None:
    """Report once, if this file calls nvcc, that the project already has a build for HIP."""
    call = compilers.first_call(file)
    if call is not None:
        file.finding("HIP607", call.start, call.text, file.told.own_hip)
