"""What has changed between two runs over a project: coverage by library and by file, and the effort left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hipify_py.core.translation import Counts
from hipify_py.findings.fingerprints import fingerprint
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.coverage import coverage_of


class Change(NamedTuple):
    """References before and after."""

    before: Counts
    after: Counts

    @property
    def points(self) -> float:
        """How many points of a percent the coverage has grown by."""
        return (self.after.coverage - self.before.coverage) * 100


class Comparison(NamedTuple):
    """An earlier run and this one.

    Attributes:
        against: the file or revision of the earlier one, as given.
        total: all references.
        libraries: by library, the one with most references now first.
        files: by path, those whose references are not the same.
        effort: causes by effort, before and after.
        new: how many findings were not there before.
        gone: how many are there no more.
    """

    against: str
    total: Change
    libraries: list[tuple[str, Change]]
    files: list[tuple[str, Change]]
    effort: dict[str, tuple[int, int]]
    new: int
    gone: int


def compared(against: str, before: Sequence[FileResult], after: Sequence[FileResult]) -> Comparison:
    """Compare the results of two runs."""
    old, new = coverage_of(before), coverage_of(after)
    earlier, later = _fingerprints(before), _fingerprints(after)
    files = _changes(dict(old.files), dict(new.files))
    return Comparison(
        against,
        Change(old.total, new.total),
        sorted(_changes(dict(old.libraries), dict(new.libraries)), key=lambda item: (-item[1].after.total, item[0])),
        [(path, change) for path, change in files if change.before != change.after],
        {effort: (count, new.effort[effort]) for effort, count in old.effort.items()},
        (later - earlier).total(),
        (earlier - later).total(),
    )


def _changes(before: Mapping[str, Counts], after: Mapping[str, Counts]) -> list[tuple[str, Change]]:
    names = dict.fromkeys([*after, *before])
    return [(name, Change(before.get(name, Counts()), after.get(name, Counts()))) for name in names]


def _fingerprints(results: Iterable[FileResult]) -> Counter[tuple[str, str]]:
    return Counter(
        (finding.id, finding.fingerprint or fingerprint(finding))
        for result in results
        if result.status != FAILED
        for finding in result.findings
    )
