"""The configuration of a command: the one named, or the nearest above each of its paths."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click
from click.core import ParameterSource

from hipify_py.project.config import NOTHING, Config, read_config
from hipify_py.project.find_config import find_config
from hipify_py.project.toml import ConfigError
from hipify_py.report.text import emit
from hipify_py.visible import visible

ADDED = frozenset({"mappings", "ignore", "per-file-ignores"})
"""What the command line adds to the configuration, instead of overriding it."""

_ASKED = "hipify_py.configuration"


def remember(context: click.Context, named: str | None, *, none: bool) -> None:
    """Keep what the command line says of the configuration until the paths are known."""
    context.meta[_ASKED] = (named, none)


def configure(context: click.Context, paths: Sequence[str]) -> None:
    """Give a command the values of its configuration; its options are to be read after that.

    Raises:
        ConfigError: when the configuration is wrong.
        click.UsageError: when the paths have different ones.
    """
    named, none = context.meta.get(_ASKED, (None, False))
    path = None if none else named or _nearest(paths)
    config = NOTHING if path is None else read_config(path)
    context.obj = config
    context.default_map = {name.replace("-", "_"): value for name, value in config.values.items() if name not in ADDED}


def current() -> Config:
    """The configuration of the command that runs."""
    context = click.get_current_context()
    return context.obj if isinstance(context.obj, Config) else NOTHING


def is_configured(context: click.Context, name: str) -> bool:
    """The value of a parameter comes from the configuration."""
    return context.get_parameter_source(name) == ParameterSource.DEFAULT_MAP


def blamed(error: click.BadParameter) -> ConfigError | None:
    """A complaint about a value in the words of the configuration; None where the command line gave it."""
    context, parameter = error.ctx, error.param
    if context is None or parameter is None or parameter.name is None or not is_configured(context, parameter.name):
        return None
    key = parameter.name.replace("_", "-")
    return ConfigError(f"{context.obj.path}: {key}: {error.message}")


def _nearest(paths: Sequence[str]) -> str | None:
    first: dict[str | None, str] = {}
    folders: dict[str, str | None] = {}
    foreign: dict[str, None] = {}
    for path in paths:
        folder = path if os.path.isdir(path) else os.path.dirname(path) or os.curdir
        if folder not in folders:
            found = find_config(folder)
            folders[folder] = found.path
            foreign.update(dict.fromkeys(found.foreign))
        first.setdefault(folders[folder], path)
    emit(sys.stderr, (f"{place}: not read, because it belongs to another user" for place in foreign))
    if len(first) > 1:
        lines = [visible(f"  {path}: {config or 'none'}") for config, path in first.items()]
        raise click.UsageError(
            "These paths have different configurations; name one with --config, or take them one after the other.\n"
            + "\n".join(lines)
        )
    return next(iter(first), None)
