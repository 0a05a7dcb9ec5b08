"""Baselines on the command line: the baseline of each path, and how a run's findings compare with it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from hipify_py.cli.options import setting
from hipify_py.core.findings import Finding, occurrences
from hipify_py.project.result import FAILED, FileResult, with_known
from hipify_py.report.baseline.file import Entry, read_entries, settings_of
from hipify_py.report.text import plural

if TYPE_CHECKING:
    from hipify_py.cli.by_configuration import Part
    from hipify_py.project.api import ConversionReport

# Tells findings that a baseline knows from new ones.


class Matched(NamedTuple):
    """How a run's findings compare with a baseline.

    Attributes:
        results: the run's, with the findings that the baseline knows as `known`.
        gone: entries whose findings are no more: their files were looked at, or are not there.
        kept: what the baseline is without those, files by the names that they have now.
        fresh: the findings that it does not know.
    """

    results: list[FileResult]
    gone: list[Entry]
    kept: list[Entry]
    fresh: list[Entry]


def match(results: Sequence[FileResult], entries: Iterable[Entry], folder: str) -> Matched:
    """Compare findings with the entries of a baseline in a folder.

    A finding is known by its file and its fingerprint; or else, because files are renamed, by the fingerprint of an
    entry whose file is no more, one finding for each such entry. Nothing is said of files that are there and were not
    looked at, nor of those that could not be read.
    """
    entries = frozenset(entries)
    by_key = {(entry.path, entry.id, entry.fingerprint): entry for entry in entries}
    places = {result.path: place_of(result.path, folder) for result in results}
    looked = {places[result.path] for result in results if result.status != FAILED}
    missing = _missing({entry.path for entry in entries} - looked, folder)
    moved: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in sorted(entries, reverse=True):
        if entry.path in missing:
            moved[entry.id, entry.fingerprint].append(entry)
    separated: list[FileResult] = []
    used: set[Entry] = set()
    renamed: set[Entry] = set()
    fresh: list[Entry] = []
    for result in results:
        known: set[Finding] = set()
        findings = () if result.status == FAILED else result.findings
        for finding in chain.from_iterable(map(occurrences, findings)):
            entry = entry_of(finding, places[result.path])
            same = by_key.get((entry.path, entry.id, entry.fingerprint))
            elsewhere = moved.get((entry.id, entry.fingerprint))
            if same is not None:
                used.add(same)
            elif elsewhere:
                used.add(elsewhere.pop())
                renamed.add(entry)
            else:
                fresh.append(entry)
                continue
            known.add(finding)
        separated.append(with_known(result, known))
    gone = {entry for entry in entries - used if entry.path in looked or entry.path in missing}
    kept = {entry for entry in entries - gone if entry.path not in missing} | renamed
    return Matched(separated, sorted(gone), sorted(kept), fresh)


def entry_of(finding: Finding, place: str) -> Entry:
    """A finding as a baseline has it."""
    from hipify_py.findings.fingerprints import fingerprint

    return Entry(place, finding.id, finding.name, finding.fingerprint or fingerprint(finding))


def place_of(path: str, folder: str) -> str:
    """A file as a baseline in a folder names it."""
    parent, name = os.path.split(path)
    return os.path.relpath(os.path.join(os.path.realpath(parent), name), os.path.realpath(folder)).replace(os.sep, "/")


def _missing(paths: Iterable[str], folder: str) -> frozenset[str]:
    return frozenset(path for path in paths if not os.path.exists(os.path.join(folder, path)))


Command = TypeVar("Command", bound=Callable[..., Any])

_MOST_TOLD = 5


class Held(NamedTuple):
    """The results of the paths that have one baseline, held against it; `indexes` are those of their parts."""

    path: str
    indexes: list[int]
    matched: Matched


def baseline(command: Command) -> Command:
    """The file of the findings that are known."""
    return setting("baseline", metavar="FILE")(command)


def since(command: Command) -> Command:
    """The revision since which lines are to have changed."""
    return click.option(
        "--since",
        metavar="REV",
        help="Count only findings on lines changed since the current branch diverged from this git revision.",
    )(click.option("--no-merge-base", is_flag=True, help="With --since: compare with the revision itself.")(command))


def only_since(
    revision: str | None, parts: Sequence[Part], reports: Sequence[ConversionReport], *, from_merge_base: bool
) -> list[ConversionReport]:
    """The reports on parts with findings on unchanged lines marked as known.

    Raises:
        click.UsageError: for `--no-merge-base` alone.
        PlanError: when the revision cannot be read, or a path is in no checkout.
    """
    if revision is None:
        if not from_merge_base:
            raise click.UsageError("--no-merge-base requires --since.")
        return [*reports]
    from hipify_py.project.since import Since

    changes = Since(revision, from_merge_base=from_merge_base)
    for part, report in zip(parts, reports, strict=True):
        if not report.results:
            changes.require(part.group.paths)
    return [report._replace(results=changes.news(report.results)) for report in reports]


def without_known(
    parts: Sequence[Part], reports: Sequence[ConversionReport]
) -> tuple[list[ConversionReport], list[Entry] | None]:
    """The reports on parts with known findings separated, and the entries that are gone; None without a baseline.

    Raises:
        BaselineError: when a baseline cannot be used.
    """
    separated = list(reports)
    gone: list[Entry] | None = None
    for path, indexes in by_baseline(parts).items():
        held = hold(path, indexes, reports, read_entries(path, settings_for(parts, indexes)))
        results = iter(held.matched.results)
        for index in indexes:
            separated[index] = reports[index]._replace(results=[*islice(results, len(reports[index].results))])
        gone = [*(gone or []), *held.matched.gone]
    return separated, gone


def hold(path: str, indexes: list[int], reports: Sequence[ConversionReport], entries: frozenset[Entry]) -> Held:
    """Hold the results of some parts against the entries of their baseline."""
    results = [*chain.from_iterable(reports[index].results for index in indexes)]
    return Held(path, indexes, match(results, entries, os.path.dirname(path)))


def settings_for(parts: Sequence[Part], indexes: Iterable[int]) -> list[str]:
    """The settings of the parts that have one baseline."""
    return settings_of(parts[index].group.options.targeting for index in indexes)


def by_baseline(parts: Sequence[Part]) -> dict[str, list[int]]:
    """The indexes of the parts that have each baseline."""
    found: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for index, part in enumerate(parts):
        if part.baseline:
            name = names.setdefault(os.path.realpath(part.baseline), part.baseline)
            found.setdefault(name, []).append(index)
    return found


def gone_lines(gone: Sequence[Entry] | None, *, verbose: bool) -> Iterator[str]:
    """Lines about what is gone."""
    if not gone:
        return
    yield f"{plural(len(gone), 'finding')} of the baseline gone; hipify-py baseline prune removes them"
    if verbose or len(gone) <= _MOST_TOLD:
        yield from (f"  {entry.path}: {entry.id} {entry.name}".rstrip() for entry in gone)
