"""The file of a baseline: JSON, one finding per line, in a fixed order, so that git merges it line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from hipify_py.project.plan import PlanError
from hipify_py.project.read_limited import read_bounded
from hipify_py.project.result import reason

FORMAT = 1
"""Raised when an older version would misread a file."""

_HEAD = {"baseline": "hipify-py", "format": FORMAT}
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


def read_entries(path: str) -> frozenset[Entry]:
    """The entries of a baseline, whatever their order; duplicate lines count once.

    Raises:
        BaselineError: when it is missing, damaged or of another version.
    """
    lines = _bytes_of(path).split(b"\n")
    if lines[-1]:
        raise BaselineError(f"{path}:{len(lines)}: the last line is cut off")
    head = _value(path, 1, lines[0])
    if not isinstance(head, dict) or head.get("baseline") != _HEAD["baseline"]:
        raise BaselineError(f"{path}:1: not a hipify-py baseline")
    if head.get("format") != FORMAT:
        raise BaselineError(f"{path}:1: its format is {head.get('format')!r:.40}; this version reads {FORMAT}")
    return frozenset(_entry(path, number, line) for number, line in enumerate(lines[1:-1], 2) if line.strip())


def written(entries: Iterable[Entry]) -> bytes:
    """The file's content."""
    lines = [_HEAD, *(entry._asdict() for entry in sorted(set(entries)))]
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
