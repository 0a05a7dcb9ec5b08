"""The file of a baseline: JSON, one finding per line, in a fixed order, so that git merges it line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hipify_py.core.targeting import Targeting, versions_line
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.read_limited import read_bounded

FORMAT = 1
"""Raised when an older version would misread a file."""

_NAME = "hipify-py"
_LARGEST = 64 << 20
_LONGEST_LINE = 1 << 16
_CONFLICT = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")


class BaselineError(PlanError):
    """A baseline cannot be used; the message names it."""


class Entry(NamedTuple):
    """A known finding.

    Attributes:
        path: its file, relative to the folder of the baseline, with `/`.
        id: the finding's.
        name: what it is about.
        fingerprint: by which it is recognised again.
    """

    path: str
    id: str
    name: str
    fingerprint: str


def read_entries(path: str, settings: Sequence[str] | None = None) -> frozenset[Entry]:
    """The entries of a baseline, whatever their order; duplicate lines count once.

    Args:
        path: the file.
        settings: the settings of the run, which have to be those that the baseline was made with; None for any.

    Raises:
        BaselineError: when it is missing, damaged, of another version, or made with other settings.
    """
    lines = _bytes_of(path).split(b"\n")
    if lines[-1]:
        raise BaselineError(f"{path}:{len(lines)}: the last line is cut off")
    head = _value(path, 1, lines[0])
    if not isinstance(head, dict) or head.get("baseline") != _NAME:
        raise BaselineError(f"{path}:1: not a hipify-py baseline")
    if head.get("format") != FORMAT:
        raise BaselineError(f"{path}:1: its format is {head.get('format')!r:.40}; this version reads {FORMAT}")
    made_with = head.get("settings")
    if settings is not None and made_with is not None and made_with != [*settings]:
        made = "; ".join(map(str, made_with)) if isinstance(made_with, list) else "other settings"
        raise BaselineError(
            f"{path} was made for {made:.200}, and this run is for {'; '.join(settings)}: "
            "choose the same versions, or adopt the new ones with hipify-py baseline update"
        )
    return frozenset(_entry(path, number, line) for number, line in enumerate(lines[1:-1], 2) if line.strip())


def is_made_with(path: str, settings: Sequence[str]) -> bool:
    """Whether there is a baseline that was made with these settings."""
    try:
        read_entries(path, settings)
    except BaselineError:
        return False
    return True


def settings_of(targetings: Iterable[Targeting]) -> list[str]:
    """The settings on which findings depend, in words."""
    return sorted({versions_line(targeting) for targeting in targetings})


def written(entries: Iterable[Entry], settings: Sequence[str]) -> bytes:
    """The file's content."""
    head = {"baseline": _NAME, "format": FORMAT, "settings": [*settings]}
    lines = [head, *(entry._asdict() for entry in sorted(set(entries)))]
    return b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)


def _bytes_of(path: str) -> bytes:
    try:
        data = read_bounded(path, _LARGEST)
    except FileNotFoundError as error:
        raise BaselineError(f"{path}: baseline not found; create it with hipify-py baseline create") from error
    except OSError as error:
        raise BaselineError(f"{path}: {reason(error)}") from error
    return data.replace(b"\r\n", b"\n")


def _entry(path: str, number: int, line: bytes) -> Entry:
    value = _value(path, number, line)
    if isinstance(value, dict):
        fields = [value.get(name) for name in Entry._fields]
        if all(isinstance(field, str) for field in fields):
            return Entry(*map(str, fields))
    raise BaselineError(f"{path}:{number}: not a finding, which has {', '.join(Entry._fields)}")


def _value(path: str, number: int, line: bytes) -> Any:
    if line.startswith(_CONFLICT):
        raise BaselineError(f"{path}:{number}: an unresolved git conflict; keep the lines of both sides")
    if len(line) > _LONGEST_LINE:
        raise BaselineError(f"{path}:{number}: the line is longer than {_LONGEST_LINE} bytes")
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{path}:{number}: no JSON ({type(error).__name__})") from error
