"""The data for the script of the HTML page, small enough for thousands of files: it has each text once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hipify_py.catalog import load_catalog
from hipify_py.core.diff import Hunk
from hipify_py.core.findings import EFFORTS, SEVERITIES, Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.project.result import FileResult
from hipify_py.report.comparison import Change
from hipify_py.report.editor import file_link
from hipify_py.report.figures import before_and_after, percent
from hipify_py.report.places import line_parts, shown_path, span_of
from hipify_py.report.run_report import RunReport

OUTCOMES = ("converted", "native", "inactive", "unsupported", "unknown")
"""In the order of the columns: what is done, and what is left."""

MOST_CHANGES = 6_000_000
"""Characters of changed lines in a page; the largest files' are left out where there are more."""


class _Texts:
    """Numbers for texts: the same for the same."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text, written out as people are to see it."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return [visible(text) for text in self._numbers]


def page_data(report: RunReport, editor: str = "") -> dict[str, Any]:
    """The data; lists of fields are in the order in which the script takes them.

    Args:
        editor: the template of the links that open files; without it, the data has no absolute paths.
    """
    catalog = load_catalog()
    # Failures are findings of their files, too.
    results = [result for result in report.results if result.counts.total or result.findings or result.changes]
    found = sorted({finding.id for result in results for finding in result.findings})
    rules = {id: number for number, id in enumerate(found)}
    texts = _Texts()
    changes = _changes(results)
    files = [
        {
            "path": shown(result.path),
            "references": [getattr(result.counts, outcome) for outcome in OUTCOMES],
            "percent": percent(result.counts),
            "findings": [_finding(finding, rules, texts) for finding in result.findings],
            **({"edit": file_link(editor, result.path)} if editor else {}),
            **({} if result.changes is None else {"size": result.changes.size, "changes": changes.get(index)}),
        }
        for index, result in enumerate(results)
    ]
    entries = [catalog.diagnostic(id) for id in rules]
    return {
        "outcomes": OUTCOMES,
        "severities": SEVERITIES,
        "efforts": EFFORTS,
        "rules": [{"id": entry.id, "title": entry.title, "advice": entry.advice} for entry in entries],
        "files": files,
        "compared": [] if report.comparison is None else [_compared(*file) for file in report.comparison.files],
        "texts": texts.all,
    }


def shown(path: str) -> str:
    """A name from a tree, as people are to see it."""
    return visible(shown_path(path))


def column_of(finding: Finding) -> int:
    """The column of a finding, as editors count: from 1, in UTF-16 code units; 0 if it is not known."""
    span = span_of(finding)
    return 0 if span is None else span.column


def sort_keys(change: Change) -> list[float]:
    """What the cells of a comparison are sorted by."""
    left = [float(counts.unsupported + counts.unknown) for counts in change]
    return [*left, *(round(counts.coverage, 6) for counts in change), round(change.points, 4)]


def _compared(path: str, change: Change) -> list[Any]:
    return [shown(path), before_and_after(*change), sort_keys(change)]


def _finding(finding: Finding, rules: Mapping[str, int], texts: _Texts) -> list[int]:
    """A finding; its line in three, the middle one marked; its column, 0 if it is not known."""
    line = finding.line if finding.offset >= 0 else 0
    parts = line_parts(finding) or (finding.source_line, "", "")
    return [
        rules[finding.id],
        SEVERITIES.index(finding.severity),
        EFFORTS.index(finding.effort),
        line,
        *map(texts.number, (finding.library, finding.message, *parts)),
        column_of(finding),
    ]


def _changes(results: Sequence[FileResult]) -> dict[int, list[Any]]:
    """The changes by the index of their file, the smallest first until there is no more room."""
    sized = sorted((result.changes.size, index) for index, result in enumerate(results) if result.changes is not None)
    chosen = {}
    room = MOST_CHANGES
    for size, index in sized:
        changes = results[index].changes
        room -= size
        if room < 0:
            break
        if changes is not None and changes.hunks:
            chosen[index] = [_hunk(hunk) for hunk in changes.hunks]
    return chosen


def _hunk(hunk: Hunk) -> list[Any]:
    """First lines, counted from 1, and texts: of each block what stands in front of it, old and new; what is behind."""
    parts = (lines for part in hunk.parts for lines in part)
    return [hunk.start + 1, hunk.new_start + 1, *map(_text, parts), _text(hunk.behind)]


def _text(lines: Iterable[bytes]) -> str:
    """Lines as text; each has its newline, even the last of a file."""
    return "".join(visible(_line(line)) + "\n" for line in lines)


def _line(line: bytes) -> str:
    return line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")
