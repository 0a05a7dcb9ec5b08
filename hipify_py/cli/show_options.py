"""`--show-settings` and `--show-files`: show what a command would use, instead of running it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from hipify_py.cli.by_configuration import INSTEAD, Part, is_standard_input
from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.cli.gates import coverage, most_of
from hipify_py.cli.options import all_of, default_of_rocm, default_of_semantics
from hipify_py.core.options import DEFAULT_FIXES, GROUPS, SEMANTICS_VARIABLE
from hipify_py.core.terminal_escape import visible
from hipify_py.project.config import NOTHING, Config
from hipify_py.project.config_inheritance import SetValue, entries_of
from hipify_py.project.config_keys import ADDED, EXTEND, KEYS
from hipify_py.project.discovery import Problem
from hipify_py.project.groups import discover_groups
from hipify_py.project.toml import written, written_key
from hipify_py.project.vendored import vendored_headers
from hipify_py.report.places import shown_path, workspace_path
from hipify_py.report.text import emit, emit_json, show_left_alone

# `--show-files`: which files a command would read.


def show_files(context: click.Context, parts: Sequence[Part], *, as_json: bool) -> int:
    """Print the sources of all parts, and return the exit status.

    Raises:
        PlanError: when the paths cannot be done together.
    """
    if is_standard_input():
        raise click.UsageError("--show-files works on files, not on standard input.")
    found = discover_groups([part.group for part in parts], output=context.params.get("output"))
    copies = {path: header for group in found for path, header in vendored_headers(group).items()}
    files = [
        entry.path for group in found for entry in (*group.sources, *group.build_files) if entry.path not in copies
    ]
    skipped = [*chain.from_iterable(group.skipped for group in found)]
    skipped += [Problem(path, f"copy of CUDA's {header}") for path, header in copies.items()]
    left_out = [*chain.from_iterable(group.left_out for group in found)]
    unusable = [*chain.from_iterable(group.problems for group in found)]
    if as_json:
        by_list = {"left_out": [*skipped, *left_out], "unusable": unusable}
        lists = {name: [_files_document(problem) for problem in problems] for name, problems in by_list.items()}
        emit_json(sys.stdout, {"files": [shown_path(path) for path in files], **lists})
    else:
        emit(sys.stdout, files)
    emit(sys.stderr, (f"{path}: {why}" for path, why in unusable))
    if not context.params.get("quiet"):
        show_left_alone(skipped, left_out, sys.stderr, verbose=bool(context.params.get("verbose")))
    return FAILURE if unusable else DONE


def _files_document(problem: Problem) -> dict[str, str]:
    return {"path": shown_path(problem.path), "reason": shown_path(problem.message)}


# `--show-settings`: the settings in force, as TOML that can be read back, or as JSON.

# The effective settings: the value of each configuration key, and where it comes from.

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
        pieces = [Piece(item, each.file) for each in self._set_values(key) for item in each.value]
        given = self._given(key)
        if given and key in ("select", "include", "exclude", "preset"):
            pieces = []
        words = [word for text in given for word in text.split(",")] if key in _IDS else [*given]
        pieces += [Piece(word, COMMAND_LINE) for word in words]
        pieces = [*{piece.value: piece for piece in reversed(pieces)}.values()][::-1]
        if not pieces:
            empty: list[str] | None = None if key == "select" and not self._set_values(key) else []
            return Setting(key, empty, (Piece(empty, self._source(key)),))
        return Setting(key, [piece.value for piece in pieces], tuple(pieces))

    def _table(self, key: str) -> Setting:
        pieces = {
            entry: Piece(value, each.file, entry)
            for each in self._set_values(key)
            for entry, value in entries_of(each.value).items()
        }
        read = {"fail-under": coverage, "max-effort": most_of}.get(key)
        for entry, value in map(read, self._given(key)) if read is not None else ():
            pieces[entry] = Piece(value, COMMAND_LINE, entry)
        table = {entry: piece.value for entry, piece in pieces.items()}
        return Setting(key, table, tuple(pieces.values()) or (Piece({}, self._source(key)),))

    def _set_values(self, key: str) -> Sequence[SetValue]:
        """The values of a key in the files that count."""
        set_values = self.config.set_values.get(key, ())
        return set_values if KEYS[key].extended == ADDED or key in _TABLES else set_values[-1:]

    def _given(self, key: str) -> Sequence[str]:
        """The command line's values for a key that takes several."""
        if self.context.get_parameter_source(_name(key)) != ParameterSource.COMMANDLINE:
            return ()
        given: Sequence[str] = self.context.params[_name(key)]
        return given

    def _source(self, key: str) -> str:
        if self.context.get_parameter_source(_name(key)) == ParameterSource.COMMANDLINE:
            return COMMAND_LINE
        return self.config.where(key) if key in self.config.set_values else DEFAULT


def files_of(settings: Iterable[Setting]) -> Iterator[str]:
    """The files whose values count."""
    sources = (piece.source for setting in settings for piece in setting.pieces)
    return (source for source in dict.fromkeys(sources) if source not in NO_FILES)


def by_key(settings: Iterable[Setting]) -> Mapping[str, Any]:
    """The values alone."""
    return {setting.key: setting.value for setting in settings}


def _name(key: str) -> str:
    return key.replace("-", "_")


_SEVERAL = "configurations"


def show_settings(contexts: Sequence[click.Context], parts: Sequence[Part], *, as_json: bool) -> int:
    """Print the settings of all parts, and return the exit status."""
    found = [(part, settings_of(context, part)) for context, part in zip(contexts, parts, strict=True)]
    if as_json:
        emit_json(sys.stdout, {_SEVERAL: [_document(part, settings) for part, settings in found]})
    elif len(found) == 1:
        emit(sys.stdout, _alone(*found[0]))
    else:
        emit(sys.stdout, (line for part, settings in found for line in _one_of_several(part, settings)))
    return DONE


def _alone(part: Part, settings: Sequence[Setting]) -> Iterator[str]:
    """An equivalent configuration."""
    yield f"# {_file(part.config) if part.config else 'no configuration'}: for {_named(part)}"
    yield from _lines(part, settings, table="")


def _one_of_several(part: Part, settings: Sequence[Setting]) -> Iterator[str]:
    yield f"[[{_SEVERAL}]]"
    if part.config:
        yield f"path = {_spelled(_file(part.config))}"
    yield f"paths = {_spelled([*map(shown_path, part.group.paths)])}"
    yield ""
    yield f"[{_SEVERAL}.settings]"
    yield from _lines(part, settings, table=f"{_SEVERAL}.settings.")
    yield ""


def _lines(part: Part, settings: Sequence[Setting], *, table: str) -> Iterator[str]:
    """Lists and single values first: what follows a table's head is a part of it."""
    tables = [setting for setting in settings if isinstance(setting.value, dict) and setting.value]
    for setting in settings:
        if setting not in tables:
            yield from _value(part, setting)
    for setting in tables:
        yield ""
        yield f"[{table}{setting.key}]"
        for piece in setting.pieces:
            key = _plain(written_key(piece.entry))
            yield f"{key} = {_spelled(piece.value)}  # {_source(part, setting.key, piece)}"


def _value(part: Part, setting: Setting) -> Iterator[str]:
    sources = dict.fromkeys(_source(part, setting.key, piece) for piece in setting.pieces)
    if setting.value is None:
        yield f"# {setting.key}: {KEYS[setting.key].unset}"
    elif len(sources) == 1:
        yield f"{setting.key} = {_spelled(setting.value)}  # {next(iter(sources))}"
    else:
        yield f"{setting.key} = ["
        for piece in setting.pieces:
            yield f"    {_spelled(piece.value)},  # {_source(part, setting.key, piece)}"
        yield "]"


def _source(part: Part, key: str, piece: Piece) -> str:
    """The origin of a value: one of `NO_FILES`, or a file and the key, and the file that extends it."""
    if piece.source in NO_FILES:
        return piece.source
    through = "" if piece.source == part.config else f", extended by {_file(part.config)}"
    return f"{_file(piece.source)}: {key}{through}"


def _named(part: Part) -> str:
    return visible(", ".join(part.group.paths))


def _file(path: str) -> str:
    return visible(workspace_path(path))


def _spelled(value: object) -> str:
    return _plain(written(value))


def _plain(text: str) -> str:
    """TOML in which no build server finds a command."""
    return text.replace("##", "#\\u0023")


def _document(part: Part, settings: Sequence[Setting]) -> dict[str, Any]:
    return {
        "path": shown_path(part.config) if part.config else None,
        "files": [*map(shown_path, files_of(settings))],
        "paths": [*map(shown_path, part.group.paths)],
        "settings": by_key(settings),
        "sources": {setting.key: [_origin(part, piece) for piece in setting.pieces] for setting in settings},
    }


def _origin(part: Part, piece: Piece) -> dict[str, Any]:
    """Where a value, an item or an entry comes from."""
    is_file = piece.source not in NO_FILES
    return {
        "source": "configuration" if is_file else piece.source,
        "file": shown_path(piece.source) if is_file else None,
        "extended_by": shown_path(part.config) if is_file and piece.source != part.config else None,
        "entry": piece.entry or None,
        "value": piece.value,
    }


Command = TypeVar("Command", bound=Callable[..., object])


def showing(command: Command) -> Command:
    """The options of a command that show what it would do."""
    return all_of(
        click.option(
            "--show-settings",
            is_flag=True,
            expose_value=False,
            callback=_chosen,
            help="Print the settings for PATH... and where each comes from, and exit. Use --format json for JSON.",
        ),
        click.option(
            "--show-files",
            is_flag=True,
            expose_value=False,
            callback=_chosen,
            help="Print the sources that would be read, one per line, and exit. With -v, also print those left out and"
            " why. Use --format json for JSON.",
        ),
    )(command)


def _chosen(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value:
        return
    if context.meta.setdefault(INSTEAD, (parameter.name, _show))[0] != parameter.name:
        raise click.UsageError("--show-settings and --show-files exclude each other.")


def _show(contexts: Sequence[click.Context], parts: Sequence[Part]) -> int:
    context = contexts[0]
    name, _ = context.meta[INSTEAD]
    option = f"--{name.replace('_', '-')}"
    format = context.params.get("format_") or "text"
    if format not in ("text", "json"):
        raise click.UsageError(f"{option} supports the formats text and json.")
    if context.params.get("output_file") or context.params.get("history"):
        raise click.UsageError(f"{option} excludes --output-file and --history.")
    if name == "show_settings":
        return show_settings(contexts, parts, as_json=format == "json")

    return show_files(context, parts, as_json=format == "json")
