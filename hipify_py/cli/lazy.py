"""A group of commands each of which is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from hipify_py.cli.help_command import HelpedGroup
from hipify_py.core.suggestions import did_you_mean


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and args[0] not in self.subcommands:
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], self.subcommands)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.subcommands.items()))
