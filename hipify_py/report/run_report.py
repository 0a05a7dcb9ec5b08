"""What a run found, as every format is given it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.catalog.targeting import NEWEST
from hipify_py.core.findings import Finding
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.model import Choice, Compiled, Coverage, coverage_of

if TYPE_CHECKING:
    from hipify_py.report.baseline.file import Entry
    from hipify_py.report.comparison import Comparison
    from hipify_py.report.gates import Gate
    from hipify_py.report.history import Record

CHECK, REPORT, CONVERT, COMPILE = "check", "report", "convert", "compile"
_AS_IT_COMES = (Choice("", (), NEWEST),)


class RunReport:
    """The account of one run.

    Attributes:
        command: the command that ran: `CHECK`, `REPORT`, `CONVERT` or `COMPILE`.
        results: one for each file, in the order of the walk.
        choices: what was chosen, for all paths or for some by their configurations; one at the least.
        gates: what was asked of the coverage and of what is left, and whether it is met.
        comparison: what has changed against an earlier run; None where none was asked for.
        history: the records of this run and of those before it, in their order; none where none are kept.
        compiled: what came of compiling; None for other commands, which count references in its place.
        gone: what a baseline holds that is there no more; None where the run has no baseline.
    """

    def __init__(
        self,
        command: str,
        results: Sequence[FileResult],
        choices: Sequence[Choice] = _AS_IT_COMES,
        *,
        gone: Sequence[Entry] | None = None,
        gates: Sequence[Gate] = (),
        comparison: Comparison | None = None,
        history: Sequence[Record] = (),
        compiled: Compiled | None = None,
    ) -> None:
        self.command = command
        self.results = results
        self.choices = choices
        self.gone = gone
        self.gates = gates
        self.comparison = comparison
        self.history = history
        self.compiled = compiled

    @property
    def findings(self) -> Iterator[Finding]:
        """What a porter has to look at, file by file; why a file could not be done is no such finding."""
        return (finding for result in self.results if result.status != FAILED for finding in result.findings)

    @property
    def failures(self) -> Iterator[Finding]:
        """Why files could not be done."""
        return (finding for result in self.results if result.status == FAILED for finding in result.findings)

    @property
    def known(self) -> Iterator[Finding]:
        """The findings that were there before, where only new ones are asked for."""
        return (finding for result in self.results for finding in result.known)

    @property
    def suppressed(self) -> Iterator[Finding]:
        """The findings that the sources or the configuration suppress."""
        return (finding for result in self.results for finding in result.suppressed)

    @cached_property
    def coverage(self) -> Coverage:
        """How much of the project HIP takes."""
        return coverage_of(self.results)
