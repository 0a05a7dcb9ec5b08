"""Runs the steps of a build, and brings home what they say."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence

from hipify_py.compile.builds.output import Listener, Said
from hipify_py.compile.builds.places import Places
from hipify_py.compile.builds.running import Step, run_step
from hipify_py.compile.builds.systems import Job, System
from hipify_py.compile.builds.targets import targets_of
from hipify_py.compile.builds.written import Written
from hipify_py.compile.diagnostics import Message
from hipify_py.records import NamedTuple

_TAIL = 40
"""Lines of a failed step that are shown where they name nothing that can be placed."""

_MOST = 10_000
"""Errors, warnings and notes that are kept."""


class Built(NamedTuple):
    """What came of a build.

    Attributes:
        failed: the step that failed; None where all is built.
        messages: what was said, each thing once, at the lines of what was given to be built.
        unplaced: errors of which no line is known.
        tail: the last lines of the failed step, where nothing of it could be read.
    """

    failed: Step | None
    messages: Sequence[Message]
    unplaced: Sequence[str]
    tail: Sequence[str]

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(message.severity == "error" for message in self.messages) + len(self.unplaced)


def build(
    system: System,
    job: Job,
    written: Written,
    *,
    warnings: bool = False,
    begin: Callable[[Step], object] = lambda step: None,
    hear: Callable[[str], object] = lambda line: None,
) -> Built:
    """Build what a conversion has written.

    Args:
        warnings: bring home warnings, too.
        begin: told of each step before it is run.
        hear: told each line that the programs say.

    Raises:
        OSError: when a program cannot be started.
    """
    os.makedirs(job.build, exist_ok=True)
    heard: dict[Said, None] = {}
    tail: deque[str] = deque(maxlen=_TAIL)
    failed = None
    for step in system.steps(job):
        begin(step)
        tail.clear()
        listener = Listener(lambda said: heard.setdefault(said) if len(heard) < _MOST else None)

        def take(line: str, listener: Listener = listener) -> None:
            hear(line)
            tail.append(line)
            listener.hear(line)

        status = run_step(step, job.environment, take)
        listener.end()
        if status:
            failed = step
            break
    places = Places(written, [job.build, job.source, written.root], targets_of(job.build, job.source))
    messages: dict[Message, None] = {}
    unplaced: dict[str, None] = {}
    shown = False
    for said in heard:
        if said.severity != "note":
            shown = said.severity == "error" or warnings
        if not shown:
            continue
        message = places.message(said)
        if message is not None:
            messages[message] = None
        elif said.severity == "error":
            unplaced[written.shown(said.text)] = None
    is_told = any(message.severity == "error" for message in messages) or unplaced
    return Built(failed, [*messages], [*unplaced], [*tail] if failed and not is_told else [])
