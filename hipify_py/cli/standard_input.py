"""`-` instead of paths: one source on standard input, as editors pass it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from hipify_py.cli.by_configuration import Part, is_standard_input

if TYPE_CHECKING:
    from hipify_py.project.api import ConversionReport

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
    parts: Sequence[Part], *, wanted: str = "", changes: bool = False
) -> list[ConversionReport] | None:
    """The report on the source from standard input; None if there are paths. `wanted` is as in `convert`."""
    if not is_standard_input():
        return None
    from hipify_py.project.api import ConversionReport
    from hipify_py.project.discovery import Problem
    from hipify_py.project.unsaved import translate_unsaved

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
