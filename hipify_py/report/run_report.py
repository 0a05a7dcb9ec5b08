"""What a run found, as every format is given it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.core.findings import Finding
from hipify_py.core.targeting import NEWEST
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.model import Choice
from hipify_py.report.project_findings import once_a_project

if TYPE_CHECKING:
    from hipify_py.report.baseline.file import Entry
    from hipify_py.report.causes import Cause
    from hipify_py.report.comparison import Comparison
    from hipify_py.report.coverage import Coverage
    from hipify_py.report.gates import Gate
    from hipify_py.report.history import Record
    from hipify_py.report.model import Compiled, Origin, Verified

CHECK, REPORT, CONVERT, COMPILE = "check", "report", "convert", "compile"
_AS_IT_COMES = (Choice("", (), NEWEST),)


class RunReport:
    """The report of one run.

    Attributes:
        command: the command that ran: `CHECK`, `REPORT`, `CONVERT` or `COMPILE`.
        results: one for each file, in the order of the walk.
        choices: the settings, for all paths or for some by their configurations; at least one.
        gates: the limits on coverage and effort, and whether they are met.
        comparison: what has changed since an earlier run; None without `--compare`.
        history: the records of this run and of those before it, in their order; none where none are kept.
        compiled: the result of compiling; None for other commands, which count references instead.
        gone: the entries of the baseline whose findings are gone; None if the run has no baseline.
        origin: what was processed, and when; None where the command does not say it.
        verified: who tried the translation; None if nobody has.
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
        origin: Origin | None = None,
        verified: Verified | None = None,
    ) -> None:
        self.command = command
        self.results = once_a_project(results)
        self.choices = choices
        self.gone = gone
        self.gates = gates
        self.comparison = comparison
        self.history = history
        self.compiled = compiled
        self.origin = origin
        self.verified = verified

    @property
    def findings(self) -> Iterator[Finding]:
        """The findings that need attention, file by file, without those that explain why a file failed."""
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
        from hipify_py.report.coverage import coverage_of

        return coverage_of(self.results)

    @property
    def causes(self) -> list[Cause]:
        """The causes of the findings, the gravest first."""
        return self.coverage.causes
