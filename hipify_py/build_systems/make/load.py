"""Read makefiles for the rules, and collect what the makefiles of one tree need to know about each other."""

from __future__ import annotations

from collections.abc import Mapping

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.propagate import combined
from hipify_py.build_systems.make.reader import read
from hipify_py.build_systems.make.survey import survey
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, MakeContext, ProjectContext
from hipify_py.core.source import Source


def opened(
    data: bytes, path: str, options: Options, told: MakeContext, project: ProjectContext = NO_PROJECT
) -> MakeFile:
    """A makefile, read, before any rule has visited it."""
    return MakeFile(Source(data, path), read(data), options, told, project)


def tell(files: Mapping[str, bytes], options: Options, project: ProjectContext = NO_PROJECT) -> dict[str, BuildContext]:
    """What each of a tree's makefiles needs to know about the others, by their paths within the tree."""
    before = MakeContext(roots=facts().make.roots)
    surveys = {path: survey(opened(data, path, options, before, project)) for path, data in files.items()}
    return {path: BuildContext(make=told) for path, told in combined(surveys).items() if told.has_cuda}
