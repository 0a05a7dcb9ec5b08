"""What the server asks of the process that does a run, and what that answers: lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

CHECK, CONVERT, VERIFY, NEXT = "check", "convert", "verify", "next"

PROGRESS, RESULT, REFUSED, FAILED = "progress", "result", "refused", "failed"
"""The kinds of lines of an answer: how far the run is, and, as the last one, how it has ended."""


class Request(NamedTuple):
    """A run.

    Attributes:
        action: `CHECK`, `CONVERT`, `VERIFY` or `NEXT`.
        roots: the folders that it may read and write; it runs in the first.
        paths: the files and folders.
        cuda, rocm: the versions; empty for the configuration's, or the default.
        target: the libraries; empty for the configuration's, or the default.
        offset, limit: the page of the findings, places or characters of a diff.
        severity: the least severity of the findings that are listed.
        ids: the ids of the findings that are listed; all if there are none.
        output: the folder that a conversion is written to; empty for none.
        in_place: the conversion replaces the files.
        skip: how many causes come before the next one.
    """

    action: str
    roots: list[str]
    paths: list[str]
    cuda: str = ""
    rocm: str = ""
    target: str = ""
    offset: int = 0
    limit: int = 0
    severity: str = "note"
    ids: tuple[str, ...] = ()
    output: str = ""
    in_place: bool = False
    skip: int = 0

    def line(self) -> bytes:
        """The request as a line."""
        return json.dumps(self._asdict()).encode() + b"\n"


def request_in(line: str) -> Request:
    """The request of a line."""
    return Request(**json.loads(line))


def answer_line(kind: str, value: object) -> str:
    """A line of an answer."""
    return json.dumps({"kind": kind, "value": value}, ensure_ascii=False) + "\n"


def answer_in(line: bytes) -> tuple[str, Any]:
    """The kind and the value of a line of an answer."""
    answer: Mapping[str, Any] = json.loads(line)
    return answer["kind"], answer["value"]
