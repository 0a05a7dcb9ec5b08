"""Baselines on the command line: the baseline of each path, and how a run's findings compare with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

import click

from hipify_py.cli.by_configuration import Part
from hipify_py.cli.options import setting
from hipify_py.project.api import ConversionReport
from hipify_py.project.since import Since
from hipify_py.report.baseline.file import Entry, read_entries
from hipify_py.report.baseline.match import Matched, match
from hipify_py.report.text import plural

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
    revision: str | None, reports: Sequence[ConversionReport], *, from_merge_base: bool
) -> list[ConversionReport]:
    """The reports with findings on unchanged lines marked as known.

    Raises:
        click.UsageError: for `--no-merge-base` alone.
        PlanError: when the revision cannot be read.
    """
    if revision is None:
        if not from_merge_base:
            raise click.UsageError("--no-merge-base requires --since.")
        return [*reports]
    changes = Since(revision, from_merge_base=from_merge_base)
    return [report._replace(results=changes.news(report.results)) for report in reports]


def without_known(
    parts: Sequence[Part], reports: Sequence[ConversionReport]
) -> tuple[list[ConversionReport], list[Entry] | None]:
    """The reports on parts with known findings separated, and the entries that are gone; None without a baseline.

    Raises:
        BaselineError: when a baseline cannot be used.
    """
    told = list(reports)
    gone: list[Entry] | None = None
    for path, indexes in by_baseline(parts).items():
        held = hold(path, indexes, reports, read_entries(path))
        results = iter(held.matched.results)
        for index in indexes:
            told[index] = reports[index]._replace(results=[*islice(results, len(reports[index].results))])
        gone = [*(gone or []), *held.matched.gone]
    return told, gone


def hold(path: str, indexes: list[int], reports: Sequence[ConversionReport], entries: frozenset[Entry]) -> Held:
    """Hold the results of some parts against the entries of their baseline."""
    results = [*chain.from_iterable(reports[index].results for index in indexes)]
    return Held(path, indexes, match(results, entries, os.path.dirname(path)))


def by_baseline(parts: Sequence[Part]) -> dict[str, list[int]]:
    """The indexes of the parts that have each baseline."""
    found: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for index, part in enumerate(parts):
        if part.baseline:
            name = names.setdefault(os.path.realpath(part.baseline), part.baseline)
            found.setdefault(name, []).append(index)
    return found


def told(gone: Sequence[Entry] | None, *, verbose: bool) -> Iterator[str]:
    """Lines about what is gone."""
    if not gone:
        return
    yield f"{plural(len(gone), 'finding')} of the baseline gone; hipify-py baseline prune removes them"
    if verbose or len(gone) <= _MOST_TOLD:
        yield from (f"  {entry.path}: {entry.id} {entry.name}".rstrip() for entry in gone)
