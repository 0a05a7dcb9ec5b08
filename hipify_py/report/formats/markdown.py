"""Markdown for a job's summary or a comment on a merge request: coverage, libraries, effort, the worst of what is left.

At most 60 kB, however large the project: what does not fit is counted. All that comes from a tree stands in code
spans, where Markdown has no links, mentions, markup or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice

from hipify_py.core.findings import EFFORTS
from hipify_py.core.targeting import versions_line
from hipify_py.core.terminal_escape import visible
from hipify_py.core.translation import OUTCOMES
from hipify_py.report.causes import Cause
from hipify_py.report.coverage import Coverage
from hipify_py.report.explain import EFFORT_WORDS
from hipify_py.report.figures import CHANGE_HEADS, NOTHING, before_and_after, counted, percent, points
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import workspace_path
from hipify_py.report.run_report import CONVERT, RunReport
from hipify_py.report.text import files_line, warps_line
from hipify_py.report.trend import runs_of, sparkline
from hipify_py.report.verdict import Verdict, verdict_of

MARK = "<!-- hipify-py -->"
"""The first line, by which a script finds its earlier comment."""

LONGEST = 60_000
"""Bytes of a document; GitHub's comments take 65,536 characters."""

_SHARE = 5_500
"""Bytes of a table: nine of them and the text around them stay below `LONGEST`."""
_ROWS = 25
_WIDEST = 160
_CONFIGURATIONS, _GATES, _RUNS = 8, 10, 8
_TICKS = re.compile("`+")
_PIPE_BEHIND_BACKSLASH = re.compile(r"(?<=\\)\|")


def _render(report: RunReport, look: Look) -> Iterator[str]:
    coverage = report.coverage
    yield f"{MARK}\n## hipify-py: {_headline(coverage)}\n\n"
    yield from _verdict(verdict_of(report))
    yield f"{_files(report)}\n"
    yield from _gates(report)
    yield from _trend(report)
    yield from _against(report)
    if coverage.libraries:
        yield from _table(
            "By library", ("library", *OUTCOMES, "coverage"), _libraries(coverage), len(coverage.libraries)
        )
    yield from _effort(report)
    if coverage.left:
        yield from _table(
            "Files with the most left to do", ("file", *reversed(EFFORTS)), _worst(coverage), len(coverage.left)
        )
    symbols = [*coverage.unsupported, *coverage.unknown]
    if symbols:
        yield from _table("Symbols left", ("symbol", "library", "references"), _symbols(coverage), len(symbols))
    if coverage.failed:
        yield from _table("Files that could not be processed", ("file", "why"), _failed(coverage), len(coverage.failed))


def code(text: str, longest: int = _WIDEST) -> str:
    """Any text as a code span that also holds in a table: nothing in it is markup."""
    shown = visible(text).replace("\t", " ")
    if len(shown) > longest:
        shown = shown[: longest - 1] + "…"
    if not shown.strip():
        return "–"
    # A pipe ends a cell even in code, and readers differ about what two backslashes in front of one are.
    shown = _PIPE_BEHIND_BACKSLASH.sub(r"\\x7c", shown).replace("|", r"\|")
    ticks = "`" * (max(map(len, _TICKS.findall(shown)), default=0) + 1)
    pad = " " if len(ticks) > 1 or shown != shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _headline(coverage: Coverage) -> str:
    total = coverage.total
    return f"{percent(total)} of {counted(total.total, 'CUDA reference')}" if total.total else NOTHING


def _files(report: RunReport) -> str:
    chosen = list(dict.fromkeys(versions_line(choice.targeting) for choice in report.choices))
    versions = "; ".join(chosen[:_CONFIGURATIONS] + ["…"] * (len(chosen) > _CONFIGURATIONS))
    return f"{files_line(report.results, written=report.command == CONVERT)} ({versions})"


def _gates(report: RunReport) -> Iterator[str]:
    """What was asked for: what is not met first."""
    gates = sorted(report.gates, key=lambda gate: gate.passed)
    if gates:
        yield "\n"
    for gate in gates[:_GATES]:
        yield f"- {'met' if gate.passed else '**not met**'}: {code(gate.says)}\n"
    if len(gates) > _GATES:
        yield f"- and {len(gates) - _GATES:,} more\n"


def _trend(report: RunReport) -> Iterator[str]:
    """The coverage and the findings of the last runs, where a history is kept."""
    runs = runs_of(report.history[-_RUNS:])
    if len(runs) > 1:
        reached = [record.references.coverage for record in report.history[-_RUNS:]]
        found = [sum(run.findings.values()) for run in runs]
        yield f"\nThe last {len(runs)} runs: {' → '.join(run.coverage for run in runs)} {sparkline(reached)}\n"
        yield f"\nTheir findings: {' → '.join(f'{count:,}' for count in found)} {sparkline(found)}\n"


def _against(report: RunReport) -> Iterator[str]:
    """What has changed against an earlier run."""
    comparison = report.comparison
    if comparison is None:
        return
    efforts = reversed(comparison.effort.items())
    changed = ", ".join(f"{effort} {before:,} → {after:,}" for effort, (before, after) in efforts if before != after)
    yield f"\nAgainst {code(comparison.against)}: **{points(*comparison.total) or '±0.0'}** points of coverage;"
    yield f" {counted(comparison.new, 'new finding')}, {comparison.gone:,} gone"
    yield f" (by effort: {changed}).\n" if changed else ".\n"
    for what, changes in (("library", comparison.libraries), ("file", comparison.files)):
        rows = [(name, change) for name, change in changes if change.before != change.after]
        if rows:
            cells = ((code(name), *(cell or "–" for cell in before_and_after(*change))) for name, change in rows)
            yield from _table(f"Change by {what}", (what, *CHANGE_HEADS), cells, len(rows))


def _effort(report: RunReport) -> Iterator[str]:
    efforts = reversed(report.coverage.effort.items())
    parts = [f"**{count:,}** {effort} ({EFFORT_WORDS[effort]})" for effort, count in efforts if count]
    new = "" if report.gone is None else " that is new"
    yield f"\n### Effort left\n\n{', '.join(parts) or f'Nothing{new} is left to do'}."
    if report.coverage.suppressed:
        yield f" {counted(report.coverage.suppressed, 'finding')} suppressed."
    if report.coverage.warps.total:
        yield f" {warps_line(report.coverage.warps)}."
    if report.gone is not None:
        known = sum(len(result.known) for result in report.results)
        yield f" Against the baseline: {known:,} known, {len(report.gone):,} gone."
    yield "\n"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], count: int) -> Iterator[str]:
    """A table of as many rows as its share of the document takes, and how many there are besides."""
    yield f"\n### {title}\n\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}\n"
    size = shown = 0
    for row in islice(rows, _ROWS):
        line = f"| {' | '.join(row)} |\n"
        size += len(line.encode("utf-8", "replace"))
        if size > _SHARE:
            break
        yield line
        shown += 1
    if shown < count:
        yield f"\nand {count - shown:,} more\n"


def _libraries(coverage: Coverage) -> Iterator[Sequence[str]]:
    for library, counts in coverage.libraries:
        yield code(library), *(f"{count:,}" for count in counts), percent(counts)


def _worst(coverage: Coverage) -> Iterator[Sequence[str]]:
    files = nsmallest(_ROWS, coverage.left, key=lambda item: tuple(-item[1][effort] for effort in reversed(EFFORTS)))
    for path, efforts in files:
        yield code(workspace_path(path)), *(f"{efforts[effort]:,}" for effort in reversed(EFFORTS))


def _verdict(verdict: Verdict) -> Iterator[str]:
    """The verdict and its evidence."""
    yield f"{code(verdict.subject)}: **{verdict.sentence}**\n"
    for title, causes in (("What blocks", verdict.blocking), ("What to review", verdict.others)):
        if causes:
            yield from _table(title, ("", "effort", "finding", "first", "what"), map(_cause, causes), len(causes))
    if verdict.unread:
        rows = ((code(workspace_path(finding.path)), code(finding.message)) for finding in verdict.unread)
        yield from _table("Not read, although they name CUDA", ("file", "what"), rows, len(verdict.unread))
    if verdict.fortran_line:
        rows = ((code(workspace_path(finding.path)), code(finding.message)) for finding in verdict.fortran)
        yield from _table("CUDA Fortran", ("file", "what"), rows, len(verdict.fortran))
        yield f"\n{code(verdict.fortran_line, _WIDEST * 2)}\n"
    if verdict.untried:
        yield f"\n{code(verdict.untried)}\n"
    yield "\n"


def _cause(cause: Cause) -> Sequence[str]:
    place = workspace_path(cause.first.path) + (f":{cause.first.line}" if cause.first.offset >= 0 else "")
    more = f" ({cause.extent})" if cause.places > 1 else ""
    return cause.severity, cause.effort, cause.id, code(place), code(cause.title, _WIDEST * 2) + more


def _symbols(coverage: Coverage) -> Iterator[Sequence[str]]:
    for symbol in sorted([*coverage.unsupported, *coverage.unknown], key=lambda symbol: -symbol.references):
        yield code(symbol.name), code(symbol.library), f"{symbol.references:,}"


def _failed(coverage: Coverage) -> Iterator[Sequence[str]]:
    for result in coverage.failed:
        yield code(workspace_path(result.path)), code(" ".join(finding.message for finding in result.findings))


FORMAT = Format("Markdown for a job summary or a merge-request comment", _render)
