"""Porting coverage: how much of a project HIP takes, library by library and file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hipify_py.core.findings import EFFORTS, Finding
from hipify_py.core.translation import UNKNOWN, UNSUPPORTED, Counts, WarpCounts
from hipify_py.fortran.counts import FortranCounts, sum_of
from hipify_py.project.result import COPIED, FAILED, STATUSES, FileResult
from hipify_py.report.causes import Cause, causes_of
from hipify_py.report.warps import warps_of


class Symbol(NamedTuple):
    """A symbol that is left to port by hand, and how many references it has."""

    name: str
    library: str
    references: int


class Coverage(NamedTuple):
    """The coverage of a project.

    Attributes:
        total: all references.
        libraries: (library, counts), the one with most references first.
        files: (path, counts) of the files that name CUDA at all, in the order of the walk.
        statuses: how many files ended how.
        unsupported: symbols without a HIP counterpart, the most used first.
        unknown: CUDA-looking names in no table, the most used first.
        causes: the causes of the findings, the gravest first.
        effort: causes by the effort that they take.
        left: (path, findings by effort) of the files that have any, in the order of the walk.
        suppressed: how many findings the sources or the configuration suppress; they count nowhere else.
        failed: results of the files that could not be read.
        fixes: how many fixes of each group and of each id a conversion applies.
        warps: what becomes of the warp operations.
        fortran: the figures of CUDA Fortran, which is not translated.
    """

    total: Counts
    libraries: list[tuple[str, Counts]]
    files: list[tuple[str, Counts]]
    statuses: dict[str, int]
    unsupported: list[Symbol]
    unknown: list[Symbol]
    causes: list[Cause]
    effort: dict[str, int]
    left: list[tuple[str, dict[str, int]]]
    suppressed: int
    failed: list[FileResult]
    fixes: dict[str, int]
    warps: WarpCounts
    fortran: FortranCounts


def coverage_of(results: Sequence[FileResult]) -> Coverage:
    """Add up the results of a run."""
    libraries: dict[str, Counts] = {}
    total = Counts()
    for result in results:
        for library, counts in result.libraries.items():
            libraries[library] = libraries.get(library, Counts()).plus(counts)
            total = total.plus(counts)
    causes = causes_of(results)
    left = [(result.path, _efforts(result.findings)) for result in results if result.status != FAILED]
    return Coverage(
        total=total,
        libraries=sorted(libraries.items(), key=lambda item: (-item[1].total, item[0])),
        files=[(result.path, result.counts) for result in results if result.status != COPIED and result.counts.total],
        statuses={status: sum(result.status == status for result in results) for status in STATUSES},
        unsupported=_symbols(results, UNSUPPORTED),
        unknown=_symbols(results, UNKNOWN),
        causes=causes,
        effort={effort: sum(cause.effort == effort for cause in causes) for effort in EFFORTS},
        left=[(path, efforts) for path, efforts in left if any(efforts.values())],
        suppressed=sum(len(result.suppressed) for result in results),
        failed=[result for result in results if result.status == FAILED],
        fixes=fixes_of(results),
        warps=warps_of(results),
        fortran=sum_of(result.cuda_fortran for result in results),
    )


def fixes_of(results: Iterable[FileResult]) -> dict[str, int]:
    """The fixes of a run by group or id."""
    fixes: Counter[str] = Counter()
    for result in results:
        fixes.update(result.fixes)
    return dict(sorted(fixes.items()))


def _efforts(findings: Iterable[Finding]) -> dict[str, int]:
    counts = Counter(finding.effort for finding in findings)
    return {effort: counts[effort] for effort in EFFORTS}


def _symbols(results: Iterable[FileResult], outcome: str) -> list[Symbol]:
    uses: Counter[tuple[str, str]] = Counter()
    for result in results:
        for (name, library, ended), count in result.left.items():
            if ended == outcome:
                uses[name, library] += count
    symbols = [Symbol(name, library, count) for (name, library), count in uses.items()]
    return sorted(symbols, key=lambda symbol: (-symbol.references, symbol.name))
