"""What holds for a document: the settings of the editor, and the project's configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.core.findings import SEVERITIES
from hipify_py.project.file_stamp import file_stamp
from hipify_py.project.find_config import find_config
from hipify_py.project.groups import Group
from hipify_py.project.result import FileResult

SECTION = "hipify-py"
"""The part of the editor's settings that is ours."""


class EditorSettings(NamedTuple):
    """The settings of the editor.

    Attributes:
        enable: whether documents are examined at all.
        arguments: options of `hipify-py check`, in addition to the configuration.
        rocm: the ROCm to translate for; empty for the choice of `hipify-py check`.
        severity: the least severity of the findings that are shown.
        documentation: where the pages of the findings are on the web; empty for pages on this machine.
    """

    enable: bool = True
    arguments: tuple[str, ...] = ()
    rocm: str = ""
    severity: str = SEVERITIES[0]
    documentation: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The options of `hipify-py check` that they amount to."""
        return (*(("--rocm", self.rocm) if self.rocm else ()), *self.arguments)


_KEYS = {"enable": bool, "rocm": str, "severity": str, "documentation": str, "arguments": list}


def editor_settings(value: object) -> tuple[EditorSettings, list[str]]:
    """Read settings, also with our section around them; what is wrong in them stays at its default, and is told."""
    if isinstance(value, Mapping) and isinstance(value.get(SECTION), Mapping):
        value = value[SECTION]
    if not isinstance(value, Mapping):
        return EditorSettings(), [] if value is None else [f"the settings of {SECTION} are not a table"]
    taken: dict[str, Any] = {}
    wrong = []
    for key, kind in _KEYS.items():
        given = value.get(key)
        if given is None:
            continue
        is_list = isinstance(given, list) and all(isinstance(word, str) for word in given)
        if not isinstance(given, kind) or (kind is list and not is_list):
            wrong.append(f"{SECTION}.{key} must be {_WORDS[kind]}, not {given!r}")
        elif key == "severity" and given not in SEVERITIES:
            wrong.append(f"{SECTION}.severity must be one of {', '.join(SEVERITIES)}, not {given!r}")
        else:
            taken[key] = tuple(given) if isinstance(given, list) else given
    return EditorSettings(**taken), wrong


_WORDS = {bool: "true or false", str: "a text", list: "a list of texts"}


class Settings(NamedTuple):
    """How `hipify-py check` processes a file.

    Attributes:
        config: the configuration's file; empty where there is none.
        group: the file, and how to process it.
        files: all files that the settings were read from.
        without_known: separates the findings that are known from results.
    """

    config: str
    group: Group
    files: tuple[str, ...]
    without_known: Callable[[list[FileResult]], list[FileResult]]


class SettingsError(Exception):
    """The settings of a file cannot be used.

    Attributes:
        config: the configuration that is wrong; empty if it is the editor's options.
    """

    def __init__(self, message: str, config: str) -> None:
        super().__init__(message)
        self.config = config


Reader = Callable[[str, Sequence[str]], Settings]
"""Reads the settings of a file with further options; raises `SettingsError`."""


class _Kept(NamedTuple):
    settings: Settings
    stamps: tuple[object, ...]


class SettingsOfFiles:
    """The settings of files; they are read again where one of the files that they were read from has changed."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._kept: dict[str, _Kept] = {}

    def clear(self) -> None:
        """Read all of them again."""
        self._kept.clear()

    def of(self, path: str, options: Sequence[str]) -> Settings:
        """The settings of a file.

        Raises:
            SettingsError: if they cannot be used.
        """
        kept = self._kept.get(path)
        if kept is None or kept.stamps != _stamps(path, kept.settings, options):
            settings = self._read(path, options)
            kept = self._kept[path] = _Kept(settings, _stamps(path, settings, options))
        return kept.settings


def _stamps(path: str, settings: Settings, options: Sequence[str]) -> tuple[object, ...]:
    """What changes with the settings: which configuration there is, and the stamps of all files."""
    return (tuple(options), find_config(os.path.dirname(path)), *map(_stamp, settings.files))


def _stamp(path: str) -> tuple[int, ...] | None:
    try:
        return file_stamp(os.stat(path))
    except OSError:
        return None
