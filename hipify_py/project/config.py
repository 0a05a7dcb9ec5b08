"""The project's configuration: `hipify-py.toml`, or `[tool.hipify-py]` in `pyproject.toml`."""

from __future__ import annotations

import os
import reprlib
import stat
from collections.abc import Mapping
from typing import Any

from hipify_py import witness
from hipify_py.project.bounded import read_bounded
from hipify_py.project.config_keys import KEYS, PATHS
from hipify_py.project.find_config import LARGEST, SHARED
from hipify_py.project.places import is_within
from hipify_py.project.result import reason
from hipify_py.project.toml import ConfigError, parse
from hipify_py.records import NamedTuple


class Config(NamedTuple):
    """What a project's configuration says.

    Attributes:
        path: its file; empty where there is none.
        values: options by their long names without the dashes; paths are seen from the file's folder.
        folder: the absolute path of the file's folder, from which the patterns of `per-file-ignores` are seen.
    """

    path: str
    values: Mapping[str, Any]
    folder: str = ""


NOTHING = Config("", {})


def read_config(path: str) -> Config:
    """Read one configuration file.

    Raises:
        ConfigError: when it cannot be read, is no TOML, or says something that is no option.
    """
    try:
        document = parse(read_bounded(path, LARGEST))
        values = _section(document) if os.path.basename(path) == SHARED else document
        for name, value in values.items():
            _check(name, value)
        folder = os.path.dirname(os.path.abspath(path))
        values = {**values, **{key: _within(folder, key, values[key]) for key in PATHS if key in values}}
        if "mappings" in values:
            values = {**values, "mappings": [_table(folder, name) for name in values["mappings"]]}
    except OSError as error:
        raise ConfigError(f"{path}: {reason(error)}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return Config(path, values, folder)


def _section(document: dict[str, Any]) -> dict[str, Any]:
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise ConfigError("tool is no table")
    values = tool.get("hipify-py", {})
    if not isinstance(values, dict):
        raise ConfigError("tool.hipify-py is no table")
    return values


def _within(folder: str, key: str, name: str) -> str:
    """The place of a file in the configuration's folder or below: no tree says where else is written."""
    path = os.path.join(folder, name)
    if not name or "\0" in name or not is_within(witness.real(path), witness.real(folder)):
        raise ConfigError(f"{key}: {name!r} is no file in the folder of the configuration")
    return path


def _table(folder: str, name: str) -> str:
    """The place of a mapping table that stands in the configuration of a folder."""
    path = os.path.join(folder, name)
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            return path
    except (OSError, ValueError) as error:
        said = reason(error) if isinstance(error, OSError) else str(error)
        raise ConfigError(f"mappings: {name}: {said}") from error
    raise ConfigError(f"mappings: {name}: not a regular file")


def _check(name: str, value: object) -> None:
    kind = KEYS.get(name)
    if kind is None:
        raise ConfigError(f"{name} is no option; there are {', '.join(KEYS)}")
    if not kind.is_met(value):
        raise ConfigError(f"{name} is to be {kind.words}, not {reprlib.repr(value)}")
