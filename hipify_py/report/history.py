"""How a port goes on: a line of JSON for each run, appended to a file."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

from hipify_py.core.findings import EFFORTS, SEVERITIES
from hipify_py.core.installation import VERSION
from hipify_py.core.translation import Counts
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.git_checkout import UnreadableCheckout, top_of
from hipify_py.project.git_history import History
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.coverage import coverage_of
from hipify_py.report.model import Origin

FORMAT = 1
DATE_VARIABLE = "SOURCE_DATE_EPOCH"
_MOST_BYTES = 8 << 20
"""Of the end of a file; a record has some 400 bytes."""


class Record(NamedTuple):
    """One run.

    Attributes:
        date: when it took place, in UTC, as `2026-01-31T12:00:00Z`.
        commit: the digest of the commit that was checked out; empty outside of git.
        files: how many files were looked at.
        references: all references by outcome.
        findings: by severity, failures not counted.
        effort: causes by effort.
        suppressed: how many findings are suppressed.
        known: how many were there before, where only new ones were asked for.
    """

    date: str
    commit: str
    files: int
    references: Counts
    findings: Mapping[str, int]
    effort: Mapping[str, int]
    suppressed: int
    known: int


def record_of(results: Sequence[FileResult], now: datetime | None = None) -> Record:
    """The record of a run's results."""
    found = coverage_of(results)
    severities = [finding.severity for result in results if result.status != FAILED for finding in result.findings]
    return Record(
        (now or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        commit_of([result.path for result in results]),
        len(results),
        found.total,
        {severity: severities.count(severity) for severity in SEVERITIES},
        found.effort,
        found.suppressed,
        sum(len(result.known) for result in results),
    )


def commit_of(paths: Sequence[str]) -> str:
    """The digest of the commit that is checked out in the folder of the first of some files; empty if unknown."""
    top = top_of(os.path.dirname(os.path.realpath(paths[0]))) if paths else None
    if top is None:
        return ""
    try:
        return History(top).commit("HEAD").decode()
    except UnreadableCheckout:
        return ""  # for example before the first commit; a record without it is still valid


def origin_of(paths: Sequence[str], now: datetime | None = None) -> Origin:
    """What a report on some paths is about: the first one's name and commit, and the day.

    The day is that of `SOURCE_DATE_EPOCH` (in seconds since 1970) where the environment has it, as for reproducible
    builds (https://reproducible-builds.org/specs/source-date-epoch/).
    """
    epoch = os.environ.get(DATE_VARIABLE, "")
    if now is None and epoch.isdecimal():
        now = datetime.fromtimestamp(int(epoch), timezone.utc)
    first = os.path.realpath(paths[0] if paths else os.curdir)
    commit = commit_of([first if os.path.isfile(first) else os.path.join(first, "")])
    return Origin(os.path.basename(first), commit, (now or datetime.now(timezone.utc)).strftime("%Y-%m-%d"))


def append(path: str, record: Record) -> None:
    """Add a record to a file.

    Raises:
        PlanError: when it cannot be written.
    """
    line = json.dumps(record_document(record)).encode("ascii") + b"\n"
    try:
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            raise PlanError(f"cannot write {path}: not a regular file")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "ab+") as file:
            if file.tell() and not _ends_line(file):
                line = b"\n" + line  # a run that was killed has left a part of one
            file.write(line)
    except OSError as error:
        raise PlanError(f"cannot write {path}: {reason(error)}") from error


def read(path: str) -> list[Record]:
    """The records of a file, in its order; of a very long one the last, and lines that are none are passed over.

    Raises:
        PlanError: when it cannot be read.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise PlanError(f"{path}: not a regular file")
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - _MOST_BYTES, 0))
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise PlanError(f"{path}: {reason(error)}") from error
    found = (_record(line) for line in data.split(b"\n") if line.strip())
    return [record for record in found if record is not None]


def record_document(record: Record) -> dict[str, Any]:
    """A record as JSON-compatible data."""
    return {
        "format": FORMAT,
        "tool": {"name": "hipify-py", "version": VERSION},
        **record._asdict(),
        "references": {**record.references._asdict(), "coverage": round(record.references.coverage, 4)},
    }


def record_in(entry: Mapping[str, Any]) -> Record:
    """The record that a document was made from.

    Raises:
        KeyError: where something is missing.
        TypeError: where something is of another kind.
        ValueError: where it is of another format.
    """
    if entry["format"] != FORMAT:
        raise ValueError(f"format {entry['format']!r:.40}")
    return Record(
        _text(entry["date"]),
        _text(entry["commit"]),
        _count(entry["files"]),
        Counts(*(_count(entry["references"][outcome]) for outcome in Counts._fields)),
        {severity: _count(entry["findings"][severity]) for severity in SEVERITIES},
        {effort: _count(entry["effort"][effort]) for effort in EFFORTS},
        _count(entry["suppressed"]),
        _count(entry["known"]),
    )


def _record(line: bytes) -> Record | None:
    try:
        return record_in(json.loads(line))
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 100:
        raise TypeError("not a short string")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 53:
        raise TypeError("not a count")
    return value


def _ends_line(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")
