"""The findings that say the same in every file of a project, as one finding for all of them.

A project with fifty list files names NVIDIA's GPUs in each, and whoever builds it has to read only once how AMD's are
named. Baselines and `--since` know the findings of each file; a report does not repeat them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from hipify_py.core.findings import Finding, occurrences, together
from hipify_py.project.result import FAILED, FileResult

_ONCE = frozenset({"HIP602", "HIP604", "HIP611", "HIP620", "HIP912"})
_BY_NAME = frozenset({"HIP912"})
"""Those that are reported once per name."""

_Subject = tuple[str, str, str]


def once_a_project(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, with such findings at the first of their places only: it tells how many others there are."""
    places: dict[_Subject, list[Finding]] = {}
    for finding in chain.from_iterable(result.findings for result in results if result.status != FAILED):
        if finding.id in _ONCE:
            places.setdefault(_subject(finding), []).extend(occurrences(finding))
    several = {subject: found for subject, found in places.items() if len(found) > 1}
    if not several:
        return [*results]
    return [result._replace(findings=tuple(_first(result.findings, several))) for result in results]


def _first(findings: Iterable[Finding], several: dict[_Subject, list[Finding]]) -> Iterable[Finding]:
    for finding in findings:
        found = several.get(_subject(finding)) if finding.id in _ONCE else None
        if found is None:
            yield finding
        elif finding.path == found[0].path and finding.offset == found[0].offset:
            yield together(found)


def _subject(finding: Finding) -> _Subject:
    return finding.id, finding.severity, finding.name if finding.id in _BY_NAME else ""
