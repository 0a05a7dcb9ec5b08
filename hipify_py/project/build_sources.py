"""Converts the sources of a build's target, and the headers that they include, into a folder of the build."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.project.api import ConversionReport, convert_groups
from hipify_py.project.discovery import Selection
from hipify_py.project.errors import PlanError
from hipify_py.project.groups import Group
from hipify_py.project.paths import is_within
from hipify_py.project.plan import DEFAULT_RENAMES
from hipify_py.project.reached_headers import included_headers, reached_from
from hipify_py.project.result import FileResult
from hipify_py.project.source_store import SourceStore

CUDA = ".cu"
"""The ending of the sources that get another one."""

HIP = DEFAULT_RENAMES[CUDA]
"""The ending by which build systems know HIP."""


class BuiltSources(NamedTuple):
    """What `convert_sources` has done.

    Attributes:
        report: the report of the conversion.
        needed: the absolute paths of all that the results depend on: the sources, headers of the project, and folders
            in which a header is missing.
        written: the reports on the files whose results were written; the others stayed as they were.
    """

    report: ConversionReport
    needed: list[str]
    written: list[FileResult]


def convert_sources(
    sources: Iterable[str],
    *,
    root: str,
    output: str,
    include_dirs: Iterable[str] = (),
    ending: str = HIP,
    options: Options = DEFAULT_OPTIONS,
    selection: Selection | None = None,
    jobs: int | None = None,
    cache: bool = True,
    line_directives: bool = True,
) -> BuiltSources:
    """Convert sources, and the headers below `root` that they include, into a folder.

    A result that would not change is not written. One that includes a header whose translation has changed gets the
    present time: Ninja has looked at the times of headers before, and would compile it in the next build only.

    Args:
        sources: C, C++ and CUDA sources.
        root: the project's folder; each result has the place below `output` that its source has below this folder.
        output: the folder for the results.
        include_dirs: where the compiler looks for headers; without any, `root` and the folder `include` in it.
        ending: what `.cu` becomes at the end of the names.
        options: the translator's options.
        selection: what is excluded.
        jobs: worker processes; None uses all cores.
        cache: reuse what an earlier run stored about the same files, and store what this run finds.
        line_directives: have compilers show errors at the lines of the CUDA sources.

    Raises:
        PlanError: if a source is not below `root`, or the run cannot be done as requested.
        TableError: if the mapping tables are missing or wrong.
    """
    place, out = os.path.realpath(root), os.path.realpath(output)
    given = [os.path.abspath(source) for source in sources]
    for source in given:
        if not is_within(os.path.realpath(source), place):
            raise PlanError(f"{source} is not below {root}, the project's folder")
    folders = [folder for folder in map(os.path.abspath, include_dirs) if not is_within(os.path.realpath(folder), out)]
    found = included_headers(given, place, folders or [place, os.path.join(place, "include")], SourceStore())
    graph = found.headers
    files = [os.path.relpath(os.path.realpath(path), place).replace(os.sep, "/") for path in graph]
    (report,) = convert_groups(
        [Group([place], options, (selection or Selection())._replace(files=files))],
        output=output,
        rename={CUDA: ending},
        jobs=jobs,
        cache=cache,
        line_directives=line_directives,
    )
    assert report.plan is not None
    targets = {os.path.realpath(task.path): task.target or "" for task in report.plan.tasks}
    written = [result for result in report.results if result.target is not None]
    changed = {os.path.realpath(result.path) for result in written}
    for source in given:
        target = targets.get(os.path.realpath(source), "")
        if os.path.isfile(target) and not changed.isdisjoint(map(os.path.realpath, reached_from(source, graph))):
            os.utime(target)
    return BuiltSources(report, sorted(graph.keys() | found.folders), written)


def result_path(source: str, *, root: str, output: str, ending: str = HIP) -> str:
    """Where the translation of a source goes."""
    inside = os.path.relpath(os.path.realpath(source), os.path.realpath(root))
    stem, suffix = os.path.splitext(inside)
    return os.path.join(output, stem + ending if suffix == CUDA else inside)


def mirrored_folders(folders: Sequence[str], *, root: str, output: str) -> list[str]:
    """Where the translations of headers are that a compiler would find in these folders, in their order."""
    place = os.path.realpath(root)
    inside = [os.path.realpath(folder) for folder in folders if is_within(os.path.realpath(folder), place)]
    return [os.path.normpath(os.path.join(output, os.path.relpath(folder, place))) for folder in inside]
