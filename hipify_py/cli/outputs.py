"""Where the account of a run goes: to standard output in one format, to files in others."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import click

from hipify_py.cli import options
from hipify_py.project.plan import PlanError
from hipify_py.project.result import reason
from hipify_py.project.write import write_atomically
from hipify_py.report.formats import PLAIN, load, names
from hipify_py.report.run_report import RunReport
from hipify_py.report.show import ALWAYS, AUTO, NEVER, show

Command = TypeVar("Command", bound=Callable[..., Any])


class Outputs(NamedTuple):
    """The formats that a command was asked for.

    Attributes:
        format: that of standard output; None where nothing was said.
        files: further formats, each with the file that it goes to.
        color: when standard output has colours: `auto`, `always` or `never`.
        history: the file that a record of the run is appended to.
    """

    format: str | None
    files: tuple[tuple[str, str], ...]
    color: str
    history: str | None = None

    @property
    def show_changes(self) -> bool:
        """Whether one of the formats shows what a conversion changes."""
        names = [name for name, _ in self.files] + ([self.format] if self.format else [])
        return any(load(name).shows_changes for name in names)

    def write(self, report: RunReport, *, to_stdout: bool = True) -> None:
        """Write an account where it was asked for.

        Raises:
            PlanError: when a file cannot be written.
        """
        if self.history is not None:
            from hipify_py.report import history

            history.append(self.history, history.record_of(report.results))
            report.history = history.read(self.history)
        if to_stdout:
            show(report, self.format, self.color)
        for name, path in self.files:
            text = "".join(load(name).render(report, PLAIN))
            write_file(path, text.encode("utf-8", "surrogateescape"))


def formats(command: Command) -> Command:
    """The options for formats, handed to the command as one `outputs: Outputs`."""

    @functools.wraps(command)
    def collected(
        *,
        format_: str | None,
        output_file: tuple[tuple[str, str], ...],
        color: str,
        history: str | None,
        **others: Any,
    ) -> Any:
        return command(outputs=Outputs(format_, output_file, color, history), **others)

    return options.all_of(
        click.option(
            "--format",
            "format_",
            type=click.Choice(names()),
            metavar="NAME",
            show_default="text on a terminal; elsewhere a line for each finding",
            help=f"The format of standard output: {', '.join(names())}.",
        ),
        click.option(
            "--output-file",
            multiple=True,
            metavar="NAME=PATH",
            callback=_files,
            help="Write the account to a file in the format NAME as well; may be given again.",
        ),
        click.option(
            "--color",
            type=click.Choice([AUTO, ALWAYS, NEVER]),
            default=AUTO,
            help="Colours on standard output; auto heeds NO_COLOR, FORCE_COLOR and whether it is a terminal.",
        ),
        click.option(
            "--history", metavar="FILE", help="Append a line to this file: date, commit, and the counts of this run."
        ),
    )(cast("Command", collected))


def _files(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in value:
        name, _, path = text.partition("=")
        if not path:
            raise click.BadParameter(f"{text!r} is not of the form NAME=PATH")
        if name not in names():
            raise click.BadParameter(f"there is no format {name!r}; there are {', '.join(names())}")
        pairs.append((name, path))
    places = [os.path.realpath(path) for _, path in pairs]
    if len(set(places)) < len(places):
        raise click.BadParameter("two formats would go to one file")
    return tuple(pairs)


def write_file(path: str, data: bytes) -> None:
    """Write a file that was asked for, whole or not at all; pipes, devices and links are written to as they are.

    `/dev/stdout` is a link to what standard output is redirected to, and must not be replaced.

    Raises:
        PlanError: when it cannot be written.
    """
    try:
        if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
            with open(path, "wb") as file:
                file.write(data)
        else:
            write_atomically(path, data)
    except OSError as error:
        raise PlanError(f"cannot write {path}: {reason(error)}") from error
