"""A group of commands each of which is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from hipify_py.cli.help_command import HelpedGroup


class LazyGroup(HelpedGroup):
    """Commands by name with the line that `--help` shows; each is `command` in the module of its name below `home`."""

    def __init__(self, *arguments: Any, home: str, subcommands: Mapping[str, str], **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.home = home
        self.subcommands = subcommands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.subcommands)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.subcommands:
            return None
        command = importlib.import_module(f"{self.home}.{name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.subcommands.items()))
