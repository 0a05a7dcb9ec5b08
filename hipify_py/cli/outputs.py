"""Where the account of a run goes: to standard output in one format, to files in others."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from hipify_py.cli import options
from hipify_py.core.suggestions import did_you_mean
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.write import write_atomically
from hipify_py.report.formats import PLAIN, load, names
from hipify_py.report.show import ALWAYS, AUTO, NEVER, show

if TYPE_CHECKING:
    from hipify_py.report.run_report import RunReport

Command = TypeVar("Command", bound=Callable[..., Any])


class Outputs(NamedTuple):
    """The formats that a command was asked for.

    Attributes:
        format: the format of standard output; None if none was chosen.
        files: further formats, each with the file that it goes to.
        color: when standard output has colours: `auto`, `always` or `never`.
        history: the file to which a record of the run is appended.
        editor: the template of the links that open files; empty for no links.
    """

    format: str | None
    files: tuple[tuple[str, str], ...]
    color: str
    history: str | None = None
    editor: str = ""

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
            show(report, self.format, self.color, self.editor)
        for name, path in self.files:
            text = "".join(load(name).render(report, PLAIN._replace(editor=self.editor)))
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
        editor: str,
        **others: Any,
    ) -> Any:
        return command(outputs=Outputs(format_, output_file, color, history, editor), **others)

    return options.all_of(
        click.option(
            "--format",
            "format_",
            type=click.Choice(names()),
            metavar="NAME",
            show_default="text; for check without a terminal, concise",
            help=f"The format of standard output: {', '.join(names())}.",
        ),
        click.option(
            "--output-file",
            multiple=True,
            metavar="NAME=PATH",
            callback=_files,
            help="Also write a report to a file in the format NAME; may be repeated.",
        ),
        click.option(
            "--color",
            type=click.Choice([AUTO, ALWAYS, NEVER]),
            default=AUTO,
            help="Colours on standard output; auto depends on NO_COLOR, FORCE_COLOR and the terminal.",
        ),
        click.option(
            "--history", metavar="FILE", help="Append the date, the commit and the counts of this run to this file."
        ),
        options.setting("editor", metavar="NAME|URL", callback=_template, show_default="no links"),
    )(cast("Command", collected))


def _template(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """The template of an editor's links.

    Raises:
        click.BadParameter: for an editor that is not known, and a template that is wrong.
    """
    if not value:
        return ""
    from hipify_py.report.editor import editor_template

    try:
        return editor_template(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _files(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in value:
        name, _, path = text.partition("=")
        if not path:
            raise click.BadParameter(f"{text!r} does not have the form NAME=PATH")
        if name not in names():
            near = did_you_mean(name, names())
            raise click.BadParameter(f"{name!r} is not a format{near}; the formats are {', '.join(names())}")
        pairs.append((name, path))
    places = [os.path.realpath(path) for _, path in pairs]
    if len(set(places)) < len(places):
        raise click.BadParameter("two formats have the same output file")
    return tuple(pairs)


def write_file(path: str, data: bytes) -> None:
    """Write a requested file completely or not at all; a pipe or a device is written directly.

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
