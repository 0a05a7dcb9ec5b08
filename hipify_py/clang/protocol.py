"""What a child process is asked, and what it answers, in a form that both sides can check: JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

DONE, CRASHED, OUT_OF_TIME, OUT_OF_MEMORY, FAILED = "done", "crashed", "out of time", "out of memory", "failed"
"""How a job ended: with an answer; by a fault of libclang; past a limit; without libclang, or with a wrong argument."""


SKIP_BODIES = 0x40
"""libclang's option to leave out what functions do, and so what follows from it; for `Job.parse`."""


class Job(NamedTuple):
    """One translation unit to parse, and what to ask of it.

    Attributes:
        kind: what is asked, by its name in `child.QUESTIONS`.
        path: the main file.
        passes: the arguments of each time that the unit is parsed, such as once for the host and once for the device.
        unsaved: what files hold, by path, where that is not read from the disk.
        library: the shared library of libclang; empty for the one that comes with its Python package.
        details: more that the question needs; plain data.
        parse: options of libclang's parser, such as `SKIP_BODIES`.
        stops: it stops where a compiler does: at what is fatal, such as a header that is not there.
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
    """What a job may take.

    Attributes:
        seconds: of wall time, and of processor time where the system can limit that.
        memory: bytes of address space; Windows cannot limit it, and macOS does not keep to it.
    """

    seconds: float = 120
    memory: int = 4 << 30


LIMITS = Limits()


class Answer(NamedTuple):
    """What came of a job.

    Attributes:
        status: `DONE`, or why there is no answer.
        values: the answer to the question, a value for each pass.
        detail: what is known of the reason, where there is no answer.
        seconds: the processor time that it took.
    """

    status: str
    values: Sequence[Any] = ()
    detail: str = ""
    seconds: float = 0.0


def packed_job(job: Job, limits: Limits, modules: Sequence[str]) -> bytes:
    """A job as it is handed to the child, which looks for modules in the folders `modules`."""
    unsaved = {path: data.decode("latin-1") for path, data in job.unsaved.items()}
    whole = {**job._asdict(), "unsaved": unsaved, "limits": list(limits), "modules": list(modules)}
    return json.dumps(whole).encode("ascii")


def read_answer(data: bytes) -> Answer | None:
    """What a child has written; None where it is not whole. The child has parsed what nobody vouches for."""
    try:
        whole = json.loads(data)
        status, values, detail = whole["status"], whole["values"], whole["detail"]
        seconds = float(whole.get("seconds", 0))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if status not in (DONE, CRASHED, OUT_OF_MEMORY, FAILED) or not isinstance(values, list):
        return None
    return Answer(status, values, str(detail), seconds)
