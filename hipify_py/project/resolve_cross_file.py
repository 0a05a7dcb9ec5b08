"""What one file of a project says of another: names that are its own, and macros that AMD GPUs leave undefined."""

from __future__ import annotations

from hipify_py.findings import Finding, as_note
from hipify_py.project.result import FileResult
from hipify_py.translation import UNKNOWN, Counts, Reference

UNKNOWN_NAME = "HIP102"
UNSUPPORTED_NAME = "HIP101"
OWN = "the project defines one of its own"


def resolve_cross_file(results: list[FileResult]) -> list[FileResult]:
    """The results without the unknown names that are declared elsewhere among them.

    What is compiled only with a macro that the project defines for other GPUs alone is inactive.
    """
    declared = frozenset[str]().union(*(result.declared for result in results))
    if declared:
        results = [_without(result, declared) for result in results]
    provided = frozenset[str]().union(*(result.flags.provided for result in results))
    if provided:
        results = [_provided(result, provided) for result in results]
    lost = frozenset[str]().union(*(result.flags.lost for result in results))
    if lost:
        lost -= frozenset[str]().union(*(result.flags.kept for result in results))
        results = [_inactive(result, lost) for result in results]
    return results


def _provided(result: FileResult, names: frozenset[str]) -> FileResult:
    """The result with notes for functions that HIP lacks and that the project has of its own."""
    if not any(f.id == UNSUPPORTED_NAME and f.name in names for f in result.findings):
        return result
    return result._replace(
        findings=tuple(
            as_note(f, OWN) if f.id == UNSUPPORTED_NAME and f.severity != "note" and f.name in names else f
            for f in result.findings
        )
    )


def _inactive(result: FileResult, lost: frozenset[str]) -> FileResult:
    """The result without the findings that depend on a macro that AMD GPUs leave undefined."""
    dependent = [found for name in lost if (found := result.flags.dependent.get(name)) is not None]
    if not dependent:
        return result
    findings = {finding for found in dependent for finding in found.findings}
    references = {reference for found in dependent for reference in found.references}
    libraries, left = dict(result.libraries), dict(result.left)
    for reference in references:
        _set_inactive(reference, libraries, left)
    return result._replace(
        findings=tuple(finding for finding in result.findings if finding not in findings),
        libraries=libraries,
        left={key: count for key, count in left.items() if count},
    )


def _set_inactive(reference: Reference, libraries: dict[str, Counts], left: dict[tuple[str, str, str], int]) -> None:
    key = (reference.name, reference.library, reference.outcome)
    if not left.get(key):
        return  # another file declares the name, so that it is no reference
    left[key] -= 1
    counts = libraries[reference.library]
    remaining = getattr(counts, reference.outcome) - 1
    libraries[reference.library] = counts._replace(**{reference.outcome: remaining, "inactive": counts.inactive + 1})


def _unsettled(findings: tuple[Finding, ...], declared: frozenset[str]) -> tuple[Finding, ...]:
    return tuple(f for f in findings if f.id != UNKNOWN_NAME or f.name not in declared)


def _without(result: FileResult, declared: frozenset[str]) -> FileResult:
    own = {key: count for key, count in result.left.items() if key[2] == UNKNOWN and key[0] in declared}
    if not own:
        return result
    libraries = dict(result.libraries)
    for (_, library, _), count in own.items():
        counts = libraries[library]
        libraries[library] = counts._replace(unknown=counts.unknown - count)
    return result._replace(
        libraries={library: counts for library, counts in libraries.items() if counts != Counts()},
        findings=_unsettled(result.findings, declared),
        suppressed=_unsettled(result.suppressed, declared),
        left={key: count for key, count in result.left.items() if key not in own},
    )
