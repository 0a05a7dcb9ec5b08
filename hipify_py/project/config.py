"""The project's configuration: `hipify-py.toml`, or `[tool.hipify-py]` in `pyproject.toml`."""

from __future__ import annotations

import os
import reprlib
import stat
from collections.abc import Mapping
from typing import Any, NamedTuple

from hipify_py.core.suggestions import did_you_mean
from hipify_py.project.config_inheritance import Layer, SetValue, combined, layers_of, value_of
from hipify_py.project.config_keys import KEYS, PATHS
from hipify_py.project.errors import reason
from hipify_py.project.find_config import LARGEST, SHARED
from hipify_py.project.paths import is_within
from hipify_py.project.read_limited import read_bounded
from hipify_py.project.toml import ConfigError, parse


class Config(NamedTuple):
    """The contents of a project's configuration.

    Attributes:
        path: its file; empty if there is none.
        values: options by their long names without the dashes; paths are relative to the folder of the file that sets
            them.
        said: by option, which file sets it to what; later files override earlier ones, or add to them.
    """

    path: str
    values: Mapping[str, Any]
    set_values: Mapping[str, tuple[SetValue, ...]] = {}

    def where(self, key: str) -> str:
        """The file that sets the final value of a key."""
        return self.set_values[key][-1].file if key in self.set_values else self.path


NOTHING = Config("", {})


def read_config(path: str) -> Config:
    """Read a configuration with the files that it extends.

    Raises:
        ConfigError: if one cannot be read, is not TOML, or sets something that is not an option.
    """
    set_values = combined(layers_of(path, _read))
    return Config(path, {key: value_of(key, all_of_it) for key, all_of_it in set_values.items()}, set_values)


def _read(path: str) -> Layer:
    """The contents of one file."""
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
    return Layer(path, folder, values)


def _section(document: dict[str, Any]) -> dict[str, Any]:
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise ConfigError("tool is not a table")
    values = tool.get("hipify-py", {})
    if not isinstance(values, dict):
        raise ConfigError("tool.hipify-py is not a table")
    return values


def _within(folder: str, key: str, name: str) -> str:
    """The path of a file in the configuration's folder or below: a tree must not decide to write elsewhere."""
    path = os.path.join(folder, name)
    if not is_within(os.path.realpath(path), os.path.realpath(folder)):
        raise ConfigError(f"{key}: {name!r} is outside the folder of the configuration")
    return path


def _table(folder: str, name: str) -> str:
    """The path of a mapping table named in the configuration of a folder."""
    path = os.path.join(folder, name)
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            return path
    except (OSError, ValueError) as error:
        set_values = reason(error) if isinstance(error, OSError) else str(error)
        raise ConfigError(f"mappings: {name}: {set_values}") from error
    raise ConfigError(f"mappings: {name}: not a regular file")


def _check(name: str, value: object) -> None:
    key = KEYS.get(name)
    if key is None:
        raise ConfigError(f"{name} is not a key{did_you_mean(name, KEYS)}; the keys are {', '.join(KEYS)}")
    if not key.kind.is_met(value):
        raise ConfigError(f"{name} must be {key.kind.words}, not {reprlib.repr(value)}")
