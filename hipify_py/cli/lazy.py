"""A group of commands each of which is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from hipify_py.cli.help_command import HelpedGroup


class LazyGroup(HelpedGroup):
    """Commands by name with the line that `--help` shows.

    Each is `command` in the module of its name below `home`, or in the one that `elsewhere` has for it.
    """

    def __init__(
        self,
        *arguments: Any,
        home: str,
        subcommands: Mapping[str, str],
        elsewhere: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self.home = home
        self.elsewhere = elsewhere or {}
        self.subcommands = subcommands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.subcommands)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.subcommands:
            return None
        module = self.elsewhere.get(name) or f"{self.home}.{name.replace('-', '_')}"
        command = importlib.import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.subcommands.items()))
