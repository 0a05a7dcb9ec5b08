"""The requests to a child process and its answers, in a form that both sides can check: JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

DONE, CRASHED, OUT_OF_TIME, OUT_OF_MEMORY, FAILED = "done", "crashed", "out of time", "out of memory", "failed"
"""How a job ended: with an answer; with a crash of libclang; beyond a limit; without libclang, or with a wrong
argument."""


SKIP_BODIES = 0x40
"""libclang's option to skip function bodies, and everything that follows from them; for `Job.parse`."""


class Job(NamedTuple):
    """One translation unit to parse, and the question about it.

    Attributes:
        kind: the kind of question, by its name in `child.QUESTIONS`.
        path: the main file.
        passes: the arguments of each parse of the unit, such as one for the host and one for the device.
        unsaved: the contents of files that are not read from the disk, by path.
        library: the shared library of libclang; empty for the one in its Python package.
        details: further data for the question; plain data.
        parse: options of libclang's parser, such as `SKIP_BODIES`.
        stops: whether parsing stops where a compiler does: at fatal errors, such as a missing header.
    """

    kind: str
    path: str
    passes: Sequence[Sequence[str]]
    unsaved: Mapping[str, bytes] = {}
    library: str = ""
    details: Mapping[str, Any] = {}
    parse: int = 0
    stops: bool = False


class Limits(NamedTuple):
    """The limits of a job.

    Attributes:
        seconds: of wall time, and of processor time if the system can limit it.
        memory: bytes of address space; Windows cannot limit it, and macOS does not enforce the limit.
    """

    seconds: float = 120
    memory: int = 4 << 30


LIMITS = Limits()


class Answer(NamedTuple):
    """The result of a job.

    Attributes:
        status: `DONE`, or why there is no answer.
        values: the answer to the question, one value per pass.
        detail: details of the reason, if there is no answer.
        seconds: the processor time used.
    """

    status: str
    values: Sequence[Any] = ()
    detail: str = ""
    seconds: float = 0.0


def packed_job(job: Job, limits: Limits, modules: Sequence[str]) -> bytes:
    """A job as passed to the child, which searches modules in the folders `modules`."""
    unsaved = {path: data.decode("latin-1") for path, data in job.unsaved.items()}
    whole = {**job._asdict(), "unsaved": unsaved, "limits": list(limits), "modules": list(modules)}
    return json.dumps(whole).encode("ascii")


def read_answer(data: bytes) -> Answer | None:
    """A child's answer; None if it is incomplete. The child has parsed untrusted code."""
    try:
        whole = json.loads(data)
        status, values, detail = whole["status"], whole["values"], whole["detail"]
        seconds = float(whole.get("seconds", 0))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if status not in (DONE, CRASHED, OUT_OF_MEMORY, FAILED) or not isinstance(values, list):
        return None
    return Answer(status, values, str(detail), seconds)
