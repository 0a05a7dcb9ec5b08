"""Runs the steps of a build, and maps their messages to the sources."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.compile.builds.build_message import BuildMessage
from hipify_py.compile.builds.output import Listener
from hipify_py.compile.builds.output_map import Written
from hipify_py.compile.builds.places import Places
from hipify_py.compile.builds.running import Step, StepTimeout, run_step
from hipify_py.compile.builds.systems import Job, System
from hipify_py.compile.builds.targets import targets_of
from hipify_py.compile.diagnostics import Message

_TAIL = 40
"""Lines of a failed step that are shown where they name nothing that can be placed."""


_EXPANSION = re.compile(r"in expansion of macro [`'‘\"](?P<macro>\w+)['’\"]$")
"""gcc's note with the place where a macro is used."""


class Hearer:
    """A listener for the progress of a build; by default it ignores everything."""

    def begins(self, step: Step) -> None:
        """A step is going to be run."""

    def says(self, line: str) -> None:
        """A program prints a line."""

    def found(self, message: Message) -> None:
        """An error, a warning or a note, at a line of the given project; each is reported once."""

    def found_unplaced(self, text: str) -> None:
        """An error without a known line; each is reported once."""


class Built(NamedTuple):
    """The result of a build.

    Attributes:
        failed: the step that failed; None if the build succeeded.
        errors: how many errors have a location.
        unplaced: how many have none.
        tail: the last lines of the failed step, if no error could be read from it.
        is_late: the failed step was ended because of the time limit.
    """

    failed: Step | None
    errors: int
    unplaced: int
    tail: Sequence[str]
    is_late: bool = False


def build(
    system: System,
    job: Job,
    written: Written,
    hearer: Hearer,
    *,
    warnings: bool = False,
    seconds: float | None = None,
) -> Built:
    """Build the output of a conversion.

    Args:
        warnings: report warnings too.
        seconds: the time limit for all steps; None for no limit.

    Raises:
        OSError: when a program cannot be started.
    """
    os.makedirs(job.build, exist_ok=True)
    brought = _Brought(written, job, hearer, warnings)
    end = None if seconds is None else time.monotonic() + seconds
    for step in system.steps(job):
        hearer.begins(step)
        try:
            status, tail = _heard(step, job, brought, hearer, None if end is None else max(0.0, end - time.monotonic()))
        except StepTimeout:
            return Built(step, brought.errors, len(brought.unplaced), (), is_late=True)
        if status:
            is_told = brought.errors or brought.unplaced
            return Built(step, brought.errors, len(brought.unplaced), () if is_told else tail)
    return Built(None, brought.errors, len(brought.unplaced), ())


def _heard(step: Step, job: Job, brought: _Brought, hearer: Hearer, seconds: float | None) -> tuple[int, Sequence[str]]:
    """Run a step; returns its exit status, and the last lines of its output.

    Raises:
        StepTimeout: when it takes longer than its time limit; its messages so far have been passed on.
    """
    tail: deque[str] = deque(maxlen=_TAIL)
    listener = Listener(brought.take)

    def hear(line: str) -> None:
        hearer.says(line)
        tail.append(line)
        listener.hear(line)

    try:
        status = run_step(step, job.environment, hear, seconds)
    finally:
        listener.end()
        brought.ends_step()
    return status, tail


class _Brought:
    """Maps messages to the sources, each once: host and GPU passes repeat them, and so do sources with one header."""

    def __init__(self, written: Written, job: Job, hearer: Hearer, warnings: bool) -> None:
        self._written = written
        self._job = job
        self._hearer = hearer
        self._warnings = warnings
        self._places: Places | None = None
        self._known: set[Message] = set()
        self._takes_notes = False
        self._held: BuildMessage | None = None
        self._expansions: list[BuildMessage] = []
        self.unplaced: set[str] = set()
        self.errors = 0

    def take(self, built: BuildMessage) -> None:
        """Bring one home, once the notes about macros after it are known: gcc shows an error in a macro's text."""
        if self._held is not None and _EXPANSION.match(built.text) and built.path:
            self._expansions.append(built)
            return
        self._release()
        if built.path and built.severity != "note":
            self._held = built
        else:
            self._bring(built)

    def _release(self) -> None:
        """Bring the message that is held back, at the outermost use of the macros that it is in; these become notes."""
        if self._held is None:
            return
        places, self._held = [self._held, *self._expansions], None
        self._expansions = []
        *inner, outer = places
        self._bring(places[0]._replace(path=outer.path, line=outer.line, column=outer.column, others=outer.others))
        for place, use in zip(reversed(inner), reversed(places), strict=False):
            match = _EXPANSION.match(use.text)
            if match is not None:
                self._bring(place._replace(severity="note", text=f"expanded from macro '{match['macro']}'"))

    def _bring(self, built: BuildMessage) -> None:
        if built.severity != "note":
            self._takes_notes = built.severity == "error" or self._warnings
        if not self._takes_notes:
            return
        if self._places is None:
            folders = [self._job.build, self._job.source, self._written.root]
            self._places = Places(self._written, folders, targets_of(self._job.build, self._job.source))
        message = self._places.message(built)
        if message is None:
            text = self._written.shown(built.text)
            if built.severity == "error" and text not in self.unplaced:
                self.unplaced.add(text)
                self._hearer.found_unplaced(text)
        elif message not in self._known:
            self._known.add(message)
            self.errors += message.severity == "error"
            self._hearer.found(message)

    def ends_step(self) -> None:
        """A step is done, and may have made targets."""
        self._release()
        self._places = None
