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

# Facts about a tree's files, and their answers, from earlier runs.

_FORMAT = 2


class KnownFacts(FileFacts):
    """The facts for one set of given paths, per installation that found them; those of the last run are kept."""

    def __init__(self, paths: Iterable[str], installation: bytes) -> None:
        """Open the facts for some given paths; empty if they cannot be read."""
        self._place = repr((os.getcwd(), *paths, installation))
        place = self._place.encode("utf-8", "surrogatepass")
        self._name = "facts-" + blake2b(place, digest_size=12).hexdigest()
        body = files.read(self._name)
        # The user's own file, and undamaged.
        head, place_of, *known = (0, "") if body is None else marshal.loads(body)  # nosec B302
        self._begun = time.monotonic()
        super().__init__(*(known if (head, place_of) == (_FORMAT, self._place) else ()))

    def save_so_far(self) -> None:
        """Save what is found so far, in case this run is stopped, unless finding it took no time."""
        if self.is_fresh and time.monotonic() - self._begun > PAUSE:
            self._write({**self.known, **self.used}, {**self.known_answers, **self.answers})

    def save(self) -> None:
        """Save the facts for the next run."""
        if self.used and self.is_changed:
            self._write(self.used, self.answers)
        else:
            files.used(self._name)

    def _write(self, facts: Entries, answers: Answers) -> None:
        files.write(self._name, marshal.dumps((_FORMAT, self._place, facts, answers), 4))


class ResultsCache(NamedTuple):
    """What earlier runs have stored about the given paths' files, and the keys that this run uses to look it up.

    `facts` depend only on the contents of the files, not on the options.
    """

    shelf: Shelf
    keys: Keys
    facts: KnownFacts

    def interrupted(self) -> None:
        """Save what was found so far: the run stops here, and the next one continues."""
        self.shelf.interrupted()

    def save(self) -> None:
        """Save what was found for the next run."""
        self.shelf.save()
        self.facts.save()


def open_cache(paths: Iterable[str], options: Options, seen_by: bytes = b"") -> ResultsCache | None:
    """The cache for some given paths; None if the installation cannot be identified.

    `seen_by` identifies what else examines the sources (`ClangSession.identity`).
    """
    try:
        installation = fingerprint(options.targeting.tables)
    except OSError:
        return None
    given = [*paths]
    return ResultsCache(Shelf(given), Keys(installation + seen_by, options), KnownFacts(given, installation))
