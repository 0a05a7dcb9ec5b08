"""Resolves references across a project's files: the project's own names, and macros that AMD GPUs leave undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding, as_note, occurrences
from hipify_py.core.options import Options
from hipify_py.core.translation import UNKNOWN, UNSUPPORTED, Counts, Reference
from hipify_py.project.result import COPIED, FAILED, UNREAD, FileResult

if TYPE_CHECKING:
    from hipify_py.project.link_units import Programs
    from hipify_py.project.source_store import SourceStore

# Applies the user's selection of findings, including findings about whole files.


def with_chosen(results: Iterable[FileResult], options: Options) -> list[FileResult]:
    """The results with the selected findings; the reason why a file failed is always reported."""
    if not (options.unselected or options.severities):
        return [*results]
    from hipify_py.findings.selection import chosen

    catalog = load_catalog(options.targeting)
    return [
        result
        if result.status == FAILED
        else result._replace(
            findings=tuple(chosen(result.findings, options, catalog)),
            suppressed=tuple(chosen(result.suppressed, options, catalog)),
        )
        for result in results
    ]


UNKNOWN_NAME = "HIP102"
UNDEFINED_MACRO = "HIP403"
UNSUPPORTED_NAMES = ("HIP101", "HIP108")
Left = tuple[str, str, str]
"""A name that is left as it is, its library, and its outcome."""

OWN = "the project defines its own"


def resolve_cross_file(results: list[FileResult], texts: SourceStore | None = None) -> list[FileResult]:
    """The results without the names that look like CUDA's and are the project's own.

    Code that is compiled only with a macro that the project defines for other GPUs alone is inactive. Both checks
    consider the files that are compiled together: unrelated programs in one tree do not affect each other. `texts` has
    files whose content does not come from the disk.
    """
    if not any(result.left or result.flags.dependent for result in results):
        return results
    from hipify_py.project.link_units import Programs

    programs = Programs((result.path for result in results if result.status not in (COPIED, UNREAD)), texts)
    results = [_without_guards(result, programs) for result in _without_own_names(results, programs)]
    results = _with_provided(results, programs)
    return _without_inactive(results, programs)


def _without_own_names(results: list[FileResult], programs: Programs) -> list[FileResult]:
    """The results without the names that the project declares."""
    left = {key for result in results for key in result.left}
    declared = {result.path: result.declared for result in results if result.declared}
    if any(_may_be_own(key) or _is_missing(key) for key in left):
        declared = {**programs.declared_beside, **declared}
    anywhere = frozenset[str]().union(*declared.values())
    if not any(_may_be_declared(key, anywhere) for key in left):
        return results
    declaring = frozenset(declared)
    return [_without(result, _Declared(result.path, declared, declaring, anywhere, programs)) for result in results]


class _Declared:
    """The project's own names in one file."""

    def __init__(
        self,
        path: str,
        declared: Mapping[str, frozenset[str]],
        declaring: frozenset[str],
        anywhere: frozenset[str],
        programs: Programs,
    ) -> None:
        self._path = path
        self._declared = declared
        self._declaring = declaring
        self._anywhere = anywhere
        self._programs = programs

    def owns(self, key: Left) -> bool:
        """Whether the project owns a name: one in no table that looks like CUDA's, if any of its files declares it.

        If the file is compiled with a header of a library that has no HIP counterpart, a name like the library's
        belongs to the library, unless a file that it is compiled with declares the name; a namespace always belongs to
        the library. So does a name of the tables, and without such a header only a declaration that it is compiled with
        makes one the project's.
        """
        name, library, outcome = key
        if _is_missing(key) and name in self._anywhere:
            return library not in self._libraries and name in self._seen
        if not _may_be_declared(key, self._anywhere):
            return False
        if name not in self._anywhere or not _may_be_own(key):
            return library not in self._libraries
        return outcome == UNKNOWN or library not in self._libraries or name in self._seen

    @cached_property
    def _libraries(self) -> frozenset[str]:
        return self._programs.libraries(self._path)

    @cached_property
    def _seen(self) -> frozenset[str]:
        seen = self._programs.compiled_with(self._path, self._declaring)
        return frozenset[str]().union(*(self._declared[path] for path in seen))


def _may_be_declared(key: Left, declared: frozenset[str]) -> bool:
    name = key[0]
    return name.partition("::")[0] + "::" in declared or (name in declared and (_may_be_own(key) or _is_missing(key)))


def _with_provided(results: list[FileResult], programs: Programs) -> list[FileResult]:
    """The results with notes for functions that HIP lacks and that files of the same program define."""
    providers = {result.path: result.flags.provided for result in results if result.flags.provided}
    if not providers:
        return results
    anywhere = frozenset[str]().union(*providers.values())
    found = []
    for result in results:
        if any(f.id in UNSUPPORTED_NAMES and f.name in anywhere for f in result.findings):
            shared = (names for path, names in providers.items() if programs.share(result.path, path))
            result = _provided(result, frozenset[str]().union(*shared))
        found.append(result)
    return found


def _without_inactive(results: list[FileResult], programs: Programs) -> list[FileResult]:
    """The results without code that depends on macros that AMD GPUs leave undefined."""
    flags = {result.path: result.flags for result in results if result.flags.lost or result.flags.kept}
    anywhere = frozenset[str]().union(*(said.lost for said in flags.values()))
    found = []
    for result in results:
        wanted = anywhere & result.flags.dependent.keys()
        if wanted:
            saying = {path for path, said in flags.items() if not wanted.isdisjoint(said.lost | said.kept)}
            seen = [flags[path] for path in programs.compiled_with(result.path, frozenset(saying))]
            lost = frozenset[str]().union(*(said.lost for said in seen))
            kept = frozenset[str]().union(*(said.kept for said in seen))
            result = _inactive(result, wanted & lost - kept)
        found.append(result)
    return found


def _provided(result: FileResult, names: frozenset[str]) -> FileResult:
    """The result with notes for functions that HIP lacks and that the project defines itself."""
    if not any(f.id in UNSUPPORTED_NAMES and f.name in names for f in result.findings):
        return result
    return result._replace(
        findings=tuple(
            as_note(f, OWN) if f.id in UNSUPPORTED_NAMES and f.severity != "note" and f.name in names else f
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


def _without_guards(result: FileResult, programs: Programs) -> FileResult:
    """The result without tests for headers that HIP lacks and that nothing compiled with the file includes.

    Helper headers test for many libraries (`#ifdef NVJPEGAPI` in NVIDIA's samples). Without the library's header the
    branch is compiled for no GPU at all.
    """
    tests = [
        finding
        for finding in result.findings
        if finding.id == UNDEFINED_MACRO
        and _has_no_headers(finding.library)
        and finding.library not in programs.libraries(result.path)
    ]
    if not tests:
        return result
    libraries, left = dict(result.libraries), dict(result.left)
    for finding in tests:
        for place in occurrences(finding):
            reference = Reference(place.offset, place.name, finding.library, "macro", UNSUPPORTED)
            _set_inactive(reference, libraries, left)
    return result._replace(
        findings=tuple(finding for finding in result.findings if finding not in tests),
        libraries=libraries,
        left={key: count for key, count in left.items() if count},
    )


@cache
def _has_no_headers(library: str) -> bool:
    """Whether HIP has none of a library's headers."""
    found = [*load_catalog().headers_of(library)]
    return bool(found) and all(row.is_unsupported for row in found)


def _set_inactive(reference: Reference, libraries: dict[str, Counts], left: dict[tuple[str, str, str], int]) -> None:
    key = (reference.name, reference.library, reference.outcome)
    if not left.get(key):
        return  # another file declares the name, so it is not a reference
    left[key] -= 1
    counts = libraries[reference.library]
    remaining = getattr(counts, reference.outcome) - 1
    libraries[reference.library] = counts._replace(**{reference.outcome: remaining, "inactive": counts.inactive + 1})


def _may_be_own(key: Left) -> bool:
    """Whether a name is in no table: it only looks like CUDA's, or like that of a library without HIP counterpart."""
    name, _, outcome = key
    return outcome == UNKNOWN or (
        outcome == UNSUPPORTED and not _is_header(name) and load_catalog().row(name.encode()) is None
    )


def _is_missing(key: Left) -> bool:
    """Whether a name is one of the tables' that keeps its name, because HIP has no counterpart of it."""
    name, _, outcome = key
    return outcome == UNSUPPORTED and not _is_header(name) and load_catalog().row(name.encode()) is not None


def _is_header(name: str) -> bool:
    return "." in name or "/" in name


def _without(result: FileResult, declared: _Declared) -> FileResult:
    """The result without the names that the project declares."""
    own = {key: count for key, count in result.left.items() if declared.owns(key)}
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
    return tuple(f for f in findings if f.id not in (UNKNOWN_NAME, *UNSUPPORTED_NAMES) or f.name not in own)
