"""Gates: the limits that a project sets for its port, and how far it misses them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hipify_py.core.findings import EFFORTS
from hipify_py.core.translation import Counts
from hipify_py.project.config_keys import TOTAL
from hipify_py.project.result import FileResult
from hipify_py.report.coverage import Coverage, coverage_of
from hipify_py.report.figures import percent as in_percent
from hipify_py.report.text import plural


class Thresholds(NamedTuple):
    """What is asked for.

    Attributes:
        coverage: by library, or `TOTAL`, the least coverage in percent.
        effort: by effort, how many causes of findings there may be at most.
    """

    coverage: Mapping[str, float]
    effort: Mapping[str, int]

    def without(self, others: Thresholds) -> Thresholds:
        """What is asked for here and not there."""
        return Thresholds(
            {library: least for library, least in self.coverage.items() if library not in others.coverage},
            {effort: most for effort, most in self.effort.items() if effort not in others.effort},
        )


NOTHING = Thresholds({}, {})


class Gate(NamedTuple):
    """One limit.

    Attributes:
        name: `coverage`, `coverage of cublas`, `causes of high effort`.
        asked: the least coverage in percent, or the most causes.
        found: what there is, in the same unit.
        passed: it is enough, or not too much.
        says: the result in words, with the difference.
    """

    name: str
    asked: float
    found: float
    passed: bool
    says: str


def gates_of(results: Sequence[FileResult], thresholds: Thresholds, where: str = "") -> list[Gate]:
    """Hold results against thresholds.

    Args:
        where: which paths they are of, where those are not all.
    """
    if thresholds == NOTHING:
        return []
    found = coverage_of(results)
    return [*_coverage(found, thresholds, where), *_effort(found.effort, thresholds, where)]


def _coverage(found: Coverage, thresholds: Thresholds, where: str) -> Iterator[Gate]:
    libraries = {**dict(found.libraries), TOTAL: found.total}
    for library, least in thresholds.coverage.items():
        counts = libraries.get(library, Counts())
        name = _named("coverage" if library == TOTAL else f"coverage of {library}", where)
        left = counts.unsupported + counts.unknown
        # Counted in references, so that no rounding lets a gate pass.
        passed = (counts.total - left) * 100 >= least * counts.total
        percent = counts.coverage * 100
        shown = in_percent(counts)
        short = max(math.ceil((least - percent) * 10) / 10, 0.1)
        says = (
            f"{name} is {shown}, at least the required {least:g} %"
            if passed
            else f"{name} is {shown}, {short:.1f} below the required {least:g} %"
            f" ({left} of {plural(counts.total, 'CUDA reference')} left)"
        )
        yield Gate(name, least, round(percent, 4), passed, says)


def _effort(counts: Mapping[str, int], thresholds: Thresholds, where: str) -> Iterator[Gate]:
    for effort in reversed(EFFORTS):
        most = thresholds.effort.get(effort)
        if most is None:
            continue
        count = counts[effort]
        passed = count <= most
        counted = _named(f"{plural(count, 'cause')} of {effort} effort", where)
        says = f"{counted}, at most {most} allowed" if passed else f"{counted}, {count - most} more than allowed"
        yield Gate(_named(f"causes of {effort} effort", where), most, count, passed, says)


def _named(name: str, where: str) -> str:
    return f"{name} in {where}" if where else name
