"""The files on the disk that matter to open documents, which clients watch."""

from __future__ import annotations

from os.path import basename, splitext

from lsprotocol import types

from hipify_py.core.source import SOURCE_SUFFIXES
from hipify_py.project.find_config import OWN, SHARED

_OF_SETTINGS = frozenset({".toml", ".yaml", ".yml", ".json", ".jsonl"})
"""Configurations, what they extend, mapping tables and baselines."""


def is_configuration(path: str) -> bool:
    """Whether settings may come from a file."""
    return basename(path) in (OWN, SHARED) or splitext(path)[1].lower() in _OF_SETTINGS


def registration() -> types.Registration:
    """What a client is asked to watch: sources, headers, and whatever settings come from."""
    endings = ",".join(sorted(suffix.removeprefix(".") for suffix in SOURCE_SUFFIXES | _OF_SETTINGS))
    watcher = types.FileSystemWatcher(f"**/*.{{{endings}}}")
    options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
    return types.Registration("hipify-py-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
