"""The effective settings: the value of each configuration key, and where it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from hipify_py.cli.by_configuration import Part
from hipify_py.cli.gates import coverage, most_of
from hipify_py.cli.options import default_of_rocm, default_of_semantics
from hipify_py.core.options import DEFAULT_FIXES, GROUPS, SEMANTICS_VARIABLE
from hipify_py.project.config import NOTHING, Config
from hipify_py.project.config_inheritance import Said, entries_of
from hipify_py.project.config_keys import ADDED, EXTEND, KEYS

DEFAULT, COMMAND_LINE, ENVIRONMENT, INSTALLED = "default", "command line", "environment", "installed"
"""The origins of values that come from no file; the last is for the installed ROCm."""

NO_FILES = frozenset({DEFAULT, COMMAND_LINE, ENVIRONMENT, INSTALLED})

_IDS = frozenset({"select", "extend-select", "ignore", "extend-ignore"})
_TABLES = frozenset({"fail-under", "max-effort", "severity", "per-file-ignores"})
_ALWAYS = frozenset({"extend-ignore", "severity", "per-file-ignores"})
"""Keys without a command-line option that apply to all commands."""


class Piece(NamedTuple):
    """A value, an item of a list or an entry of a table, and its origin: a file, or one of `NO_FILES`."""

    value: Any
    source: str
    entry: str = ""


class Setting(NamedTuple):
    """A key's value.

    Attributes:
        key: its name.
        value: the effective value; None if it is unset and no value means the same.
        pieces: what it is made of: itself, or its items or entries.
    """

    key: str
    value: Any
    pieces: tuple[Piece, ...]


def settings_of(context: click.Context, part: Part) -> list[Setting]:
    """The settings of a command with one configuration."""
    read = _Reading(context, part)
    options = {str(parameter.name).replace("_", "-") for parameter in context.command.params}
    return [read.setting(key) for key in KEYS if key != EXTEND and (key in options or key in _ALWAYS)]


class _Reading:
    def __init__(self, context: click.Context, part: Part) -> None:
        self.context = context
        self.config: Config = context.obj if isinstance(context.obj, Config) else NOTHING
        self.part = part

    def setting(self, key: str) -> Setting:
        if key in ("fix", "no-fix"):
            return self._fixes(key)
        if key in _TABLES:
            return self._table(key)
        if isinstance(KEYS[key].default, list) or key == "select":
            return self._list(key)
        value = self.context.params[_name(key)]
        if key == "rocm" and not value:
            found = default_of_rocm()
            if found.version:
                source = INSTALLED if found.installed else ENVIRONMENT
                return Setting(key, found.version, (Piece(found.version, source),))
        if key == "semantics" and not value:
            source = ENVIRONMENT if os.environ.get(SEMANTICS_VARIABLE) else DEFAULT
            return Setting(key, default_of_semantics(), (Piece(default_of_semantics(), source),))
        value = None if value == "" else value
        return Setting(key, value, (Piece(value, self._source(key)),))

    def _fixes(self, key: str) -> Setting:
        """The groups and ids that are fixed in the end, from both keys."""
        fixed = self.part.group.options.fixes
        left = (DEFAULT_FIXES - fixed) | self.part.group.options.offered
        families = sorted(fixed if key == "fix" else left, key=lambda name: (name not in GROUPS, name))
        sources = [self._source(each) for each in (key, "no-fix" if key == "fix" else "fix")]
        source = next((source for source in sources if source != DEFAULT), DEFAULT)
        return Setting(key, families, tuple(Piece(family, source) for family in families) or (Piece([], source),))

    def _list(self, key: str) -> Setting:
        pieces = [Piece(item, said.file) for said in self._said(key) for item in said.value]
        given = self._given(key)
        if given and key in ("select", "include", "exclude", "preset"):
            pieces = []
        words = [word for text in given for word in text.split(",")] if key in _IDS else [*given]
        pieces += [Piece(word, COMMAND_LINE) for word in words]
        pieces = [*{piece.value: piece for piece in reversed(pieces)}.values()][::-1]
        if not pieces:
            empty: list[str] | None = None if key == "select" and not self._said(key) else []
            return Setting(key, empty, (Piece(empty, self._source(key)),))
        return Setting(key, [piece.value for piece in pieces], tuple(pieces))

    def _table(self, key: str) -> Setting:
        pieces = {
            entry: Piece(value, said.file, entry)
            for said in self._said(key)
            for entry, value in entries_of(said.value).items()
        }
        read = {"fail-under": coverage, "max-effort": most_of}.get(key)
        for entry, value in map(read, self._given(key)) if read is not None else ():
            pieces[entry] = Piece(value, COMMAND_LINE, entry)
        table = {entry: piece.value for entry, piece in pieces.items()}
        return Setting(key, table, tuple(pieces.values()) or (Piece({}, self._source(key)),))

    def _said(self, key: str) -> Sequence[Said]:
        """The values of a key in the files that count."""
        said = self.config.said.get(key, ())
        return said if KEYS[key].extended == ADDED or key in _TABLES else said[-1:]

    def _given(self, key: str) -> Sequence[str]:
        """The command line's values for a key that takes several."""
        if self.context.get_parameter_source(_name(key)) != ParameterSource.COMMANDLINE:
            return ()
        given: Sequence[str] = self.context.params[_name(key)]
        return given

    def _source(self, key: str) -> str:
        if self.context.get_parameter_source(_name(key)) == ParameterSource.COMMANDLINE:
            return COMMAND_LINE
        return self.config.where(key) if key in self.config.said else DEFAULT


def files_of(settings: Iterable[Setting]) -> Iterator[str]:
    """The files whose values count."""
    sources = (piece.source for setting in settings for piece in setting.pieces)
    return (source for source in dict.fromkeys(sources) if source not in NO_FILES)


def by_key(settings: Iterable[Setting]) -> Mapping[str, Any]:
    """The values alone."""
    return {setting.key: setting.value for setting in settings}


def _name(key: str) -> str:
    return key.replace("-", "_")
