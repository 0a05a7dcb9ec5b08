"""The cache of one run."""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from hipify_py.core.options import Options
from hipify_py.project.content_facts import Answers, Entries, FileFacts
from hipify_py.project.results_cache import files
from hipify_py.project.results_cache.fingerprint import fingerprint
from hipify_py.project.results_cache.journal import PAUSE
from hipify_py.project.results_cache.keys import Keys
from hipify_py.project.results_cache.shelf import Shelf

# Facts about a tree's files, and their answers, as an earlier run left them.

_FORMAT = 2


class KnownFacts(FileFacts):
    """The facts of one set of given paths, for the installation that found them; those of the last run are kept."""

    def __init__(self, paths: Iterable[str], installation: bytes) -> None:
        """Open those of some given paths; none where none can be read."""
        self._place = repr((os.getcwd(), *paths, installation))
        place = self._place.encode("utf-8", "surrogatepass")
        self._name = "facts-" + blake2b(place, digest_size=12).hexdigest()
        body = files.read(self._name)
        # The user's own, and whole.
        head, place_of, *known = (0, "") if body is None else marshal.loads(body)  # nosec B302
        self._begun = time.monotonic()
        super().__init__(*(known if (head, place_of) == (_FORMAT, self._place) else ()))

    def save_so_far(self) -> None:
        """Leave what is found so far to the next run, should this one be stopped; not where it was found in no time."""
        if self.is_fresh and time.monotonic() - self._begun > PAUSE:
            self._write({**self.known, **self.used}, {**self.known_answers, **self.answers})

    def save(self) -> None:
        """Leave the facts to the next run."""
        if self.used and self.is_changed:
            self._write(self.used, self.answers)
        else:
            files.used(self._name)

    def _write(self, facts: Entries, answers: Answers) -> None:
        files.write(self._name, marshal.dumps((_FORMAT, self._place, facts, answers), 4))


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

    `seen_by` tells apart by what the sources are seen besides (`ClangSession.identity`).
    """
    try:
        installation = fingerprint(options.targeting.tables)
    except OSError:
        return None
    given = [*paths]
    return ResultsCache(Shelf(given), Keys(installation + seen_by, options), KnownFacts(given, installation))
