"""What one file of a project says of another: names that are its own, and macros that AMD GPUs leave undefined."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.findings import Finding, as_note
from hipify_py.project.result import FileResult
from hipify_py.translation import UNKNOWN, UNSUPPORTED, Counts, Reference

UNKNOWN_NAME = "HIP102"
UNSUPPORTED_NAME = "HIP101"
Left = tuple[str, str, str]
"""A name that is left as it is, its library, and what became of it."""

OWN = "the project defines one of its own"


def resolve_cross_file(results: list[FileResult]) -> list[FileResult]:
    """The results without the names that look like CUDA's and are declared elsewhere in the project.

    What is compiled only with a macro that the project defines for other GPUs alone is inactive.
    """
    declared = frozenset[str]().union(*(result.declared for result in results))
    if any(_may_be_own(key) for result in results for key in result.left):
        from hipify_py.project.declared_names import declared_in_headers

        declared |= declared_in_headers(results)
    if declared:
        included = frozenset(library for result in results for name, library, _ in result.left if _is_header(name))
        results = [_without(result, declared, included) for result in results]
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


def _may_be_own(key: Left) -> bool:
    """A name in no table: one that only looks like CUDA's, or like those of a library that HIP has nothing for."""
    name, _, outcome = key
    return outcome == UNKNOWN or (
        outcome == UNSUPPORTED and not _is_header(name) and load_catalog().row(name.encode()) is None
    )


def _is_header(name: str) -> bool:
    return "." in name or "/" in name


def _without(result: FileResult, declared: frozenset[str], included: frozenset[str]) -> FileResult:
    """The result without the names that the project declares.

    A namespace that it calls like one of a library counts where none of its files includes a header of the library.
    """
    own = {}
    for key, count in result.left.items():
        name, library, _ = key
        namespace = name.partition("::")[0] + "::"
        if (namespace in declared and library not in included) or (name in declared and _may_be_own(key)):
            own[key] = count
    if not own:
        return result
    libraries = dict(result.libraries)
    for (_, library, outcome), count in own.items():
        counts = libraries[library]
        libraries[library] = counts._replace(**{outcome: getattr(counts, outcome) - count})
    names = {name for name, _, _ in own}
    return result._replace(
        libraries={library: counts for library, counts in libraries.items() if counts != Counts()},
        findings=_unsettled(result.findings, names),
        suppressed=_unsettled(result.suppressed, names),
        left={key: count for key, count in result.left.items() if key not in own},
    )


def _unsettled(findings: tuple[Finding, ...], own: set[str]) -> tuple[Finding, ...]:
    return tuple(f for f in findings if f.id not in (UNKNOWN_NAME, UNSUPPORTED_NAME) or f.name not in own)
