"""The cache of one run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hipify_py.core.options import Options
from hipify_py.project.results_cache.fingerprint import fingerprint
from hipify_py.project.results_cache.keys import Keys
from hipify_py.project.results_cache.known_facts import KnownFacts
from hipify_py.project.results_cache.shelf import Shelf


class ResultsCache(NamedTuple):
    """What earlier runs have kept of the given paths' files, and the keys by which this run asks for it.

    `facts` are what the contents of the files say by themselves, whatever the options are.
    """

    shelf: Shelf
    keys: Keys
    facts: KnownFacts

    def interrupted(self) -> None:
        """Leave what was found out so far: the run stops here, and the next one goes on."""
        self.shelf.interrupted()

    def save(self) -> None:
        """Leave what was found out to the next run."""
        self.shelf.save()
        self.facts.save()


def open_cache(paths: Iterable[str], options: Options, seen_by: bytes = b"") -> ResultsCache | None:
    """The cache for some given paths; None where the installation cannot be told from others.

    `seen_by` tells apart by what the sources are seen besides (`View.identity`).
    """
    try:
        installation = fingerprint(options.targeting.tables)
    except OSError:
        return None
    given = [*paths]
    return ResultsCache(Shelf(given), Keys(installation + seen_by, options), KnownFacts(given, installation))
