"""Parses TOML with any Python version, and writes TOML values."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from hipify_py.core.patterns import lazy_pattern

_PART = rb"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY = lazy_pattern(rb"(?m)((?:^|[\[{,])[ \t]*(?:%b){100})(?:%b)+" % (_PART, _PART))
"""The beginning of a key such as `a.b.c`, and what is too much of it: ours have a handful of parts."""


class ConfigError(ValueError):
    """The configuration is wrong; the message names the file and the error."""


def parse(data: bytes) -> dict[str, Any]:
    """Parse a TOML document.

    Raises:
        ConfigError: if it is not valid TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    data = _LONG_KEY.sub(rb"\1", data)  # the parser takes the square of the number of parts
    try:
        document: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except RecursionError as error:
        raise ConfigError("nested too deeply") from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise ConfigError(str(error)) from error
    return document


def written(value: object) -> str:
    """A value on one line in TOML syntax.

    Raises:
        TypeError: for a value that TOML does not support.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return '"' + "".join(_escaped(character) for character in value) + '"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, Mapping):
        entries = ", ".join(f"{written_key(key)} = {written(entry)}" for key, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    raise TypeError(f"TOML cannot represent {type(value).__name__}")


def written_key(key: str) -> str:
    """A key in TOML syntax: bare if possible."""
    is_bare = key != "" and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if is_bare else written(key)


def _escaped(character: str) -> str:
    """A character of a string; one that could not be read back, or would not be visible, is escaped."""
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:  # a byte of a name that is not UTF-8, which TOML cannot express
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
