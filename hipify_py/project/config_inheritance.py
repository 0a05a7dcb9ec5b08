"""Configurations that build on others: reads what `extend` names, and merges each file over those it extends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from hipify_py.project.config_keys import ADDED, BY_ENTRY, EXTEND, KEYS, TOTAL
from hipify_py.project.errors import reason
from hipify_py.project.find_config import search_end, trusted_owners
from hipify_py.project.paths import is_within
from hipify_py.project.toml import ConfigError

MOST_FILES = 32
"""Limit on the files that make up one configuration; a file counts each time it is named."""

_OPPOSITES = {"fix": "no-fix", "no-fix": "fix"}


class Layer(NamedTuple):
    """The contents of one file by itself.

    Attributes:
        file: its path.
        folder: the absolute path of its folder.
        values: by key.
    """

    file: str
    folder: str
    values: Mapping[str, Any]


class SetValue(NamedTuple):
    """The part of a key's value that one file contributes; the fields are those of `Layer`."""

    file: str
    folder: str
    value: Any


Read = Callable[[str], Layer]


def layers_of(path: str, read: Read) -> list[Layer]:
    """A configuration with all files that it extends; each comes after those it extends.

    Raises:
        ConfigError: if a file extends itself or a file that must not be read, or if there are too many files.
    """
    return _Chain(path, read).layers


class _Chain:
    def __init__(self, path: str, read: Read) -> None:
        self.read = read
        self.layers: list[Layer] = []
        self.count = 0
        self.top = os.path.realpath(search_end(os.path.dirname(os.path.abspath(path))))
        self._take(path, (os.path.realpath(path),))

    def _take(self, path: str, trail: tuple[str, ...], by: str = "") -> None:
        try:
            layer = self.read(path)
        except ConfigError as error:
            raise ConfigError(f"{error} (extended by {by})" if by else str(error)) from error
        named = layer.values.get(EXTEND, [])
        for name in [named] if isinstance(named, str) else named:
            try:
                place = self._place(layer, name, trail)
            except OSError as error:
                raise ConfigError(f"{layer.file}: {EXTEND}: {name}: {reason(error)}") from error
            except ConfigError as error:
                raise ConfigError(f"{layer.file}: {EXTEND}: {name}: {error}") from error
            self._take(place, (*trail, place), layer.file)
        self.layers.append(layer)

    def _place(self, layer: Layer, name: str, trail: tuple[str, ...]) -> str:
        """The path of the named file, if it may be read.

        An untrusted tree must not cause other files of the user to be read and quoted in error messages.
        """
        self.count += 1
        if self.count >= MOST_FILES:
            raise ConfigError(f"the configuration extends more than {MOST_FILES} files")
        place = os.path.realpath(os.path.join(layer.folder, name))
        if not is_within(place, self.top):
            raise ConfigError(f"is outside {self.top}, where the search for configurations ends")
        if place in trail:
            raise ConfigError("extends itself" if place == trail[-1] else f"extends itself through {trail[-1]}")
        owners = trusted_owners(layer.folder)
        if owners is not None and os.stat(place).st_uid not in owners:
            raise ConfigError("belongs to another user")
        return place


def combined(layers: Iterable[Layer]) -> dict[str, tuple[SetValue, ...]]:
    """By key, the contributions of the files that count; later ones override earlier ones."""
    set_values: dict[str, tuple[SetValue, ...]] = {}
    for layer in layers:
        for key, value in layer.values.items():
            if key == EXTEND:
                continue
            before = () if KEYS[key].extended not in (ADDED, BY_ENTRY) else set_values.get(key, ())
            set_values[key] = (*before, SetValue(layer.file, layer.folder, value))
            opposite = _OPPOSITES.get(key)
            if opposite in set_values and opposite not in layer.values:
                set_values[opposite] = tuple(
                    one._replace(value=[family for family in one.value if family not in value])
                    for one in set_values[opposite]
                )
    return set_values


def value_of(key: str, set_values: Iterable[SetValue]) -> Any:
    """The value of a key from all files together."""
    values = [one.value for one in set_values]
    if KEYS[key].extended == ADDED:
        return [*dict.fromkeys(word for value in values for word in value)]
    if KEYS[key].extended == BY_ENTRY:
        return {entry: word for value in values for entry, word in entries_of(value).items()}
    return values[-1]


def entries_of(value: Any) -> Mapping[str, Any]:
    """A table; a single percentage applies to all libraries together."""
    return value if isinstance(value, Mapping) else {TOTAL: value}
