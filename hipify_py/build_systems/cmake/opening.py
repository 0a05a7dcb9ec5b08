"""List files as the rules see them, and what the list files of one tree are told of each other."""

from __future__ import annotations

from collections.abc import Mapping

from hipify_py.build_systems.cmake.lexer import read
from hipify_py.build_systems.cmake.survey import own_names, survey
from hipify_py.build_systems.cmake.told import combined
from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.kinds import may_have_cuda
from hipify_py.build_systems.model import BuildFile
from hipify_py.catalog import load_catalog
from hipify_py.options import Options
from hipify_py.project_context import BuildContext
from hipify_py.source import Source


def opened(data: bytes, path: str, options: Options, told: BuildContext) -> BuildFile:
    """A list file, read, before any rule has seen it."""
    return BuildFile(Source(data, path), read(data), facts(), load_catalog(options.targeting), options, told)


def tell(files: Mapping[str, bytes], options: Options) -> dict[str, BuildContext]:
    """What each of a tree's list files is told of the others, by their paths within the tree."""
    opened_files = {path: opened(data, path, options, BuildContext()) for path, data in files.items()}
    targets, variables = frozenset[str](), frozenset[str]()
    for file in opened_files.values():
        names = own_names(file.read)
        targets, variables = targets | names[0], variables | names[1]
    surveys = {}
    for path, file in opened_files.items():
        own = own_names(file.read)
        file.told = BuildContext(targets=targets, variables=variables)
        surveys[path] = survey(file)._replace(targets=own[0], variables=own[1])
    told = combined(surveys)
    return {path: told[path] for path, data in files.items() if may_have_cuda(data)}
