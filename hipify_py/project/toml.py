"""Parses TOML, whichever Python runs."""

from __future__ import annotations

import sys
from typing import Any


class ConfigError(ValueError):
    """The configuration is wrong; the message names the file and what."""


def parse(data: bytes) -> dict[str, Any]:
    """A TOML document.

    Raises:
        ConfigError: when it is none.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        document: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except RecursionError as error:
        raise ConfigError("nested too deeply") from error
    except ValueError as error:  # no UTF-8, or no TOML
        raise ConfigError(str(error)) from error
    return document
