"""Unknown names that another file of the project declares are the project's own, not CUDA's."""

from __future__ import annotations

from hipify_py.findings import Finding
from hipify_py.project.result import FileResult
from hipify_py.translation import UNKNOWN, Counts

UNKNOWN_NAME = "HIP102"


def settle(results: list[FileResult]) -> list[FileResult]:
    """The results without the unknown names that are declared elsewhere among them."""
    declared = frozenset[str]().union(*(result.declared for result in results))
    if not declared:
        return results
    return [_without(result, declared) for result in results]


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
