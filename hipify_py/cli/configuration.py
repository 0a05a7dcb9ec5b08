"""The configuration of a command: the one named, or the nearest above each of its paths."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from hipify_py.project.config import NOTHING, Config, read_config
from hipify_py.project.find_config import find_config
from hipify_py.project.toml import ConfigError
from hipify_py.report.text import emit

if TYPE_CHECKING:
    from hipify_py.project.discovery import Selection

ADDED = frozenset({"mappings", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "severity"})
"""What the command line adds to the configuration, instead of overriding it."""

_APART = ADDED | {"fail-under", "max-effort"}
"""What the command line overrides in parts, or not at all."""

MOST_SHARES = 1000
"""How many configurations one run takes."""

_ASKED = "hipify_py.configuration"


class Share(NamedTuple):
    """The paths of a command that have one configuration.

    Attributes:
        config: the configuration's file; empty where there is none.
        paths: the paths, as given.
    """

    config: str
    paths: tuple[str, ...]


def remember(context: click.Context, named: str | None, *, none: bool) -> None:
    """Keep the command line's choice of configuration until the paths are known."""
    context.meta[_ASKED] = (named, none)


def shares_of(context: click.Context, paths: Sequence[str]) -> list[Share]:
    """The paths of a command by their configurations: the one named for all, or the nearest above each."""
    named, none = context.meta.get(_ASKED, (None, False))
    if none or named:
        return [Share("" if none else named, tuple(paths))]
    return _by_nearest(paths)


def nested_shares(context: click.Context, paths: Sequence[str], selection: Selection, taken: set[str]) -> list[Share]:
    """The folders below some paths that have their own configurations; their real paths are added to `taken`."""
    named, none = context.meta.get(_ASKED, (None, False))
    if none or named or context.resilient_parsing:
        return []
    from hipify_py.project.nested_configs import nested_configs

    shares = []
    for path in filter(os.path.isdir, paths):
        found = nested_configs(path, selection)
        _tell_foreign(found.foreign)
        for folder, config in found.configs:
            real = os.path.realpath(folder)
            if real not in taken:
                taken.add(real)
                shares.append(Share(config, (folder,)))
    return shares


def configure(context: click.Context, path: str) -> None:
    """Give a command the values of a configuration, none where `path` is empty; its options are read after that.

    Raises:
        ConfigError: when the configuration is wrong.
    """
    config = read_config(path) if path else NOTHING
    context.obj = config
    context.default_map = {name.replace("-", "_"): value for name, value in config.values.items() if name not in _APART}


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
    return ConfigError(f"{context.obj.where(key)}: {key}: {error.message}")


def _by_nearest(paths: Sequence[str]) -> list[Share]:
    shares: dict[str, list[str]] = {}
    folders: dict[str, str] = {}
    foreign: dict[str, None] = {}
    for path in paths:
        folder = path if os.path.isdir(path) else os.path.dirname(path) or os.curdir
        if folder not in folders:
            found = find_config(folder)
            folders[folder] = found.path or ""
            foreign.update(dict.fromkeys(found.foreign))
        shares.setdefault(folders[folder], []).append(path)
    _tell_foreign(foreign)
    return [Share(config, tuple(own)) for config, own in shares.items()] or [Share("", ())]


def _tell_foreign(files: Iterable[str]) -> None:
    emit(sys.stderr, (f"{place}: not read, because it belongs to another user" for place in files))
