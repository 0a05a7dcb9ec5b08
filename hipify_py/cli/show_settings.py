"""`--show-settings`: the settings in force, as TOML that can be read back, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from hipify_py.cli.by_configuration import Part
from hipify_py.cli.exit_codes import DONE
from hipify_py.cli.settings import NO_FILES, Piece, Setting, by_key, files_of, settings_of
from hipify_py.core.terminal_escape import visible
from hipify_py.project.config_keys import KEYS
from hipify_py.project.toml import written, written_key
from hipify_py.report.document import shown_path
from hipify_py.report.places import workspace_path
from hipify_py.report.text import emit, emit_json

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
