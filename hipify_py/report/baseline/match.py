"""Tells findings that a baseline knows from new ones."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hipify_py.core.findings import Finding
from hipify_py.core.fingerprints import fingerprint
from hipify_py.project.result import FAILED, FileResult, with_known
from hipify_py.report.baseline.file import Entry


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
    told: list[FileResult] = []
    used: set[Entry] = set()
    renamed: set[Entry] = set()
    fresh: list[Entry] = []
    for result in results:
        known: set[Finding] = set()
        for finding in () if result.status == FAILED else result.findings:
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
        told.append(with_known(result, known))
    gone = {entry for entry in entries - used if entry.path in looked or entry.path in missing}
    kept = {entry for entry in entries - gone if entry.path not in missing} | renamed
    return Matched(told, sorted(gone), sorted(kept), fresh)


def entry_of(finding: Finding, place: str) -> Entry:
    """A finding as a baseline has it."""
    return Entry(place, finding.id, finding.name, finding.fingerprint or fingerprint(finding))


def place_of(path: str, folder: str) -> str:
    """A file as a baseline in a folder names it."""
    parent, name = os.path.split(path)
    return os.path.relpath(os.path.join(os.path.realpath(parent), name), os.path.realpath(folder)).replace(os.sep, "/")


def _missing(paths: Iterable[str], folder: str) -> frozenset[str]:
    return frozenset(path for path in paths if not os.path.exists(os.path.join(folder, path)))
