"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from hipify_py.cli.exit_codes import NEVER
from hipify_py.findings import SEVERITIES

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


def paths(command: Command) -> Command:
    """`PATH…`: files and folders."""
    return click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())(command)


def selection(command: Command) -> Command:
    """Which files of the given folders are meant."""
    return _all(
        click.option(
            "--include", multiple=True, metavar="GLOB", help="Translate these files instead of going by suffix."
        ),
        click.option("--exclude", multiple=True, metavar="GLOB", help="Leave these files and folders out altogether."),
        click.option("--no-gitignore", is_flag=True, help="Take files that .gitignore leaves out, too."),
    )(command)


def translation(command: Command) -> Command:
    """The translator's choices."""
    return _all(
        click.option(
            "--launch",
            type=click.Choice(["ggl", "chevron"]),
            default="ggl",
            show_default=True,
            help="Write launches as hipLaunchKernelGGL(...), or keep <<<...>>>.",
        ),
        click.option("--experimental", is_flag=True, help="Use HIP names that AMD marks as experimental."),
    )(command)


def running(command: Command) -> Command:
    """How the run goes, and what it says."""
    return _all(
        click.option("-j", "--jobs", type=click.IntRange(min=1), help="Worker processes; all cores by default."),
        click.option("-v", "--verbose", is_flag=True, help="Say more."),
        click.option("-q", "--quiet", is_flag=True, help="Say only what went wrong."),
    )(command)


def fail_on(command: Command) -> Command:
    """From which severity on findings make the exit status 1."""
    return click.option(
        "--fail-on",
        type=click.Choice([*SEVERITIES, NEVER]),
        default="error",
        show_default=True,
        help="The least severity that makes the exit status 1.",
    )(command)


def formats(command: Command) -> Command:
    """Text for people, or JSON for programs."""
    return click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)(
        command
    )


def _all(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate
