"""The project's configuration: `hipify-py.toml`, or `[tool.hipify-py]` in `pyproject.toml`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from hipify_py.project.find_config import SHARED

_KINDS: Mapping[str, type] = {
    "cuda": str,
    "rocm": str,
    "target": str,
    "preset": list,
    "mappings": list,
    "launch": str,
    "experimental": bool,
    "no-support": bool,
    "support-place": str,
    "fix": list,
    "no-fix": list,
    "include": list,
    "exclude": list,
    "fail-on": str,
    "annotate": bool,
    "ignore": list,
    "per-file-ignores": dict,
}


class ConfigError(ValueError):
    """The configuration is wrong; the message names the file and what."""


class Config(NamedTuple):
    """What a project's configuration says.

    Attributes:
        path: its file; empty where there is none.
        values: options by their long names without the dashes; paths of `mappings` are seen from the file's folder.
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
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    values = document if os.path.basename(path) != SHARED else document.get("tool", {}).get("hipify-py", {})
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: tool.hipify-py is no table")
    for name, value in values.items():
        _check(path, name, value)
    folder = os.path.dirname(os.path.abspath(path))
    if "mappings" in values:
        values = {**values, "mappings": [os.path.join(folder, table) for table in values["mappings"]]}
    return Config(path, values, folder)


def _check(path: str, name: str, value: object) -> None:
    kind = _KINDS.get(name)
    if kind is None:
        raise ConfigError(f"{path}: {name} is no option; there are {', '.join(_KINDS)}")
    lists = value.values() if isinstance(value, dict) else [value] if isinstance(value, list) else []
    if not isinstance(value, kind) or not all(_is_strings(entry) for entry in lists):
        words = {
            str: "a string",
            list: "a list of strings",
            bool: "true or false",
            dict: 'a table of patterns with lists of ids ("pattern" = ["HIP301"])',
        }
        raise ConfigError(f"{path}: {name} is to be {words[kind]}, not {value!r}")


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
