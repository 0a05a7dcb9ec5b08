"""`--show-settings` and `--show-files`: show what a command would use, instead of running it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from hipify_py.cli.by_configuration import INSTEAD, Part
from hipify_py.cli.options import all_of

Command = TypeVar("Command", bound=Callable[..., object])


def showing(command: Command) -> Command:
    """The options of a command that show what it would do."""
    return all_of(
        click.option(
            "--show-settings",
            is_flag=True,
            expose_value=False,
            callback=_chosen,
            help="Print the settings for PATH... and where each comes from, and exit. Use --format json for JSON.",
        ),
        click.option(
            "--show-files",
            is_flag=True,
            expose_value=False,
            callback=_chosen,
            help="Print the sources that would be read, one per line, and exit. With -v, also print those left out and"
            " why. Use --format json for JSON.",
        ),
    )(command)


def _chosen(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value:
        return
    if context.meta.setdefault(INSTEAD, (parameter.name, _show))[0] != parameter.name:
        raise click.UsageError("--show-settings and --show-files exclude each other.")


def _show(contexts: Sequence[click.Context], parts: Sequence[Part]) -> int:
    context = contexts[0]
    name, _ = context.meta[INSTEAD]
    option = f"--{name.replace('_', '-')}"
    format = context.params.get("format_") or "text"
    if format not in ("text", "json"):
        raise click.UsageError(f"{option} supports the formats text and json.")
    if context.params.get("output_file") or context.params.get("history"):
        raise click.UsageError(f"{option} excludes --output-file and --history.")
    if name == "show_settings":
        from hipify_py.cli.show_settings import show_settings

        return show_settings(contexts, parts, as_json=format == "json")
    from hipify_py.cli.show_files import show_files

    return show_files(context, parts, as_json=format == "json")
