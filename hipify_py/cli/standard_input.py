"""`-` instead of paths: one source on standard input, as editors pass it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.cli.by_configuration import Part, is_standard_input
from hipify_py.core.options import OFF
from hipify_py.core.project_context import ProjectContext
from hipify_py.project.api import ConversionReport
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.discovery import Problem
from hipify_py.project.faults import with_faults
from hipify_py.project.gitignore import Globs
from hipify_py.project.groups import Group
from hipify_py.project.lazy_session import LazySession, process_alone
from hipify_py.project.resolve_cross_file import resolve_cross_file, with_chosen
from hipify_py.project.result import FileResult
from hipify_py.project.sibling_headers import neighbours
from hipify_py.project.source_store import SourceStore
from hipify_py.project.vendored import own_headers
from hipify_py.project.work import NO_OUTPUT, Task

# One file whose content is given, as editors have it before it is saved.


def translate_unsaved(data: bytes, group: Group, *, wanted: str = NO_OUTPUT, changes: bool = False) -> list[FileResult]:
    """The result of the one file of a group as if it held `data`, with all that the files around it say.

    The file need not be there. Empty where the group's choices leave it out; headers that could not be examined come
    behind the file.

    Args:
        wanted: what the result is to bring along, as in `convert`.
        changes: the result is to tell what the conversion changes.

    Raises:
        TableError: when the mapping tables are missing or wrong.
    """
    (path,) = group.paths
    left_out = Globs(group.selection.exclude, group.selection.exclude_from)
    if left_out.fit(os.path.normpath(path), os.path.realpath(path)):
        return []
    texts = SourceStore({path: data, os.path.abspath(path): data})
    common = ProjectContext(local_headers=own_headers(neighbours([path])))
    project = build_contexts(common, [path], [path], group.options, texts)
    is_build = group.selection.build_files and is_build_file(path)
    task = Task(path, unsaved=data, tells_changes=changes, is_build_file=is_build)
    view = None if group.options.semantics == OFF else LazySession([path], group.options, texts)
    result = process_alone(task, group.options, project, wanted, view)
    return with_faults(with_chosen(resolve_cross_file([result], texts), group.options), texts.faults)


Command = TypeVar("Command", bound=Callable[..., object])


__all__ = ["is_standard_input", "reports_on_input", "stdin_filename"]


def stdin_filename(command: Command) -> Command:
    """The name of the source from standard input."""
    return click.option(
        "--stdin-filename",
        metavar="PATH",
        expose_value=False,
        callback=_checked,
        help="With -: the path of standard input, which sets its suffix, surrounding files and configuration.",
    )(command)


def reports_on_input(
    parts: Sequence[Part], *, wanted: str = NO_OUTPUT, changes: bool = False
) -> list[ConversionReport] | None:
    """The report on the source from standard input; None if there are paths."""
    if not is_standard_input():
        return None
    (part,) = parts
    (path,) = part.group.paths
    results = translate_unsaved(sys.stdin.buffer.read(), part.group, wanted=wanted, changes=changes)
    if not results:
        return [ConversionReport([], [], left_out=[Problem(path, "excluded")])]
    result = results[0]
    place = os.path.normpath(os.path.join(os.path.dirname(path), result.support_header))
    return [ConversionReport(results, [], {place: result.support} if result.support else {})]


def _checked(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None and not is_standard_input():
        raise click.UsageError("--stdin-filename requires -, which means standard input.")
