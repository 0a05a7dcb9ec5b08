"""The results for one repository: how much can be converted, what effort is left, and the obstacles."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import EFFORTS, SEVERITIES, Finding
from hipify_py.core.translation import Counts
from hipify_py.project.api import ConversionReport
from hipify_py.project.result import COPIED, FAILED, FileResult
from hipify_py.report.causes import Cause
from hipify_py.report.coverage import Symbol, coverage_of
from hipify_py.report.places import shown_path
from hipify_py.survey.build_record import INCONCLUSIVE, LINKS, Build, BuildCause, Disproved, build_document, build_in
from hipify_py.survey.targets import Target

NO_CUDA, READY, SOME, MUCH, UNDONE = "no CUDA", "ready", "some work", "much work", "failed"
PORTABILITIES = (READY, SOME, MUCH, NO_CUDA, UNDONE)
"""How portable a repository is: nothing is left but notes; findings of low and medium effort; some of high effort;
there is nothing of CUDA in it; it could not be looked at."""

_MOST = 20
"""Symbols and blockers that are named."""


class Blocker(NamedTuple):
    """An obstacle: a finding of high effort, or an error.

    Attributes:
        id: of the finding.
        title: what it is.
        name: the symbol that it is about, empty for none.
        times: how often it is there.
        place: the first place, in the repository.
    """

    id: str
    title: str
    name: str
    times: int
    place: str


class Record(NamedTuple):
    """The results for one repository.

    Attributes:
        name, source, kind: the target's.
        portability: one of `PORTABILITIES`.
        problem: why it could not be examined; empty if it could.
        commit: the git commit that was looked at; empty for what git does not tell.
        files: how many sources and build files it has.
        cuda_files: how many of them name CUDA.
        failed_files: how many could not be translated.
        references: the references to CUDA by outcome.
        findings: how many there are by id.
        severities: the same by severity.
        efforts: the causes of findings by effort.
        libraries: the references by library, the one with most first.
        blockers: what stands in the way, the most frequent first.
        unsupported, unknown: symbols that are left, the most used first.
        build_files: how many build files name CUDA that are not translated, by what reads them.
        links_left_out: links of an archive that lead out of it.
        builds: the builds of the converted repository, where they were asked for.
        disproved: errors that were reported about sources that compile.
    """

    name: str
    source: str
    kind: str
    portability: str
    problem: str = ""
    commit: str = ""
    files: int = 0
    cuda_files: int = 0
    failed_files: int = 0
    references: Counts = Counts()
    findings: Mapping[str, int] = {}
    severities: Mapping[str, int] = {}
    efforts: Mapping[str, int] = {}
    libraries: Sequence[tuple[str, Counts]] = ()
    blockers: Sequence[Blocker] = ()
    unsupported: Sequence[Symbol] = ()
    unknown: Sequence[Symbol] = ()
    build_files: Mapping[str, int] = {}
    links_left_out: int = 0
    builds: Sequence[Build] = ()
    disproved: Sequence[Disproved] = ()

    @property
    def coverage(self) -> float | None:
        """The share of the references that HIP takes; None where there are none."""
        return self.references.coverage if self.references.total else None

    @property
    def build_state(self) -> str:
        """The state that all its builds have, one of `BUILD_STATES`; otherwise how many of them link; empty for none.

        Inconclusive builds do not count where others are not.
        """
        states = [build.state for build in self.builds]
        possible = [state for state in states if state not in INCONCLUSIVE] or states
        if len(set(possible)) <= 1:
            return "".join(possible[:1])
        return f"{possible.count(LINKS)} of {len(possible)} link"

    @property
    def build_causes(self) -> list[BuildCause]:
        """The causes of build errors that the conversion can be to blame for, each once, the most frequent first."""
        causes: dict[str, BuildCause] = {}
        failing = [build for build in self.builds if not build.fails_with_cuda]
        for cause in (cause for build in failing for cause in build.causes if not cause.is_lacking):
            known = causes.get(cause.text)
            causes[cause.text] = known._replace(times=known.times + cause.times) if known is not None else cause
        return sorted(causes.values(), key=lambda cause: -cause.times)


def failed(target: Target, problem: str) -> Record:
    """The record of a repository that could not be looked at."""
    return Record(target.name, target.source, target.kind, UNDONE, problem)


def record_of(target: Target, report: ConversionReport, root: str, *, commit: str = "", links: int = 0) -> Record:
    """The record of a repository, of what a run over the folder `root` says."""
    results = [result for result in report.results if result.status != COPIED]
    coverage = coverage_of(results)
    found = [finding for result in results if result.status != FAILED for finding in result.findings]
    return Record(
        target.name,
        target.source,
        target.kind,
        _portability(coverage.total, coverage.causes),
        commit=commit,
        files=len(results),
        cuda_files=sum(bool(result.counts.total) for result in results),
        failed_files=len(coverage.failed),
        references=coverage.total,
        findings=dict(sorted(Counter(finding.id for finding in found).items())),
        severities={severity: sum(each.severity == severity for each in found) for severity in SEVERITIES},
        efforts=coverage.effort,
        libraries=coverage.libraries,
        blockers=_blockers(results, root),
        unsupported=coverage.unsupported[:_MOST],
        unknown=coverage.unknown[:_MOST],
        build_files=dict(sorted(Counter(build.kind for build in report.build_files).items())),
        links_left_out=links,
    )


def _portability(total: Counts, causes: Iterable[Cause]) -> str:
    serious = [cause for cause in causes if cause.severity != SEVERITIES[0]]
    if any(cause.effort == EFFORTS[-1] for cause in serious):
        return MUCH
    if serious:
        return SOME
    return READY if total.total else NO_CUDA


def _blockers(results: Iterable[FileResult], root: str) -> list[Blocker]:
    """Findings of high effort that are more than notes, and errors; by id, and by the symbol that they are about."""
    first: dict[tuple[str, str], Finding] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for result in results:
        for finding in result.findings if result.status != FAILED else ():
            is_high = finding.effort == EFFORTS[-1] and finding.severity != SEVERITIES[0]
            if is_high or finding.severity == SEVERITIES[-1]:
                key = finding.id, finding.name
                first.setdefault(key, finding)
                counts[key] += 1
    catalog = load_catalog()
    return [
        Blocker(id, catalog.diagnostic(id).title, name, counts[id, name], _place(first[id, name], root))
        for id, name in sorted(counts, key=lambda key: (-counts[key], key))[:_MOST]
    ]


def _place(finding: Finding, root: str) -> str:
    path = shown_path(os.path.relpath(finding.path, root).replace(os.sep, "/"))
    return f"{path}:{finding.line}" if finding.offset >= 0 else path


def document_of(record: Record) -> dict[str, Any]:
    """A record as JSON-compatible data."""
    counts = record.references
    return {
        **{name: getattr(record, name) for name in ("name", "source", "kind", "portability", "problem", "commit")},
        "source": shown_path(record.source),
        "files": record.files,
        "cuda_files": record.cuda_files,
        "failed_files": record.failed_files,
        "coverage": None if record.coverage is None else round(record.coverage, 4),
        "references": {**counts._asdict(), "total": counts.total},
        "severities": dict(record.severities),
        "efforts": dict(record.efforts),
        "findings": dict(record.findings),
        "libraries": {library: {**each._asdict(), "total": each.total} for library, each in record.libraries},
        "blockers": [blocker._asdict() for blocker in record.blockers],
        "unsupported": [symbol._asdict() for symbol in record.unsupported],
        "unknown": [symbol._asdict() for symbol in record.unknown],
        "build_files": dict(record.build_files),
        "links_left_out": record.links_left_out,
        "builds": [build_document(build) for build in record.builds],
        "disproved": [each._asdict() for each in record.disproved],
    }


def record_in(document: Mapping[str, Any]) -> Record:
    """The record that a document was made from."""
    same = ("name", "source", "kind", "portability", "problem", "commit", "files", "cuda_files", "failed_files")
    return Record(
        **{name: document[name] for name in same},
        references=_counts(document["references"]),
        findings=document["findings"],
        severities=document["severities"],
        efforts=document["efforts"],
        libraries=[(library, _counts(counts)) for library, counts in document["libraries"].items()],
        blockers=[Blocker(**blocker) for blocker in document["blockers"]],
        unsupported=[Symbol(**symbol) for symbol in document["unsupported"]],
        unknown=[Symbol(**symbol) for symbol in document["unknown"]],
        build_files=document["build_files"],
        links_left_out=document["links_left_out"],
        builds=[build_in(build) for build in document["builds"]],
        disproved=[Disproved(**each) for each in document["disproved"]],
    )


def _counts(entry: Mapping[str, int]) -> Counts:
    return Counts(*(entry[name] for name in Counts._fields))
